"""Positions as text. A drawing and one line say the same thing, and both are read:

    X . .
    . O .          X../.O./... X to move
    . . .
    X to move

The last line is the status: whose turn it is, the result once there is one, and whatever else a
game has to remember (`in mini board 4`, `at tick 3`). Without it the turn follows from the number
of marks: X moves when it is even.
"""

import re
from dataclasses import dataclass

from noughts.errors import ParseError
from noughts.games.game import Mark, Position, Result

_STATUS = re.compile(
    r"(?:(?P<result>X wins|O wins|draw), )?(?P<turn>[XO]) (?:to move|next)"
    r"(?: in mini board (?P<forced>[0-8]))?(?P<anywhere> anywhere)?"
    r"(?: at tick (?P<tick>[0-9]{1,9}))?(?:; won (?P<owners>[XO.]{9}))?"
)
_STATUS_AT_END = re.compile(rf"(?:(?<=\s)|^)(?:{_STATUS.pattern})$")
_BOARD = re.compile(r"[XOxo._|+/\-\s]*")
_RESULTS: dict[str, Result] = {"X wins": "X", "O wins": "O", "draw": "draw"}


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


def split_text(text: str) -> tuple[str, bool, Status]:
    """(the letters of the board, are they a drawing rather than cell order, the status)."""
    if not isinstance(text, str):
        raise ParseError(f"A position is read from text, not from {text!r}.")
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    if not lines:
        raise ParseError("The position is empty; draw the board with X, O and '.'.")
    *rows, last = lines
    match = _STATUS_AT_END.search(last)
    if match is not None:
        board, status = "\n".join([*rows, last[: match.start()]]), match[0]
    elif _BOARD.fullmatch(last):
        board, status = "\n".join(lines), ""
    elif rows:
        board, status = "\n".join(rows), last
    else:
        board, _, status = last.partition(" ")
    # One line, or rows cut by slashes, are cells in their order; anything else is a drawing.
    is_drawing = "/" not in board and "\n" in board.strip()
    letters = re.sub(r"[\s|+/-]", "", board).upper().replace("_", ".")
    for letter in letters:
        if letter not in "XO.":
            raise ParseError(f"'{letter}' is not a mark; a board is drawn with X, O and '.'.")
    return letters, is_drawing, _read_status(status.strip())


def _read_status(text: str) -> Status:
    if not text:
        return Status()
    match = _STATUS.fullmatch(text)
    if match is None:
        raise ParseError(
            f"'{text}' does not say whose turn it is; write 'X to move' or 'O to move'."
        )
    turn: Mark = "X" if match["turn"] == "X" else "O"
    forced = 9 if match["anywhere"] else (int(match["forced"]) if match["forced"] else None)
    result = _RESULTS[match["result"]] if match["result"] else None
    return Status(turn, result, int(match["tick"] or 0), forced, match["owners"])


def check_letters(letters: str, cells: int, spec: str) -> None:
    """Refuse a board of the wrong size."""
    if len(letters) != cells:
        raise ParseError(f"The board has {len(letters)} cells; {spec} has {cells}.")


def masks_of(letters: str) -> tuple[int, int]:
    """The cells of X and of O as bits."""
    x_mask = sum(1 << i for i, letter in enumerate(letters) if letter == "X")
    o_mask = sum(1 << i for i, letter in enumerate(letters) if letter == "O")
    return x_mask, o_mask


def letters_of(x_mask: int, o_mask: int, cells: int) -> str:
    """One letter per cell; the inverse of `masks_of`."""
    return "".join(
        "X" if x_mask >> i & 1 else "O" if o_mask >> i & 1 else "." for i in range(cells)
    )


def check_claims(position: Position, status: Status) -> None:
    """Refuse a status that contradicts its board or its clock."""
    if status.result is not None and status.result != position.result:
        claim = "a draw" if status.result == "draw" else f"that {status.result} wins"
        raise ParseError(f"The status says {claim}, but the board does not show it.")
    last_tick = position.game.risk.last_tick
    if last_tick is not None and not 0 <= position.tick <= last_tick:
        raise ParseError(f"Tick {position.tick} is not on the clock; ticks are 0 to {last_tick}.")
