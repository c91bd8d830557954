"""Positions of plain games as masks: whoever completes a line wins, nothing is left to chance."""

from functools import lru_cache
from typing import NamedTuple

from noughts.games.game import Game, Position


class PlainBoard(NamedTuple):
    """The cells of the player on turn and of the other one, bit i for cell i."""

    own: int
    other: int


def plain_board(position: Position) -> PlainBoard | None:
    """The position as masks; None where other rules hold: misère, risk, mini boards."""
    if line_masks(position.game) is None:
        return None
    x = sum(1 << cell for cell, letter in enumerate(position.board) if letter == "X")
    o = sum(1 << cell for cell, letter in enumerate(position.board) if letter == "O")
    return PlainBoard(x, o) if position.turn == "X" else PlainBoard(o, x)


@lru_cache(maxsize=64)
def line_masks(game: Game) -> tuple[int, ...] | None:
    """The lines as masks; None where completing one is not all that counts."""
    lines: tuple[tuple[int, ...], ...] | None = getattr(game, "lines", None)
    if lines is None or game.risk.is_risky or getattr(game, "is_misere", False):
        return None
    return tuple(sum(1 << cell for cell in line) for line in lines)


def completing(masks: tuple[int, ...], own: int, other: int) -> list[int]:
    """The cells that complete a line of `own`."""
    missing = {m & ~own for m in masks if not m & other and (m & ~own).bit_count() == 1}
    return sorted(cell.bit_length() - 1 for cell in missing)
