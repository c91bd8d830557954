"""What a learner sees of a position: a vector of inputs, most of them zero, listed one by one.

The family of a game says which *sites* are whose (`protocol.sites`). `RAW` writes each site as
X = 3, empty = 2, O = 1 and the turn as +1 or -1: it knows two seats. The others see the board with
the eyes of the player on turn: `CELLS` says where his marks are and those of each seat after him,
`LINES` adds for every line that only one player holds how many marks he has there (one input for
each number). So all seats share weights, and of two a value changes its sign with the seat. Chance
has no eyes: while it is due, X's are taken.
"""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rules.codes import EMPTY, NO_ZONE, NOBODY, X
from noughts.kernels.rules.lines import fill_counts
from noughts.kernels.rules.protocol import sites as fill_sites
from noughts.kernels.rules.protocol import turn

RAW: Final = 0
CELLS: Final = 1
LINES: Final = 2

_EMPTY_CODE = 2.0  # between O = 1 and X = 3


class Inputs(NamedTuple):
    """Where each input stands: sites or marks, counts of lines, the turn, the zone, the clock."""

    kind: int
    size: int
    seats: int
    first_count: int  # the first input of a line
    counts: int  # inputs that one player has for one line: 1, 2, … marks
    first_zone: int  # one input for each zone, or -1
    clock: int  # one input, or -1
    clock_rate: float  # the clock's input is 1 - exp(-rate · tick)
    line_start: NDArray[np.uint32]  # by site, as in LineRules
    line_of: NDArray[np.uint32]
    line_length: NDArray[np.uint8]


class Seen(NamedTuple):
    """Room for what is seen of one position."""

    sites: NDArray[np.int32]  # [sites] EMPTY or a seat
    counts: NDArray[np.uint8]  # [seats, lines] the marks of each seat on each line
    which: NDArray[np.int64]  # [inputs + 2] the inputs that are not zero
    value: NDArray[np.float64]


def new_seen(inputs: Inputs) -> Seen:
    """Room for one position."""
    return Seen(
        np.zeros(len(inputs.line_start) - 1, np.int32),
        np.zeros((inputs.seats, len(inputs.line_length)), np.uint8),
        np.zeros(inputs.size + 2, np.int64),
        np.zeros(inputs.size + 2),
    )


@kernel(allocates=False, inlined=True)
def eyes_of(seat):
    """Whose eyes see the board when it is this seat's turn."""
    return X if seat == NOBODY else seat


@kernel(allocates=False)
def code_of(mark):
    """X = 3, empty = 2, O = 1."""
    if mark == EMPTY:
        return _EMPTY_CODE
    return 3.0 if mark == X else 1.0


@kernel(allocates=False)
def clock_value(inputs, tick):
    """How far the clock has run, from 0 towards 1."""
    return 1.0 - math.exp(-inputs.clock_rate * tick)


@kernel(allocates=False, inlined=True)
def sign_of(inputs, eyes):
    """What turns the eyes of one of two seats into the value for X."""
    return 1.0 if inputs.kind == RAW or eyes == X else -1.0


@kernel(allocates=False, inlined=True)
def side_of(inputs, mark, eyes):
    """0 for a mark of one's own, j for that of the j-th seat after."""
    if 0 < mark <= inputs.seats:  # as any mark is; a division takes longer
        return np.int64(mark - eyes if mark >= eyes else mark - eyes + inputs.seats)
    return np.int64((mark - eyes) % inputs.seats)


@kernel(allocates=False)
def count_input(inputs, side, line, marks):
    """The input that says: this player alone has so many marks on the line."""
    return inputs.first_count + (side * inputs.line_length.size + line) * inputs.counts + marks - 1


@kernel(allocates=False)
def holder_of(counts, line, besides):
    """The only seat, besides one, with marks on a line; 0: there is none, -1: there are more."""
    holder = 0
    for seat in range(1, counts.shape[0] + 1):
        if seat != besides and counts[seat - 1, line] > 0:
            if holder != 0:
                return -1
            holder = seat
    return holder


@kernel(allocates=False)
def list_state(rules, inputs, state, seen):
    """Write the inputs of a state that are not zero; how many there are."""
    zone, tick = fill_sites(rules, state, seen.sites)
    if inputs.kind == LINES:
        fill_counts(inputs, seen.sites, seen.counts)
    return list_inputs(inputs, seen, eyes_of(turn(rules, state)), zone, tick)


@kernel(allocates=False)
def list_inputs(inputs, seen, eyes, zone, tick):
    """Write the inputs that are not zero; how many there are. Sites and counts are there."""
    sites, counts, out_index, out_value = seen
    n = 0
    if inputs.kind == RAW:
        for site in range(sites.size):
            out_index[n], out_value[n] = site, code_of(sites[site])
            n += 1
        out_index[n], out_value[n] = sites.size, 1.0 if eyes == X else -1.0
        n += 1
    else:
        for site in range(sites.size):
            if sites[site] != EMPTY:
                side = side_of(inputs, sites[site], eyes)
                out_index[n], out_value[n] = side * sites.size + site, 1.0
                n += 1
    if inputs.kind == LINES:
        for line in range(inputs.line_length.size):
            mark = holder_of(counts, line, NOBODY)
            if mark > 0 and counts[mark - 1, line] <= inputs.counts:
                marks = np.int64(counts[mark - 1, line])
                out_index[n] = count_input(inputs, side_of(inputs, mark, eyes), line, marks)
                out_value[n] = 1.0
                n += 1
    if inputs.first_zone >= 0 and zone != NO_ZONE:
        out_index[n], out_value[n] = inputs.first_zone + zone, 1.0
        n += 1
    if inputs.clock >= 0 and tick > 0:
        out_index[n], out_value[n] = inputs.clock, clock_value(inputs, tick)
        n += 1
    return n


@kernel(allocates=False)
def list_changes(inputs, counts, site, mark, eyes, out_index, out_value):
    """What a mark on an empty site changes in the inputs; how many inputs change."""
    if inputs.kind == RAW:
        out_index[0], out_value[0] = site, code_of(mark) - _EMPTY_CODE
        return 1
    side, n_sites = side_of(inputs, mark, eyes), inputs.line_start.size - 1
    out_index[0], out_value[0] = side * n_sites + site, 1.0
    n = 1
    if inputs.kind == LINES:
        for j in range(inputs.line_start[site], inputs.line_start[site + 1]):
            line = np.int64(inputs.line_of[j])
            own, other = np.int64(counts[mark - 1, line]), holder_of(counts, line, mark)
            if other == 0:
                if own > 0:
                    out_index[n] = count_input(inputs, side, line, own)
                    out_value[n] = -1.0
                    n += 1
                if own + 1 <= inputs.counts:
                    out_index[n] = count_input(inputs, side, line, own + 1)
                    out_value[n] = 1.0
                    n += 1
            elif own == 0 and other > 0 and counts[other - 1, line] <= inputs.counts:
                marks = np.int64(counts[other - 1, line])
                out_index[n] = count_input(inputs, side_of(inputs, other, eyes), line, marks)
                out_value[n] = -1.0
                n += 1
    return n
