"""Exact values of line games by one pass over all boards.

A board is a base-3 number seen from the player on turn: digit 0 empty, 1 his mark, 2 the
opponent's. Every game of ours is fair to both colours, so one table serves both turns: the value
of a board for X is minus the value of the colour-swapped board for O. With B the number whose
filled cells are all 1, swapping is b -> 3·B - b.

`table[b]` is the expected result for the player on turn (1 win, -1 loss), the result itself where
the game is over. The player on turn chooses a and with probability own[a] the opponent then faces
swap(b) + 2·3^a, with flip[a] swap(b) + 3^a, with fizzle[a] swap(b) as it is:

    table[b] = max over a of -(own·table[swap(b) + 2·3^a] + flip·table[swap(b) + 3^a]
                               + fizzle·table[swap(b)])

Both successors with a landing have more filled cells. So boards are done by the set of their
filled cells, supersets first, and each pair {b, swap(b)} at once: fizzle only ties these two
together, and that game of two states is solved in place.

Cells are split into low and high ones. A *block* is all boards whose high cells are filled in one
way or its swap; blocks whose high cells number the same do not depend on each other, and a block
fits the cache.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel


class SweepRules(NamedTuple):
    """A line game as the sweep reads it; sets of cells are bits."""

    cells: int
    low_cells: int
    power: NDArray[np.int64]  # [cells] 3^cell
    low_sum: NDArray[np.int64]  # [2^low] the sum of 3^cell over a set of low cells
    high_sum: NDArray[np.int64]  # [2^high] likewise for high cells
    is_won: NDArray[np.bool_]  # [2^cells] does the set hold a line
    line_value: float  # what a completed line is worth to its owner: 1, or -1 in misère
    has_fizzle: bool
    has_wait: bool


class LandingOdds(NamedTuple):
    """How a mark lands in each cell."""

    own: NDArray[np.float64]
    flip: NDArray[np.float64]
    fizzle: NDArray[np.float64]


@kernel(allocates=False)
def list_free(rules, filled, out_free):
    """The empty cells, ascending; how many there are."""
    n = 0
    for cell in range(rules.cells):
        if not (filled >> cell) & 1:
            out_free[n] = cell
            n += 1
    return n


@kernel(allocates=False)
def split_board(rules, index, out_free):
    """(cells of digit 1, cells of digit 2, number of empty cells in out_free, the swapped number)."""
    ones, twos, n_free, swapped = 0, 0, 0, 0
    rest = index
    for cell in range(rules.cells):
        digit = rest % 3
        rest //= 3
        if digit == 0:
            out_free[n_free] = cell
            n_free += 1
        elif digit == 1:
            ones |= 1 << cell
            swapped += 2 * rules.power[cell]
        else:
            twos |= 1 << cell
            swapped += rules.power[cell]
    return ones, twos, n_free, swapped


@kernel(allocates=False)
def over_value(rules, own, other, n_free):
    """(is the game over, its value for the player on turn).

    Boards on which both have a line cannot come about; they count as over and worth nothing.
    """
    if rules.is_won[own]:
        return True, 0.0 if rules.is_won[other] else rules.line_value
    if rules.is_won[other]:
        return True, -rules.line_value
    return n_free == 0, 0.0


@kernel(allocates=False)
def _best_move(odds, free, n_free, swapped, power, wait, table):
    """The value of the best move without fizzle."""
    best = wait
    for i in range(n_free):
        a = free[i]
        child = swapped + power[a]
        value = -odds.own[a] * table[child + power[a]] - odds.flip[a] * table[child]
        if value > best:
            best = value
    return best


@kernel(allocates=False)
def _landed_values(odds, free, n_free, swapped, power, wait, table, out_values):
    """For each move what it earns by landing; the last entry is the choice to wait."""
    for i in range(n_free):
        a = free[i]
        child = swapped + power[a]
        out_values[i] = -odds.own[a] * table[child + power[a]] - odds.flip[a] * table[child]
    out_values[n_free] = wait


@kernel(allocates=False)
def _solve_pair(odds, free, n_free, x_values, y_values):
    """The game of two states that fizzling leaves: x = max(x_a - f_a·y), y = max(y_a - f_a·x).

    Each side keeps to one choice, so x is the best worst case over all pairs of choices. Two
    choices that surely fizzle go on for ever, which is worth nothing to anybody.
    """
    best = -2.0
    for i in range(n_free + 1):
        f = odds.fizzle[free[i]] if i < n_free else 0.0
        worst = 2.0
        for j in range(n_free + 1):
            if y_values[j] < -1.5:
                continue
            g = odds.fizzle[free[j]] if j < n_free else 0.0
            value = 0.0
            if f * g < 1.0:
                value = (x_values[i] - f * y_values[j]) / (1.0 - f * g)
            worst = min(worst, value)
        best = max(best, worst)
    reply = y_values[n_free]
    for j in range(n_free):
        reply = max(reply, y_values[j] - odds.fizzle[free[j]] * best)
    return best, reply


@kernel(allocates=False)
def _solve_boards(rules, odds, free, n_free, index, swapped, waits, table, x_values, y_values):
    """Write the values of a running board and of its swap."""
    power = rules.power
    x_wait = waits[index] if rules.has_wait else -2.0
    y_wait = waits[swapped] if rules.has_wait else -2.0
    if rules.has_fizzle:
        _landed_values(odds, free, n_free, swapped, power, x_wait, table, x_values)
        _landed_values(odds, free, n_free, index, power, y_wait, table, y_values)
        x, y = _solve_pair(odds, free, n_free, x_values, y_values)
    else:
        x = _best_move(odds, free, n_free, swapped, power, x_wait, table)
        y = _best_move(odds, free, n_free, index, power, y_wait, table)
    table[index] = x
    table[swapped] = y


@kernel(allocates=False)
def _sweep_block(rules, odds, support, colour, waits, table, free, x_values, y_values):
    """Solve one block; the number of running boards in it."""
    low = rules.low_cells
    high_base = rules.high_sum[support]
    high_index = high_base + rules.high_sum[colour]
    running = 0
    for filled in range((1 << low) - 1, -1, -1):
        n_free = list_free(rules, filled | (support << low), free)
        base = high_base + rules.low_sum[filled]
        # With no high cell filled a low colouring and its swap are in the same block: do one.
        skip = filled & -filled if support == 0 else 0
        twos = filled
        while True:
            if twos & skip == 0:
                index = high_index + rules.low_sum[filled] + rules.low_sum[twos]
                swapped = 3 * base - index
                own = ((support & ~colour) << low) | (filled & ~twos)
                is_over, value = over_value(rules, own, (colour << low) | twos, n_free)
                if is_over:
                    table[index] = value
                    table[swapped] = -value
                else:
                    running += 1 if index == swapped else 2
                    _solve_boards(
                        rules, odds, free, n_free, index, swapped, waits, table, x_values, y_values
                    )
            if twos == 0:
                break
            twos = (twos - 1) & filled
    return running


@kernel()
def sweep_blocks(rules, odds, supports, colours, first, last, waits, table):
    """Solve blocks first..last-1; the number of running boards in them.

    supports, colours: [blocks] the filled high cells, and those of them that hold a 2.
    waits: [3^cells] the value of waiting, read when the rules have a clock.
    """
    free = np.empty(rules.cells, np.int64)
    x_values = np.empty(rules.cells + 1)
    y_values = np.empty(rules.cells + 1)
    running = 0
    for block in range(first, last):
        running += _sweep_block(
            rules, odds, supports[block], colours[block], waits, table, free, x_values, y_values
        )
    return running
