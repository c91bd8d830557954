"""Iterative deepening: look one move ahead, then two, three, … until sure or out of time.

An `Engine` looks to a given depth. The deeper look is quick because the shallower one left its best
moves in a table. A clock may stop a look half way: another thread sets `stop[0]`, which the engine
asks now and then; the best move found so far counts, because the last best one was tried first.
"""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from noughts.agents import Thought
from noughts.errors import NoughtsError
from noughts.games.game import Position

DEFAULT_SECONDS = 1.0  # when neither a depth nor a time is given


@dataclass(frozen=True)
class Answer:
    """What one look found."""

    move: int | None  # None when no move was singled out
    value: float  # for X
    is_proven: bool  # the value is exact
    is_final: bool  # looking deeper would change nothing, not even the distance
    is_finished: bool = True  # False when the clock stopped it
    distance: int | None = None  # moves to the end, of a proven win or loss


class Engine(ABC):
    """Looks a number of moves ahead. It counts `nodes`, `deepest` and the bytes of its `memory`."""

    quick_cells = 0  # with at most so many empty cells one look at everything is over at once

    def __init__(self) -> None:
        self.stop = np.zeros(1, np.int64)
        self.nodes = 0
        self.deepest = 0
        self.memory = 0

    @abstractmethod
    def look(self, position: Position, depth: int) -> Answer:
        """The best move of a running position, `depth` moves deep."""

    def values_at(self, position: Position, depth: int) -> tuple[dict[int, float], bool, bool]:
        """The value for X of every move, whether all are exact, and whether the look finished.

        Without chance a move is worth what the position after it is.
        """
        found: dict[int, float] = {}
        is_exact = True
        for move in position.moves:
            after = position.play(move)
            if after.result is not None:
                found[move] = {"X": 1.0, "O": -1.0, "draw": 0.0}[after.result]
                continue
            answer = self.look(after, max(depth - 1, 1))
            if not answer.is_finished:
                return found, False, False
            found[move] = answer.value
            is_exact &= answer.is_proven
        return found, is_exact, True


@contextmanager
def _clock(
    stop: "np.ndarray[tuple[int, ...], np.dtype[np.int64]]", seconds: float | None
) -> Iterator[None]:
    stop[0] = 0
    if seconds is None:
        yield
        return
    timer = threading.Timer(max(seconds, 0.0), stop.__setitem__, (0, 1))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def deepen(
    engine: Engine, position: Position, depth: int | None, seconds: float | None
) -> tuple[Answer, int]:
    """The answer of the deepest look that the limits allow, and how deep it was."""
    if position.result is not None:
        raise NoughtsError("The game is over; there is no move to choose.")
    limit = depth if depth is not None else max(position.game.cells, 1)
    answer = Answer(None, 0.0, is_proven=False, is_final=False, is_finished=False)
    reached = 0
    is_quick = position.board.count(".") <= engine.quick_cells
    with _clock(engine.stop, None if is_quick else seconds):
        for ahead in range(limit if is_quick else 1, limit + 1):
            found = engine.look(position, ahead)
            if found.is_finished or (found.move is not None and ahead > 1) or answer.move is None:
                answer, reached = found, ahead
            if found.is_final or not found.is_finished:
                break
    return answer, reached


def deepen_values(
    engine: Engine, position: Position, depth: int | None, seconds: float | None
) -> tuple[dict[int, float], bool]:
    """The values for X of the deepest look at every move that the limits allow; are they exact?"""
    limit = depth if depth is not None else max(position.game.cells, 1)
    values: dict[int, float] = {}
    is_exact = False
    is_quick = position.board.count(".") <= engine.quick_cells
    with _clock(engine.stop, None if is_quick else seconds):
        for ahead in range(1, limit + 1):
            found, is_exact_here, is_finished = engine.values_at(position, ahead)
            if is_finished or not values:
                values, is_exact = found, is_exact_here
            if is_exact or not is_finished:
                break
    return values, is_exact


def limits(depth: int | None, seconds: float | None) -> tuple[int | None, float | None]:
    """The limits to use: one second when none is given."""
    return (depth, DEFAULT_SECONDS) if depth is None and seconds is None else (depth, seconds)


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
