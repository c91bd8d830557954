"""The forms of the Lab: what each kind of job can be told, and how what was told is checked.

Forms are made from the same typed descriptions as the command line, so a new study or learner has
a form the day it is added. Made and checked in a worker: descriptions may load numba.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noughts.errors import NoughtsError, ParseError
from noughts.games.grammar import Spec
from noughts.options import Option, options_of
from noughts.web.play.agents import check_text, page_agent
from noughts.web.play.places import page_game
from noughts.web.settings import LONGEST_SPEC

MOST_AGENTS = 12
MOST_GAMES = 20_000  # of a match or a pairing
MOST_TRAINING = 10_000_000  # games

METHODS = ("auto", "sweep", "value-iteration", "gauss-seidel", "interval-iteration")


@dataclass(frozen=True)
class Field:
    """One line of a form: an Option, or a game, an agent or several of them."""

    key: str
    kind: str  # an option's kind, or "game", "agent", "agents"
    default: Any
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    required: bool = False

    @staticmethod
    def of(option: Option) -> "Field":
        """The line for a typed option."""
        data = option.to_dict()
        return Field(
            key=option.key,
            kind=option.kind,
            default=data["default"],
            help=option.help,
            low=data.get("low"),
            high=data.get("high"),
            choices=option.choices,
        )

    def to_dict(self) -> dict[str, Any]:
        data = dataclasses.asdict(self)
        return data | {"choices": list(self.choices) or None}

    def check(self, value: Any, runs: Path) -> Any:
        """The value as the job takes it; raises a sentence when it does not."""
        if value is None:
            if self.required and self.default is None:
                raise ParseError(f"{self.key} is missing.")
            return self.default
        if self.kind == "game":
            return str(page_game(_text(self.key, value)))
        if self.kind == "agent":
            return str(page_agent(_text(self.key, value), runs))
        if self.kind == "agents":
            if not isinstance(value, list) or not 2 <= len(value) <= MOST_AGENTS:
                raise ParseError(f"{self.key} is a list of 2 to {MOST_AGENTS} agents.")
            return [str(page_agent(_text(self.key, agent), runs)) for agent in value]
        if self.kind == "flag":
            if not isinstance(value, bool):
                raise ParseError(f"{self.key} is true or false, not {value!r}.")
            return value
        return self._checked(value)

    def _checked(self, value: Any) -> Any:
        """A number, a word or a vector, by the rules of options."""
        low = -float("inf") if self.low is None else self.low
        high = float("inf") if self.high is None else self.high
        kind: Any = self.kind
        option = Option(self.key, kind, None, self.help, low, high, self.choices)
        if isinstance(value, bool) or not isinstance(value, int | float | str | list):
            raise ParseError(f"{self.key} takes a {self.kind}, not {value!r}.")
        if isinstance(value, str) and self.kind != "text":
            return option.read(value) if value else self.default
        if self.kind == "whole" and isinstance(value, float) and value.is_integer():
            value = int(value)
        found = option.check(value)
        return list(found) if isinstance(found, tuple) else found


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_SPEC:
        raise ParseError(f"{key} is a text of 1 to {LONGEST_SPEC} letters.")
    return value


_GAME = Field("game", "game", "3x3", "What is played.", required=True)
_SEED = Field("seed", "whole", 1, "Everything drawn at random comes from it.", 0, 2**32 - 1)
_ARENA = (
    _SEED,
    Field("openings", "whole", None, "Random plies before each pair of games.", 0, 400),
    Field("move_time", "number", None, "Seconds; a longer move loses the game.", 0.001, 3600),
    Field("jobs", "whole", 1, "Processes.", 1, 16),
)
_MATCH = (
    _GAME,
    Field("first", "agent", "uct:simulations=600", "One agent.", required=True),
    Field("second", "agent", "alphabeta", "The other.", required=True),
    Field("games", "whole", 100, "Half of them with the seats swapped.", 1, MOST_GAMES),
    *_ARENA,
)
_TOURNAMENT = (
    _GAME,
    Field(
        "agents", "agents", ["random", "heuristic:depth=2", "uct:simulations=600", "alphabeta"],
        "Everybody plays everybody.", required=True,
    ),
    Field("games", "whole", 20, "Of each pairing.", 1, MOST_GAMES),
    *_ARENA,
)  # fmt: skip
_SOLVE = (
    _GAME,
    Field("method", "choice", "auto", "How the values are found.", choices=METHODS),
)
_TRAIN = (
    _GAME,
    Field("games", "whole", 20_000, "How many games it learns from.", 1, MOST_TRAINING),
    Field("minutes", "number", None, "Stop after so many minutes of learning.", 0.01, 1440),
    Field("opponent", "text", "self", "An agent to learn against, or self."),
    Field("checkpoints", "whole", 20, "How often it is graded on the way.", 1, 100),
    _SEED,
)
_QUICK = Field("quick", "flag", False, "A matter of seconds instead of the full experiment.")


@dataclass(frozen=True)
class Variant:
    """One study or one learner."""

    name: str
    summary: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Kind:
    """One kind of job."""

    kind: str
    summary: str
    fields: tuple[Field, ...]
    variants: tuple[Variant, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        variants = None
        if self.variants is not None:
            variants = [
                {"name": v.name, "summary": v.summary, "fields": [f.to_dict() for f in v.fields]}
                for v in self.variants
            ]
        fields = [field.to_dict() for field in self.fields]
        data = {"kind": self.kind, "summary": self.summary, "fields": fields}
        return data | {"variants": variants}


def job_kinds() -> list[Kind]:
    """All forms."""
    return [
        Kind("match", "two agents, both seats", _MATCH),
        Kind("tournament", "every agent against every other", _TOURNAMENT),
        Kind("solve", "the exact values of a game", _SOLVE),
        Kind("study", "an experiment with a report", (_QUICK,), tuple(_studies())),
        Kind("train", "a learner plays and learns", _TRAIN, tuple(_learners())),
    ]


def _studies() -> list[Variant]:
    from noughts.studies import listed_studies

    return [
        Variant(row.name, row.summary, tuple(map(Field.of, options_of(row.resolve().parameters))))
        for row in listed_studies()
    ]


def _learners() -> list[Variant]:
    from noughts.learn.registry import listed_learners

    found = []
    for row in listed_learners():
        try:
            fields = tuple(Field.of(option) for option in row.options)
        except ImportError:  # it needs a package that is not installed
            continue
        found.append(Variant(row.name, row.summary, fields))
    return found


def read_form(kind: str, options: Mapping[str, Any], runs: Path) -> dict[str, Any]:
    """The checked options of a job, every one of them; raises a sentence when they are wrong."""
    form = next((form for form in job_kinds() if form.kind == kind), None)
    if form is None:
        words = ", ".join(form.kind for form in job_kinds())
        raise ParseError(f"'{kind}' is not a kind of job; kinds: {words}.")
    fields = {field.key: field for field in form.fields}
    if form.variants is None:
        _allow(kind, options, fields)
        checked = {key: field.check(options.get(key), runs) for key, field in fields.items()}
    else:
        name = _text("name", options.get("name"))
        variant = next((v for v in form.variants if v.name == name), None)
        if variant is None:
            words = ", ".join(v.name for v in form.variants)
            raise ParseError(f"'{name}' is not a {kind}; there are: {words}.")
        given = {key: value for key, value in options.items() if key != "name"}
        own = options_fields(variant.fields, fields)
        _allow(f"{kind} {name}", given, {**fields, **own})
        checked = {key: field.check(given.get(key), runs) for key, field in fields.items()}
        checked["name"] = name
        checked["own"] = {
            key: field.check(given[key], runs)
            for key, field in own.items()
            if given.get(key) is not None
        }
    return checked


def options_fields(own: Sequence[Field], shared: Mapping[str, Field]) -> dict[str, Field]:
    """A variant's own fields; a name that the frame uses too belongs to the frame."""
    return {field.key: field for field in own if field.key not in shared}


def _allow(what: str, options: Mapping[str, Any], fields: Mapping[str, Any]) -> None:
    stray = next((key for key in options if key not in fields), None)
    if stray is not None:
        raise ParseError(f"'{what}' has no option '{stray}'; it has: {', '.join(fields)}.")


def learner_spec(options: Mapping[str, Any], runs: Path) -> str:
    """The spec of the learner that a checked training names."""
    from noughts.learn.registry import learner as read_learner
    from noughts.learn.registry import listed_learners

    listing = next(row for row in listed_learners() if row.name == options["name"])
    words: dict[str, str] = {}
    for option in listing.options:
        value = options["own"].get(option.key)
        if value is None or value is False:
            continue
        if option.kind == "text":
            check_text(option.key, value, runs)
        words[option.key] = option.write(value)
    return str(read_learner(str(Spec(options["name"], words))))


def check_opponent(spec: str, runs: Path) -> str:
    """An agent that a learner may learn against."""
    return spec if spec == "self" else str(page_agent(spec, runs))


def check_fits(options: Mapping[str, Any], runs: Path) -> None:
    """Refuse agents that cannot play the game, before a folder is made."""
    from noughts.arena.match import check_players, seat_players

    game = page_game(options["game"])
    agents = options.get("agents") or [options["first"], options["second"]]
    players = seat_players(page_agent(spec, runs) for spec in agents)
    check_players(game, players, options.get("openings"))
    if len(set(agents)) < len(agents) and "agents" in options:
        raise NoughtsError("An agent is named twice; in a tournament each plays all others.")
