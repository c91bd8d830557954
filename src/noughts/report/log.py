"""`log.jsonl`: one line per finished unit of work, each with a check of its own.

    {"unit": key, "seconds": 0.1, "result": plain data, "check": "8 digits"}

A line that was cut off when the process died is the last one, and is dropped; its unit is worked on
again. Any other damage is told: no line is read whose result does not match its check. (Lines of
runs that were begun before there was a check have none, and are read as they are.)
"""

import json
import zlib
from pathlib import Path
from typing import Any

from noughts.errors import ParseError
from noughts.files import replacing

_KEYS = {"unit", "seconds", "result"}


def log_line(unit: str, seconds: float, result: Any) -> str:
    """The line of a unit, without its end."""
    line = {"unit": unit, "seconds": round(seconds, 6), "result": result}
    return json.dumps(line | {"check": _check(line)})


def read_log(path: Path) -> list[dict[str, Any]]:
    """The lines of a log, if there is one; a last line that was cut off is taken off the file."""
    if not path.exists():
        return []
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError:
        raise ParseError(f"{path} is damaged: it is not a text.") from None
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        with replacing(path) as file:
            file.write(whole)
    return [_read_line(path, number, line) for number, line in enumerate(whole.split("\n")[:-1], 1)]


def _read_line(path: Path, number: int, text: str) -> dict[str, Any]:
    try:
        line: dict[str, Any] = json.loads(text)
        is_line = set(line) in ({"unit", "result"}, _KEYS, _KEYS | {"check"})
    except (ValueError, TypeError, RecursionError):
        is_line = False
    if not is_line or not isinstance(line["unit"], str):
        raise ParseError(f"Line {number} of {path} is not a line of a log.")
    if not is_whole(line):
        raise ParseError(f"Line {number} of {path} is damaged: it does not match its check.")
    return line


def is_whole(line: dict[str, Any]) -> bool:
    """Whether a line is what was written, as far as it has a check."""
    return "check" not in line or line["check"] == _check(line)


def _check(line: dict[str, Any]) -> str:
    told = json.dumps([line.get("unit"), line.get("result")], sort_keys=True)
    return f"{zlib.crc32(told.encode()):08x}"
