"""Checks of plain arguments that many functions share, each with its one sentence."""

import operator
from typing import Any

from noughts.errors import NoughtsError


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
    import os

    return os.cpu_count() or 1 if threads is None else whole("threads", threads, 1, 1024)
