"""The learners that can be named: `table:step=0.1` finds its class only when it is asked for."""

from dataclasses import dataclass
from importlib import import_module

from noughts.errors import ParseError
from noughts.games.grammar import parse_spec
from noughts.learn.learner import Learner
from noughts.options import Option, options_of, read_options


@dataclass(frozen=True)
class LearnerListing:
    """A name, where it is defined, and one sentence."""

    name: str
    place: str  # "module:class"
    summary: str

    def resolve(self) -> type[Learner]:
        """Import the module and find the class there."""
        module, _, attribute = self.place.partition(":")
        found: type[Learner] = getattr(import_module(module), attribute)
        return found

    @property
    def options(self) -> tuple[Option, ...]:
        """What can be set; imports the learner's module."""
        return options_of(self.resolve())


LEARNERS = {
    listing.name: listing
    for listing in (
        LearnerListing("table", "noughts.learn.table:Table", "a value per board, after each game"),
        LearnerListing("td-table", "noughts.learn.table:TdTable", "a value per board, by TD(λ)"),
        LearnerListing("q-table", "noughts.learn.table:QTable", "a value per board and move"),
        LearnerListing(
            "td-quadratic", "noughts.learn.quadratic:TdQuadratic", "a quadratic value, by TD(0)"
        ),
        LearnerListing(
            "q-quadratic", "noughts.learn.quadratic:QQuadratic", "a quadratic value of each move"
        ),
        LearnerListing("q-net", "noughts.learn.q_net:QNet", "a small network's value of each move"),
        LearnerListing(
            "zero", "noughts.learn.zero.learner:ZeroLearner", "a network that guides a search"
        ),
    )
}


def learner(spec: str | Learner) -> Learner:
    """A new learner, as a spec says; a Learner is returned as it is."""
    if isinstance(spec, Learner):
        return spec
    if not isinstance(spec, str):
        raise ParseError(f"A learner is named by a text such as 'table:step=0.1', not {spec!r}.")
    parsed = parse_spec(spec)
    if parsed.name not in LEARNERS:
        raise ParseError(f"'{parsed.name}' is not a learner; learners: {', '.join(LEARNERS)}.")
    found = LEARNERS[parsed.name].resolve()
    return found(**read_options(found, parsed))


def listed_learners() -> list[LearnerListing]:
    """Every learner that can be named."""
    return list(LEARNERS.values())
