"""Positions as text and as plain data. A drawing and one line say the same thing; both are read:

    X . .
    . O .          X../.O./... X to move
    . . .
    X to move

The last line is the status: whose turn it is, the result once there is one, and whatever else a
game has to remember (`in mini board 4`, `at tick 3`). Without it the turn follows from the number
of marks: X moves when it is even. With more than two players the marks are X, O, T and S.

Plain data out of JSON is checked here, too, before anything is built from it. Games that say
nothing else about their texts are written by board and turn, and where these do not say everything
by their row: `X.O/.../... O to move; row 1/0/2/0/0/0/0/0/0/2`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from noughts.errors import NoughtsError, ParseError
from noughts.games.game import MARKS, Game, Mark, Position, Result

TWO = MARKS[:2]
MAX_TICK = 999_999_999  # what the text of a position can say
NOBODY = "nobody"  # is on turn where chance is due

_STATUS = re.compile(
    r"(?:(?:(?P<winner>[XOTS]) wins|(?P<draw>draw)), )?(?P<turn>[XOTS]|nobody) (?:to move|next)"
    r"(?: in mini board (?P<forced>[0-8]))?(?P<anywhere> anywhere)?"
    r"(?: at tick (?P<tick>[0-9]{1,9}))?(?:; won (?P<owners>[XO.]{9}))?"
    r"(?:; row (?P<row>-?[0-9]{1,9}(?:/-?[0-9]{1,9})*))?"
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
    row: tuple[int, ...] | None = None


def write_status(position: Position, forced: int | None = None, owners: str = "") -> str:
    """The status line of a position; `forced` is 9 for anywhere."""
    words = f"{position.turn or NOBODY} to move"
    if position.result is not None:
        outcome = "draw" if position.result == "draw" else f"{position.result} wins"
        words = f"{outcome}, {position.turn or NOBODY} next"
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
    before, has_row, row_words = text.partition("; row ")
    if match is None and has_row and _STATUS.fullmatch(before):
        raise ParseError(f"The row {row_words} is not whole numbers of up to nine digits.")
    named = {match["turn"], match["winner"]} - {None, NOBODY} if match else set()
    if match is None or named - set(marks):
        turns = " or ".join(f"'{mark} to move'" for mark in marks)
        raise ParseError(f"'{text}' does not say whose turn it is; write {turns}.")
    turn = None if match["turn"] == NOBODY else marks[marks.index(match["turn"])]
    won: Result | None = marks[marks.index(match["winner"])] if match["winner"] else None
    won = "draw" if match["draw"] else won
    forced = 9 if match["anywhere"] else (int(match["forced"]) if match["forced"] else None)
    row = tuple(map(int, match["row"].split("/"))) if match["row"] else None
    return Status(turn, won, int(match["tick"] or 0), forced, match["owners"], row)


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


@dataclass(frozen=True)
class PositionData:
    """The fields that every game's positions have in common."""

    board: str
    turn: Mark | None
    tick: int
    last: int | None
    result: Result | None  # what the data claims; the game knows


def read_position_data(data: dict[str, Any], marks: Sequence[Mark] = TWO) -> PositionData:
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


# ---- Games that leave their texts to us ------------------------------------------------------


def _status_of(position: Position) -> str:
    """The status, with the row where board and turn do not say everything."""
    words = write_status(position)
    plain = position.turn and position.game.position_from_board(position.board, position.turn)
    return words if plain == position else f"{words}; row {'/'.join(map(str, position.to_row()))}"


def write_line(position: Position) -> str:
    """A position on one line."""
    columns, board = position.game.shape[1], position.board
    rows = [board[i : i + columns] for i in range(0, len(board), columns)]
    return f"{'/'.join(rows)} {_status_of(position)}"


def write_drawing(position: Position) -> str:
    """A position as rows of cells, layers apart."""
    rows: dict[int, str] = {}
    for cell in sorted(range(position.game.cells), key=position.game.drawn_at):
        row, column, _, aside = position.game.drawn_at(cell)
        rows[row] = rows.get(row, "").ljust(2 * (column + aside)) + position.board[cell]
    return "\n".join([*(rows[row] for row in sorted(rows)), _status_of(position)])


def read_text(game: Game, text: str) -> Position:
    """The inverse of both."""
    letters, is_drawing, status = split_text(text, game.marks)
    check_letters(letters, game.cells, str(game))
    if is_drawing:
        order = sorted(range(game.cells), key=game.drawn_at)
        letters = "".join(letters[order.index(cell)] for cell in range(game.cells))
    if status.row is not None:
        position = _from_row(game, status.row)
    else:
        position = _from_board(game, letters, status.turn or game.marks[0])
    _check_same(position, letters, status.turn)
    check_claims(position, status)
    return position


def read_data(game: Game, data: dict[str, Any]) -> Position:
    """The inverse of `Position.to_dict`."""
    fields, row = read_position_data(data, game.marks), data.get("row")
    check_letters(fields.board, game.cells, str(game))
    if row is None:
        position = _from_board(game, fields.board, fields.turn or game.marks[0])
    elif isinstance(row, list) and all(type(number) is int for number in row):
        position = _from_row(game, row)
    else:
        raise ParseError(f'"row" is {row!r}; it must be a list of whole numbers.')
    _check_same(position, fields.board, fields.turn)
    check_claims(position, Status(fields.turn, fields.result))
    return replace(position, last=fields.last)


def _from_board(game: Game, letters: str, turn: Mark) -> Position:
    position = game.position_from_board(letters, turn)
    if position is None:
        raise ParseError(f"The board does not say all of a position of {game}; add its row.")
    return position


def _from_row(game: Game, row: Sequence[int]) -> Position:
    try:
        position = game.position_from_row(row)
        is_same = position.to_row() == list(row)
    except NoughtsError:
        raise
    except (ArithmeticError, LookupError, TypeError, ValueError):  # a row that somebody made up
        is_same = False
    if not is_same:
        raise ParseError(f"The row {'/'.join(map(str, row))} is no position of {game}.")
    return position


def _check_same(position: Position, letters: str, turn: Mark | None) -> None:
    """Refuse a row that tells another board or turn than what stands beside it."""
    if position.board != letters or (turn is not None and position.turn != turn):
        raise ParseError("The row does not fit the board and the turn beside it.")
