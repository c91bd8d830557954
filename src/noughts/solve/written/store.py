"""The store of solved tables: as many as a limit allows, the least recently used go first.

Only files of solutions count, and only they go: tables that learn, learned players and searches
that can be taken up again lie in folders of their own, and are never touched. When a table was last
used is the time of its file, which reading sets. The limit stands in `store.json` beside them.
"""

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from noughts.errors import NoughtsError
from noughts.files import replacing, sweep
from noughts.folders import data_folder

SUFFIX = ".noughts"
LIMIT = 4 * 10**9  # bytes, unless somebody says otherwise
MOST = 10**15


@dataclass(frozen=True)
class StoredTable:
    """One file of the store."""

    path: Path
    size: int
    used: float  # seconds since 1970


def store_folder() -> Path:
    """Where solutions lie."""
    return data_folder() / "solutions"


def stored_tables() -> list[StoredTable]:
    """All solved tables, the least recently used first."""
    found = []
    for path in store_folder().glob(f"[!.]*{SUFFIX}"):
        with suppress(OSError):  # somebody has just removed it
            facts = path.stat()
            found.append(StoredTable(path, facts.st_size, facts.st_mtime))
    return sorted(found, key=lambda table: (table.used, table.path))


def store_limit() -> int:
    """How many bytes all tables together may take."""
    try:
        limit = json.loads(_limit_path().read_text(encoding="utf-8"))["limit"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return LIMIT
    return limit if isinstance(limit, int) and 0 <= limit <= MOST else LIMIT


def set_store_limit(limit: int) -> None:
    """Allow so many bytes from now on, and make it so."""
    if not 0 <= limit <= MOST:
        raise NoughtsError(f"A store takes 0 to {MOST} bytes, not {limit}.")
    with replacing(_limit_path()) as file:
        json.dump({"limit": limit}, file)
    trim_store(0)


def trim_store(coming: int) -> list[Path]:
    """Make room for so many bytes; the tables that went."""
    sweep(store_folder())
    tables = stored_tables()
    left = sum(table.size for table in tables) + coming
    limit, gone = store_limit(), []
    for table in tables:
        if left <= limit:
            break
        with suppress(OSError):  # it is open on a system that keeps open files
            table.path.unlink()
            gone.append(table.path)
            left -= table.size
    return gone


def clear_store() -> list[Path]:
    """Remove every solved table; which there were."""
    sweep(store_folder())
    gone = []
    for table in stored_tables():
        with suppress(OSError):
            table.path.unlink()
            gone.append(table.path)
    return gone


def sweep_home() -> int:
    """Remove the temporary files that killed processes left in the data folder; how many."""
    home = data_folder()
    return sweep(home) + sum(sweep(folder) for folder in home.glob("*") if folder.is_dir())


def note_use(path: Path) -> None:
    """Remember that a table was used just now."""
    with suppress(OSError):  # a folder that may only be read
        os.utime(path)


def _limit_path() -> Path:
    return data_folder() / "store.json"
