"""Typed, documented options: one declaration gives the spec, the check, the help and a web form.

    @dataclass(eq=False, repr=False)
    class Uct(Agent):
        simulations: int = whole(1000, 1, 10**9, "How many simulations are run for a move.")
        time: float | None = number(None, 0.001, 3600, "Seconds for a move, in place of a count.")

An option is a dataclass field whose metadata says what values it takes. `read_options` turns the
texts of a `Spec` into values, `write_options` turns values back into the shortest such texts. The
options of a job (`noughts.jobs`) are arguments of a command, too: `More` is what is said of those.
"""

import dataclasses
import math
import operator
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Generic, Literal, TypedDict, TypeVar, Unpack

from noughts.errors import ParseError
from noughts.games.grammar import FLAG, Spec, did_you_mean, format_number, read_number
from noughts.plugins import first_line, load_point, named_points

# The second row is of jobs: what names games, agents, learners and studies is a text here.
Kind = Literal[
    "whole", "number", "choice", "flag", "vector", "text",
    "path", "game", "agents", "opponent", "learner", "study", "settings",
]  # fmt: skip
Role = Literal["unit", "amount", "hands"]

_KEY = "noughts.option"
_EXAMPLES = {"whole": "1", "number": "0.5", "vector": "1/2/1", "text": "word"}


@dataclass(frozen=True)
class Option:
    """What one option takes: its kind, its default (None: not set), its range, one sentence."""

    key: str
    kind: Kind
    default: Any
    help: str
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    required: bool = False
    role: Role = "unit"  # decides what a unit gives, how much is done, or only who does it
    is_later: bool = False  # it came later: it stands in a config only where it is set
    is_word: bool = False  # it stands on the command line without its name
    metavar: str = ""

    def read(self, text: str) -> Any:
        """The value that a text in a spec stands for."""
        if self.kind == "flag":
            if text != FLAG:
                raise ParseError(f"'{self.key}' is a flag and takes no value, not '{text}'.")
            return True
        if text == FLAG and self.kind != "path":
            raise ParseError(f"'{self.key}' needs a value such as {self.key}={self._example}.")
        if self.kind == "whole":
            # Twenty digits are plenty, and Python refuses to read thousands of them.
            value: Any = int(text) if re.fullmatch(r"[0-9]{1,20}", text) else text
        elif self.kind == "number":
            value = read_number(self.key, text, self.low, self.high)
        elif self.kind == "vector":
            words = re.split("[/,]", text)  # a comma only where no spec is read
            value = tuple(read_number(self.key, word, self.low, self.high) for word in words)
        else:
            value = text
        return self.check(value)

    def check(self, value: Any) -> Any:
        """The value in its own type; raises ParseError when the option does not take it."""
        if value is None and self.required:
            raise ParseError(f"{self.key} is missing.")
        if self.kind == "settings":
            return self._check_settings({} if value is None else value)
        if value is None and self.default is None:
            return None
        if self.kind == "choice":
            if value not in self.choices:
                allowed = ", ".join(self.choices)
                raise ParseError(f"{self.key}={value} is not known; allowed: {allowed}.")
            return value
        if self.kind == "flag":
            return bool(value)
        if self.kind == "agents":
            return self._check_agents(value)
        if self.kind not in ("vector", "number", "whole"):
            return self._check_text(value)
        if self.kind == "vector":
            parts = value if isinstance(value, tuple | list) else (value,)
            return tuple(read_number(self.key, str(part), self.low, self.high) for part in parts)
        if self.kind == "number":
            return read_number(self.key, str(value), self.low, self.high)
        return self._check_whole(value)

    def _check_whole(self, value: Any) -> int:
        try:
            number = operator.index(value)
        except TypeError:
            number = None
        if number is None or isinstance(value, bool) or not self.low <= number <= self.high:
            bounds = f"from {self.low} to {self.high}"
            raise ParseError(f"{self.key}={value} is not a whole number {bounds}.")
        return number

    def _check_text(self, value: Any) -> str:
        if not isinstance(value, str) or not (value or self.kind == "path"):
            raise ParseError(f"{self.key}={value} is not a text.")
        if self.kind == "text" and "," in value:  # it would end the option of a spec
            raise ParseError(f"{self.key}={value} is not a text without commas.")
        return value

    def _check_agents(self, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or not self.low <= len(value) <= self.high:
            most = f" to {self.high:.0f}" if math.isfinite(self.high) else " or more"
            raise ParseError(f"{self.key} is a list of {self.low:.0f}{most} agents.")
        for agent in value:
            self._check_text(agent)
        return tuple(value)

    def _check_settings(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise ParseError(f"{self.key}={value} is not a value for each of some names.")
        return dict(value)

    def write(self, value: Any) -> str:
        """The text that reads back as this value."""
        if self.kind == "flag":
            return FLAG
        if self.kind == "number":
            return format_number(value)
        if self.kind == "vector":
            return "/".join(format_number(number) for number in value)
        if self.kind == "agents":
            return " ".join(value)
        return str(value)

    @property
    def _example(self) -> str:
        if self.default is not None:
            return self.write(self.default)
        return self.choices[0] if self.choices else _EXAMPLES[self.kind]

    @property
    def usage(self) -> str:
        """How it is written with its default, or what it takes when it has none."""
        if self.kind == "flag":
            return self.key
        if self.default is None:
            return f"{self.key}={'|'.join(self.choices) or self.kind.upper()}"
        return f"{self.key}={self.write(self.default)}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; a form can be made from it."""
        data = {"key": self.key, "kind": self.kind, "default": self.default, "help": self.help}
        if self.kind in ("whole", "number", "vector"):
            data["low"] = self.low
            data["high"] = self.high if math.isfinite(self.high) else None
        if self.choices:
            data["choices"] = list(self.choices)
        return data


class More(TypedDict, total=False):
    """What an option of a job says beside its values."""

    role: Role
    is_later: bool
    is_word: bool
    metavar: str


def whole(default: int | None, low: int, high: int, help: str, **more: Unpack[More]) -> Any:
    """A field that takes a whole number in low..high."""
    return _field("whole", default, help, low=low, high=high, **more)


def number(default: float | None, low: float, high: float, help: str, **more: Unpack[More]) -> Any:
    """A field that takes a number in low..high."""
    return _field("number", default, help, low=low, high=high, **more)


def choice(default: str | None, choices: tuple[str, ...], help: str, **more: Unpack[More]) -> Any:
    """A field that takes one word of a few."""
    return _field("choice", default, help, choices=choices, **more)


def flag(help: str, **more: Unpack[More]) -> Any:
    """A field that is True when its key stands in the spec."""
    return _field("flag", False, help, **more)


def vector(
    default: tuple[float, ...] | None, low: float, high: float, help: str, **more: Unpack[More]
) -> Any:
    """A field that takes numbers in low..high, written a/b/c."""
    return _field("vector", default, help, low=low, high=high, **more)


def text(default: str | None, help: str, **more: Unpack[More]) -> Any:
    """A field that takes any text without a comma, such as the name of a file."""
    return _field("text", default, help, **more)


def path(help: str, **more: Unpack[More]) -> Any:
    """A field of a job that takes a file, which a page never names."""
    return _field("path", None, help, **more)


def opponent(default: str, help: str, **more: Unpack[More]) -> Any:
    """A field of a job that takes an agent's spec, or the word that is its default."""
    return _field("opponent", default, help, **more)


def required(
    kind: Literal["game", "agents", "learner", "study"], help: str, **more: Unpack[More]
) -> Any:
    """A field of a job that names what it is about, and must be given; agents are two or more."""
    low = {"low": 2} if kind == "agents" else {}
    return _field(kind, dataclasses.MISSING, help, **low, **more)


def settings(help: str) -> Any:
    """A field of a job that takes a value for each option of what the job is about."""
    return _field("settings", None, help)


def _field(kind: Kind, default: Any, help: str, **more: Any) -> Any:
    described = {"kind": kind, "help": help, **more}
    return dataclasses.field(default=default, kw_only=True, metadata={_KEY: described})


def options_of(owner: Any) -> tuple[Option, ...]:
    """The options that a dataclass, or one of its instances, declares; in their order."""
    if not dataclasses.is_dataclass(owner):
        return ()
    return tuple(_option(field) for field in dataclasses.fields(owner) if _KEY in field.metadata)


def _option(field: "dataclasses.Field[Any]") -> Option:
    is_required = field.default is dataclasses.MISSING
    default = None if is_required else field.default
    return Option(key=field.name, default=default, required=is_required, **field.metadata[_KEY])


def read_options(owner: Any, spec: Spec) -> dict[str, Any]:
    """The values that a spec gives to the options of a dataclass; the others keep their default."""
    options = {option.key: option for option in options_of(owner)}
    spec.allow(options)
    return {key: options[key].read(value) for key, value in spec.options.items()}


def write_options(owner: Any) -> Mapping[str, str]:
    """The options of an instance that differ from their default, as texts of a spec."""
    return {
        option.key: option.write(getattr(owner, option.key))
        for option in options_of(owner)
        if getattr(owner, option.key) != option.default
    }


def check_options(owner: Any) -> None:
    """Bring every option of an instance to its own type, or raise ParseError."""
    for option in options_of(owner):
        # Jobs are frozen, and this is still their making.
        object.__setattr__(owner, option.key, option.check(getattr(owner, option.key)))


# ---- What has options, by name ----------------------------------------------------------------

Thing = TypeVar("Thing")


@dataclass(frozen=True)
class Listed(ABC, Generic[Thing]):
    """Something with options as it is listed: a name, where it is defined, and one sentence.

    Agents, learners and studies, ours and those of other packages. A registry holds names and
    places as texts: nothing is imported before it is asked for.
    """

    noun: ClassVar[str]

    name: str
    home: str  # "module:thing"
    said: str = ""  # empty: what it says of itself
    is_ours: bool = True

    @abstractmethod
    def accept(self, found: object) -> Thing:
        """What was found at home; raises TypeError, in a few words, if it is something else."""

    def owner(self, thing: Thing) -> Any:
        """What declares its options."""
        return thing

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


AnyListed = TypeVar("AnyListed", bound=Listed[Any])


def registered(ours: Sequence[AnyListed], group: str) -> dict[str, AnyListed]:
    """Those of ours by their names, then those of other packages under these entry points."""
    found = {listed.name: listed for listed in ours}
    for name, point in named_points(group, lambda name: name in found).items():
        found[name] = type(ours[0])(name, point.value, is_ours=False)
    return found


def find(known: Mapping[str, AnyListed], name: str, noun: str, nouns: str) -> AnyListed:
    """The one of this name; one sentence if there is none."""
    if name not in known:
        question = did_you_mean(name, known)
        raise ParseError(f"'{name}' is not {noun}; {nouns}: {', '.join(known)}{question}.")
    return known[name]
