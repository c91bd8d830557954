"""`log.jsonl`: one line per finished unit of work, each with its run and a check of its own.

    {"unit": key, "run": identity, "seconds": 0.1, "result": plain data, "check": "8 digits"}

A line that was cut off when the process died is the last one, and is dropped; its unit is worked on
again. Any other damage is told: no line is read whose result does not match its check, which
belongs to another run, or which repeats a unit. (Lines of runs that were begun before there was a
check or an identity lack them; who may read such lines says so.)
"""

import json
import os
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

from noughts.errors import NoughtsError, ParseError
from noughts.files import check_regular, replacing, sync_folder

Line = dict[str, Any]

_KEYS = {"unit", "seconds", "result"}
_FORMS = ({"unit", "result"}, _KEYS, _KEYS | {"check"}, _KEYS | {"check", "run"})


def log_line(unit: str, seconds: float, result: Any, run: str | None = None) -> str:
    """The line of a unit, without its end."""
    line: Line = {"unit": unit} | ({} if run is None else {"run": run})
    line |= {"seconds": round(seconds, 6), "result": result}
    return json.dumps(line | {"check": _check(line)})


def append_line(path: Path, line: str, is_synced: bool) -> None:
    """Add a line to a log, all of it or nothing; on the disk when this returns, if `is_synced`."""
    try:
        with path.open("ab", buffering=0) as file:
            before = file.seek(0, os.SEEK_END)
            try:
                left = memoryview(f"{line}\n".encode())
                while left:
                    left = left[file.write(left) :]
                if is_synced:
                    os.fsync(file.fileno())
            except OSError:  # the disk is full, say: half a line is none
                with suppress(OSError):
                    file.truncate(before)
                raise
        if before == 0:
            sync_folder(path.parent)
    except OSError as error:
        raise NoughtsError(f"{path} cannot be written: {error.strerror}.") from None


def read_log(path: Path) -> list[Line]:
    """The lines of a log, if there is one; a last line that was cut off is taken off the file."""
    check_regular(path)
    try:
        text = path.read_bytes().decode()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ParseError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise ParseError(f"{path} is damaged: it is not a text.") from None
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        with replacing(path) as file:
            file.write(whole)
    return [_read_line(path, number, line) for number, line in enumerate(whole.split("\n")[:-1], 1)]


def read_run_log(path: Path, run: str) -> list[Line]:
    """The lines of a run's log, all of them its own and each unit once."""
    lines = read_log(path)
    for number, line in enumerate(lines, 1):
        check_run(f"Line {number} of {path}", line.get("run"), run)
    check_each_once(path, lines)
    return lines


def check_run(what: str, found: Any, run: str) -> None:
    """Refuse what another run has written."""
    if found == run:
        return
    whose = "names no run" if found is None else f"belongs to the run {found}"
    raise ParseError(f"{what} {whose}; this is {run}. Files of other runs are not read.")


def check_each_once(path: Path, lines: list[Line]) -> None:
    """Refuse a log that tells of a unit twice."""
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        before = seen.setdefault(line["unit"], number)
        if before != number:
            raise ParseError(f"Line {number} of {path} repeats line {before}: unit {line['unit']}.")


def adopted_line(line: Line, run: str) -> str:
    """A line that named no run, as this run writes it; without its end."""
    seconds = line.get("seconds", 0.0)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise ParseError(f"The line of unit {line['unit']} has no seconds that are a number.")
    return log_line(line["unit"], float(seconds), line["result"], run)


def _read_line(path: Path, number: int, text: str) -> Line:
    try:
        line: Line = json.loads(text)
        is_line = set(line) in _FORMS
    except (ValueError, TypeError, RecursionError):
        is_line = False
    if not is_line or not isinstance(line["unit"], str):
        raise ParseError(f"Line {number} of {path} is not a line of a log.")
    if not is_whole(line):
        raise ParseError(f"Line {number} of {path} is damaged: it does not match its check.")
    return line


def is_whole(line: Line) -> bool:
    """Whether a line is what was written, as far as it has a check."""
    return "check" not in line or line["check"] == _check(line)


def _check(line: Line) -> str:
    told = [line.get("unit"), line.get("result")] + ([line["run"]] if "run" in line else [])
    return f"{zlib.crc32(json.dumps(told, sort_keys=True).encode()):08x}"
