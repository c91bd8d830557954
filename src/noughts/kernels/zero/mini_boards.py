"""Ultimate as a network sees it: every mini board one number, from either player's side.

Seen by a player, an undecided mini board is one of 11,093 *configurations*; the three others are
OWN, THEIRS and DRAWN, whatever stands in them. Tables lead from one to the next, so that a move is
two lookups. A state is one row of whole numbers, which a search copies and never takes back:

    0..8  configurations seen by X      9..17  seen by O       18..26  free cells, as nine bits
    27, 28  mini boards won by X, O     29  drawn mini boards  30  forced, or ANYWHERE
    31  who moves: 0 for X, 1 for O
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel

OWN: Final = 0
THEIRS: Final = 1
DRAWN: Final = 2

ANYWHERE: Final = 9
STATE: Final = 32
FREE: Final = 18
OWNERS: Final = 27
DRAWN_MINIS: Final = 29
FORCED: Final = 30
TURN: Final = 31

# What a move did, for the player who made it; also what is proven of a node.
UNKNOWN: Final = 0
WIN: Final = 1
DRAW: Final = 2
LOSS: Final = 3


class BoardTables(NamedTuple):
    """The rules as lookups; C configurations, sets of mini boards or cells as nine bits."""

    next_own: NDArray[np.int16]  # [C, 9] after a mark of one's own
    next_theirs: NDArray[np.int16]  # [C, 9] after a mark of the opponent
    winning_cells: NDArray[np.int16]  # [C] where one's own mark wins the mini board
    is_won: NDArray[np.bool_]  # [512] the set holds a line
    completing: NDArray[np.int16]  # [512] what would complete a line of the set
    is_blocked: NDArray[np.bool_]  # [512] the set meets every line
    plays_on: bool  # won mini boards take more marks
    counts_boards: bool  # a game without a line goes to whoever won more mini boards


@kernel(allocates=False, inlined=True)
def legal_cells(state, mini):
    """Where the player on turn may play in a mini board, as nine bits."""
    if state[FORCED] != ANYWHERE and state[FORCED] != mini:
        return np.int32(0)
    return state[FREE + mini]


@kernel(allocates=False)
def _is_stuck(state):
    for mini in range(9):
        if state[FREE + mini]:
            return False
    return True


@kernel(allocates=False)
def _count(mini_boards):
    n = 0
    for mini in range(9):
        n += (mini_boards >> mini) & 1
    return n


@kernel(allocates=False)
def standing(tables, state, me):
    """UNKNOWN while the game is open, or how it must end for `me`; lines were seen before."""
    if not tables.counts_boards:
        x, o, drawn = state[OWNERS], state[OWNERS + 1], state[DRAWN_MINIS]
        return DRAW if tables.is_blocked[x | drawn] and tables.is_blocked[o | drawn] else UNKNOWN
    if not _is_stuck(state):
        return UNKNOWN
    lead = _count(state[OWNERS + me]) - _count(state[OWNERS + 1 - me])
    return WIN if lead > 0 else LOSS if lead < 0 else DRAW


@kernel(allocates=False)
def play(tables, state, move):
    """Make a legal move; what it did for the player who made it.

    A game that nobody can win any more is a DRAW at once, though moves may be left.
    """
    mini = move // 9
    cell = move - 9 * mini
    me = state[TURN]
    other = 1 - me
    before = state[9 * me + mini]
    after = tables.next_own[before, cell]
    state[9 * me + mini] = after
    state[9 * other + mini] = tables.next_theirs[state[9 * other + mini], cell]
    state[FREE + mini] &= ~(1 << cell)
    state[TURN] = other
    result = UNKNOWN
    if after != before and after <= DRAWN:
        if after == OWN:
            state[OWNERS + me] |= 1 << mini
            if not tables.plays_on:
                state[FREE + mini] = 0
            if tables.is_won[state[OWNERS + me]]:
                return WIN
        else:
            state[DRAWN_MINIS] |= 1 << mini
        result = standing(tables, state, me)
    elif tables.counts_boards and tables.plays_on:
        result = standing(tables, state, me)
    state[FORCED] = cell if state[FREE + cell] else ANYWHERE
    return result


@kernel(allocates=False)
def moves_of(state, out_moves):
    """The legal moves, ascending; how many."""
    n = 0
    for mini in range(9):
        cells = legal_cells(state, mini)
        for cell in range(9):
            if (cells >> cell) & 1:
                out_moves[n] = 9 * mini + cell
                n += 1
    return n
