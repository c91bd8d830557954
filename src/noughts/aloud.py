"""Thinking aloud: between two batches long work says how far it is, and may be told to stop.

    with listening(hear):
        agent.values(position)   # calls hear(SoFar(…)) now and then; raising there ends the work

Whoever thinks need not know who listens, so nothing is handed down through agents, tables and
proofs. Mostly nobody listens, and then batches are as large as ever. A process has one listener:
it is meant for one that does one piece of work at a time, as a worker of the page does.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

HEARD_SECONDS = 0.01  # a batch takes about so long: who wants it to end waits no longer


class Stopped(BaseException):
    """Nobody wants the answer any more. Like an interrupt it passes every `except Exception`."""


Estimates = tuple[Mapping[int, float], Mapping[int, float]]  # values for X; their standard errors


@dataclass(frozen=True)
class SoFar:
    """How far a piece of work is."""

    done: int = 0
    total: int = 0  #: 0 where nobody knows
    unit: str = ""  #: what is counted, such as "simulations"
    estimates: Callable[[], Estimates] | None = None  #: of the moves so far


Listener = Callable[[SoFar], None]
PrepareListener = Callable[[bool], None]

_listener: Listener | None = None
_prepare_listener: PrepareListener | None = None


def is_heard() -> bool:
    """Whether anybody listens."""
    return _listener is not None


def tell(
    done: int = 0,
    total: int = 0,
    unit: str = "",
    estimates: Callable[[], Estimates] | None = None,
) -> None:
    """Say how far the work is. Whatever the listener raises ends the work."""
    if _listener is not None:
        _listener(SoFar(done, total, unit, estimates))


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Hear what is told inside; who listened before hears nothing meanwhile."""
    global _listener
    before, _listener = _listener, listener
    try:
        yield
    finally:
        _listener = before


@contextmanager
def overhearing(listener: Listener) -> Iterator[None]:
    """Hear what is told inside, too, after whoever listens already."""
    before = _listener

    def both(so_far: SoFar) -> None:
        if before is not None:
            before(so_far)
        listener(so_far)

    with listening(both):
        yield


def on_preparing(listener: PrepareListener | None) -> None:
    """Hear when machine code begins (True) or ends (False) to be compiled, or to be loaded."""
    global _prepare_listener
    _prepare_listener = listener


@contextmanager
def preparing() -> Iterator[None]:
    """Machine code is compiled or loaded inside, which nothing interrupts."""
    listener = _prepare_listener
    if listener is None:
        yield
        return
    listener(True)
    try:
        yield
    finally:
        listener(False)


class Batches:
    """How much to do before the next word: as much as takes about `HEARD_SECONDS`.

    Where nobody listens a batch is always `most`.
    """

    def __init__(self, first: int, most: int) -> None:
        self.size = min(first, most) if is_heard() else most
        self._most = most
        self._began = perf_counter()

    def next(self, left: int) -> int:
        """The size of the next batch, by how long the last one took."""
        now = perf_counter()
        if is_heard() and now - self._began < HEARD_SECONDS / 2:
            self.size = min(2 * self.size, self._most)
        elif is_heard() and now - self._began > 2 * HEARD_SECONDS:
            self.size = max(self.size // 2, 1)
        self._began = now
        return min(self.size, left)
