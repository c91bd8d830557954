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
    stays: NDArray[np.float64]  # the cell is empty again, or still, when the next turn starts


@kernel(allocates=False)
def split_board(rules, index, out_free):
    """(cells of digit 1, those of digit 2, how many are empty, the swapped number)."""
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


@kernel(allocates=False, inlined=True)
def _list_moves(rules, odds, filled, out_moves):
    """Write the empty cells as (power of 3, -own, -flip, fizzle), ascending; how many there are.

    The entry after the last one is overwritten: without a branch this takes a third of the time.
    """
    power, own, flip, fizzle = out_moves
    n = np.uint32(0)
    for cell in range(rules.cells):
        power[n] = rules.power[cell]
        own[n] = -odds.own[cell]
        flip[n] = -odds.flip[cell]
        fizzle[n] = odds.fizzle[cell]
        n += np.uint32(1 - ((filled >> cell) & 1))
    return n


@kernel(allocates=False, inlined=True)
def _list_boards(rules, support, colour, filled, table, out_boards):
    """Write all boards of a block with these low cells filled as if they were over.

    Those that run are listed with their swaps; how many pairs there are. Branches that nobody can
    foresee cost more than writing a board in vain.
    """
    index, swapped = out_boards
    low = rules.low_cells
    base = rules.high_sum[support] + rules.low_sum[filled]
    first = base + rules.high_sum[colour]
    own_high, other_high = (support & ~colour) << low, colour << low
    # With no high cell filled a low colouring and its swap are in the same block: do one.
    colourable = filled & (filled - 1) if support == 0 else filled
    twos = colourable
    n = np.uint32(0)
    while True:
        board = np.uint32(first + rules.low_sum[np.uint32(twos)])
        swap = np.uint32(3 * base - board)
        own_won = np.int64(rules.is_won[np.uint32(own_high | (filled & ~twos))])
        other_won = np.int64(rules.is_won[np.uint32(other_high | twos)])
        value = rules.line_value * (own_won - other_won)
        table[board] = value
        table[swap] = -value
        index[n] = board
        swapped[n] = swap
        n += np.uint32(1 - (own_won | other_won))
        if twos == 0:
            return n
        twos = (twos - 1) & colourable


@kernel(allocates=False, inlined=True)
def _solve_boards(rules, moves, n_moves, boards, n_boards, waits, table):
    """The best move of running boards and of their swaps, without fizzle."""
    power, own, flip, _ = moves
    index, swapped = boards
    for k in range(n_boards):
        i, s = index[k], swapped[k]
        if rules.has_wait:
            x, y = waits[i], waits[s]
        else:
            x, y = -2.0, -2.0
        for m in range(n_moves):
            child = s + power[m]
            x = max(x, own[m] * table[child + power[m]] + flip[m] * table[child])
            child = i + power[m]
            y = max(y, own[m] * table[child + power[m]] + flip[m] * table[child])
        table[i] = x
        table[s] = y


@kernel(allocates=False)
def _landed_values(moves, n_moves, swapped, wait, table, out_values):
    """For each move what it earns by landing; the last entry is the choice to wait."""
    power, own, flip, _ = moves
    for m in range(n_moves):
        child = swapped + power[m]
        out_values[m] = own[m] * table[child + power[m]] + flip[m] * table[child]
    out_values[n_moves] = wait


@kernel(allocates=False)
def _solve_pair(fizzle, n_moves, x_values, y_values):
    """The game of two states that fizzling leaves: x = max(x_a - f_a·y), y = max(y_a - f_a·x).

    Each side keeps to one choice, so x is the best worst case over all pairs of choices. Two
    choices that surely fizzle go on for ever, which is worth nothing to anybody.
    """
    best = -2.0
    for i in range(n_moves + 1):
        f = fizzle[i] if i < n_moves else 0.0
        worst = 2.0
        for j in range(n_moves + 1):
            if y_values[j] < -1.5:
                continue
            g = fizzle[j] if j < n_moves else 0.0
            value = 0.0
            if f * g < 1.0:
                value = (x_values[i] - f * y_values[j]) / (1.0 - f * g)
            worst = min(worst, value)
        best = max(best, worst)
    reply = y_values[n_moves]
    for j in range(n_moves):
        reply = max(reply, y_values[j] - fizzle[j] * best)
    return best, reply


@kernel(allocates=False)
def _solve_pairs(rules, moves, n_moves, boards, n_boards, waits, table, x_values, y_values):
    """The values of running boards and of their swaps where moves may fizzle."""
    index, swapped = boards
    for k in range(n_boards):
        i, s = index[k], swapped[k]
        x_wait = waits[i] if rules.has_wait else -2.0
        y_wait = waits[s] if rules.has_wait else -2.0
        _landed_values(moves, n_moves, s, x_wait, table, x_values)
        _landed_values(moves, n_moves, i, y_wait, table, y_values)
        table[i], table[s] = _solve_pair(moves[3], n_moves, x_values, y_values)


@kernel(allocates=False)
def _sweep_block(rules, odds, support, colour, waits, table, moves, boards, x_values, y_values):
    """Solve one block; the number of running boards in it."""
    low = rules.low_cells
    running = 0
    for filled in range((1 << low) - 1, -1, -1):
        n_boards = _list_boards(rules, support, colour, filled, table, boards)
        n_moves = _list_moves(rules, odds, filled | (support << low), moves)
        if n_moves == 0:
            continue
        running += 2 * int(n_boards)
        if rules.has_fizzle:
            _solve_pairs(rules, moves, n_moves, boards, n_boards, waits, table, x_values, y_values)
        else:
            _solve_boards(rules, moves, n_moves, boards, n_boards, waits, table)
    return running - 1 if support == 0 else running  # the empty board is its own swap


@kernel()
def sweep_blocks(rules, odds, supports, colours, first, last, waits, table):
    """Solve blocks first..last-1; the number of running boards in them.

    supports, colours: [blocks] the filled high cells, and those of them that hold a 2.
    waits: [3^cells] the value of waiting, read when the rules have a clock.
    """
    size = rules.cells + 1
    moves = (np.empty(size, np.uint32), np.empty(size), np.empty(size), np.empty(size))
    pairs = (1 << rules.low_cells) + 1
    boards = (np.empty(pairs, np.uint32), np.empty(pairs, np.uint32))
    x_values, y_values = np.empty(size), np.empty(size)
    running = 0
    for block in range(first, last):
        running += _sweep_block(
            rules, odds, supports[block], colours[block], waits, table, moves, boards, x_values,
            y_values,
        )  # fmt: skip
    return running
