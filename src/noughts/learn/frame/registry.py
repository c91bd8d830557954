"""The learners that can be named: `table:step=0.1` finds its class only when it is asked for.

Other packages add theirs under the entry points `noughts.learners`: docs/extend/learner.md.
"""

from dataclasses import dataclass
from functools import cache

from noughts.errors import ParseError
from noughts.games.grammar import parse_spec
from noughts.learn.frame.learner import Learner
from noughts.options import Listed, find, read_options, registered
from noughts.plugins import LEARNERS, whole_classes

ENTRY_POINTS = LEARNERS


@dataclass(frozen=True)
class LearnerListing(Listed[type[Learner]]):
    """One row of `noughts train --list`."""

    noun = "learner"

    def accept(self, found: object) -> type[Learner]:
        if isinstance(found, type) and issubclass(found, Learner) and found.name == self.name:
            return found
        raise TypeError(f"no Learner class with name = '{self.name}'")


BUILT_IN = (
    LearnerListing(
        "table", "noughts.learn.table.learner:Table", "a value per board, after each game"
    ),
    LearnerListing(
        "td-table", "noughts.learn.table.learner:TdTable", "a value per board, by TD(λ)"
    ),
    LearnerListing("q-table", "noughts.learn.table.learner:QTable", "a value per board and move"),
    LearnerListing(
        "td-quadratic",
        "noughts.learn.quadratic.learner:TdQuadratic",
        "a quadratic value, by TD(0)",
    ),
    LearnerListing(
        "q-quadratic",
        "noughts.learn.quadratic.learner:QQuadratic",
        "a quadratic value of each move",
    ),
    LearnerListing(
        "q-net", "noughts.learn.net.learner:QNet", "a small network's value of each move"
    ),
    LearnerListing(
        "zero", "noughts.learn.zero.learner:ZeroLearner", "a network that guides a search"
    ),
)


def learner(spec: str | Learner) -> Learner:
    """A new learner, as a spec says; a Learner is returned as it is."""
    if isinstance(spec, Learner):
        return spec
    if not isinstance(spec, str):
        raise ParseError(f"A learner is named by a text such as 'table:step=0.1', not {spec!r}.")
    parsed = parse_spec(spec)
    listing = listed_learner(parsed.name)
    found = listing.resolve()
    options = read_options(found, parsed)
    with whole_classes("learner", parsed.name, listing.is_ours):
        return found(**options)


def listed_learner(name: str) -> LearnerListing:
    """The learner of this name."""
    return find(_registry(), name, "a learner", "learners")


def listed_learners() -> list[LearnerListing]:
    """Every learner that can be named: the built-in ones, then those of other packages."""
    return list(_registry().values())


@cache
def _registry() -> dict[str, LearnerListing]:
    return registered(BUILT_IN, ENTRY_POINTS)
