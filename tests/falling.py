"""What a stranger may write: a rule of ours changed in a subclass, and an agent that is a function.

Marks fall down their column. Kernels of lines know nothing of it, so nobody may use them.
"""

from dataclasses import fields
from typing import Any

import numpy as np

import noughts
from noughts.games import LineGame, LinePosition
from noughts.games.boards import grid_board
from noughts.games.grammar import Spec
from noughts.games.risk import no_risk


def falling(spec: Spec) -> "Falling":
    """Marks fall down their column."""
    return Falling(grid_board((3, 3), 3), is_misere=False, risk=no_risk(9))


def last(position: noughts.Position, rng: np.random.Generator) -> int:
    """Plays the last of the legal moves."""
    return position.moves[-1]


class Falling(LineGame):
    def __str__(self) -> str:
        return "falling"

    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        return tuple(range(9)), (2, 1, 0, 5, 4, 3, 8, 7, 6)

    def start(self) -> LinePosition:
        return self._made("." * 9, "X", 0)

    def _made(self, *stated: Any) -> LinePosition:
        made = super()._made(*stated)
        return FallingPosition(**{field.name: getattr(made, field.name) for field in fields(made)})


class FallingPosition(LinePosition):
    @property
    def open_cells(self) -> tuple[int, ...]:  # type: ignore[override]
        columns = ([cell for cell in range(i, 9, 3) if self.board[cell] == "."] for i in range(3))
        return tuple(sorted(column[-1] for column in columns if column))
