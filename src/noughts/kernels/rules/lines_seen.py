"""What is seen of a game of lines: by players of environments, and by networks. See `protocol`.

An observation is [cells, planes], numbers in [0, 1], seen from a seat:

    0  its own marks        1  the others' marks        2  the cells open to whoever is on turn
    3  how much of the clock has run, in games with one

The networks that come with the package read less, and must go on reading exactly that: own marks,
the others' marks and, with a clock, its share gone by.
"""

from typing import Final

import numpy as np

from noughts.kernels.rules.codes import EMPTY
from noughts.kernels.rules.protocol import hot_verb, verb
from noughts.kernels.rules.risk import clock_share, waits

PLANES: Final = 3  # and one more with a clock


@hot_verb
def observe(rules, state, seat, is_running, scratch, seen, mask):
    board = state.board
    cells = board.size
    seat = np.int8(seat)  # as wide as a mark: more of them are compared at once
    for cell in range(cells):
        mark = board[cell]
        is_own, is_filled = mark == seat, mark != EMPTY
        is_open = is_running & (not is_filled)
        seen[cell, 0] = is_own
        seen[cell, 1] = is_own ^ is_filled
        seen[cell, 2] = is_open
        mask[cell] = is_open
    if rules.risk.has_clock:
        ran = clock_share(rules.risk, state.tick, cells)
        for cell in range(cells):
            seen[cell, 3] = ran
        longest = waits(rules.risk, state.tick)
        for move in range(cells, mask.size):
            mask[move] = mask[move % cells] if move // cells <= longest else 0


@verb
def encode(rules, state, places, scratch, out):
    board, risk = state.board, rules.risk
    cells = board.size
    out[:] = 0.0
    for cell in range(cells):
        if board[cell] == state.turn:
            out[places[cell]] = 1.0
        elif board[cell] != EMPTY:
            out[cells + places[cell]] = 1.0
    if risk.has_clock:
        longest = risk.last_tick if risk.last_tick > 0 else risk.longest_wait
        out[2 * cells] = min(1.0, state.tick / max(1, longest))
