"""Equilibria and guarantees of n players in one pass, where no turn is lost and no clock runs.

`solve/seats/` says what is computed, and numpy does it there, block by block; this is the same for
large tables, board by board in machine code. A board is a base-(n+1) number seen from the player on
turn, and `turned` is how the next player sees it: digit d is d - 1 there, and 1 is n. All ways to
fill a set of cells are gone through like an odometer, so that both numbers and the cells of every
digit change by one step from one board to the next.

Rows of tables have a column per seat, the player on turn first; after a move the mover is last.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel


class SeatRules(NamedTuple):
    """A game of n seats as the pass reads it; sets of cells are bits."""

    cells: int
    seats: int
    power: NDArray[np.int64]  # [cells] (n+1)^cell
    is_won: NDArray[np.bool_]  # [2^cells] does the set hold a line
    own: NDArray[np.float64]  # [cells] the probability that the own mark lands
    share: NDArray[np.float64]  # [cells] that of each of the others
    loss: float  # what a game is worth to each who lost it
    tie: float
    only_lowest: bool


@kernel(allocates=False, inlined=True)
def _winner(rules, held):
    """(how many have a line, the last of them)."""
    lines, winner = 0, -1
    for seat in range(rules.seats):
        if rules.is_won[held[seat]]:
            lines += 1
            winner = seat
    return lines, winner


@kernel(allocates=False, inlined=True)
def _land(rules, cell, turned, table, out_row):
    """The row that a move earns on the mean, as the next player reads it."""
    seats, power = rules.seats, rules.power[cell]
    child = turned + seats * power
    for column in range(seats):
        out_row[column] = rules.own[cell] * table[child, column]
    share = rules.share[cell]
    if share > 0.0:
        for digit in range(1, seats):
            child = turned + digit * power
            for column in range(seats):
                out_row[column] += share * table[child, column]


@kernel(allocates=False, inlined=True)
def _balance(rules, number, turned, free, n_free, wins, scratch):
    """The equilibrium of one board."""
    worths, row, total = scratch
    seats, best = rules.seats, -2.0
    for m in range(n_free):
        _land(rules, free[m], turned, wins, row)
        worth = row[seats - 1]
        for column in range(seats - 1):
            worth += rules.loss * row[column]
        worths[m] = worth
        best = max(best, worth)
    total[:] = 0.0
    count = 0
    for m in range(n_free):
        if worths[m] >= best - rules.tie:
            _land(rules, free[m], turned, wins, row)
            for column in range(seats):
                total[column] += row[column]
            count += 1
            if rules.only_lowest:
                break
    for column in range(seats):
        wins[number, (column + 1) % seats] = total[column] / count


@kernel(allocates=False, inlined=True)
def _guard(rules, number, turned, free, n_free, guarantees, scratch):
    """What every seat is sure of on one board."""
    _, row, total = scratch
    seats = rules.seats
    total[:] = 2.0
    total[seats - 1] = -2.0
    for m in range(n_free):
        _land(rules, free[m], turned, guarantees, row)
        for column in range(seats - 1):
            total[column] = min(total[column], row[column])
        total[seats - 1] = max(total[seats - 1], row[seats - 1])
    for column in range(seats):
        guarantees[number, (column + 1) % seats] = total[column]


@kernel(allocates=False)
def _turn_over(rules, filled, n_filled, digits, held, number, turned):
    """The next way to fill the cells: (its number, turned, whether there is one)."""
    seats = rules.seats
    for i in range(n_filled):
        cell, digit = filled[i], digits[i]
        power, bit = rules.power[cell], 1 << cell
        held[digit - 1] ^= bit
        if digit < seats:
            digits[i] = digit + 1
            held[digit] ^= bit
            number += power
            turned += power if digit > 1 else (1 - seats) * power
            return number, turned, True
        digits[i] = 1
        held[0] ^= bit
        number -= (seats - 1) * power
        turned += power
    return number, turned, False


@kernel()
def sweep_seats(rules, sets, first, last, has_wins, wins, has_guarantees, guarantees):
    """Solve all boards with one of the sets first..last-1 filled; how many run.

    wins, guarantees: [boards, seats], nothing where nobody won; fuller boards are known.
    """
    seats = rules.seats
    filled, free = np.empty(rules.cells, np.int64), np.empty(rules.cells, np.int64)
    digits, held = np.empty(rules.cells, np.int64), np.empty(seats, np.int64)
    scratch = (np.empty(rules.cells), np.empty(seats), np.empty(seats))
    running = 0
    for k in range(first, last):
        n_filled, n_free, number, turned = 0, 0, 0, 0
        for cell in range(rules.cells):
            if sets[k] >> cell & 1:
                filled[n_filled] = cell
                digits[n_filled] = 1
                n_filled += 1
                number += rules.power[cell]
                turned += seats * rules.power[cell]
            else:
                free[n_free] = cell
                n_free += 1
        held[:] = 0
        held[0] = sets[k]
        is_left = True
        while is_left:
            lines, winner = _winner(rules, held)
            if lines == 1:
                if has_wins:
                    wins[number, winner] = 1.0
                if has_guarantees:
                    for seat in range(seats):
                        guarantees[number, seat] = 1.0 if seat == winner else rules.loss
            elif lines == 0 and n_free > 0:
                running += 1
                if has_wins:
                    _balance(rules, number, turned, free, n_free, wins, scratch)
                if has_guarantees:
                    _guard(rules, number, turned, free, n_free, guarantees, scratch)
            number, turned, is_left = _turn_over(
                rules, filled, n_filled, digits, held, number, turned
            )
    return running
