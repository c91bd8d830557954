"""What the two protocols have in common, seen from whoever asks for moves."""

from dataclasses import dataclass
from re import Pattern
from typing import ClassVar, Protocol

from noughts.errors import NoughtsError
from noughts.games.game import Game, Position
from noughts.search.external.program import SHOWN, Program


@dataclass(frozen=True)
class Reply:
    """A move as a program gave it, not yet checked, and what it said about it."""

    move: int
    value: float | None = None  # for X
    nodes: int = 0


@dataclass(frozen=True)
class Patience:
    """How many seconds a program has."""

    startup: float  # to start, and to prepare for a game
    move: float


class Talk(Protocol):
    """A conversation with one program, over as many games as it lives."""

    noise: ClassVar[Pattern[str]]  # how lines begin that are not meant for us
    farewell: ClassVar[str]

    def __init__(self, program: Program, patience: Patience) -> None: ...

    def begin(self, game: Game) -> bool:
        """Prepare for a new game; False when that takes a new process."""

    def choose(self, position: Position, seed: int) -> Reply:
        """Ask for a move."""


def ask(program: Program, message: str, seconds: float) -> str:
    """Send a message and hear its answer."""
    deadline = program.clock.now() + seconds
    program.say(message)
    return program.hear(deadline, seconds)


def misunderstood(program: Program, question: str, answer: str, wanted: str) -> NoughtsError:
    """An answer that cannot be read, and what was allowed."""
    return NoughtsError(
        f"{program} answered '{answer[:SHOWN]}' to '{question}', which takes {wanted}."
    )
