"""A run folder as one row of the page, whatever lies in it.

Anybody may put anything among the run folders: links, files cut off, JSON of a thousand levels,
numbers that are none, names that are no text. Each such folder is one row that says what is wrong
with it, and never the end of the list.
"""

import math
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from threading import RLock
from typing import Any

from noughts.errors import ParseError
from noughts.jobs import job_of_config, kind_of_config
from noughts.owning import is_owned
from noughts.report.run import IDENTITY
from noughts.web.lab.folders import (
    Data,
    LogFollower,
    last_change,
    read_json,
    read_noted,
    read_tables,
    stamp,
)
from noughts.web.lab.models import RunSummary

MOST_FOLLOWED = 32  # logs that are kept in mind
DEEPEST = 20  # levels of options that are shown
ENDED = ("done", "failed", "stopped")


class Followers:
    """The logs that were looked at last, so that no line is read twice."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._kept: OrderedDict[str, LogFollower] = OrderedDict()

    def find(self, folder: Path, kind: str, config: Data) -> LogFollower:
        """The follower of a log, up to date."""
        with self._lock:
            found = self._kept.pop(folder.name, None)
            if found is None or found.kind != kind or found.config != config:
                found = LogFollower(folder, kind, config)
            self._kept[folder.name] = found
            while len(self._kept) > MOST_FOLLOWED:
                self._kept.popitem(last=False)
            found.follow()
            return found

    def forget(self, name: str) -> None:
        with self._lock:
            self._kept.pop(name, None)


def is_run(folder: Path) -> bool:
    """Whether something in a folder says that it is a run."""
    return any((folder / name).is_file() for name in ("config.json", "job.json"))


def told_folder(folder: Path, followers: Followers) -> Data:
    """A run that is no job of this server: of an earlier one, of another, or of a terminal."""
    config = read_json(folder / "config.json")
    if (folder / "job.json").is_file():
        return _told_noted(folder, read_noted(folder), config)
    job = job_of_config(config)
    follower = followers.find(folder, job.kind, config)
    is_done = (folder / "report.html").exists() or 0 < job.units <= follower.done
    state = "running" if is_owned(folder) else "done" if is_done else "stopped"
    return run_data(
        folder, kind=job.kind, title=job.title, state=state, done=follower.done, total=job.units,
        can_resume=state == "stopped", options=config, message=_told_foreign(follower),
    )  # fmt: skip


def _told_noted(folder: Path, noted: Data, config: Any) -> Data:
    """A job of another server, or of an earlier one, whose jobs have ended with it."""
    plan, state = noted["plan"], noted.get("state")
    state = state if state in ENDED else "stopped"
    state = "running" if is_owned(folder) else state
    known = noted.get(IDENTITY)
    message = noted.get("message")
    if known is not None and isinstance(config, dict) and config.get(IDENTITY) != known:
        state, message = "failed", "Its job.json and its config.json are of two different runs."
    began, ended = _number(noted.get("began")), _number(noted.get("ended"))
    return run_data(
        folder, kind=plan["kind"], title=plan["title"], state=state, message=message,
        done=noted.get("done", 0), total=noted.get("total", 0),
        seconds=None if began is None or ended is None else max(ended - began, 0.0),
        started=None if began is None else stamp(began), can_resume=state in ("failed", "stopped"),
        options=plan["options"], command=plan["command"], from_page=True,
    )  # fmt: skip


def told_partial(folder: Path, state: str, followers: Followers) -> Data:
    """What is known so far, and the answers of a run that has ended."""
    config = read_json(folder / "config.json")
    job = kind_of_config(config)
    found: Data = {}
    if job is not None:
        found = followers.find(folder, job.kind, config).partial()
    if state != "running":
        tables = read_tables(folder)
        found |= {"tables": tables} if tables else {}
        result, own = read_json(folder / "result.json"), (config or {}).get(IDENTITY)
        if isinstance(result, dict) and result.get(IDENTITY) == own:
            found |= {key: result[key] for key in ("answers", "facts") if key in result}
    shown: Data = shown_plainly(found)
    return shown


def guarded(folder: Path, tell: Callable[[Path], Data]) -> Data:
    """The row of a folder, or the row that says why there is none; it can always be sent."""
    try:
        if folder.is_symlink():
            raise ParseError("it is a link, and links are not followed.")
        if folder.name.startswith("."):
            raise ParseError("its name begins with a dot.")
        row: Data = shown_plainly(tell(folder))
        return RunSummary.model_validate(row).model_dump() | row
    except Exception as error:  # whatever lies in a folder, it is one row
        reason = str(error) if isinstance(error, ParseError) else f"{type(error).__name__}."
        return odd_row(folder, f"This folder cannot be shown: {reason}")


def odd_row(folder: Path, message: str) -> Data:
    """The row of a folder that cannot be shown."""
    name = shown_plainly(folder.name)
    try:
        changed = stamp(folder.lstat().st_mtime)
    except (OSError, ValueError, OverflowError):  # it went away, or its time is none
        changed = stamp(0.0)
    return _row(name, changed) | {"state": "failed", "message": shown_plainly(message)}


def run_data(folder: Path, **known: Any) -> Data:
    """A run with all its keys."""
    return _row(folder.name, stamp(last_change(folder))) | known


def _row(name: str, changed: str) -> Data:
    return {
        "id": name, "kind": "other", "title": name, "state": "stopped", "message": None,
        "done": 0, "total": 0, "text": "", "seconds": None, "started": None, "changed": changed,
        "from_page": False, "can_resume": False, "options": {}, "command": None,
    }  # fmt: skip


def shown_plainly(data: Any, depth: int = 0) -> Any:
    """Data that JSON can hold: no infinite numbers, no broken texts, no bottomless lists."""
    if depth > DEEPEST:
        return "…"
    if isinstance(data, dict):
        return {str(shown_plainly(k)): shown_plainly(v, depth + 1) for k, v in data.items()}
    if isinstance(data, list | tuple):
        return [shown_plainly(entry, depth + 1) for entry in data]
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, int) and not isinstance(data, bool):
        return data if abs(data) < 10**18 else None
    return data.encode("utf-8", "replace").decode() if isinstance(data, str) else data


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and 0 <= value < 1e11 else None


def _told_foreign(follower: LogFollower) -> str | None:
    if not follower.seen.foreign:
        return None
    return f"Its log has lines of another run, which are not counted: {follower.seen.foreign}."
