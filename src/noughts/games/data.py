"""Positions as plain data: checking what comes out of JSON before anything is built from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from noughts.errors import ParseError
from noughts.games.game import MARKS, Mark, Result

MAX_TICK = 999_999_999  # what the text of a position can say


@dataclass(frozen=True)
class PositionData:
    """The fields that every game's positions have in common."""

    board: str
    turn: Mark | None
    tick: int
    last: int | None
    result: Result | None  # what the data claims; the game knows


def read_position_data(data: dict[str, Any], marks: Sequence[Mark] = MARKS[:2]) -> PositionData:
    """Check the types and letters; the meaning is checked by the game."""
    board = data.get("board")
    if not isinstance(board, str) or set(board) - {*marks, "."}:
        letters = ", ".join(marks)
        raise ParseError(f'"board" must be a text of {letters} and "." with one letter per cell.')
    quoted = [f'"{mark}"' for mark in marks]
    turn = data.get("turn")
    if turn not in (*marks, None):
        raise ParseError(f'"turn" is {turn!r}; it must be {" or ".join(quoted)}.')
    tick, last = data.get("tick", 0), data.get("last")
    if not isinstance(tick, int) or isinstance(tick, bool) or not 0 <= tick <= MAX_TICK:
        raise ParseError(f'"tick" is {tick!r}; it must be a whole number from 0 to {MAX_TICK}.')
    if last is not None and (not isinstance(last, int) or not 0 <= last < len(board)):
        raise ParseError(f'"last" is {last!r}; it must be a cell from 0 to {len(board) - 1}.')
    result = data.get("result")
    if result not in (*marks, "draw", None):
        allowed = ", ".join([*quoted, '"draw"'])
        raise ParseError(f'"result" is {result!r}; it must be {allowed} or null.')
    return PositionData(board, turn, tick, last, result)
