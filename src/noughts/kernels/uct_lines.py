"""UCT on games of lines; the tree is that of `uct`."""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.lines import fill_counts, list_empties, place, playout, unplace
from noughts.kernels.rng import uniform
from noughts.kernels.rules.codes import DRAW, EMPTY, RUNNING
from noughts.kernels.rules.risk import waits
from noughts.kernels.uct import (
    CHANCE,
    FADE,
    FULL,
    LANDINGS,
    LONGEST_WALK,
    ROOT,
    UNEXPANDED,
    UNKNOWN,
    add_ended,
    back_up,
    choose_landing,
    find_faded,
    is_finished,
    make_children,
    new_path,
    select,
    set_exact,
    try_proof,
    value_of,
)


@kernel(allocates=False)
def completes(rules, counts, cell, mark):
    """Would this mark complete a line?"""
    for j in range(rules.line_start[cell], rules.line_start[cell + 1]):
        line = rules.line_of[j]
        if counts[mark - 1, line] + 1 == rules.line_length[line]:
            return True
    return False


@kernel(allocates=False)
def find_threats(rules, board, counts, mark):
    """(0, 1 or 2, cell): on how many cells, two at most, this mark would complete a line."""
    side = mark - 1
    found = 0
    threat = np.int64(-1)
    for line in range(rules.line_length.size):
        if counts[side, line] + 1 != rules.line_length[line] or counts[1 - side, line] != 0:
            continue
        for j in range(rules.line_cells.shape[1]):
            cell = np.int64(rules.line_cells[line, j])
            if cell >= 0 and board[cell] == EMPTY and cell != threat:
                if found == 1:
                    return 2, cell
                found = 1
                threat = cell
    return found, threat


@kernel(allocates=False)
def land(rules, board, counts, n_empty, cell, mark):
    """Let a mark land; (result, empty cells left)."""
    if mark == EMPTY:
        return RUNNING, n_empty
    n_empty -= 1
    if place(rules, board, counts, cell, mark):
        return (3 - mark if rules.is_misere else mark), n_empty
    return (DRAW if n_empty == 0 else RUNNING), n_empty


@kernel(allocates=False)
def fade(rules, board, counts, n_empty, rng):
    """Let marks fade; the empty cells there are then."""
    for cell in range(board.size):
        chance = rules.risk.fade[cell]
        if chance > 0.0 and board[cell] != EMPTY and uniform(rng) < chance:
            unplace(rules, board, counts, cell)
            n_empty += 1
    return n_empty


@kernel(allocates=False, wraps=True)
def _board_key(board):
    key = np.uint64(1)
    for cell in range(board.size):
        key = (key + np.uint64(board[cell])) * np.uint64(0xBF58476D1CE4E5B9)
        key ^= key >> np.uint64(31)
    return key


@kernel(allocates=False)
def _judge(rules, board, counts, turn):
    """The value for X of a position that ends within two moves, or UNKNOWN."""
    if rules.risk.is_risky or rules.is_misere:
        return UNKNOWN
    if find_threats(rules, board, counts, turn)[0] > 0:
        return value_of(turn)
    if find_threats(rules, board, counts, 3 - turn)[0] > 1:
        return value_of(3 - turn)
    return UNKNOWN


@kernel(allocates=False, inlined=True)
def _expand(rules, tree, node, board, counts, n_empty, turn, tick):
    """Make a child for each move; without risk those that end the game are exact at once.

    Where the opponent threatens to win, all moves but one lose at once and are left out below the
    root.
    """
    cells = board.size
    if node != ROOT and not (rules.risk.is_risky or rules.is_misere):
        n_threats, threat = find_threats(rules, board, counts, 3 - turn)
        if n_threats > 0:
            first = make_children(tree, node, np.int64(1))
            if first == FULL:
                return False
            tree.move[first] = threat
            if n_empty == 1:
                add_ended(tree, node, 0, 0.0)
            return True
    longest = waits(rules.risk, tick)
    first = make_children(tree, node, n_empty * (longest + 1))
    if first == FULL:
        return False
    child = first
    for wait in range(longest + 1):
        for cell in range(cells):
            if board[cell] == EMPTY:
                tree.move[child] = cell + cells * wait
                child += 1
    if not rules.risk.is_risky:
        for i in range(n_empty):
            if completes(rules, counts, tree.move[first + i], turn):
                winner = 3 - turn if rules.is_misere else turn
                add_ended(tree, node, i, value_of(winner))
            elif n_empty == 1:
                add_ended(tree, node, i, 0.0)
    return True


@kernel(allocates=False)
def _score(rules, board, counts, empties, turn, tick, max_turns, rng):
    """The result of a random playout, for X."""
    n_empty = list_empties(board, empties)
    result, _ = playout(rules, board, counts, empties, n_empty, turn, tick, max_turns, rng)
    return value_of(result)


@kernel(allocates=False, inlined=True)
def _simulate(
    rules,
    tree,
    board,
    counts,
    empties,
    n_empty,
    mover,
    clock,
    exploration,
    max_turns,
    every_move,
    rng,
    path,
    kinds,
):
    """One walk from the root, its score, and the backup. The boards are scratch."""
    cells = board.size
    node = ROOT
    length = moves = 0
    value = 0.0
    is_proof = False
    while True:
        if node == FULL:
            value = _score(rules, board, counts, empties, mover, clock, max_turns, rng)
            break
        path[length] = node
        kinds[length] = mover
        length += 1
        if tree.is_exact[node] and node != ROOT:
            value = tree.value[node]
            break
        if tree.first_child[node] == UNEXPANDED:
            is_new = tree.visits[node] == 0 and node != ROOT
            if is_new:
                value = _judge(rules, board, counts, mover)
                if value != UNKNOWN:
                    set_exact(tree, node, value)
                    is_proof = True
                    break
            if (
                is_new
                or length > LONGEST_WALK
                or not _expand(rules, tree, node, board, counts, n_empty, mover, clock)
            ):
                value = _score(rules, board, counts, empties, mover, clock, max_turns, rng)
                break
            if tree.n_tried[node] > 0 and try_proof(tree, node, mover):
                value = tree.value[node]
                is_proof = True
                break
        node = select(tree, node, mover, exploration, every_move and node == ROOT, rng)
        moves += 1
        cell = tree.move[node] % cells
        clock += tree.move[node] // cells
        if not rules.risk.is_risky:
            _, n_empty = land(rules, board, counts, n_empty, cell, mover)
            mover = 3 - mover
            continue
        path[length] = node
        kinds[length] = CHANCE
        length += 1
        node, mark = choose_landing(rules.risk, tree, node, cell, clock, mover, rng)
        result, n_empty = land(rules, board, counts, n_empty, cell, mark)
        mover = 3 - mover
        if result != RUNNING:
            value = value_of(result)
            if node != FULL:
                path[length] = node
                length += 1
                is_proof = not tree.is_exact[node]
                set_exact(tree, node, value)
            break
        if rules.risk.fades:
            n_empty = fade(rules, board, counts, n_empty, rng)
            if node != FULL:
                path[length] = node
                kinds[length] = FADE
                length += 1
                node = find_faded(tree, node, _board_key(board))
    back_up(tree, path, kinds, length, value, is_proof)
    tree.size[1] = max(tree.size[1], moves)


@kernel(allocates=False)
def _run(
    rules, tree, start, start_counts, board, counts, empties, turn, tick, simulations, exploration,
    max_turns, every_move, can_grow, rng, path, kinds,
):  # fmt: skip
    n_empty = list_empties(start, empties)
    room = n_empty * (waits(rules.risk, tick) + 1) + LANDINGS + 1
    for done in range(simulations):
        is_full = can_grow and tree.size[0] + room > tree.visits.size
        if is_full or is_finished(tree, every_move):
            return done
        for cell in range(start.size):
            board[cell] = start[cell]
        for line in range(rules.line_length.size):
            counts[0, line] = start_counts[0, line]
            counts[1, line] = start_counts[1, line]
        _simulate(
            rules, tree, board, counts, empties, n_empty, turn, tick, exploration, max_turns,
            every_move, rng, path, kinds,
        )  # fmt: skip
    return simulations


@kernel()
def search(
    rules, tree, start, turn, tick, simulations, exploration, max_turns, every_move, can_grow, rng
):
    """Run simulations from a running position; how many were run.

    They stop early when nothing is left to learn, and when the pool has no room for one more
    expansion although it `can_grow`. `every_move` goes on until each move of the root is exact.
    """
    start_counts = np.empty((2, rules.line_length.size), np.uint8)
    fill_counts(rules, start, start_counts)
    empties = np.empty(start.size, np.int64)
    path, kinds = new_path()
    return _run(
        rules, tree, start, start_counts, np.empty_like(start), np.empty_like(start_counts),
        empties, turn, tick, simulations, exploration, max_turns, every_move, can_grow, rng, path,
        kinds,
    )  # fmt: skip
