"""Positions as text. A drawing and one line say the same thing, and both are read:

    X . .
    . O .          X../.O./... X to move
    . . .
    X to move

The last line is the status: whose turn it is, the result once there is one, and whatever else a
game has to remember (`in mini board 4`, `at tick 3`). Without it the turn follows from the number
of marks: X moves when it is even. With more than two players the marks are X, O, T and S.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from noughts.errors import ParseError
from noughts.games.game import MARKS, Mark, Position, Result

TWO = MARKS[:2]

_STATUS = re.compile(
    r"(?:(?:(?P<winner>[XOTS]) wins|(?P<draw>draw)), )?(?P<turn>[XOTS]) (?:to move|next)"
    r"(?: in mini board (?P<forced>[0-8]))?(?P<anywhere> anywhere)?"
    r"(?: at tick (?P<tick>[0-9]{1,9}))?(?:; won (?P<owners>[XO.]{9}))?"
)
_STATUS_AT_END = re.compile(rf"(?:(?<=\s)|^)(?:{_STATUS.pattern})$")
_FRAME = re.compile(r"[._|+/\-\s]*")


@dataclass(frozen=True)
class Status:
    """The last line of a drawing, taken apart; None where it says nothing."""

    turn: Mark | None = None
    result: Result | None = None
    tick: int = 0
    forced: int | None = None
    owners: str | None = None


def write_status(position: Position, forced: int | None = None, owners: str = "") -> str:
    """The status line of a position; `forced` is 9 for anywhere."""
    words = f"{position.turn} to move"
    if position.result is not None:
        outcome = "draw" if position.result == "draw" else f"{position.result} wins"
        words = f"{outcome}, {position.turn} next"
    elif forced is not None:
        words += " anywhere" if forced == 9 else f" in mini board {forced}"
    if position.game.risk.has_clock:
        words += f" at tick {position.tick}"
    return f"{words}; won {owners}" if owners else words


def listed(marks: Sequence[Mark]) -> str:
    """How a sentence names them, before the last thing that it lists."""
    return ", ".join(marks)


def split_text(text: str, marks: Sequence[Mark] = TWO) -> tuple[str, bool, Status]:
    """(the letters of the board, are they a drawing rather than cell order, the status)."""
    if not isinstance(text, str):
        raise ParseError(f"A position is read from text, not from {text!r}.")
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    if not lines:
        raise ParseError(f"The position is empty; draw the board with {listed(marks)} and '.'.")
    *rows, last = lines
    match = _STATUS_AT_END.search(last)
    if match is not None:
        board, status = "\n".join([*rows, last[: match.start()]]), match[0]
    elif _FRAME.fullmatch(last.upper().translate(dict.fromkeys(map(ord, marks)))):
        board, status = "\n".join(lines), ""
    elif rows:
        board, status = "\n".join(rows), last
    else:
        board, _, status = last.partition(" ")
    # One line, or rows cut by slashes, are cells in their order; anything else is a drawing.
    is_drawing = "/" not in board and "\n" in board.strip()
    letters = re.sub(r"[\s|+/-]", "", board).upper().replace("_", ".")
    for letter in letters:
        if letter not in (*marks, "."):
            raise ParseError(
                f"'{letter}' is not a mark; a board is drawn with {listed(marks)} and '.'."
            )
    return letters, is_drawing, _read_status(status.strip(), marks)


def _read_status(text: str, marks: Sequence[Mark]) -> Status:
    if not text:
        return Status()
    match = _STATUS.fullmatch(text)
    named = {match["turn"], match["winner"]} - {None} if match else set()
    if match is None or named - set(marks):
        turns = " or ".join(f"'{mark} to move'" for mark in marks)
        raise ParseError(f"'{text}' does not say whose turn it is; write {turns}.")
    turn = marks[marks.index(match["turn"])]
    won: Result | None = marks[marks.index(match["winner"])] if match["winner"] else None
    won = "draw" if match["draw"] else won
    forced = 9 if match["anywhere"] else (int(match["forced"]) if match["forced"] else None)
    return Status(turn, won, int(match["tick"] or 0), forced, match["owners"])


def check_letters(letters: str, cells: int, spec: str) -> None:
    """Refuse a board of the wrong size."""
    if len(letters) != cells:
        raise ParseError(f"The board has {len(letters)} cells; {spec} has {cells}.")


def masks_of(letters: str) -> list[int]:
    """The cells of X, O, T and S as bits."""
    masks = dict.fromkeys(MARKS, 0)
    for i, letter in enumerate(letters):
        if letter != ".":
            masks[letter] |= 1 << i  # type: ignore[index]  # the letter of a mark
    return list(masks.values())


def letters_of(masks: Iterable[int], cells: int) -> str:
    """One letter per cell; the inverse of `masks_of`."""
    letters = ["."] * cells
    for mark, mask in zip(MARKS, masks, strict=False):
        while mask:
            letters[(mask & -mask).bit_length() - 1] = mark
            mask &= mask - 1
    return "".join(letters)


def check_claims(position: Position, status: Status) -> None:
    """Refuse a status that contradicts its board or its clock."""
    if status.result is not None and status.result != position.result:
        claim = "a draw" if status.result == "draw" else f"that {status.result} wins"
        raise ParseError(f"The status says {claim}, but the board does not show it.")
    last_tick = position.game.risk.last_tick
    if last_tick is not None and not 0 <= position.tick <= last_tick:
        raise ParseError(f"Tick {position.tick} is not on the clock; ticks are 0 to {last_tick}.")
