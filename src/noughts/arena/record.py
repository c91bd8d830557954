"""The record of a game: one line of JSON that tells how it went and how to play it again.

    {"game": "3x3", "pairing": 0, "index": 3, "pair": 1, "opening": [4, 0],
     "seats": {"X": "minimax", "O": "alphabeta"}, "moves": [8, 2, …], "landings": ["X", "O", …],
     "seconds": [0.01, …], "nodes": [1021, …], "memory": {"X": 144, "O": 524288},
     "result": "draw", "reason": null, "seeds": {"X": […], "O": […], "landings": […]},
     "check": "5f1c09aa"}

`opening` was given to the players; `moves` they chose, and the other lists go with these. A landing
is the mark that landed, or - when it fizzled, and then the cells that faded: "O:3/4". Who sat where
follows from the index (`seating.py`): the first of two agents plays X in games of even index. With
more than two players `pair` is a block of all seatings, and `result` is null where a fault ended
the game, because nobody won it. A seed is what `numpy.random.default_rng` takes.
`check` is the CRC-32 of everything but the seconds, so it is the same however fast the machine is.
"""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from noughts.arena.seating import points_of, seating_of
from noughts.errors import ParseError
from noughts.games.game import MARKS, Landing, Mark, Result
from noughts.report.log import is_whole


@dataclass(frozen=True)
class GameRecord:
    """One finished game."""

    game: str
    pairing: int  # which agents of a tournament
    index: int
    pair: int  # the block: all seatings of the agents share openings, landings and seeds
    opening: tuple[int, ...]
    seats: Mapping[str, str]
    moves: tuple[int, ...]
    landings: tuple[Landing, ...]
    seconds: tuple[float, ...]
    nodes: tuple[int, ...]
    memory: Mapping[str, int]  # the most bytes that the player of a seat held
    result: Result | None
    reason: str | None  # why, when it was not the board that ended the game: "X: illegal move: …"
    seeds: Mapping[str, tuple[int, ...]]

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The seats, in the order of their turns."""
        return MARKS[: len(self.seats)]

    def seat_of(self, agent: int) -> Mark:
        """Where an agent of the match sat, counted from 0."""
        return MARKS[seating_of(self.index, len(self.seats)).index(agent)]

    @property
    def first_seat(self) -> Mark:
        """Where the first agent of the match sat."""
        return self.seat_of(0)

    def points_of(self, agent: int) -> float:
        """What the game gave to an agent of the match: 1, 0 or a share."""
        return points_of(self.seat_of(agent), len(self.seats), self.result, self.fault)

    @property
    def points(self) -> float:
        """Of the first agent of the match."""
        return self.points_of(0)

    @property
    def fault(self) -> Mark | None:
        """The seat that lost by an illegal move, an exception or a time-out."""
        return next((s for s in self.marks if (self.reason or "").startswith(f"{s}: ")), None)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data: dict[str, Any] = {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in vars(self).items()
        }
        data["landings"] = [write_landing(landing) for landing in self.landings]
        data["seeds"] = {name: list(seed) for name, seed in self.seeds.items()}
        return data | {"check": _check(data)}

    def to_json(self) -> str:
        """The record as one line."""
        return json.dumps(self.to_dict())

    @staticmethod
    def from_json(line: str) -> "GameRecord":
        """The inverse of `to_json`. It reads a line of a run's log too, which wraps a record."""
        return read_wrapped(line)[1]

    @staticmethod
    def from_dict(data: Any) -> "GameRecord":
        """The inverse of `to_dict`; raises ParseError when anything is missing or was changed."""
        if not isinstance(data, dict) or set(data) != _KEYS:
            raise ParseError("The line is not the record of a game: it has other keys.")
        if data["check"] != _check_or_none(data):
            raise ParseError("The record is damaged: its contents do not match its check.")
        try:
            marks = _marks(data["seats"])
            record = GameRecord(
                **{key: data[key] for key in ("game", "pairing", "index", "pair", "result")},
                opening=_wholes(data["opening"]),
                seats={seat: str(data["seats"][seat]) for seat in marks},
                moves=_wholes(data["moves"]),
                landings=tuple(read_landing(text) for text in data["landings"]),
                seconds=tuple(float(number) for number in data["seconds"]),
                nodes=_wholes(data["nodes"]),
                memory={seat: int(data["memory"][seat]) for seat in marks},
                reason=data["reason"],
                seeds={name: _wholes(seed) for name, seed in data["seeds"].items()},
            )
            if not all(type(data[key]) is int for key in ("pairing", "index", "pair")):
                raise ParseError("its numbers are not whole")
            if not isinstance(record.game, str) or not isinstance(record.reason, str | None):
                raise ParseError("its game or its reason is not a text")
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            raise ParseError(f"The record of a game cannot be read: {error}.") from None
        lists = (record.landings, record.seconds, record.nodes)
        if any(len(found) != len(record.moves) for found in lists):
            raise ParseError("The record is damaged: its lists are not as long as its moves.")
        if not _is_result(record):
            raise ParseError(f"The record is damaged: {record.result!r} is not a result.")
        return record


def read_wrapped(line: str) -> tuple[str | None, GameRecord]:
    """The record in a line, and the run that the line belongs to, if it names one."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise ParseError("The line is not JSON, so it is not the record of a game.") from None
    run = None
    if isinstance(data, dict) and "unit" in data:
        if not is_whole(data):
            raise ParseError("The line is damaged: its contents do not match its check.")
        run, data = data.get("run"), data.get("result")
    return run, GameRecord.from_dict(data)


def _marks(seats: Any) -> tuple[Mark, ...]:
    """The marks of the seats that are named."""
    marks = MARKS[: len(seats)]
    if len(marks) < 2 or set(seats) != set(marks):
        raise ParseError(f"{', '.join(map(str, seats))} are not the seats of a game")
    return marks


def _is_result(record: GameRecord) -> bool:
    if record.result is None:
        return len(record.seats) > 2 and record.fault is not None
    return isinstance(record.result, str) and record.result in (*record.marks, "draw")


_KEYS = {*GameRecord.__dataclass_fields__, "check"}


def write_landing(landing: Landing) -> str:
    """A landing as a short text."""
    faded = ":" + "/".join(map(str, landing.faded)) if landing.faded else ""
    return (landing.mark or "-") + faded


def read_landing(text: str) -> Landing:
    """The inverse of `write_landing`."""
    word, _, cells = text.partition(":")
    marks: dict[str, Mark | None] = {mark: mark for mark in MARKS} | {"-": None}
    if word not in marks:
        raise ParseError(f"'{text}' is not a landing such as X, O, - or X:3/4")
    return Landing(marks[word], tuple(int(cell) for cell in cells.split("/") if cell))


def _wholes(numbers: Any) -> tuple[int, ...]:
    found = tuple(numbers)
    if not all(type(number) is int for number in found):
        raise ParseError(f"{numbers} is not a list of whole numbers")
    return found


def _check_or_none(data: Mapping[str, Any]) -> str | None:
    try:
        return _check(data)
    except RecursionError:
        return None


def _check(data: Mapping[str, Any]) -> str:
    told = {key: data[key] for key in data if key not in ("seconds", "check")}
    return f"{zlib.crc32(json.dumps(told, sort_keys=True).encode()):08x}"
