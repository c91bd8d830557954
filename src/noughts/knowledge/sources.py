"""Where certainty comes from: an ordered list of sources, cheap ones first.

A source answers about a position, or says that it knows nothing. Another package adds one under
the entry point group `noughts.knowledge`: a `Source` (class or object), or a plain function
`f(position) -> Known | None`; `add_source` does the same while a program runs. What other packages
say is asked after everything here that is cheap and before anything is searched.

A source must be right: nobody checks what it says, except that two sources that contradict each
other are an error. One that cannot be loaded or raises is reported by one warning and left out.
"""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import ClassVar

from noughts.errors import NoughtsWarning
from noughts.games.game import Position
from noughts.knowledge.known import Known, exactly
from noughts.knowledge.limits import Budget

ENTRY_POINTS = "noughts.knowledge"
TABLE = "table"  # the source that tells every move of a position at once

KnownFunction = Callable[[Position], Known | None]


class Source(ABC):
    """One place where something is known; `name` is the word that `Known.source` shows."""

    name: ClassVar[str] = ""

    @abstractmethod
    def known(self, position: Position, budget: Budget) -> Known | None:
        """What is certain about a position, or None."""

    def moves(self, position: Position, budget: Budget) -> Mapping[int, Known]:
        """What is certain about moves and costs less to tell than by asking what follows them."""
        return {}


class Ended(Source):
    """The game is over."""

    name = "ended"

    def known(self, position: Position, budget: Budget) -> Known | None:
        if position.result is None:
            return None
        return exactly(position.game.worth(position.result)[0], self.name, 0)


class FunctionSource(Source):
    """A plain function as a source; what it raises is reported once, and it is not asked again."""

    def __init__(self, function: KnownFunction, label: str) -> None:
        self.function, self.label = function, label
        self.is_broken = False

    def known(self, position: Position, budget: Budget) -> Known | None:
        if self.is_broken:
            return None
        try:
            found = self.function(position)
            if found is None or isinstance(found, Known):
                return found
            raise TypeError(f"it gave {found!r}, which is neither Known nor None")
        except Exception as error:  # somebody else's code: whatever it is, we go on
            self.is_broken = True
            _warn(self.label, error)
            return None


class _Guarded(FunctionSource):
    """A source of another package, whose faults are not ours."""

    def __init__(self, source: Source, label: str) -> None:
        super().__init__(lambda _: None, label)
        self.source = source

    def known(self, position: Position, budget: Budget) -> Known | None:
        self.function = lambda asked: self.source.known(asked, budget)
        return super().known(position, budget)

    def moves(self, position: Position, budget: Budget) -> Mapping[int, Known]:
        if self.is_broken:
            return {}
        try:
            return dict(self.source.moves(position, budget))
        except Exception as error:
            self.is_broken = True
            _warn(self.label, error)
            return {}


# Named as texts: a search, a book or numba are only loaded by who asks them.
CHEAP = (
    "noughts.knowledge.sources:Ended",
    "noughts.knowledge.tables:Tables",
    "noughts.knowledge.theorems:Theorems",
)
DEAR = (
    "noughts.knowledge.certificates:Certificates",
    "noughts.knowledge.searches:Searches",
)

_added: list[Source] = []


def sources() -> tuple[Source, ...]:
    """All sources in the order in which they are asked."""
    return (*_own(CHEAP), *_of_other_packages(), *_added, *_own(DEAR))


def add_source(source: Source | KnownFunction) -> Callable[[], None]:
    """Ask this source, too, from now on; the function that is given back takes it out again."""
    label = source.name if isinstance(source, Source) else str(getattr(source, "__name__", source))
    added = _as_source(source, label)
    _added.append(added)
    return lambda: _added.remove(added)


@cache
def _own(places: tuple[str, ...]) -> tuple[Source, ...]:
    found = []
    for place in places:
        module, _, name = place.partition(":")
        found.append(getattr(import_module(module), name)())
    return tuple(found)


@cache
def _of_other_packages() -> tuple[Source, ...]:
    found = []
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        try:
            loaded = point.load()
            made = loaded() if isinstance(loaded, type) else loaded
            found.append(_as_source(made, point.name))
        except (Exception, SystemExit) as error:  # what is broken must not take ours with it
            _warn(point.name, error)
    return tuple(found)


def _as_source(made: object, label: str) -> Source:
    if isinstance(made, Source):
        return _Guarded(made, label)
    if callable(made):
        return FunctionSource(made, label)
    raise TypeError(f"{made!r} is neither a Source nor a function")


def _warn(label: str, error: BaseException) -> None:
    text = f"The source of knowledge '{label}' is left out: {error}"
    warnings.warn(text, NoughtsWarning, stacklevel=2)
