"""UCT on Ultimate; the tree is that of `uct`."""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.rng import uniform
from noughts.kernels.rules.codes import EMPTY, RUNNING
from noughts.kernels.rules.risk import waits
from noughts.kernels.uct import (
    CHANCE,
    FADE,
    FULL,
    LANDINGS,
    LONGEST_WALK,
    ROOT,
    UNEXPANDED,
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
from noughts.kernels.ultimate import (
    ANYWHERE,
    count_of,
    final_result,
    forced_by,
    free_cells,
    is_stuck,
    nth_of,
    place,
    playout,
)


@kernel(allocates=False)
def land(rules, marks, owners, move, mark):
    """Let a mark land; (result, where the opponent must play)."""
    mini, cell = move // 9, move % 9
    if mark != EMPTY and place(rules, marks, owners, mini, cell, mark):
        return mark, ANYWHERE
    forced = forced_by(rules, marks, owners, cell)
    if forced == ANYWHERE and is_stuck(rules, marks, owners):
        return final_result(rules, owners), ANYWHERE
    return RUNNING, forced


@kernel(allocates=False)
def fade(rules, marks, owners, rng):
    """Let marks fade in the mini boards that nobody has won."""
    for mini in range(9):
        if ((owners[0] | owners[1]) >> mini) & 1:
            continue
        filled = marks[0, mini] | marks[1, mini]
        for cell in range(9):
            chance = rules.risk.fade[9 * mini + cell]
            if (filled >> cell) & 1 and chance > 0.0 and uniform(rng) < chance:
                marks[0, mini] &= ~(1 << cell)
                marks[1, mini] &= ~(1 << cell)


@kernel(allocates=False, wraps=True)
def _board_key(marks):
    # Owners and the forced mini board follow from the marks and from the parent node.
    key = np.uint64(1)
    for mini in range(9):
        key = (key + np.uint64(marks[0, mini] << 9 | marks[1, mini])) * np.uint64(
            0xBF58476D1CE4E5B9
        )
        key ^= key >> np.uint64(31)
    return key


@kernel(allocates=False, inlined=True)
def _expand(rules, tree, node, marks, owners, forced, turn, tick):
    """Make a child for each move; without risk those that win the game are exact at once."""
    first_mini, last_mini = 0, 8
    if forced != ANYWHERE:
        first_mini, last_mini = forced, forced
    n_moves = 0
    for mini in range(first_mini, last_mini + 1):
        n_moves += count_of(rules, free_cells(rules, marks, owners, mini))
    longest = waits(rules.risk, tick)
    first = make_children(tree, node, n_moves * (longest + 1))
    if first == FULL:
        return False
    child = first
    for wait in range(longest + 1):
        for mini in range(first_mini, last_mini + 1):
            free = free_cells(rules, marks, owners, mini)
            for i in range(count_of(rules, free)):
                tree.move[child] = 9 * mini + nth_of(rules, free, i) + 81 * wait
                child += 1
    if not rules.risk.is_risky:
        _add_wins(rules, tree, node, marks, owners, turn)
    return True


@kernel(allocates=False)
def _add_wins(rules, tree, node, marks, owners, turn):
    decided = owners[0] | owners[1]
    first = tree.first_child[node]
    for i in range(tree.n_children[node]):
        move = np.int64(tree.move[first + i])
        mini, cell = move // 9, move % 9
        if (decided >> mini) & 1 or not rules.is_won[owners[turn - 1] | (1 << mini)]:
            continue
        if rules.is_won[marks[turn - 1, mini] | (1 << cell)]:
            add_ended(tree, node, i, value_of(turn))


@kernel(allocates=False, inlined=True)
def _wins_at_once(rules, marks, owners, forced, turn):
    """Can the player on turn win the game with this move?"""
    own = owners[turn - 1]
    for mini in range(9):
        if forced not in (ANYWHERE, mini) or not rules.is_won[own | (1 << mini)]:
            continue
        if ((owners[0] | owners[1]) >> mini) & 1:
            continue
        free = free_cells(rules, marks, owners, mini)
        for i in range(count_of(rules, free)):
            if rules.is_won[marks[turn - 1, mini] | (1 << nth_of(rules, free, i))]:
                return True
    return False


@kernel(allocates=False, inlined=True)
def _simulate(
    rules,
    tree,
    marks,
    owners,
    forced,
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
    node = ROOT
    length = moves = 0
    value = 0.0
    is_proof = False
    while True:
        if node == FULL:
            result, _ = playout(rules, marks, owners, forced, mover, clock, max_turns, rng)
            value = value_of(result)
            break
        path[length] = node
        kinds[length] = mover
        length += 1
        if tree.is_exact[node] and node != ROOT:
            value = tree.value[node]
            break
        if tree.first_child[node] == UNEXPANDED:
            is_new = tree.visits[node] == 0 and node != ROOT
            if is_new and not rules.risk.is_risky:
                if _wins_at_once(rules, marks, owners, forced, mover):
                    value = value_of(mover)
                    set_exact(tree, node, value)
                    is_proof = True
                    break
            if (
                is_new
                or length > LONGEST_WALK
                or not _expand(rules, tree, node, marks, owners, forced, mover, clock)
            ):
                result, _ = playout(rules, marks, owners, forced, mover, clock, max_turns, rng)
                value = value_of(result)
                break
            if tree.n_tried[node] > 0 and try_proof(tree, node, mover):
                value = tree.value[node]
                is_proof = True
                break
        node = select(tree, node, mover, exploration, every_move and node == ROOT, rng)
        moves += 1
        move = tree.move[node] % 81
        clock += tree.move[node] // 81
        mark = mover
        if rules.risk.is_risky:
            path[length] = node
            kinds[length] = CHANCE
            length += 1
            node, mark = choose_landing(rules.risk, tree, node, move, clock, mover, rng)
        result, forced = land(rules, marks, owners, move, mark)
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
            fade(rules, marks, owners, rng)
            forced = forced_by(rules, marks, owners, move % 9)
            if node != FULL:
                path[length] = node
                kinds[length] = FADE
                length += 1
                node = find_faded(tree, node, _board_key(marks))
    back_up(tree, path, kinds, length, value, is_proof)
    tree.size[1] = max(tree.size[1], moves)


@kernel(allocates=False)
def _run(
    rules, tree, start_marks, start_owners, marks, owners, forced, turn, tick, simulations,
    exploration, max_turns, every_move, can_grow, rng, path, kinds,
):  # fmt: skip
    room = 81 * (waits(rules.risk, tick) + 1) + LANDINGS + 1
    for done in range(simulations):
        is_full = can_grow and tree.size[0] + room > tree.visits.size
        if is_full or is_finished(tree, every_move):
            return done
        for side in range(2):
            owners[side] = start_owners[side]
            for mini in range(9):
                marks[side, mini] = start_marks[side, mini]
        _simulate(
            rules, tree, marks, owners, forced, turn, tick, exploration, max_turns, every_move, rng,
            path, kinds,
        )  # fmt: skip
    return simulations


@kernel()
def search(
    rules, tree, marks, owners, forced, turn, tick, simulations, exploration, max_turns,
    every_move, can_grow, rng,
):  # fmt: skip
    """Run simulations from a running position; how many were run. See `uct_lines.search`."""
    path, kinds = new_path()
    return _run(
        rules, tree, marks, owners, np.empty_like(marks), np.empty_like(owners), forced, turn, tick,
        simulations, exploration, max_turns, every_move, can_grow, rng, path, kinds,
    )  # fmt: skip
