"""What a job can be about: studies and learners, ours and those of other packages.

A registry holds names and places as texts: nothing is imported before it is asked for.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Generic, TypeVar

from noughts.errors import ParseError
from noughts.games.grammar import did_you_mean
from noughts.options import Option, options_of
from noughts.plugins import first_line, load_point, named_points

Thing = TypeVar("Thing")


@dataclass(frozen=True)
class Variant(ABC, Generic[Thing]):
    """One of them as it is listed: a name, where it is defined, and one sentence."""

    noun: ClassVar[str]

    name: str
    home: str  # "module:thing"
    said: str = ""  # empty: what it says of itself
    is_ours: bool = True

    @abstractmethod
    def accept(self, found: object) -> Thing:
        """What was found at home; raises TypeError, in a few words, if it is something else."""

    @abstractmethod
    def owner(self, thing: Thing) -> Any:
        """The dataclass with its options."""

    def resolve(self) -> Thing:
        """Import the module and find it there."""
        module, _, attribute = (part.strip() for part in self.home.partition(":"))
        if self.is_ours:
            return self.accept(getattr(import_module(module), attribute))
        loaded = load_point(self.noun, self.name, lambda: import_module(module))
        try:
            return self.accept(getattr(loaded, attribute, None))
        except TypeError as error:
            raise ParseError(
                f"The {self.noun} '{self.name}' is said to be {self.home}, but that is {error}."
            ) from None

    @property
    def fault(self) -> str:
        """Why one of another package cannot be had, or nothing."""
        if self.is_ours:
            return ""
        try:
            self.resolve()
        except ParseError as error:
            return str(error)
        return ""

    @property
    def summary(self) -> str:
        """One line: what is said here, or what it says of itself."""
        return self.said or self.fault or first_line(self.resolve(), "from another package")

    @property
    def options(self) -> tuple[Option, ...]:
        """What it can be told; imports it."""
        return () if self.fault else options_of(self.owner(self.resolve()))


AnyVariant = TypeVar("AnyVariant", bound=Variant[Any])


def registered(ours: Sequence[AnyVariant], group: str) -> dict[str, AnyVariant]:
    """Those of ours by their names, then those of other packages under these entry points."""
    found = {variant.name: variant for variant in ours}
    for name, point in named_points(group, lambda name: name in found).items():
        found[name] = type(ours[0])(name, point.value, is_ours=False)
    return found


def find(known: Mapping[str, AnyVariant], name: str, noun: str, nouns: str) -> AnyVariant:
    """The one of this name; one sentence if there is none."""
    if name not in known:
        question = did_you_mean(name, known)
        raise ParseError(f"'{name}' is not a {noun}; {nouns}: {', '.join(known)}{question}.")
    return known[name]
