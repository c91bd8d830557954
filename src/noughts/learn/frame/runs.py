"""Runs of training as folders: their log, their youngest checkpoint, and the player they made.

    config.json                    what was asked for
    log.jsonl                      one line per finished chunk of games
    checkpoints/NNN.safetensors    the learner after NNN games: the youngest, and the milestones

A chunk's line is written before its checkpoint, so that after a kill the log is never behind; lines
of games that no checkpoint holds are dropped, and those games are played again, alike.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from noughts.errors import NoughtsError, ParseError
from noughts.files import replacing
from noughts.games.registry import game as read_game
from noughts.learn.frame.checkpoint import (
    Checkpoint,
    checkpoints_in,
    load_checkpoint,
    save_checkpoint,
)
from noughts.learn.frame.learner import Learner
from noughts.learn.frame.registry import learner as read_learner
from noughts.report.identity import DIGITS
from noughts.report.log import Line, append_line, check_run, log_line, read_run_log
from noughts.report.run import IDENTITY, read_config


class TrainingLog:
    """`log.jsonl`: seconds and plain data of every chunk, by the games that were done after it."""

    def __init__(self, folder: Path, run: str) -> None:
        """Read the log of the run with this identity; lines of another are refused."""
        self._path, self.run = folder / "log.jsonl", run
        self.lines: list[Line] = _read_lines(self._path, run)

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
        text = log_line(str(result["games"]), seconds, result, self.run)
        append_line(self._path, text, is_synced=True)
        self.lines.append(json.loads(text))


def digest_of(path: str | Path) -> str:
    """A digest of the checkpoint that is read from a run folder, or of this one."""
    folder = Path(path)
    load_checkpoint_of(folder)  # refused in one sentence, where there is none
    file = folder if folder.is_file() else checkpoints_in(folder)[-1][1]
    return hashlib.sha256(file.read_bytes()).hexdigest()[:DIGITS]


def load_checkpoint_of(path: str | Path) -> Checkpoint:
    """The youngest checkpoint of a run folder, or the checkpoint that a file holds."""
    folder = Path(path)
    if folder.is_file():
        return load_checkpoint(folder)
    if not folder.exists():
        raise NoughtsError(f"There is no run {folder}; 'noughts train GAME LEARNER' makes one.")
    found = checkpoints_in(folder)
    if not found:
        raise NoughtsError(f"{folder} holds no checkpoint; 'noughts train' makes such folders.")
    youngest = found[-1][1]
    checkpoint = load_checkpoint(youngest)
    if (folder / "config.json").exists():
        run = read_config(folder).get(IDENTITY)
        if run is not None or checkpoint.run is not None:
            check_checkpoint(youngest, checkpoint, str(run))
    return checkpoint


def check_checkpoint(path: Path, checkpoint: Checkpoint, run: str) -> None:
    """Refuse a checkpoint of another run, and one of other games than its name says."""
    check_run(str(path), checkpoint.run, run)
    if checkpoint.games != int(path.stem):
        raise ParseError(f"{path} is the checkpoint after {checkpoint.games} games.")


def adopt_checkpoints(folder: Path, facts: tuple[str, str, str, int], run: str) -> None:
    """Give old checkpoints of this game, learner, opponent and seed the identity of their run."""
    for games, path in checkpoints_in(folder):
        old = load_checkpoint(path)
        told = (old.game, old.learner, old.opponent, old.seed)
        if told != facts or old.games != games:
            raise ParseError(
                f"{path} tells of {old.games} games of {', '.join(map(str, told))}; this run is "
                f"{', '.join(map(str, facts))}."
            )
        if old.run is None:
            save_checkpoint(path, *told, games, old.arrays, run)


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


def check_line(line: Line) -> None:
    """Refuse a line that tells of no chunk of games."""
    try:
        is_chunk = int(line["unit"]) == line["result"]["games"] >= 0 <= float(line["seconds"])
        is_chunk = is_chunk and isinstance(line["result"]["curves"], dict)
        is_chunk = is_chunk and isinstance(line["result"]["grades"], dict | None)
    except (ValueError, KeyError, TypeError):
        is_chunk = False
    if not is_chunk:
        raise ParseError("it is not a line of a training.")


def _read_lines(path: Path, run: str) -> list[Line]:
    """The lines of a log, each of which tells after how many games it was written."""
    lines = read_run_log(path, run)
    games = 0
    for number, line in enumerate(lines, start=1):
        try:
            check_line(line)
        except ParseError as error:
            raise ParseError(f"Line {number} of {path} is not a line of a log: {error}") from None
        if line["result"]["games"] <= games:
            raise ParseError(f"Line {number} of {path} is out of order.")
        games = line["result"]["games"]
    return lines
