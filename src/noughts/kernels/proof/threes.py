"""Bit-sliced lines of four: what both sides have on up to 128 lines, in words of 64 bits.

A side keeps its cells and, as sets of lines, where it has at least one, two and three marks.
Playing a cell whose lines are m is

    three |= two & m;    two |= one & m;    one |= m,

a three of X is open on `X.three & ~O.one`, and an open two is `X.two & ~X.three & ~O.one`. Sides
are values: playing makes a new one, so nothing is ever taken back.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.proof.bits import ONE, ZERO, bit_of, lowest, number_of


class FourLines(NamedTuple):
    """A board of at most 64 cells and 128 lines of four cells, no two of which share two cells."""

    low: NDArray[np.uint64]  # the lines 0…63 through each cell
    high: NDArray[np.uint64]  # the lines 64…127
    cells: NDArray[np.uint64]  # the cells of each line; 128 of them, the missing ones empty


class Side(NamedTuple):
    """The marks of one player."""

    cells: np.uint64
    one_low: np.uint64
    one_high: np.uint64
    two_low: np.uint64
    two_high: np.uint64
    three_low: np.uint64
    three_high: np.uint64


@kernel(allocates=False, inlined=True)
def with_cell(board, side, cell):
    """The side after it has played a cell."""
    low, high = board.low[cell], board.high[cell]
    return Side(
        side.cells | bit_of(cell),
        side.one_low | low,
        side.one_high | high,
        side.two_low | (side.one_low & low),
        side.two_high | (side.one_high & high),
        side.three_low | (side.two_low & low),
        side.three_high | (side.two_high & high),
    )


@kernel(allocates=False)
def side_of(board, cells):
    """The side that holds a set of cells."""
    side = Side(ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO)
    while cells != ZERO:
        bit = lowest(cells)
        cells ^= bit
        side = with_cell(board, side, number_of(bit))
    return side


@kernel(allocates=False)
def cells_on(board, low, high):
    """All cells of a set of lines."""
    cells = ZERO
    while low != ZERO:
        bit = lowest(low)
        low ^= bit
        cells |= board.cells[number_of(bit)]
    while high != ZERO:
        bit = lowest(high)
        high ^= bit
        cells |= board.cells[number_of(bit) + 64]
    return cells


@kernel(allocates=False, inlined=True)
def next_line(board, low, high):
    """Take a line out of a set that is not empty: (its cells, what is left low, and high)."""
    if low != ZERO:
        bit = lowest(low)
        return board.cells[number_of(bit)], low ^ bit, high
    bit = lowest(high)
    return board.cells[number_of(bit) + 64], low, high ^ bit


@kernel(allocates=False, inlined=True)
def completions(board, own, other):
    """The empty cells that would complete a line of `own`."""
    low = own.three_low & ~other.one_low
    high = own.three_high & ~other.one_high
    if (low | high) == ZERO:
        return ZERO
    return cells_on(board, low, high) & ~own.cells


@kernel(allocates=False, inlined=True)
def open_twos(own, other):
    """The lines on which `own` has two marks and `other` none, low and high."""
    low = own.two_low & ~own.three_low & ~other.one_low
    high = own.two_high & ~own.three_high & ~other.one_high
    return low, high


@kernel(allocates=False, inlined=True)
def threatening(board, own, other):
    """The empty cells that would make an open three of `own`."""
    low, high = open_twos(own, other)
    return cells_on(board, low, high) & ~own.cells


@kernel(allocates=False, inlined=True)
def is_single(cells):
    """Whether a set that is not empty holds one cell only."""
    return (cells & (cells - ONE)) == ZERO
