"""What other packages add under entry points, taken in so that theirs cannot break ours.

A name of ours stays ours: who uses it for something else is left out, with a warning. What cannot
be loaded is told in one sentence where it is asked for, and nowhere else.
"""

import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points

from noughts.errors import NoughtsError, NoughtsWarning, ParseError

LEARNERS = "noughts.learners"  # asked for by agents, too, which a learner's name is not

# How Python says it, up to 3.11 and since.
_ABSTRACT = re.compile(
    r"Can't instantiate abstract class (\w+) "
    r"with(?:out an implementation for)? abstract methods? (.+)"
)


def named_points(group: str, is_ours: Callable[[str], bool]) -> dict[str, EntryPoint]:
    """The entry points of a group by name, ascending, without names that are taken."""
    found: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        if is_ours(point.name) or point.name in found:
            text = f"'{point.name}' ({point.value}) is left out: the name is taken."
            warnings.warn(text, NoughtsWarning, stacklevel=2)
        else:
            found[point.name] = point
    return found


def is_point(group: str, name: str) -> bool:
    """Whether another package has something of this name in a group."""
    return any(point.name == name for point in entry_points(group=group))


def load_point(kind: str, name: str, load: Callable[[], object]) -> object:
    """What an entry point names; one sentence where it cannot be had."""
    try:
        return load()
    except (Exception, SystemExit) as error:  # whatever happens in a package that is not ours
        raise unloadable(kind, name, error) from None


def unloadable(kind: str, name: str, error: BaseException) -> ParseError:
    """The sentence about something that cannot be loaded."""
    told = str(error).partition("\n")[0] or type(error).__name__
    if isinstance(error, SystemExit):
        told = "it ends the program"
    return ParseError(f"The {kind} '{name}' of another package cannot be loaded: {told}.")


@contextmanager
def whole_classes(kind: str, name: str, is_ours: bool = False) -> Iterator[None]:
    """What fails while something of another package is made is told in one sentence, too.

    A class that leaves out what it must say is told what that is. A fault of ours is no sentence.
    """
    try:
        yield
    except NoughtsError:
        raise
    except (Exception, SystemExit) as error:
        if is_ours:
            raise
        found = _ABSTRACT.fullmatch(str(error))
        told = f"{type(error).__name__}: {error}".partition("\n")[0].removesuffix(".")
        if found is not None:
            missing = ", ".join(f"`{word}`" for word in re.findall(r"\w+", found[2]))
            told = f"{found[1]} does not say {missing}"
        text = f"The {kind} '{name}' of another package cannot be made: {told}."
        raise ParseError(text) from error


def first_line(thing: object, otherwise: str) -> str:
    """How a class or function sums itself up: its `summary`, or how its docstring begins."""
    said = getattr(thing, "summary", None) or (getattr(thing, "__doc__", None) or "")
    line = str(said).strip().partition("\n")[0].strip().rstrip(".")
    return line[:1].lower() + line[1:] if line else otherwise
