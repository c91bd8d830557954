"""Forced wins: threes that leave the other side a single reply each, until two come at once.

`forced` answers for the side on turn when nobody has an open three:

1. Two open twos that share an empty cell are a fork, and it is won.
2. Otherwise each open two has an empty pair {a, b}: it plays a, the reply is b. If a makes a new
   open two that meets another one, and b makes no three, that is a fork two moves later: won.
3. Otherwise it looks deeper, but only if a makes a new open two or b makes a three. That misses
   some wins, and never claims one that is not there.
4. If b makes a three, its completion must be blocked, by a move that itself makes a three.

The answer is the *zone* of the win, or 0 when none was found: the cells where one more mark of the
other side could spoil it, given that this mark makes no three at once. These are all cells played,
and for each reply b the empty cells of the lines through b on which the other side then has two
marks and this one none: a third one there would be a three in passing.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.proof.bits import ONE, ZERO, lowest, number_of
from noughts.kernels.proof.threes import (
    cells_on,
    completions,
    is_single,
    next_line,
    open_twos,
    side_of,
    with_cell,
)

CALLS, NODES = 0, 1

_MIX_X = np.uint64(0x9E3779B97F4A7C15)
_MIX_O = np.uint64(0xC2B2AE3D27D4EB4F)
_S29, _S32 = np.uint64(29), np.uint64(32)


class Memory(NamedTuple):
    """What has been found: own cells, other cells and zone in a row; a power of two of rows."""

    rows: NDArray[np.uint64]
    tally: NDArray[np.int64]  # CALLS, NODES


@kernel(allocates=False, inlined=True, wraps=True)
def row_of(x, o, mask):
    """Where a position is kept in a table of mask + 1 rows."""
    word = (x * _MIX_X) ^ (o * _MIX_O)
    word ^= word >> _S32
    word *= _MIX_X
    word ^= word >> _S29
    return np.int64(word & np.uint64(mask))


@kernel(allocates=False, inlined=True)
def _keep(memory, row, own, other, zone):
    memory.rows[row, 0] = own.cells
    memory.rows[row, 1] = other.cells
    memory.rows[row, 2] = zone
    return zone


@kernel(allocates=False)
def _two_pairs(board, low, high, cell, empty):
    """The empty cells of the first two of these lines that go through a cell."""
    found = ZERO
    lines = 0
    while (low | high) != ZERO and lines < 2:
        line, low, high = next_line(board, low, high)
        if line & cell != ZERO:
            found |= line & empty
            lines += 1
    return found


@kernel(allocates=False)
def _shared(board, low, high, empty):
    """(the empty cells of these lines, those that several of them share)."""
    once = twice = ZERO
    while (low | high) != ZERO:
        line, low, high = next_line(board, low, high)
        twice |= once & line & empty
        once |= line & empty
    return once, twice


@kernel(allocates=False, inlined=True)
def _spoilers(board, own, other, reply, empty):
    """The empty cells that would give `other` a three together with its reply."""
    low = other.one_low & ~other.two_low & ~own.one_low & board.low[reply]
    high = other.one_high & ~other.two_high & ~own.one_high & board.high[reply]
    return cells_on(board, low, high) & empty


@kernel(allocates=False, inlined=True)
def _makes_three(board, own, other, cell):
    """Whether a cell makes an open three of `own`."""
    low = own.two_low & ~own.three_low & ~other.one_low & board.low[cell]
    high = own.two_high & ~own.three_high & ~other.one_high & board.high[cell]
    return (low | high) != ZERO


@kernel(allocates=False)
def _fork_soon(board, own, other, low, high, once, pair, first_bit):
    """(has `first` a future, the zone if it makes a fork after the reply or 0).

    `low`, `high` are the open twos, `once` their empty cells, and no two of them share one.
    """
    first, reply = number_of(first_bit), number_of(pair ^ first_bit)
    if _makes_three(board, other, own, reply):
        return True, ZERO
    new_low = own.one_low & ~own.two_low & ~other.one_low & board.low[first]
    new_high = own.one_high & ~own.two_high & ~other.one_high & board.high[first]
    has_future = (new_low | new_high) != ZERO
    empty = ~(own.cells | other.cells | pair)
    while (new_low | new_high) != ZERO:
        line, new_low, new_high = next_line(board, new_low, new_high)
        touch = line & once & ~pair
        if touch != ZERO:
            zone = pair | (line & empty) | _two_pairs(board, low, high, lowest(touch), empty)
            return True, zone | _spoilers(board, own, other, reply, empty)
    return has_future, ZERO


@kernel(allocates=False)
def chase(board, own, other, first, reply):
    """Play a three and its reply, and threes of `other` blocked by threes, until all is quiet.

    (is it over, zone so far, own, other): over with a zone is won, over without is given up.
    """
    empty = ~(own.cells | other.cells)
    zone = (ONE << np.uint64(first)) | (ONE << np.uint64(reply))
    own = with_cell(board, own, first)
    zone |= _spoilers(board, own, other, reply, empty & ~zone)
    other = with_cell(board, other, reply)
    while True:
        against = completions(board, other, own)
        if against == ZERO:
            return False, zone, own, other
        if not is_single(against):
            return True, ZERO, own, other
        own = with_cell(board, own, number_of(against))
        wins = completions(board, own, other)
        if wins == ZERO:
            return True, ZERO, own, other
        zone |= against | wins
        if not is_single(wins):
            return True, zone, own, other
        empty = ~(own.cells | other.cells)
        zone |= _spoilers(board, own, other, number_of(wins), empty & ~wins)
        other = with_cell(board, other, number_of(wins))


@kernel(allocates=False)
def forced(board, memory, own, other):
    """The zone of a forced win of `own`, who is on turn, or 0; nobody may have an open three."""
    low, high = open_twos(own, other)
    if (low | high) == ZERO:
        return ZERO
    memory.tally[NODES] += 1
    row = row_of(own.cells, other.cells, memory.rows.shape[0] - 1)
    if memory.rows[row, 0] == own.cells and memory.rows[row, 1] == other.cells:
        return memory.rows[row, 2]
    once, twice = _shared(board, low, high, ~(own.cells | other.cells))
    if twice != ZERO:
        zone = _two_pairs(board, low, high, lowest(twice), once)
        return _keep(memory, row, own, other, zone)
    later = ZERO  # the first moves that are worth a deeper look
    left_low, left_high = low, high
    while (left_low | left_high) != ZERO:
        line, left_low, left_high = next_line(board, left_low, left_high)
        pair = line & once
        first_bit = lowest(pair)
        for _ in range(2):
            has_future, zone = _fork_soon(board, own, other, low, high, once, pair, first_bit)
            if zone != ZERO:
                return _keep(memory, row, own, other, zone)
            if has_future:
                later |= first_bit
            first_bit ^= pair
    while (low | high) != ZERO:
        line, low, high = next_line(board, low, high)
        pair = line & once
        first_bit = lowest(pair)
        for _ in range(2):
            if later & first_bit != ZERO:
                is_over, zone, own_after, other_after = chase(
                    board, own, other, number_of(first_bit), number_of(pair ^ first_bit)
                )
                if not is_over:
                    deeper = forced(board, memory, own_after, other_after)
                    zone = zone | deeper if deeper != ZERO else ZERO
                if zone != ZERO:
                    return _keep(memory, row, own, other, zone)
            first_bit ^= pair
    return _keep(memory, row, own, other, ZERO)


@kernel(allocates=False)
def forced_zones(board, memory, own, other, out_zones, out_is_quiet):
    """`forced` of many positions, and whether nobody has a three in them."""
    for i in range(own.size):
        side, opponent = side_of(board, own[i]), side_of(board, other[i])
        threes = completions(board, side, opponent) | completions(board, opponent, side)
        out_is_quiet[i] = threes == ZERO
        out_zones[i] = forced(board, memory, side, opponent) if threes == ZERO else ZERO
