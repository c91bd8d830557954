"""A run: a folder with what one command produced, and enough to go on after it was killed.

    config.json     what was asked for, and the run's identity (see `identity.py`)
    log.jsonl       one line per finished unit of work: its key, its seconds, its result
    tables/         each table as csv, xlsx and, where pyarrow is installed, parquet
    figures/        each figure as svg and png
    report.html     all of it on one page; written last

Results are JSON, and JSON keeps every bit of a float: a resumed run writes the same tables.
"""

import itertools
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np

from noughts.errors import NoughtsError, ParseError
from noughts.files import check_regular, replacing, sweep
from noughts.owning import Ownership, own
from noughts.parallel import in_order
from noughts.report.identity import Identity, identity_of
from noughts.report.log import (
    Line,
    adopted_line,
    append_line,
    check_each_once,
    log_line,
    read_log,
    read_run_log,
)
from noughts.report.page import Report
from noughts.report.table import has_parquet

Progress = Callable[[int, int, str], None]  # done, total, what is known so far

IDENTITY = "identity"  # its key in the config
LOG = "log.jsonl"  # its file
FOLDERS = ("tables", "figures", "checkpoints")
SYNC_SECONDS = 1.0  # a power cut loses no more than this; a killed process loses nothing


@dataclass(frozen=True)
class Unit:
    """One independent piece of work: `work(**arguments)` gives plain data that JSON can hold."""

    key: str
    work: Callable[..., Any]
    arguments: Mapping[str, Any] = field(default_factory=dict)


def unit_seed(seed: int, index: int) -> int:
    """The seed of unit `index`: the same on one core, on two, and on a cluster."""
    return int(np.random.SeedSequence([seed, index]).generate_state(1, np.uint32)[0])


def work_in_order(
    units: Sequence[Unit], jobs: int = 1, cluster: str | None = None
) -> Iterator[tuple[float, Any]]:
    """The seconds and the result of every unit, in order, as JSON would give them back."""
    calls = [{"work": unit.work, "arguments": unit.arguments} for unit in units]
    return in_order(_work, calls, jobs, cluster)


def _work(work: Callable[..., Any], arguments: Mapping[str, Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    result = json.loads(json.dumps(work(**arguments)))
    return time.perf_counter() - began, result


Adopt = Callable[[Line], None]  # refuses a line that no unit of this run could have written


class Run:
    """An open run folder, which is nobody else's until it is closed."""

    def __init__(
        self,
        folder: Path,
        config: Mapping[str, Any],
        identity: Identity | None = None,
        adopt: Adopt | None = None,
        check: "Callable[[Run], None] | None" = None,
    ) -> None:
        """Start a run in an empty or new folder, or go on with one that has the same identity.

        Without an `identity` the whole config decides it. A folder of before there were identities
        is gone on with only if `adopt` is given and accepts every line of its log. `check` may
        refuse what is done already; a folder that is refused stays as it was.
        """
        self.folder = folder
        self.config: dict[str, Any] = json.loads(json.dumps(config))
        self.identity = identity if identity is not None else identity_of("run", self.config)
        self._ownership = own_folder(folder)
        self._synced = -SYNC_SECONDS  # the first line at once
        try:
            for place in (folder, *(folder / name for name in FOLDERS)):
                sweep(place)  # what a killed process was writing
            before = self._compare_config(adopt)
            lines = read_run_log(self._log_path, self.digest)
            self._log = {line["unit"]: line["result"] for line in lines}
            if check is not None:
                check(self)
            self._write_config(before)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Let others work on it."""
        self._ownership.release()

    @property
    def digest(self) -> str:
        """The identity as it stands in files."""
        return self.identity.digest

    def __contains__(self, key: str) -> bool:
        """Whether a unit is finished."""
        return key in self._log

    def result(self, key: str) -> Any:
        """The result of a finished unit."""
        return self._log[key]

    @property
    def _config_path(self) -> Path:
        return self.folder / "config.json"

    @property
    def _log_path(self) -> Path:
        return self.folder / LOG

    @property
    def finished(self) -> int:
        """How many units the log holds."""
        return len(self._log)

    def results(
        self,
        units: Iterable[Unit],
        progress: Progress | None = None,
        jobs: int = 1,
        cluster: str | None = None,
    ) -> dict[str, Any]:
        """The result of every unit by its key; those in the log are not worked on again."""
        planned = list(units)
        stream = self.stream(planned, jobs, cluster)
        found = {}
        for done, unit in enumerate(planned):
            if progress is not None and unit.key not in self:
                progress(done, len(planned), unit.key)
            _, found[unit.key] = next(stream)
        if progress is not None:
            progress(len(planned), len(planned), "")
        return found

    def stream(
        self, units: Sequence[Unit], jobs: int = 1, cluster: str | None = None
    ) -> Iterator[tuple[str, Any]]:
        """The key and the result of every unit, in order; each is in the log when it is given."""
        missing = [unit for unit in units if unit.key not in self._log]
        answers = work_in_order(missing, jobs, cluster)
        for unit in units:
            if unit.key not in self._log:
                seconds, result = next(answers)
                self._append(unit.key, seconds, result)
            yield unit.key, self._log[unit.key]

    def write(self, report: Report) -> None:
        """Write the tables, the figures and, when all of them are there, the page."""
        write_report(self.folder, report)

    def _compare_config(self, adopt: Adopt | None) -> dict[str, Any] | None:
        """The config that is there, if any, after comparing it with what is asked."""
        before = read_config(self.folder) if self._config_path.exists() else None
        if before is not None:
            self._check_config(before)
            if before.get(IDENTITY) is None:
                self._adopt(adopt)
        return before

    def _write_config(self, before: Mapping[str, Any] | None) -> None:
        """Write what is asked now."""
        asked = self.config | {IDENTITY: self.digest}
        if before != asked:
            _write(self._config_path, json.dumps(asked, indent=2) + "\n")

    def _check_config(self, before: Mapping[str, Any]) -> None:
        found = self.identity.differences(before)
        if not found and before.get(IDENTITY) not in (None, self.digest):
            found = ["it is another kind of job, or its results are written in another form"]
        if found:
            raise NoughtsError(
                f"{self.folder} holds a run with another config: {'; '.join(found)}. Choose "
                "another folder."
            )

    def _adopt(self, adopt: Adopt | None) -> None:
        """Give every line of an old log this run's identity, if all of them can be its own."""
        lines = read_log(self._log_path)
        if not lines:
            return
        if adopt is None:
            raise NoughtsError(
                f"{self.folder} was begun before runs had an identity; --adopt checks every line "
                "of it and goes on."
            )
        check_each_once(self._log_path, lines)
        for number, line in enumerate(lines, 1):
            if line.get("run") != self.digest:  # else an adoption was killed half-way
                try:
                    adopt(line)
                except NoughtsError as error:
                    raise ParseError(f"Line {number} of {self._log_path}: {error}") from None
        text = "".join(adopted_line(line, self.digest) + "\n" for line in lines)
        _write(self._log_path, text)

    def _append(self, key: str, seconds: float, result: Any) -> None:
        is_due = time.monotonic() - self._synced > SYNC_SECONDS
        append_line(self._log_path, log_line(key, seconds, result, self.digest), is_due)
        if is_due:
            self._synced = time.monotonic()
        self._log[key] = result


def write_report(folder: Path, report: Report) -> None:
    """Tables, figures and, when all of them are there, the page."""
    for table in report.tables:
        stem = folder / "tables" / table.name
        _write(stem.with_suffix(".csv"), table.to_csv())
        _write(stem.with_suffix(".xlsx"), table.to_xlsx())
        if has_parquet():
            _write(stem.with_suffix(".parquet"), table.to_parquet())
    for figure in report.figures:
        stem = folder / "figures" / figure.name
        _write(stem.with_suffix(".svg"), figure.svg)
        _write(stem.with_suffix(".png"), figure.png)
    _write(folder / "report.html", report.to_html())


def _write(path: Path, content: str | bytes) -> None:
    with replacing(path, "wb" if isinstance(content, bytes) else "w") as file:
        file.write(content)


def own_folder(folder: Path) -> Ownership:
    """Make a folder if there is none, and be the only one who works in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return own(folder)
    except OSError as error:
        raise NoughtsError(f"{folder} cannot be a run folder: {error.strerror}.") from None


def read_config(folder: Path) -> dict[str, Any]:
    """What a run folder says about itself; raises ParseError when that cannot be read."""
    path = folder / "config.json"
    check_regular(path)
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ParseError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ParseError(f"{path} is not a config that Noughts wrote.")
    return found


def new_folder(name: str, parent: Path | None = None) -> Path:
    """Claim `runs/<name>-<n>` with the lowest n above all there are."""
    parent = parent if parent is not None else Path("runs")
    parent.mkdir(parents=True, exist_ok=True)
    taken = [
        int(path.name[len(name) + 1 :])
        for path in parent.glob(f"{name}-*")
        if path.name[len(name) + 1 :].isdecimal()
    ]
    for number in itertools.count(max(taken, default=0) + 1):
        folder = parent / f"{name}-{number}"
        try:
            folder.mkdir()
        except FileExistsError:  # somebody else was faster
            continue
        return folder
    raise AssertionError("numbers do not end")
