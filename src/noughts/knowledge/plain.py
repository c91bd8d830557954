"""Positions of plain games as masks: whoever completes a line wins, nothing is left to chance."""

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
    x, o = position.masks[:2]
    return PlainBoard(x, o) if position.turn == "X" else PlainBoard(o, x)


def line_masks(game: Game) -> tuple[int, ...] | None:
    """The lines as masks; None where completing one is not all that counts."""
    board = game.hypergraph
    is_plain = not (game.is_risky or game.is_misere or game.seats > 2)
    return board.line_masks if board is not None and is_plain else None


def completing(masks: tuple[int, ...], own: int, other: int) -> list[int]:
    """The cells that complete a line of `own`."""
    missing = {m & ~own for m in masks if not m & other and (m & ~own).bit_count() == 1}
    return sorted(cell.bit_length() - 1 for cell in missing)
