"""Requests for work, and the attempts of workers to answer them."""

from concurrent.futures import Future
from dataclasses import dataclass, field

from noughts.web.engine.process import Answer, WorkerProcess


@dataclass(frozen=True)
class Route:
    """Where a request goes. A request for both goes to both, and the first to finish answers."""

    compiled: bool = True  # to those that compile
    interpreted: bool = False  # to the one that interprets: small work only
    is_heavy: bool = False  # may take a second or more, and leaves one worker to the others
    kernels: str | None = None  # what is compiled on the way, as `noughts.effort` names it
    compiling: float = 0.0  # seconds that this takes, about
    working: float = 0.0  # seconds of the compiled work itself, where it is long and they are known
    what: str = ""  # the same, for people


@dataclass(eq=False)
class Ticket:
    """One request. `future` gets the first answer."""

    task: str
    payload: bytes
    seconds: float  # the most it may take, once begun
    route: Route
    future: "Future[Answer]" = field(default_factory=Future)
    attempts: "list[Attempt]" = field(default_factory=list)
    reason: str | None = None  # why it was ended
    step: int | None = None  # of the warm-up, when nobody asked for it

    def is_late(self, now: float) -> bool:
        """Whether every worker that tried has had its time."""
        begun = [attempt.began for attempt in self.attempts if attempt.began is not None]
        return bool(begun) and now - min(begun) > self.seconds

    @property
    def is_alone(self) -> bool:
        """Whether at most one attempt is left."""
        return len(self.attempts) <= 1


@dataclass(eq=False)
class Attempt:
    """A ticket in one lane: with those that compile, or with the one that interprets."""

    ticket: Ticket
    compiles: bool
    began: float | None = None
    worker: WorkerProcess | None = None
    is_first: bool = False  # of its kernels: it compiles them, and that is never wasted
