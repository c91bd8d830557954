"""Line games of any size: play, undo, result, random playouts, perft.

The state of a game is `board` [cells] and `counts` [2, lines], the marks of X and of O on each
line. A move touches only the lines through its cell.
"""

from noughts.kernels.jit import kernel
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import DRAW, EMPTY, RUNNING
from noughts.kernels.rules.risk import sample_mark, sample_wait


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
