"""Line games of any size: play, undo, result, random playouts, perft.

The state of a game is `board` [cells] and `counts` [2, lines], the marks of X and of O on each
line. A move touches only the lines through its cell.
"""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.risk import sample_mark, sample_wait
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules import DRAW, EMPTY, RUNNING


@kernel(allocates=False, inlined=True)
def place(rules, board, counts, cell, mark):
    """Put a mark on an empty cell; True when it completes a line."""
    board[cell] = mark
    side = mark - 1
    completed = False
    for j in range(rules.line_start[cell], rules.line_start[cell + 1]):
        line = rules.line_of[j]
        counts[side, line] += 1
        completed |= counts[side, line] == rules.line_length[line]
    return completed


@kernel(allocates=False, inlined=True)
def unplace(rules, board, counts, cell):
    """Take the mark off a cell."""
    side = board[cell] - 1
    board[cell] = EMPTY
    for j in range(rules.line_start[cell], rules.line_start[cell + 1]):
        counts[side, rules.line_of[j]] -= 1


@kernel(allocates=False)
def fill_counts(rules, board, out_counts):
    """Count the marks on every line of a board."""
    out_counts[:] = 0
    for cell in range(board.size):
        if board[cell] != EMPTY:
            side = board[cell] - 1
            for j in range(rules.line_start[cell], rules.line_start[cell + 1]):
                out_counts[side, rules.line_of[j]] += 1


@kernel(allocates=False)
def result_of(rules, board, counts):
    """RUNNING, X, O or DRAW, from the counts of a whole board."""
    for side in range(2):
        for line in range(rules.line_length.size):
            if counts[side, line] == rules.line_length[line]:
                return 2 - side if rules.is_misere else side + 1
    for cell in range(board.size):
        if board[cell] == EMPTY:
            return RUNNING
    return DRAW


@kernel(allocates=False)
def list_empties(board, out_empties):
    """Write the empty cells of a board in ascending order; how many there are."""
    n_empty = 0
    for cell in range(board.size):
        if board[cell] == EMPTY:
            out_empties[n_empty] = cell
            n_empty += 1
    return n_empty


@kernel(allocates=False)
def _fade(rules, board, counts, empties, n_empty, rng):
    for cell in range(board.size):
        chance = rules.risk.fade[cell]
        if chance > 0.0 and board[cell] != EMPTY and uniform(rng) < chance:
            unplace(rules, board, counts, cell)
            empties[n_empty] = cell
            n_empty += 1
    return n_empty


@kernel(allocates=False)
def playout(rules, board, counts, empties, n_empty, turn, tick, max_turns, rng):
    """Play random moves to the end; (result, turns played). DRAW after `max_turns` turns.

    `board`, `counts` and `empties` are scratch and are left as the game ended.
    """
    turns = 0
    is_risky = rules.risk.is_risky
    while turns < max_turns:
        r = below(rng, n_empty)
        cell = empties[r]
        mark = turn
        turns += 1
        turn = 3 - turn
        if is_risky:
            if rules.risk.has_clock:
                tick += sample_wait(rules.risk, tick, rng)
            mark = sample_mark(rules.risk, cell, tick, mark, rng)
        if mark != EMPTY:
            n_empty -= 1
            empties[r] = empties[n_empty]
            if place(rules, board, counts, cell, mark):
                return (3 - mark if rules.is_misere else mark), turns
            if n_empty == 0:
                return DRAW, turns
        if is_risky and rules.risk.fades:
            n_empty = _fade(rules, board, counts, empties, n_empty, rng)
    return DRAW, turns


@kernel()
def playouts(rules, start, turn, tick, games, max_turns, rng, out_tally):
    """Random games from one running position; adds to tally[X, O, DRAW, turns played]."""
    cells = start.size
    board = np.empty_like(start)
    start_counts = np.empty((2, rules.line_length.size), np.uint8)
    fill_counts(rules, start, start_counts)
    counts = np.empty_like(start_counts)
    start_empties = np.empty(cells, np.int64)
    empties = np.empty(cells, np.int64)
    start_n = list_empties(start, start_empties)
    for _ in range(games):
        for cell in range(cells):
            board[cell] = start[cell]
        for line in range(rules.line_length.size):
            counts[0, line] = start_counts[0, line]
            counts[1, line] = start_counts[1, line]
        for i in range(start_n):
            empties[i] = start_empties[i]
        result, turns = playout(rules, board, counts, empties, start_n, turn, tick, max_turns, rng)
        out_tally[result - 1] += 1
        out_tally[3] += turns


@kernel(allocates=False)
def _count_paths(rules, board, counts, turn, path):
    """Walk all sequences of moves; `path` [depth] is the cell played at each ply, -1 before one."""
    depth, cells = path.size, board.size
    n_empty = 0
    for cell in range(cells):
        n_empty += board[cell] == EMPTY
    total = 0
    ply = 0
    while ply >= 0:
        if path[ply] >= 0:
            unplace(rules, board, counts, path[ply])
        if ply == depth - 1:  # every empty cell is one leaf
            total += n_empty - ply
            path[ply] = -1
            ply -= 1
            continue
        cell = path[ply] + 1
        while cell < cells and board[cell] != EMPTY:
            cell += 1
        if cell == cells:
            path[ply] = -1
            ply -= 1
            continue
        path[ply] = cell
        mark = turn if ply % 2 == 0 else 3 - turn
        completed = place(rules, board, counts, cell, mark)
        if not completed and ply + 1 < n_empty:
            ply += 1
    return total


@kernel()
def perft(rules, board, counts, turn, depth):
    """How many sequences of `depth` moves there are from a running position (risk aside)."""
    if depth == 0:
        return 1
    return _count_paths(rules, board, counts, turn, np.full(depth, -1, np.int64))
