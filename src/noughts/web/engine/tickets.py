"""Requests for work, and the attempts of workers to answer them."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from time import monotonic

from noughts.web.engine.process import Answer, WorkerProcess


@dataclass(frozen=True)
class Route:
    """Where a request goes. A request for both goes to both, and the first to finish answers."""

    compiled: bool = True  # to those that compile
    interpreted: bool = False  # to the one that interprets: small work only
    is_patient: bool = (
        False  # to the one that interprets: others go first, even in the middle of it
    )
    is_heavy: bool = False  # may take a second or more, and leaves one worker to the others
    kernels: str | None = None  # what is compiled on the way, as `noughts.effort` names it
    compiling: float = 0.0  # seconds that this takes, about
    working: float = 0.0  # seconds of the compiled work itself, where it is long and they are known
    interpreting: float = 0.0  # seconds of small work where it is interpreted
    what: str = ""  # the work, for people


@dataclass(eq=False)
class Ticket:
    """One request. `future` gets the first answer, `tell` what is known before it."""

    task: str
    payload: bytes
    seconds: float  # the most it may take; neither machine code nor waiting for a worker is charged
    route: Route
    tell: Callable[[bytes], None] | None = None
    future: "Future[Answer]" = field(default_factory=Future)
    attempts: "list[Attempt]" = field(default_factory=list)
    reason: str | None = None  # why it was ended
    asked: float = field(default_factory=monotonic)  # when

    def is_late(self, now: float) -> bool:
        """Whether every attempt has had its time; one that waits for a worker has not begun."""
        spent = [one.spent(now) for one in self.attempts]
        return bool(spent) and min(spent) > self.seconds

    @property
    def is_alone(self) -> bool:
        """Whether at most one attempt is left."""
        return len(self.attempts) <= 1


@dataclass(eq=False)
class Attempt:
    """A ticket in one lane: with those that compile, or with the one that interprets."""

    ticket: Ticket
    compiles: bool
    number: int = 0  # of the work, once begun; later work has a higher one
    began: float | None = None
    worker: WorkerProcess | None = None
    is_first: bool = False  # of its kernels: it compiles them, and that is never wasted
    prepared: float = 0.0  # seconds that went into machine code
    prepares_since: float | None = None  # while it is compiled or loaded
    is_put_off: bool = False  # it was told to stop, and begins again when others have gone first
    depth: int = 0  # of kernels that are prepared inside of others

    @property
    def makes_code(self) -> bool:
        """Whether it makes machine code, or is about to."""
        return self.is_first or self.prepares_since is not None

    def prepare(self, is_begin: bool, now: float) -> None:
        """Machine code begins or ends to be prepared."""
        self.depth += 1 if is_begin else -1
        if is_begin and self.depth == 1:
            self.prepares_since = now
        elif self.depth == 0 and self.prepares_since is not None:
            self.prepared += now - self.prepares_since
            self.prepares_since = None

    def spent(self, now: float) -> float:
        """Seconds of work, machine code aside."""
        if self.began is None:
            return 0.0
        end = now if self.prepares_since is None else self.prepares_since
        return end - self.began - self.prepared
