"""Typed, documented options: one declaration gives the spec, the check, the help and a web form.

    @dataclass(eq=False, repr=False)
    class Uct(Agent):
        simulations: int = whole(1000, 1, 10**9, "How many simulations are run for a move.")
        time: float | None = number(None, 0.001, 3600, "Seconds for a move, in place of a count.")

An option is a dataclass field whose metadata says what values it takes. `read_options` turns the
texts of a `Spec` into values, `write_options` turns values back into the shortest such texts.
"""

import dataclasses
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from noughts.errors import ParseError
from noughts.games.grammar import FLAG, Spec, format_number, read_number

Kind = Literal["whole", "number", "choice", "flag", "vector", "text"]

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

    def read(self, text: str) -> Any:
        """The value that a text in a spec stands for."""
        if self.kind == "flag":
            if text != FLAG:
                raise ParseError(f"'{self.key}' is a flag and takes no value, not '{text}'.")
            return True
        if text == FLAG:
            raise ParseError(f"'{self.key}' needs a value such as {self.key}={self._example}.")
        if self.kind == "whole":
            # Twelve digits are plenty, and Python refuses to read thousands of them.
            value: Any = int(text) if re.fullmatch(r"[0-9]{1,12}", text) else text
        elif self.kind == "number":
            value = read_number(self.key, text, self.low, self.high)
        elif self.kind == "vector":
            words = text.split("/")
            value = tuple(read_number(self.key, word, self.low, self.high) for word in words)
        else:
            value = text
        return self.check(value)

    def check(self, value: Any) -> Any:
        """The value in its own type; raises ParseError when the option does not take it."""
        if value is None and self.default is None:
            return None
        if self.kind == "choice":
            if value not in self.choices:
                allowed = ", ".join(self.choices)
                raise ParseError(f"{self.key}={value} is not known; allowed: {allowed}.")
            return value
        if self.kind == "flag":
            return bool(value)
        if self.kind == "text":
            return self._check_text(value)
        if self.kind == "vector":
            parts = value if isinstance(value, tuple | list) else (value,)
            return tuple(read_number(self.key, str(part), self.low, self.high) for part in parts)
        if self.kind == "number":
            return read_number(self.key, str(value), self.low, self.high)
        if not isinstance(value, int) or not self.low <= value <= self.high:
            bounds = f"from {self.low:.0f} to {self.high:.0f}"
            raise ParseError(f"{self.key}={value} is not a whole number {bounds}.")
        return value

    def _check_text(self, value: Any) -> str:
        if not isinstance(value, str) or not value or set(value) & set(","):
            raise ParseError(f"{self.key}={value} is not a text without commas.")
        return value

    def write(self, value: Any) -> str:
        """The text that reads back as this value."""
        if self.kind == "flag":
            return FLAG
        if self.kind == "number":
            return format_number(value)
        if self.kind == "vector":
            return "/".join(format_number(number) for number in value)
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


def whole(default: int | None, low: int, high: int, help: str) -> Any:
    """A field that takes a whole number in low..high."""
    return _field("whole", default, help, low=low, high=high)


def number(default: float | None, low: float, high: float, help: str) -> Any:
    """A field that takes a number in low..high."""
    return _field("number", default, help, low=low, high=high)


def choice(default: str | None, choices: tuple[str, ...], help: str) -> Any:
    """A field that takes one word of a few."""
    return _field("choice", default, help, choices=choices)


def flag(help: str) -> Any:
    """A field that is True when its key stands in the spec."""
    return _field("flag", False, help)


def vector(default: tuple[float, ...] | None, low: float, high: float, help: str) -> Any:
    """A field that takes numbers in low..high, written a/b/c."""
    return _field("vector", default, help, low=low, high=high)


def text(default: str | None, help: str) -> Any:
    """A field that takes any text without a comma, such as the name of a file."""
    return _field("text", default, help)


def _field(kind: Kind, default: Any, help: str, **limits: Any) -> Any:
    described = {"kind": kind, "help": help, **limits}
    return dataclasses.field(default=default, kw_only=True, metadata={_KEY: described})


def options_of(owner: Any) -> tuple[Option, ...]:
    """The options that a dataclass, or one of its instances, declares; in their order."""
    if not dataclasses.is_dataclass(owner):
        return ()
    return tuple(
        Option(key=field.name, default=field.default, **field.metadata[_KEY])
        for field in dataclasses.fields(owner)
        if _KEY in field.metadata
    )


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
        setattr(owner, option.key, option.check(getattr(owner, option.key)))
