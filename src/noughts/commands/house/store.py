"""`noughts store`: the solved tables on the disk, and how much room they may take."""

import argparse
import re
from datetime import UTC, datetime
from pathlib import Path

from noughts.commands.terminal.arguments import Subparsers, add_json, print_json
from noughts.errors import ParseError

_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "store",
        help="the solved tables on the disk and their limit",
        description="List the solved tables that are kept, the least recently used first, which go "
        "when all take more than the limit; learned players and tables that learn never do.",
        epilog="Example: noughts store --limit 2GB",
    )
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--limit", metavar="SIZE", help="from now on at most so much, such as 2GB")
    chosen.add_argument("--clear", action="store_true", help="remove every solved table")
    add_json(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    from noughts.solve.written.store import (
        clear_store,
        set_store_limit,
        store_folder,
        store_limit,
        stored_tables,
    )

    before = stored_tables()
    if options.limit is not None:
        set_store_limit(read_size(options.limit))
    if options.clear:
        clear_store()
    tables, limit = stored_tables(), store_limit()
    total = sum(table.size for table in tables)
    if options.json:
        told = [
            {"game": _game(t.path), "file": str(t.path), "bytes": t.size, "used": _when(t.used)}
            for t in tables
        ]
        print_json({"tables": told, "bytes": total, "limit": limit})
        return 0
    for table in tables:
        name = _game(table.path) or table.path.name
        print(f"{_when(table.used)}  {shown_size(table.size):>8}  {name}")
    gone = len(before) - len(tables)
    removed = f"{gone} removed, " if options.clear or gone > 0 else ""
    many = "1 solved table" if len(tables) == 1 else f"{len(tables)} solved tables"
    print(f"{removed}{many}, {shown_size(total)} of {shown_size(limit)}, in {store_folder()}")
    return 0


def _game(path: Path) -> str | None:
    """The game of a table, unless somebody else just removed it."""
    from noughts.files import game_of  # loads numpy

    try:
        return game_of(path)
    except OSError:
        return None


def read_size(text: str) -> int:
    """The bytes that a text such as 2GB stands for."""
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,3})?) ?([KMGT]?B)?", text.strip().upper())
    if found is None:
        raise ParseError(f"'{text}' is not a size such as 500MB or 2GB.")
    return round(float(found[1]) * _UNITS[found[2] or ""])


def shown_size(size: int) -> str:
    """Bytes in the unit that people use for so many."""
    unit = next((u for u in ("TB", "GB", "MB", "KB") if size >= _UNITS[u]), "B")
    return f"{size / _UNITS[unit]:.3g} {unit}"


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(min(max(seconds, 0.0), 2.5e11), UTC).strftime("%Y-%m-%d %H:%M")
