"""The numbers of mini boards: 11,093 undecided ones, and three for OWN, THEIRS and DRAWN.

A configuration is what one player sees. Its marks are two sets of nine bits, his own and theirs.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from noughts.games.symmetry import automorphisms
from noughts.games.ultimate import ANYWHERE, FULL, MINI, UltimateGame, UltimatePosition, has_line
from noughts.kernels.zero.mini_boards import (
    DRAWN,
    DRAWN_MINIS,
    FORCED,
    FREE,
    OWN,
    OWNERS,
    STATE,
    THEIRS,
    TURN,
    BoardTables,
)
from noughts.kernels.zero.selfplay import Augmentation

INPUTS = 21  # nine cells of one's own, nine of theirs, and the three decided ones


@cache
def configurations() -> tuple[tuple[int, int], ...]:
    """(own cells, their cells) by number; the decided ones stand first, without marks."""
    lines = [has_line(mask) for mask in range(512)]
    found = [(0, 0)] * 3
    for own in range(512):
        for theirs in range(512):
            is_open = not own & theirs and own | theirs != FULL
            if is_open and not lines[own] and not lines[theirs]:
                found.append((own, theirs))
    return tuple(found)


@cache
def numbers() -> dict[tuple[int, int], int]:
    """The number of each undecided mini board."""
    return {marks: i for i, marks in enumerate(configurations()) if i > DRAWN}


def number_of(own: int, theirs: int) -> int:
    """The number of any mini board whose winner is to be seen."""
    if has_line(own):
        return OWN
    if has_line(theirs):
        return THEIRS
    return numbers().get((own, theirs), DRAWN)


@cache
def board_tables(plays_on: bool = False, counts_boards: bool = False) -> BoardTables:
    """The rules as the kernels read them."""
    boards = configurations()
    next_own = np.repeat(np.arange(len(boards), dtype=np.int16)[:, None], 9, axis=1)
    next_theirs = next_own.copy()
    winning = np.zeros(len(boards), np.int16)
    for i, (own, theirs) in enumerate(boards):
        if i <= DRAWN:
            continue
        for cell in range(9):
            bit = 1 << cell
            if not (own | theirs) & bit:
                next_own[i, cell] = number_of(own | bit, theirs)
                next_theirs[i, cell] = number_of(own, theirs | bit)
                winning[i] |= bit * (next_own[i, cell] == OWN)
    sets = range(512)
    completing = [
        sum(1 << i for i in range(9) if not s >> i & 1 and has_line(s | 1 << i)) for s in sets
    ]
    return BoardTables(
        next_own=next_own,
        next_theirs=next_theirs,
        winning_cells=winning,
        is_won=np.array([has_line(s) for s in sets]),
        completing=np.array(completing, np.int16),
        is_blocked=np.array([all(line & s for line in MINI.line_masks) for s in sets]),
        plays_on=plays_on,
        counts_boards=counts_boards,
    )


@cache
def features() -> NDArray[np.float32]:
    """[C, 21] what the encoder reads."""
    table = np.zeros((len(configurations()), INPUTS), np.float32)
    for i, (own, theirs) in enumerate(configurations()):
        for cell in range(9):
            table[i, cell] = own >> cell & 1
            table[i, 9 + cell] = theirs >> cell & 1
    table[[OWN, THEIRS, DRAWN], [18, 19, 20]] = 1.0
    return table


@cache
def augmentation() -> Augmentation:
    """The eight symmetries, over cells and over configurations."""
    turns = sorted(automorphisms(MINI, [0] * 9))
    boards = configurations()
    turned = np.zeros((len(turns), len(boards)), np.int16)
    for t, turn in enumerate(turns):
        moved = [sum(1 << turn[c] for c in range(9) if s >> c & 1) for s in range(512)]
        for i, (own, theirs) in enumerate(boards):
            turned[t, i] = i if i <= DRAWN else numbers()[moved[own], moved[theirs]]
    empty = [0 if i <= DRAWN else FULL & ~(o | t) for i, (o, t) in enumerate(boards)]
    return Augmentation(np.array(turns, np.int8), turned, np.array(empty, np.int16))


def game_tables(game: UltimateGame) -> BoardTables:
    """The tables of a variant of Ultimate without risk."""
    return board_tables(game.won == "open", game.tiebreak == "boards")


def state_of(position: UltimatePosition) -> NDArray[np.int32]:
    """A position as the row of numbers that `kernels/zero/mini_boards` describes."""
    state = np.zeros(STATE, np.int32)
    for mini in range(9):
        x, o = position.x_mask >> 9 * mini & FULL, position.o_mask >> 9 * mini & FULL
        is_x, is_o = position.x_minis >> mini & 1, position.o_minis >> mini & 1
        number, seen_by_o = number_of(x, o), number_of(o, x)
        if is_x or is_o:  # where both have a line the first one counts
            number, seen_by_o = (OWN, THEIRS) if is_x else (THEIRS, OWN)
        state[mini], state[9 + mini] = number, seen_by_o
        state[FREE + mini] = position.free_cells(mini)
        state[DRAWN_MINIS] |= (number == DRAWN) << mini
    state[OWNERS], state[OWNERS + 1] = position.x_minis, position.o_minis
    state[FORCED] = position.forced if position.forced != ANYWHERE else 9
    state[TURN] = 0 if position.turn == "X" else 1
    return state
