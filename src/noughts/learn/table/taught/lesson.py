"""What one finished game teaches the table of a seat.

    changes = table_lesson(game, values, "O", moves, step=0.25)    # nothing is altered or kept
    for change in changes:
        values[change.entry] = change.after

`values` [3^cells] is the table of one seat, `moves` the game as (move, landing) pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.games.game import Game, Landing, Mark
from noughts.kernels.rules.codes import DRAW
from noughts.learn.table.games import path_of
from noughts.learn.table.player import table_entries
from noughts.solve.seats.blocks import seat_letters

STEP = 0.25  # a person changes, so the step does not shrink

Values = NDArray[Any]


@dataclass(frozen=True)
class Change:
    """One value that a game has changed."""

    ply: int  # of the game
    entry: int  # where the table keeps it
    board: str  # one letter per cell, as it stood in the game
    before: float
    after: float


def table_lesson(
    game: Game,
    values: Values,
    seat: Mark,
    moves: Sequence[tuple[int, Landing]],
    step: float = STEP,
    draw: float | None = None,
    is_shared: bool = True,
) -> list[Change]:
    """The values that a finished game changes: V(s) += step · (result - V(s)), in playing order.

    s is every board after an own move of `seat`; the result is 1 for its win, 0 for its loss and
    `draw`, an equal share unless given, for a draw. Boards that are turned or mirrored share one
    entry, unless told otherwise.
    """
    path, ended = path_of(game, moves)
    target = 1.0 if ended == game.marks.index(seat) + 1 else 0.0
    if ended == DRAW:
        target = 1.0 / game.seats if draw is None else draw
    entries, new = table_entries(game, is_shared), dict[int, float]()
    changes = []
    for ply, (mover, number) in enumerate(path):
        if mover != seat:
            continue
        entry = int(entries[number])
        before = new.get(entry, float(values[entry]))
        new[entry] = before + step * (target - before)
        if new[entry] != before:
            (letters,) = seat_letters(game, np.array([number]), seat)
            changes.append(Change(ply, entry, letters, before, new[entry]))
    return changes


def learn_in(values: Values, changes: Sequence[Change]) -> None:
    """Write what a game has changed into the table of a seat."""
    for change in changes:
        values[change.entry] = change.after
