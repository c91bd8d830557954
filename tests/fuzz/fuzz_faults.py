"""Faults around a run, not in it: swapped files, refused writes, two at once, a kill at any call.

Everything happens in forks of one process that interprets its kernels, so that a hundred processes
cost as much as their work. What counts is the end: whoever goes on afterwards must come to the
units of a run that nobody disturbed, each once, or refuse in one sentence.
"""

import errno
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import fuzz_damage

import noughts
from noughts.errors import NoughtsError
from noughts.games.game import Landing
from noughts.learn.frame.training import train
from noughts.learn.table.taught.own import OwnTable, own_table_path
from noughts.owning import Busy
from noughts.report.log import read_log
from noughts.report.run import Run

CALLS = ("open", "os.rename", "os.remove", "os.mkdir", "fcntl.flock", "os.truncate")
CODES = (errno.ENOSPC, errno.EIO, errno.EROFS)
LESSONS = 5
MOVES = [(0, Landing("X")), (1, Landing("O")), (2, Landing("X"))]


@dataclass
class Tally:
    """How often something was tried, and what came of it."""

    tried: int = 0
    refused: int = 0
    alike: int = 0
    faults: list[str] = field(default_factory=list)

    def judge(self, name: str, work: Callable[[], Any], expected: Any) -> None:
        """Do something after a fault; a sentence or the right answer, and nothing else."""
        self.tried += 1
        try:
            if work() == expected:
                self.alike += 1
            else:
                self.faults.append(f"{name}: another answer")
        except NoughtsError:
            self.refused += 1
        except Exception as error:
            self.faults.append(f"{name}: {type(error).__name__}: {error}")


@contextmanager
def no_pages() -> Any:
    """Reports are drawn from the results alone, and drawing is most of the time of a short run."""
    write, Run.write = Run.write, lambda *_: None  # type: ignore[method-assign]
    try:
        yield
    finally:
        Run.write = write  # type: ignore[method-assign]


def played(folder: Path, first: str, second: str, game: str = "3x3", seed: int = 1) -> Any:
    result = noughts.match(game, first, second, games=6, seed=seed, folder=folder)
    return [record.to_dict()["check"] for record in result.records]


def joined(folder: Path, seed: int = 1) -> Any:
    names = ["random", "fixed", "fixed:weights=2"]
    with no_pages():
        noughts.tournament("3x3", names, games=2, seed=seed, folder=folder)
    return [(line["unit"], line["result"]["check"]) for line in read_log(folder / "log.jsonl")]


def learned(folder: Path, seed: int = 1, opponent: str = "self") -> Any:
    with no_pages():
        words: Any = {"games": 3, "seed": seed, "opponent": opponent, "checkpoints": 1}
        found = train("2x2", "td-table", out=folder, **words)
    values = {name: array.tobytes() for name, array in found.learner.arrays().items()}
    return [line["result"] for line in found.log.lines], values


RUNS: dict[str, Callable[[Path], Any]] = {
    "match": lambda folder: played(folder, "random", "fixed"),
    "match, seats": lambda folder: played(folder, "fixed", "random"),
    "match, rules": lambda folder: played(folder, "random", "fixed", "3x3:misere"),
    "match, seed": lambda folder: played(folder, "random", "fixed", seed=2),
    "tournament": joined,
    "tournament, seed": lambda folder: joined(folder, 2),
    "training": learned,
    "training, seed": lambda folder: learned(folder, 2),
    "training, opponent": lambda folder: learned(folder, 1, "random"),
}
WORK = {name: RUNS[name] for name in ("match", "tournament", "training")}


def swap_files(place: Path, count: int, seed: int) -> Tally:
    """Put files, lines and damages of runs into others, and go on there."""
    expected = {name: run(place / "good" / name) for name, run in RUNS.items()}
    tally, rng = Tally(), random.Random(seed)
    for number in range(count):
        name, other = rng.sample(list(RUNS), 2)
        folder = place / "tried"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(place / "good" / name, folder)
        what = _disturb(folder, place / "good" / other, rng)
        about = f"{number}: {what} of {other} in {name}"
        tally.judge(about, partial(RUNS[name], folder), expected[name])
    return tally


def _disturb(folder: Path, other: Path, rng: random.Random) -> str:
    """One swap or one damage; what it was."""
    own = sorted(path for path in folder.rglob("*") if path.is_file() and path.name[0] != ".")
    target = rng.choice(own)
    way = rng.choice(["file", "line", "bytes", "copy", "drop"])
    theirs = [path for path in other.rglob("*") if path.suffix == target.suffix]
    if way == "file" and theirs:
        shutil.copy(rng.choice(theirs), target)
    elif way == "line":
        target = folder / "log.jsonl"
        mine = target.read_text().splitlines()
        mine[rng.randrange(len(mine))] = rng.choice((other / "log.jsonl").read_text().splitlines())
        target.write_text("\n".join(mine) + "\n")
    elif way == "copy":  # of its own: a line twice, or one checkpoint under another's name
        content = rng.choice([path for path in own if path.suffix == target.suffix]).read_bytes()
        target.write_bytes(content)
        if target.name == "log.jsonl":
            mine = target.read_text().splitlines()
            target.write_text("\n".join([*mine, rng.choice(mine)]) + "\n")
    elif way == "drop":
        target.unlink()
    else:
        way, content = fuzz_damage.damaged(target.read_bytes(), rng)
        target.write_bytes(content)
    return f"{way} {target.name}"


def refuse_writes(place: Path, count: int, seed: int) -> Tally:
    """No space, an error of the disk or a disk that may only be read, at any call; then go on."""
    tally, rng = Tally(), random.Random(seed)
    expected = {name: run(place / "good" / name) for name, run in WORK.items()}
    for number in range(count):
        name, code = rng.choice(list(WORK)), rng.choice(CODES)
        folder = place / f"refused-{number}"
        pid = os.fork()
        if pid == 0:
            _refuse_after(rng.randrange(1, 30), code)
            with suppress(NoughtsError):
                WORK[name](folder)
                os._exit(0)
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        if status != 0:
            tally.faults.append(
                f"{number}: {name} with {errno.errorcode[code]} ended with {status}"
            )
        run = WORK[name]
        tally.judge(f"{number}: {name} after {code}", lambda r=run, f=folder: r(f), expected[name])
    return tally


def _refuse_after(calls: int, code: int) -> None:
    left = [calls]
    sync, rename = os.fsync, os.replace

    def refused(call: Callable[..., Any]) -> Callable[..., Any]:
        def attempt(*arguments: Any) -> Any:
            left[0] -= 1
            if left[0] <= 0:
                raise OSError(code, os.strerror(code))
            return call(*arguments)

        return attempt

    os.fsync, os.replace = refused(sync), refused(rename)


def kill_at_calls(place: Path, count: int, seed: int) -> Tally:
    """SIGKILL before a random opening, lock, sync, rename or removal; then go on."""
    tally, rng = Tally(), random.Random(seed)
    expected = {name: run(place / "good" / name) for name, run in WORK.items()}
    for number in range(count):
        name = rng.choice(list(WORK))
        folder, calls = place / f"killed-{number}", rng.randrange(1, 60)
        pid = os.fork()
        if pid == 0:
            _kill_after(calls, str(place))
            WORK[name](folder)
            os._exit(0)
        os.waitpid(pid, 0)
        tally.judge(f"{number}: {name} at {calls}", partial(WORK[name], folder), expected[name])
        left = [path.name for path in folder.rglob(".*.tmp")]
        if left:
            tally.faults.append(f"{number}: {name} leaves {left}")
    tally.faults += [f"refused after a kill: {tally.refused}"] if tally.refused else []
    return tally


def _kill_after(calls: int, below: str) -> None:
    left, sync = [calls], os.fsync

    def count(*_: Any) -> None:
        left[0] -= 1
        if left[0] <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def hook(event: str, arguments: Any) -> None:
        if event == "fcntl.flock" or (
            event in CALLS and arguments and str(arguments[0]).startswith(below)
        ):
            count()

    def counted_sync(handle: int) -> None:
        count()
        sync(handle)

    os.fsync = counted_sync
    sys.addaudithook(hook)


def run_pairs(place: Path, count: int, seed: int) -> Tally:
    """Two processes on one folder, or on one table that learns, at the same moment."""
    tally, rng = Tally(), random.Random(seed)
    expected = {name: run(place / "good" / name) for name, run in WORK.items()}
    for number in range(count):
        name = rng.choice([*WORK, "lessons"])
        folder = place / f"pair-{number}"
        folder.mkdir()
        begin = time.monotonic() + 0.02
        pids = [_forked(lambda n=name, f=folder, b=begin: _at(b, n, f)) for _ in range(2)]
        ends = [os.waitpid(pid, 0)[1] for pid in pids]
        if any(ends):
            tally.faults.append(f"{number}: {name} ended with {ends}")
        if name == "lessons":
            tally.judge(f"{number}: lessons", lambda f=folder: _lessons_in(f), 2 * LESSONS)
            continue
        units = [line["unit"] for line in read_log(folder / "log.jsonl")]
        tally.judge(f"{number}: {name}", partial(WORK[name], folder), expected[name])
        if len(units) != len(set(units)):
            tally.faults.append(f"{number}: {name} has units twice")
    return tally


def _at(begin: float, name: str, folder: Path) -> None:
    """Begin at a moment; who finds the folder taken tries again until it is free."""
    time.sleep(max(begin - time.monotonic(), 0.0))
    if name == "lessons":
        _teach_in(folder)
        return
    while True:
        with suppress(Busy):
            WORK[name](folder)
            return


def _forked(work: Callable[[], None]) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
            os._exit(1)
        os._exit(0)
    return pid


def _teach_in(home: Path) -> None:
    os.environ["NOUGHTS_HOME"] = str(home)
    for _ in range(LESSONS):
        OwnTable(noughts.game("2x2")).learn("X", MOVES, 0.25)  # type: ignore[arg-type]


def _lessons_in(home: Path) -> int:
    before = os.environ["NOUGHTS_HOME"]
    os.environ["NOUGHTS_HOME"] = str(home)
    try:
        assert own_table_path(noughts.game("2x2")).exists()  # type: ignore[arg-type]
        return OwnTable(noughts.game("2x2")).games  # type: ignore[arg-type]
    finally:
        os.environ["NOUGHTS_HOME"] = before


def jump_clocks(place: Path, count: int, seed: int) -> Tally:
    """Files from the future and from 1970: times of files decide nothing."""
    tally, rng = Tally(), random.Random(seed)
    expected = {name: run(place / "good" / name) for name, run in WORK.items()}
    for number in range(count):
        name = rng.choice(list(WORK))
        folder, good = place / "clock", place / "good" / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(good, folder)
        for path in folder.rglob("*"):
            moment = rng.choice([0.0, 1.0, 2.0**31, 2.0**33])
            os.utime(path, (moment, moment))
        tally.judge(f"{number}: {name}", partial(WORK[name], folder), expected[name])
    tally.faults += [f"refused by a clock: {tally.refused}"] if tally.refused else []
    return tally


FAULTS: dict[str, Callable[[Path, int, int], Tally]] = {
    "files swapped or damaged between runs": swap_files,
    "writes refused (no space, error, read-only)": refuse_writes,
    "killed at a system call": kill_at_calls,
    "two processes at once": run_pairs,
    "clocks that jump": jump_clocks,
}


def inject(name: str, place: Path, count: int, seed: int) -> Tally:
    """One kind of fault, so many times, in a folder and a home of its own."""
    os.environ["NOUGHTS_HOME"] = str(place / "home")
    return FAULTS[name](place, count, seed)
