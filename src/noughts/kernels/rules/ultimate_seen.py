"""What is seen of Ultimate: by players of environments, and by networks. See `protocol`.

An observation is [81, planes], numbers in [0, 1], seen from a seat:

    0  its own marks        1  the other's marks        2  the cells open to whoever is on turn
    3  the mini boards it has won       4  those that the other has won
    5  how much of the clock has run, in games with one

Networks that are read in batches see what R5's did: the board as 1 (own), -1 (the other's) and 0,
then a one-hot of the forced mini board.
"""

from typing import Final

from noughts.kernels.rules.protocol import hot_verb, show_moves, verb
from noughts.kernels.rules.risk import clock_share

PLANES: Final = 5  # and one more with a clock


@hot_verb
def observe(rules, state, seat, is_running, scratch, seen, mask):
    marks, owners = state.marks, state.owners
    own, other = seat - 1, 2 - seat
    show_moves(rules, state, is_running, scratch.moves, mask)
    for mini in range(9):
        own_cells, other_cells = marks[own, mini], marks[other, mini]
        is_own, is_other = (owners[own] >> mini) & 1, (owners[other] >> mini) & 1
        for i in range(9):
            cell = 9 * mini + i
            seen[cell, 0] = (own_cells >> i) & 1
            seen[cell, 1] = (other_cells >> i) & 1
            seen[cell, 2] = mask[cell]
            seen[cell, 3] = is_own
            seen[cell, 4] = is_other
    if rules.risk.has_clock:
        ran = clock_share(rules.risk, state.tick, marks.shape[1] * 9)
        for cell in range(81):
            seen[cell, 5] = ran


@verb
def encode(rules, state, places, scratch, out):
    marks = state.marks
    own, other = state.turn - 1, 2 - state.turn
    out[:] = 0.0
    for mini in range(9):
        for i in range(9):
            if (marks[own, mini] >> i) & 1:
                out[places[9 * mini + i]] = 1.0
            elif (marks[other, mini] >> i) & 1:
                out[places[9 * mini + i]] = -1.0
    if state.forced < 9:  # else any is open
        out[81 + places[9 * state.forced] // 9] = 1.0
