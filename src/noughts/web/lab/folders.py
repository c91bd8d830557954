"""Run folders as the page sees them, whoever began them: the page or the command line.

    config.json   says what kind of run it is          job.json      the page's own plan and state
    log.jsonl     how far it is, and partial results   result.json   answers, when the page ran it
    report.html   there when it is done                tables/       what is shown of it

Nothing here loads numba: the server reads folders, and never the games in them twice.
"""

import csv
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import combinations, islice
from pathlib import Path
from typing import Any

from noughts.arena.seating import seating_of
from noughts.errors import ParseError
from noughts.games.game import MARKS
from noughts.jobs import KINDS
from noughts.report.run import IDENTITY
from noughts.stats.scores import score_interval

Data = dict[str, Any]

SUFFIXES = ("csv", "xlsx", "html", "svg", "png", "json", "jsonl", "parquet")
MOST_FILES, MOST_ROWS, MOST_TABLES, MOST_POINTS = 300, 500, 30, 400
CHUNK = 8_000_000  # bytes of a log that are read at once


def read_json(path: Path) -> Any:
    """The contents of a JSON file; None when it is not there or not JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def read_noted(folder: Path) -> Data:
    """The page's own plan and state of a job; raises ParseError when that cannot be read."""
    noted = read_json(folder / "job.json")
    plan = noted.get("plan") if isinstance(noted, dict) else None
    texts = ("kind", "title", "command")
    if (
        not isinstance(plan, dict)
        or not all(isinstance(plan.get(key), str) for key in texts)
        or plan["kind"] not in KINDS
        or not isinstance(plan.get("options"), dict)
    ):
        raise ParseError(f"{folder / 'job.json'} is not a job that the page wrote.")
    found: Data = noted
    return found


@dataclass
class Seen:
    """What the lines of a log came to: sums, not lines."""

    offset: int = 0
    lines: int = 0
    games: int = 0
    foreign: int = 0  # lines of other runs, which tell nothing about this one
    pairings: dict[int, "Standing"] = field(default_factory=dict)
    points: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    units: list[str] = field(default_factory=list)


@dataclass
class Standing:
    """The games of two agents so far, by results and by pairs with the seats swapped."""

    counts: list[int] = field(default_factory=lambda: [0, 0, 0])  # won, drawn, lost
    halves: dict[int, float] = field(default_factory=dict)  # points in pairs of one game so far
    pairs: Counter[float] = field(default_factory=Counter)  # how many whole pairs, by their points

    def take(self, index: int, result: str) -> None:
        """One more game of two agents."""
        first = MARKS[seating_of(index, 2).index(0)]
        place = 1 if result == "draw" else 0 if result == first else 2
        self.counts[place] += 1
        points, other = 1.0 - place / 2.0, self.halves.pop(index // 2, None)
        if other is None:
            self.halves[index // 2] = points
        else:
            self.pairs[points + other] += 1

    def told(self) -> Data:
        """As the page shows it; games that repeat others are set aside by the report only."""
        games = sum(self.counts)
        whole = [(points, 2) for points, times in self.pairs.items() for _ in range(times)]
        low, high = score_interval([*whole, *((points, 1) for points in self.halves.values())])
        found: Data = dict(zip(("wins", "draws", "losses"), self.counts, strict=True))
        score = (self.counts[0] + self.counts[1] / 2) / games
        return found | {"games": games, "score": score, "low": low, "high": high}


@dataclass
class LogFollower:
    """Reads a log as it grows."""

    folder: Path
    kind: str
    config: Mapping[str, Any]
    seen: Seen = field(default_factory=Seen)

    def follow(self) -> None:
        """Take in what was added."""
        path = self.folder / "log.jsonl"
        try:
            size = path.stat().st_size
            if size < self.seen.offset:  # it was cut, as a resumed training does
                self.seen = Seen()
            while self.seen.offset < size:
                with path.open("rb") as file:
                    file.seek(self.seen.offset)
                    chunk = file.read(CHUNK)
                whole = chunk[: chunk.rfind(b"\n") + 1]
                if not whole:
                    return
                self.seen.offset += len(whole)
                for line in whole.splitlines():
                    self._take(line)
        except OSError:
            return

    def _take(self, line: bytes) -> None:
        try:
            entry = json.loads(line)
            result = entry["result"]
            if entry.get("run") != self.config.get(IDENTITY):
                self.seen.foreign += 1
                return
            self.seen.lines += 1
            if self.kind in ("match", "tournament"):
                self._take_game(result)
            elif self.kind == "train":
                self._take_chunk(result)
            else:
                self.seen.units.append(str(entry["unit"]))
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError, AttributeError):
            return  # not a line of ours: it tells nothing

    def _take_game(self, result: Data) -> None:
        if len(result["seats"]) > 2:
            return  # no pairs: the report has the standings
        standing = self.seen.pairings.setdefault(int(result["pairing"]), Standing())
        standing.take(int(result["index"]), str(result["result"]))

    def _take_chunk(self, result: Data) -> None:
        self.seen.games = int(result["games"])
        values = dict(result.get("curves") or {}) | dict(result.get("grades") or {})
        for name, value in values.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                self.seen.points.setdefault(str(name), []).append((self.seen.games, float(value)))

    @property
    def done(self) -> int:
        return self.seen.games if self.kind == "train" else self.seen.lines

    def partial(self) -> Data:
        """What is known so far."""
        found: Data = {}
        if self.seen.pairings:
            found["pairs"] = [self._pair(number) for number in sorted(self.seen.pairings)]
        if self.seen.points:
            found["curves"] = [
                {"name": name.replace("_", " "), "points": _thinned(points)}
                for name, points in self.seen.points.items()
            ]
        if self.seen.units:
            found["units"] = self.seen.units[-MOST_ROWS:]
        return found

    def _pair(self, number: int) -> Data:
        agents = [str(agent) for agent in self.config.get("agents", [])]
        pairings = list(combinations(agents, 2))
        first, second = pairings[number] if number < len(pairings) else ("", "")
        return {"first": first, "second": second} | self.seen.pairings[number].told()


def _thinned(points: list[tuple[float, float]]) -> list[list[float]]:
    """At most so many points, the last among them."""
    step = max(math.ceil(len(points) / MOST_POINTS), 1)
    kept = points[::-1][::step][::-1]
    return [list(point) for point in kept]


def list_files(folder: Path) -> list[Data]:
    """The files that may be downloaded."""
    found = []
    for path in sorted(_files(folder)):
        suffix = path.suffix.lstrip(".")
        name = path.relative_to(folder).as_posix()
        if suffix in SUFFIXES and not path.name.startswith("."):
            found.append({"path": name, "size": path.lstat().st_size, "kind": suffix})
        if len(found) >= MOST_FILES:
            break
    return found


def _files(folder: Path) -> Iterator[Path]:
    for place in (folder, folder / "tables", folder / "figures"):
        if place.is_dir() and not place.is_symlink():
            yield from (path for path in place.iterdir() if _is_own_file(path))


def _is_own_file(path: Path) -> bool:
    """A file that lies here itself; a link may lead anywhere."""
    return path.is_file() and not path.is_symlink()


def file_in(folder: Path, name: str) -> Path | None:
    """The file of a run that a page names; None for anything else, wherever it lies."""
    listed = {entry["path"] for entry in list_files(folder)}
    if name not in listed:
        return None
    path = folder / name
    return path if path.resolve().is_relative_to(folder.resolve()) else None


def read_tables(folder: Path) -> list[Data]:
    """The tables of a finished run, their first rows."""
    found: list[Data] = []
    if (folder / "tables").is_symlink():
        return found
    own = [path for path in (folder / "tables").glob("*.csv") if _is_own_file(path)]
    for path in sorted(own)[:MOST_TABLES]:
        try:
            with path.open(encoding="utf-8", newline="") as file:
                rows = csv.reader(file)
                columns = next(rows, [])
                kept = [[_cell(text) for text in row] for row in islice(rows, MOST_ROWS)]
        except (OSError, UnicodeDecodeError, csv.Error):
            continue
        found.append({"name": path.stem, "columns": columns, "rows": kept})
    return found


def _cell(text: str) -> str | int | float | bool | None:
    """A cell of a csv file in its own type."""
    words = {"": None, "True": True, "False": False}
    if text in words:
        return words[text]
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        return number if abs(number) < 1e300 else text
    return text


def stamp(seconds: float) -> str:
    """A time as text."""
    seconds = min(max(seconds, 0.0), 253402300799.0)  # the last second of the year 9999
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def last_change(folder: Path) -> float:
    """When something in a run was last written."""
    times = [folder.stat().st_mtime]
    for name in ("log.jsonl", "report.html", "job.json"):
        try:
            times.append((folder / name).stat().st_mtime)
        except OSError:
            continue
    return max(times)
