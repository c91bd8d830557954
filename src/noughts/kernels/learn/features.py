"""What a learner sees of a position: a vector of inputs, most of them zero, listed one by one.

A *site* is a thing that is X, O or empty: a cell, and in Ultimate also a mini board. `RAW` writes
each site as X = 3, empty = 2, O = 1 and the turn as +1 or -1. The other two see the board with the
eyes of the player on turn: `CELLS` says where his and the opponent's marks are, `LINES` adds for
every line that only one player holds how many marks he has there (one input for each number). In
the eyes of the player on turn a value changes its sign with the seat, and both seats share weights.
"""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rules.codes import EMPTY, X

RAW: Final = 0
CELLS: Final = 1
LINES: Final = 2

_EMPTY_CODE = 2.0  # between O = 1 and X = 3


class Inputs(NamedTuple):
    """Where each input stands: sites or marks, counts of lines, the turn, forced mini, clock."""

    kind: int
    size: int
    first_count: int  # the first input of a line
    counts: int  # inputs that one player has for one line: 1, 2, … marks
    first_forced: int  # nine inputs, or -1
    clock: int  # one input, or -1
    clock_rate: float  # the clock's input is 1 - exp(-rate · tick)
    line_start: NDArray[np.uint32]  # by site, as in LineRules
    line_of: NDArray[np.uint32]
    line_length: NDArray[np.uint8]


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


@kernel(allocates=False)
def sign_of(inputs, turn):
    """What turns the eyes of the player on turn into the value for X."""
    return 1.0 if inputs.kind == RAW or turn == X else -1.0


@kernel(allocates=False)
def count_input(inputs, mark, turn, line, marks):
    """The input that says: this player alone has so many marks on the line."""
    side = 0 if mark == turn else 1
    return inputs.first_count + (side * inputs.line_length.size + line) * inputs.counts + marks - 1


@kernel(allocates=False)
def list_inputs(inputs, sites, counts, turn, forced, tick, out_index, out_value):
    """Write the inputs that are not zero; how many there are. `turn` has to move now."""
    n = 0
    if inputs.kind == RAW:
        for site in range(sites.size):
            out_index[n], out_value[n] = site, code_of(sites[site])
            n += 1
        out_index[n], out_value[n] = sites.size, 1.0 if turn == X else -1.0
        n += 1
    else:
        for site in range(sites.size):
            if sites[site] != EMPTY:
                side = 0 if sites[site] == turn else 1
                out_index[n], out_value[n] = side * sites.size + site, 1.0
                n += 1
    if inputs.kind == LINES:
        for line in range(inputs.line_length.size):
            of_x, of_o = np.int64(counts[0, line]), np.int64(counts[1, line])
            marks = max(of_x, of_o)
            if min(of_x, of_o) == 0 and 0 < marks <= inputs.counts:
                mark = 1 if of_x > 0 else 2
                out_index[n] = count_input(inputs, mark, turn, line, marks)
                out_value[n] = 1.0
                n += 1
    if inputs.first_forced >= 0 and forced < 9:
        out_index[n], out_value[n] = inputs.first_forced + forced, 1.0
        n += 1
    if inputs.clock >= 0 and tick > 0:
        out_index[n], out_value[n] = inputs.clock, clock_value(inputs, tick)
        n += 1
    return n


@kernel(allocates=False)
def list_changes(inputs, n_sites, counts, site, mark, turn, out_index, out_value):
    """What a mark on an empty site changes in the inputs for `turn`; how many inputs change."""
    if inputs.kind == RAW:
        out_index[0], out_value[0] = site, code_of(mark) - _EMPTY_CODE
        return 1
    out_index[0], out_value[0] = (0 if mark == turn else n_sites) + site, 1.0
    n = 1
    if inputs.kind == LINES:
        for j in range(inputs.line_start[site], inputs.line_start[site + 1]):
            line = inputs.line_of[j]
            own, other = np.int64(counts[mark - 1, line]), np.int64(counts[2 - mark, line])
            if other == 0:
                if own > 0:
                    out_index[n] = count_input(inputs, mark, turn, line, own)
                    out_value[n] = -1.0
                    n += 1
                if own + 1 <= inputs.counts:
                    out_index[n] = count_input(inputs, mark, turn, line, own + 1)
                    out_value[n] = 1.0
                    n += 1
            elif own == 0 and other <= inputs.counts:
                out_index[n] = count_input(inputs, 3 - mark, turn, line, other)
                out_value[n] = -1.0
                n += 1
    return n
