"""Ultimate tic-tac-toe: play, result, random playouts, perft.

A position is `marks` [2, 9], the cells of X and of O in each mini board as nine bits; `owners` [2],
the mini boards that each has won; and the mini board that is forced, or ANYWHERE.
Marks in a won mini board never fade, so `owners` only grows.
"""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.risk import sample_mark, sample_wait
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules import DRAW, EMPTY, RUNNING

ANYWHERE = 9
FULL = 511


@kernel(allocates=False, inlined=True)
def count_of(rules, cells):
    """How many cells are in a set of nine bits."""
    return np.int64(rules.cell_count[cells])


@kernel(allocates=False, inlined=True)
def nth_of(rules, cells, n):
    """The n-th cell of a set of nine bits, ascending."""
    return np.int64(rules.nth_cell[cells, n])


@kernel(allocates=False, inlined=True)
def free_cells(rules, marks, owners, mini):
    """The cells of a mini board that take a mark, as nine bits."""
    if (not rules.plays_on) and ((owners[0] | owners[1]) >> mini) & 1:
        return 0
    return FULL & ~(marks[0, mini] | marks[1, mini])


@kernel(allocates=False)
def is_stuck(rules, marks, owners):
    """True when no mini board takes a mark any more."""
    for mini in range(9):
        if free_cells(rules, marks, owners, mini):
            return False
    return True


@kernel(allocates=False)
def final_result(rules, owners):
    """The result when no move is left."""
    if rules.counts_boards:
        lead = count_of(rules, owners[0]) - count_of(rules, owners[1])
        if lead > 0:
            return 1
        if lead < 0:
            return 2
    return DRAW


@kernel(allocates=False, inlined=True)
def place(rules, marks, owners, mini, cell, mark):
    """Put a mark on a free cell; True when it wins the whole game."""
    side = mark - 1
    marks[side, mini] |= 1 << cell
    if rules.is_won[marks[side, mini]] and not ((owners[0] | owners[1]) >> mini) & 1:
        owners[side] |= 1 << mini
        return rules.is_won[owners[side]]
    return False


@kernel(allocates=False, inlined=True)
def forced_by(rules, marks, owners, cell):
    """Where a move on `cell` sends the opponent."""
    return cell if free_cells(rules, marks, owners, cell) else ANYWHERE


@kernel(allocates=False, inlined=True)
def _empty_cells(marks, mini):
    """Where closed mini boards are full these are the free cells."""
    return FULL & ~(marks[0, mini] | marks[1, mini])


@kernel(allocates=False, inlined=True)
def _random_move(rules, marks, forced, n_empty, rng):
    """(mini board, cell), uniform among the empty cells of the forced mini board or of all."""
    if forced != ANYWHERE:
        empty = _empty_cells(marks, forced)
        return forced, nth_of(rules, empty, below(rng, count_of(rules, empty)))
    n = below(rng, n_empty)
    mini = 0
    before = 0
    seen = 0
    for i in range(9):  # always nine: a loop that may end early is mispredicted
        seen += count_of(rules, _empty_cells(marks, i))
        if seen <= n:
            mini = i + 1
            before = seen
    return mini, nth_of(rules, _empty_cells(marks, mini), n - before)


@kernel(allocates=False)
def _close(rules, marks, owners):
    """Fill the closed mini boards, so that empty cells are free; how many are empty."""
    n_empty = 0
    for mini in range(9):
        if (not rules.plays_on) and ((owners[0] | owners[1]) >> mini) & 1:
            marks[0, mini] = FULL
        n_empty += count_of(rules, _empty_cells(marks, mini))
    return n_empty


@kernel(allocates=False)
def _fade(rules, marks, owners, rng):
    """Empty cells by chance; how many."""
    n_faded = 0
    for mini in range(9):
        if ((owners[0] | owners[1]) >> mini) & 1:
            continue
        filled = marks[0, mini] | marks[1, mini]
        for cell in range(9):
            chance = rules.risk.fade[9 * mini + cell]
            if (filled >> cell) & 1 and chance > 0.0 and uniform(rng) < chance:
                marks[0, mini] &= ~(1 << cell)
                marks[1, mini] &= ~(1 << cell)
                n_faded += 1
    return n_faded


@kernel(allocates=False)
def playout(rules, marks, owners, forced, turn, tick, max_turns, rng):
    """Play random moves to the end; (result, turns played). DRAW after `max_turns` turns.

    `marks` and `owners` are scratch; closed mini boards end up full.
    """
    is_risky = rules.risk.is_risky
    n_empty = _close(rules, marks, owners)
    for turns in range(1, max_turns + 1):
        mini, cell = _random_move(rules, marks, forced, n_empty, rng)
        mark = turn
        turn = 3 - turn
        if is_risky:
            if rules.risk.has_clock:
                tick += sample_wait(rules.risk, tick, rng)
            mark = sample_mark(rules.risk, 9 * mini + cell, tick, mark, rng)
        if mark != EMPTY:
            n_empty -= 1
            if place(rules, marks, owners, mini, cell, mark):
                return mark, turns
            if (not rules.plays_on) and ((owners[0] | owners[1]) >> mini) & 1:
                n_empty -= count_of(rules, _empty_cells(marks, mini))
                marks[0, mini] = FULL
            if n_empty == 0:
                return final_result(rules, owners), turns
        if is_risky and rules.risk.fades:
            n_empty += _fade(rules, marks, owners, rng)
        forced = cell if _empty_cells(marks, cell) else ANYWHERE
    return DRAW, max_turns


@kernel()
def playouts(
    rules, start_marks, start_owners, forced, turn, tick, games, max_turns, rng, out_tally
):
    """Random games from one running position; adds to tally[X, O, DRAW, turns played]."""
    marks = np.empty((2, 9), np.int64)
    owners = np.empty(2, np.int64)
    for _ in range(games):
        for side in range(2):
            owners[side] = start_owners[side]
            for mini in range(9):
                marks[side, mini] = start_marks[side, mini]
        result, turns = playout(rules, marks, owners, forced, turn, tick, max_turns, rng)
        out_tally[result - 1] += 1
        out_tally[3] += turns


@kernel(allocates=False)
def result_of(rules, marks, owners):
    """RUNNING, X, O or DRAW."""
    for side in range(2):
        if rules.is_won[owners[side]]:
            return side + 1
    return final_result(rules, owners) if is_stuck(rules, marks, owners) else RUNNING


@kernel(allocates=False)
def _count_paths(rules, marks, owners, turn, path, forced_at, owners_at):
    """Walk all sequences of moves. At each ply: `path` [depth] is the move played, -1 before one;
    `forced_at` and `owners_at` are the forced mini board and the owners before it."""
    depth = path.size
    total = 0
    ply = 0
    while ply >= 0:
        mark = turn if ply % 2 == 0 else 3 - turn
        if path[ply] >= 0:
            mini, cell = path[ply] // 9, path[ply] % 9
            marks[mark - 1, mini] &= ~(1 << cell)
            owners[0], owners[1] = owners_at[ply, 0], owners_at[ply, 1]
        else:
            owners_at[ply, 0], owners_at[ply, 1] = owners[0], owners[1]
        first, last = 0, 80
        if forced_at[ply] != ANYWHERE:
            first, last = 9 * forced_at[ply], 9 * forced_at[ply] + 8
        if ply == depth - 1:  # every free cell is one leaf
            for mini in range(first // 9, last // 9 + 1):
                total += count_of(rules, free_cells(rules, marks, owners, mini))
            path[ply] = -1
            ply -= 1
            continue
        move = max(path[ply] + 1, first)
        while move <= last and not (free_cells(rules, marks, owners, move // 9) >> (move % 9)) & 1:
            move += 1
        if move > last:
            path[ply] = -1
            ply -= 1
            continue
        path[ply] = move
        if place(rules, marks, owners, move // 9, move % 9, mark):
            continue
        forced_at[ply + 1] = forced_by(rules, marks, owners, move % 9)
        if forced_at[ply + 1] != ANYWHERE or not is_stuck(rules, marks, owners):
            ply += 1
    return total


@kernel()
def perft(rules, marks, owners, forced, turn, depth):
    """How many sequences of `depth` moves there are from a running position (risk aside)."""
    if depth == 0:
        return 1
    path = np.full(depth, -1, np.int64)
    forced_at = np.empty(depth, np.int64)
    owners_at = np.empty((depth, 2), np.int64)
    forced_at[0] = forced
    return _count_paths(rules, marks, owners, turn, path, forced_at, owners_at)
