"""Where the tables that learn from people lie. Light: the server asks this, workers do the rest."""

import re
from pathlib import Path

from noughts.errors import NoughtsError, ParseError
from noughts.folders import data_folder, own_file
from noughts.owning import Ownership

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


def table_path(name: str) -> Path:
    """Where a table is kept."""
    if not _NAME.fullmatch(name):
        raise ParseError(f"'{name}' is not a name; it takes 1 to 40 of a–z, 0–9 and -.")
    return data_folder() / "tables" / f"{name}.safetensors"


def own_table(name: str) -> Ownership:
    """Wait for the turn to change a table that is there."""
    path = table_path(name)
    if not path.exists():
        raise NoughtsError(f"There is no table '{name}'; begin one first.")
    return own_file(path)


def listed_tables() -> list[str]:
    """The names of all tables there are."""
    return sorted(path.stem for path in (data_folder() / "tables").glob("*.safetensors"))


def forget_table(name: str) -> bool:
    """Delete a table; False when there is none."""
    path = table_path(name)
    if not path.exists():
        return False
    with own_file(path):
        path.with_suffix(".json").unlink(missing_ok=True)
        path.unlink(missing_ok=True)
    return True
