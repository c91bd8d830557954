"""Runs of training as folders: their log, their youngest checkpoint, and the player they made.

    config.json                    what was asked for
    log.jsonl                      one line per finished chunk of games
    checkpoints/NNN.safetensors    the learner after NNN games: the youngest, and the milestones

A chunk's line is written before its checkpoint, so that after a kill the log is never behind; lines
of games that no checkpoint holds are dropped, and those games are played again, alike.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from noughts.errors import NoughtsError, ParseError
from noughts.files import replacing
from noughts.games.registry import game as read_game
from noughts.learn.checkpoint import Checkpoint, checkpoints_in, load_checkpoint
from noughts.learn.learner import Learner
from noughts.learn.registry import learner as read_learner
from noughts.report.log import log_line, read_log


class TrainingLog:
    """`log.jsonl`: seconds and plain data of every chunk, by the games that were done after it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "log.jsonl"
        self.lines: list[dict[str, Any]] = _read_lines(self._path)

    @property
    def games(self) -> int:
        return int(self.lines[-1]["result"]["games"]) if self.lines else 0

    @property
    def seconds(self) -> float:
        """How long learning took, whichever process did it."""
        return sum(float(line["seconds"]) for line in self.lines)

    @property
    def results(self) -> list[dict[str, Any]]:
        return [line["result"] | {"seconds": line["seconds"]} for line in self.lines]

    def cut(self, games: int) -> None:
        """Forget what came after so many games."""
        kept = [line for line in self.lines if line["result"]["games"] <= games]
        if len(kept) == len(self.lines):
            return
        with replacing(self._path) as file:
            file.writelines(json.dumps(line) + "\n" for line in kept)
        self.lines = kept

    def append(self, seconds: float, result: Mapping[str, Any]) -> None:
        """Write one line; it is on the disk when this returns."""
        text = log_line(str(result["games"]), seconds, result)
        with self._path.open("a", encoding="utf-8", newline="") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        self.lines.append(json.loads(text))


def load_checkpoint_of(path: str | Path) -> Checkpoint:
    """The youngest checkpoint of a run folder, or the checkpoint that a file holds."""
    place = Path(path)
    if place.is_file():
        return load_checkpoint(place)
    if not place.exists():
        raise NoughtsError(f"There is no run {place}; 'noughts train GAME LEARNER' makes one.")
    found = checkpoints_in(place)
    if not found:
        raise NoughtsError(f"{place} holds no checkpoint; 'noughts train' makes such folders.")
    return load_checkpoint(found[-1][1])


def load_learner(path: str | Path, expected_name: str | None = None) -> Learner:
    """The learner of a run, as it was after its youngest checkpoint."""
    checkpoint = load_checkpoint_of(path)
    learner = read_learner(checkpoint.learner)
    if expected_name is not None and learner.name != expected_name:
        raise NoughtsError(
            f"{path} is a run of {learner.name}, not of {expected_name}; "
            f"name it {learner.name}:run={path}."
        )
    learner.game = read_game(checkpoint.game)
    restore(learner, checkpoint, path)
    return learner


def restore(learner: Learner, checkpoint: Checkpoint, path: str | Path) -> None:
    """Let a learner, whose game is known, go on from a checkpoint; `path` is what to blame."""
    try:
        learner.restore(learner.game, checkpoint.opponent, checkpoint.arrays)
    except KeyError as error:
        raise ParseError(f"The checkpoint of {path} lacks the array {error}.") from None


def _read_lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a log, each of which tells after how many games it was written."""
    lines = read_log(path)
    for number, line in enumerate(lines, start=1):
        try:
            int(line["result"]["games"]), float(line["seconds"])
        except (ValueError, KeyError, TypeError):
            raise ParseError(f"Line {number} of {path} is not a line of a log.") from None
    return lines
