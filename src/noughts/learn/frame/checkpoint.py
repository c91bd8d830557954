"""Checkpoints: all that a learner needs to go on or to play, in one safetensors file.

The metadata says what it is (kind, version), of which game and learner, against whom and from which
seed it learned, how many games it has seen, and the identity of the run that wrote it, if one did.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from noughts.errors import ParseError
from noughts.learn.frame.learner import Arrays
from noughts.learn.frame.safetensors import load_tensors, save_tensors

KIND = "noughts checkpoint"
VERSION = "1"
SUFFIX = ".safetensors"
_FACTS = ("game", "learner", "opponent", "seed", "games")


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A learner at one moment: specs, how far it is, and its arrays."""

    game: str
    learner: str
    opponent: str
    seed: int
    games: int
    arrays: dict[str, NDArray[Any]]
    run: str | None = None


def save_checkpoint(
    path: Path, game: str, learner: str, opponent: str, seed: int, games: int, arrays: Arrays,
    run: str | None = None,
) -> None:  # fmt: skip
    """Write a checkpoint; the file is whole or absent."""
    facts = (game, learner, opponent, seed, games)
    metadata = {"kind": KIND, "version": VERSION}
    metadata |= {key: str(fact) for key, fact in zip(_FACTS, facts, strict=True)}
    metadata |= {} if run is None else {"run": run}
    save_tensors(path, metadata, arrays)


def load_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint; a damaged or foreign file is refused."""
    metadata, arrays = load_tensors(path)
    if metadata.get("kind") != KIND:
        raise ParseError(f"{path} holds a {metadata.get('kind')}, not a {KIND}.")
    if metadata.get("version") != VERSION:
        raise ParseError(f"{path} has version {metadata.get('version')}; this reads {VERSION}.")
    try:
        game, learner, opponent, seed, games = (metadata[key] for key in _FACTS)
        run = metadata.get("run")
        return Checkpoint(game, learner, opponent, int(seed), int(games), arrays, run)
    except (KeyError, ValueError):
        raise ParseError(f"{path} does not say of what it is a checkpoint.") from None


def checkpoint_path(folder: Path, games: int) -> Path:
    """Where a run keeps its checkpoint after so many games."""
    return folder / "checkpoints" / f"{games:012}{SUFFIX}"


def checkpoints_in(folder: Path) -> list[tuple[int, Path]]:
    """(games, file) of every checkpoint of a run, the youngest last."""
    paths = (folder / "checkpoints").glob(f"*{SUFFIX}")
    return sorted((int(path.stem), path) for path in paths if path.stem.isdecimal())
