"""The one grammar that names games and agents: `name:key=value,flag`, a vector as `a/b/c`.

    3x3    6x5:k=4    3x3:misere    3x3:flip=0.1,fizzle=0.2    uct:simulations=600

Nothing in it needs quoting in a shell. A `Spec` is the text taken apart; the functions below read
one option each and say in one sentence what is wrong with it.
"""

import difflib
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from noughts.errors import ParseError

FLAG = ""  # the value of a key that stands alone


@dataclass(frozen=True)
class Spec:
    """A name and its options, in the order they were written."""

    name: str
    options: Mapping[str, str]

    def __str__(self) -> str:
        words = [key if value == FLAG else f"{key}={value}" for key, value in self.options.items()]
        return f"{self.name}:{','.join(words)}" if words else self.name

    def allow(self, keys: Iterable[str]) -> None:
        """Refuse any option whose key is not among `keys`."""
        allowed = list(keys)
        for key in self.options:
            if key not in allowed:
                hint = f"allowed: {', '.join(allowed)}" if allowed else "it takes no options"
                question = did_you_mean(key, allowed)
                raise ParseError(f"'{self.name}' has no option '{key}'; {hint}{question}.")

    def flag(self, key: str) -> bool:
        """True when the flag is there."""
        if key not in self.options:
            return False
        if self.options[key] != FLAG:
            raise ParseError(f"'{key}' is a flag and takes no value, not '{self.options[key]}'.")
        return True

    def choice(self, key: str, allowed: tuple[str, ...]) -> str:
        """One word of a few; the first is the default."""
        value = self.options.get(key, allowed[0])
        if value not in allowed:
            raise ParseError(f"{key}={value} is not known; allowed: {', '.join(allowed)}.")
        return value

    def whole(self, key: str, low: int, high: int, default: int) -> int:
        """A whole number in low..high."""
        if key not in self.options:
            return default
        text = self.options[key]
        # Twelve digits are plenty, and Python refuses to read thousands of them.
        if not re.fullmatch(r"[0-9]{1,12}", text) or not low <= int(text) <= high:
            raise ParseError(f"{key}={text} is not a whole number from {low} to {high}.")
        return int(text)


def parse_spec(text: str) -> Spec:
    """Take a spec apart; its meaning is checked by whoever owns the name."""
    if not isinstance(text, str):
        raise ParseError(f"A spec is a text such as '3x3:flip=0.1', not {text!r}.")
    name, colon, rest = text.strip().partition(":")
    if not name:
        raise ParseError(f"'{text}' has no name; a spec looks like name:key=value,flag.")
    if colon and not rest:
        raise ParseError(f"'{text}' ends after ':'; put key=value or a flag there, or drop it.")
    options: dict[str, str] = {}
    for word in rest.split(",") if rest else ():
        key, equals, value = word.partition("=")
        if not key or (equals and not value):
            raise ParseError(f"'{word}' in '{text}' is neither key=value nor a flag.")
        if key in options:
            raise ParseError(f"'{key}' is given twice in '{text}'.")
        options[key] = value if equals else FLAG
    return Spec(name, options)


def plain_spelling(text: str) -> str:
    """How specs are spelt, for what people also write: 3X3, 3×3, misère."""
    return text.lower().replace("×", "x").replace("è", "e")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A question to end a sentence about an unknown word with, if one known word is close."""
    close = difflib.get_close_matches(word.lower(), list(known), n=1)
    return f" (did you mean '{close[0]}'?)" if close else ""


def read_number(key: str, text: str, low: float, high: float) -> float:
    """A finite number in low..high."""
    try:
        # Python also reads 1_0, spaces and the digits of every script; a spec does not.
        number = float(text) if re.fullmatch(r"[0-9.eE+-]+", text) else math.nan
    except ValueError:
        number = math.nan
    if not low <= number <= high or not math.isfinite(number):
        bounds = f"from {low:g} to {high:g}" if math.isfinite(high) else f"of at least {low:g}"
        raise ParseError(f"{key}={text} is not a number {bounds}.")
    return number + 0.0  # -0.0 becomes 0.0, so that equal games have equal specs


def format_number(number: float) -> str:
    """The shortest text that reads back as the same float."""
    return repr(number).removesuffix(".0")


def format_vector(vector: tuple[float, ...]) -> str:
    """One number where all are equal, else a/b/c."""
    if len(set(vector)) == 1:
        return format_number(vector[0])
    return "/".join(format_number(number) for number in vector)
