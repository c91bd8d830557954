"""Iterative deepening: look one move ahead, then two, three, … until sure or out of time.

An `Engine` looks to a given depth. The deeper look is quick because the shallower one left its best
moves in a table. A clock may stop a look half way: another thread sets `stop[0]`, which the engine
asks now and then; the best move found so far counts, because the last best one was tried first.
"""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Thought
from noughts.aloud import HEARD_SECONDS, Estimates, is_heard, tell
from noughts.errors import NoughtsError
from noughts.games.game import Game, Mark, Position

Flag = NDArray[np.int64]  # [1] not 0: stop

DEEP = "moves deep"  # what a look is measured in
DEFAULT_SECONDS = 1.0  # when neither a depth nor a time is given
DEEPEST = 400  # moves that are looked ahead where a game has no end


@dataclass(frozen=True)
class Answer:
    """What one look found."""

    move: int | None  # None when no move was singled out
    value: float  # for X, or of more than two for whom the engine thinks
    is_proven: bool  # the value is exact
    is_final: bool  # looking deeper would change nothing, not even the distance
    is_finished: bool = True  # False when the clock stopped it
    distance: int | None = None  # moves to the end, of a proven win or loss


class Engine(ABC):
    """Looks a number of moves ahead. It counts `nodes`, `deepest` and the bytes of its `memory`.

    Its values are those of `seat`: with two players X, whoever is on turn.
    """

    seat: Mark = "X"

    quick_moves = 0  # with at most so many moves left one look at everything is over at once

    def __init__(self) -> None:
        self.stop = np.zeros(1, np.int64)
        self.nodes = 0
        self.deepest = 0
        self.memory = 0

    @abstractmethod
    def look(self, position: Position, depth: int) -> Answer:
        """The best move of a running position, `depth` moves deep."""

    def sign(self, position: Position) -> float:
        """How the player on turn reads these values."""
        return 1.0 if position.turn == self.seat else -1.0

    def values_at(self, position: Position, depth: int) -> tuple[dict[int, float], bool, bool]:
        """The value of every move, whether all are exact, and whether the look finished.

        Without chance a move is worth what the position after it is.
        """
        found: dict[int, float] = {}
        is_exact = True
        for move in position.moves:
            after = position.play(move)
            if after.result is not None:
                found[move] = after.game.worth(after.result)[after.game.marks.index(self.seat)]
                continue
            answer = self.look(after, max(depth - 1, 1))
            if not answer.is_finished:
                return found, False, False
            found[move] = answer.value
            is_exact &= answer.is_proven
        return found, is_exact, True


class _Watch(threading.Thread):
    """Ends a look when the time is over, or when somebody who listens wants it to end."""

    def __init__(self, stop: Flag, seconds: float | None) -> None:
        super().__init__(daemon=True)
        self.stop = stop
        self.end = None if seconds is None else time.perf_counter() + seconds
        self.is_over = threading.Event()
        self.raised: BaseException | None = None

    def run(self) -> None:
        while not self.is_over.wait(self._pause()):
            try:
                tell()
            except BaseException as raised:  # of the listener: it is raised where the look ends
                self.raised = raised
            if self.raised is not None or (self.end and time.perf_counter() >= self.end):
                self.stop[0] = 1
                return

    def _pause(self) -> float | None:
        left = None if self.end is None else max(self.end - time.perf_counter(), 0.0)
        if not is_heard():
            return left
        return HEARD_SECONDS if left is None else min(left, HEARD_SECONDS)


AnyEngine = TypeVar("AnyEngine", bound=Engine)


@contextmanager
def _clock(stop: Flag, seconds: float | None) -> Iterator[None]:
    stop[0] = 0
    if seconds is None and not is_heard():
        yield
        return
    watch = _Watch(stop, seconds)
    watch.start()
    try:
        yield
    finally:
        watch.is_over.set()
    watch.join()
    if watch.raised is not None:
        raise watch.raised


def deepen(
    engine: Engine, position: Position, depth: int | None, seconds: float | None
) -> tuple[Answer, int]:
    """The answer of the deepest look that the limits allow, and how deep it was."""
    if position.result is not None:
        raise NoughtsError("The game is over; there is no move to choose.")
    limit = depth or _longest(position)
    answer = Answer(None, 0.0, is_proven=False, is_final=False, is_finished=False)
    reached = 0
    is_quick = _is_quick(engine, position)
    with _clock(engine.stop, None if is_quick else seconds):
        for ahead in range(limit if is_quick else 1, limit + 1):
            found = engine.look(position, ahead)
            if found.is_finished or (found.move is not None and ahead > 1) or answer.move is None:
                answer, reached = found, ahead
            tell(ahead, limit, DEEP)
            if found.is_final or not found.is_finished:
                break
    return answer, reached


def deepen_values(
    engine: Engine, position: Position, depth: int | None, seconds: float | None
) -> tuple[dict[int, float], bool]:
    """The values for X of the deepest look at every move that the limits allow; are they exact?"""
    limit = depth or _longest(position)
    values: dict[int, float] = {}
    is_exact = False
    is_quick = _is_quick(engine, position)
    with _clock(engine.stop, None if is_quick else seconds):
        for ahead in range(1, limit + 1):
            found, is_exact_here, is_finished = engine.values_at(position, ahead)
            if is_finished or not values:
                values, is_exact = found, is_exact_here
            tell(ahead, limit, DEEP, _estimates(values))
            if is_exact or not is_finished:
                break
    return values, is_exact


def _estimates(values: dict[int, float]) -> Callable[[], Estimates]:
    return lambda: (values, {})


def _longest(position: Position) -> int:
    """How many moves there can be to look at."""
    return max(position.game.longest or DEEPEST, 1)


def _is_quick(engine: Engine, position: Position) -> bool:
    left = position.most_left
    return left is not None and left <= engine.quick_moves


def limits(depth: int | None, seconds: float | None) -> tuple[int | None, float | None]:
    """The limits to use: one second when none is given."""
    return (depth, DEFAULT_SECONDS) if depth is None and seconds is None else (depth, seconds)


def warmed(engine: AnyEngine, game: Game) -> AnyEngine:
    """The engine, ready to run: compiling is not charged to the clock of the first move."""
    engine.look(game.start(), 1)
    engine.nodes = engine.deepest = 0
    return engine


@contextmanager
def thinking(engine: Engine) -> Iterator[list[Thought]]:
    """Measure what happens inside; the list that is given receives one Thought at the end."""
    before, began = engine.nodes, time.perf_counter()
    engine.deepest = 0
    report: list[Thought] = []
    yield report
    report.append(
        Thought(
            nodes=engine.nodes - before,
            depth=engine.deepest,
            seconds=time.perf_counter() - began,
            memory=engine.memory,
        )
    )
