"""The faults a caller can make, each told in one sentence: what is wrong, what is allowed.

Checks of plain arguments that many functions share stand here, too.
"""

import operator
import os
from typing import Any


class NoughtsError(ValueError):
    """Base of every error that is the caller's to mend."""


class ParseError(NoughtsError):
    """A text that cannot be read: a spec, a position, a file."""


class IllegalMove(NoughtsError):
    """A move that is not allowed in this position."""


class NoughtsWarning(UserWarning):
    """Something could not be done that the answer does not depend on."""


def whole(name: str, value: Any, low: int, high: int | None = None) -> int:
    """The value as a plain int in low..high; anything else is refused."""
    try:
        number = operator.index(value)
    except TypeError:
        number = low - 1
    if isinstance(value, bool) or number < low or (high is not None and number > high):
        bounds = f"of at least {low}" if high is None else f"from {low} to {high}"
        raise NoughtsError(f"{name}={value!r} is not a whole number {bounds}.")
    return number


def thread_count(threads: int | None) -> int:
    """All cores unless a number of threads is given."""
    return os.cpu_count() or 1 if threads is None else whole("threads", threads, 1, 1024)
