"""How the shipped network `noughts` was trained: the log of its training, kept beside it.

    record = shipped_record()
    record.chunks    one for every 4,000 games: seconds, losses, draws; gates where they were played
    record.rated     the snapshots of the training, rated against UCT and against the last of them

The file is plain JSON, so that nothing needs the run folder, which holds a gigabyte of memory.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from noughts.errors import NoughtsError, ParseError
from noughts.files import replacing
from noughts.learn.frame.runs import TrainingLog

NAME = "ultimate-noughts-log.json"
KIND, VERSION = "noughts training record", 1
# A chunk's curves by the names that they have in the log of a run.
CURVES = {
    "policy_loss": "policy loss",
    "value_loss": "value loss",
    "drawn": "drawn",
    "won_by_x": "won by X",
    "positions_per_game": "positions per game",
    "evaluations_per_second": "evaluations per second",
    "score": "score against the best before",
    "is_best": "is best",
}
DIGITS = 5


@dataclass(frozen=True)
class Chunk:
    """Some games of a training: how many there were by then, and what they took."""

    games: int
    seconds: float
    policy_loss: float | None
    value_loss: float | None
    drawn: float | None
    won_by_x: float | None
    positions_per_game: float | None
    evaluations_per_second: float | None
    score: float | None  # of a gate: the new network against the best before
    is_best: float | None


@dataclass(frozen=True)
class Rating:
    """One snapshot of a training: won, drawn, lost against UCT and against the last network."""

    games: int
    minutes: float
    against_uct: tuple[int, int, int]
    against_last: tuple[int, int, int]


@dataclass(frozen=True)
class TrainingRecord:
    """The log of one training, and how strong it was on the way."""

    made_by: str
    chunks: Sequence[Chunk]
    rated: Sequence[Rating] = ()
    match: Mapping[str, Any] = field(default_factory=dict)  # zero, uct, seed, openings

    @property
    def games(self) -> int:
        return self.chunks[-1].games

    @property
    def seconds(self) -> float:
        return sum(chunk.seconds for chunk in self.chunks)

    @property
    def gates(self) -> list[Chunk]:
        """The chunks after which a new network met the best before it."""
        return [chunk for chunk in self.chunks if chunk.score is not None]

    def minutes_at(self, games: int) -> float:
        """How long learning had taken after so many games."""
        return sum(chunk.seconds for chunk in self.chunks if chunk.games <= games) / 60.0


def chunks_of(log: TrainingLog, games: int) -> list[Chunk]:
    """What a record keeps of a run's log, up to so many games."""
    found = []
    for line in log.lines:
        result = line["result"]
        if result["games"] <= games:
            curves = {key: result["curves"].get(name) for key, name in CURVES.items()}
            short = {k: None if v is None else round(v, DIGITS) for k, v in curves.items()}
            found.append(Chunk(int(result["games"]), round(float(line["seconds"]), 3), **short))
    return found


def save_record(path: Path, record: TrainingRecord) -> None:
    """Write a record, one line for each of its rows."""
    head = {"kind": KIND, "version": VERSION, "made_by": record.made_by}
    head |= {"match": dict(record.match)}
    parts = [f' "{key}": {json.dumps(value)}' for key, value in head.items()]
    for key in ("chunks", "rated"):
        rows = ",\n  ".join(json.dumps(asdict(row)) for row in getattr(record, key))
        parts.append(f' "{key}": [\n  {rows}\n ]' if rows else f' "{key}": []')
    with replacing(path) as file:
        file.write("{\n" + ",\n".join(parts) + "\n}\n")


def read_record(text: str, source: str) -> TrainingRecord:
    """The record that a text holds; ParseError if it is none."""
    try:
        found = json.loads(text)
        is_ours = (found["kind"], found["version"]) == (KIND, VERSION)
        chunks = [Chunk(**row) for row in found["chunks"]]
        rated = [
            Rating(r["games"], r["minutes"], _tally(r["against_uct"]), _tally(r["against_last"]))
            for r in found["rated"]
        ]
        record = TrainingRecord(found["made_by"], chunks, rated, found["match"])
    except (ValueError, KeyError, TypeError):
        raise ParseError(f"{source} is not a {KIND}, or it is damaged.") from None
    if not is_ours or not chunks:
        raise ParseError(f"{source} is not a {KIND} of version {VERSION}.")
    return record


def _tally(numbers: Sequence[int]) -> tuple[int, int, int]:
    wins, draws, losses = (int(number) for number in numbers)
    return wins, draws, losses


@cache
def shipped_record() -> TrainingRecord:
    """The record of the network that comes with this package."""
    shipped = files("noughts.learn.zero").joinpath("data", NAME)
    if not shipped.is_file():
        raise NoughtsError("The log of the Ultimate network does not come with this Noughts.")
    return read_record(shipped.read_text(encoding="utf-8"), NAME)
