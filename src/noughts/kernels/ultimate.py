"""Ultimate tic-tac-toe: play, result, random playouts, perft.

A position is `marks` [2, 9], the cells of X and of O in each mini board as nine bits; `owners` [2],
the mini boards that each has won; and the mini board that is forced, or ANYWHERE.
Marks in a won mini board never fade, so `owners` only grows.
"""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import DRAW, EMPTY, RUNNING
from noughts.kernels.rules.risk import sample_mark, sample_wait

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


@kernel(allocates=False)
def result_of(rules, marks, owners):
    """RUNNING, X, O or DRAW."""
    for side in range(2):
        if rules.is_won[owners[side]]:
            return side + 1
    return final_result(rules, owners) if is_stuck(rules, marks, owners) else RUNNING
