"""What other packages add under entry points, taken in so that theirs cannot break ours.

A name of ours stays ours: who uses it for something else is left out, with a warning. What cannot
be loaded is told in one sentence where it is asked for, and nowhere else.
"""

import warnings
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points

from noughts.errors import ParseError


def named_points(group: str, is_ours: Callable[[str], bool]) -> dict[str, EntryPoint]:
    """The entry points of a group by name, ascending, without names that are taken."""
    found: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        if is_ours(point.name) or point.name in found:
            text = f"'{point.name}' ({point.value}) is left out: the name is taken."
            warnings.warn(text, RuntimeWarning, stacklevel=2)
        else:
            found[point.name] = point
    return found


def load_point(kind: str, name: str, load: Callable[[], object]) -> object:
    """What an entry point names; one sentence where it cannot be had."""
    try:
        return load()
    except Exception as error:  # whatever happens in a package that is not ours
        told = str(error).partition("\n")[0] or type(error).__name__
        raise ParseError(
            f"The {kind} '{name}' of another package cannot be loaded: {told}."
        ) from None


def first_line(thing: object, otherwise: str) -> str:
    """How a class or function sums itself up: its `summary`, or how its docstring begins."""
    said = getattr(thing, "summary", None) or (getattr(thing, "__doc__", None) or "")
    line = str(said).strip().partition("\n")[0].strip().rstrip(".")
    return line[:1].lower() + line[1:] if line else otherwise
