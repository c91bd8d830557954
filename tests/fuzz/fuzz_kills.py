"""kill -9 at random moments, drawn from a seed, of everything that writes for long.

Whatever was killed must leave files that are whole or absent, and going on must end where a run
that nobody disturbed ends.
"""

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from web_server import wait_until

import noughts
from noughts.cli import main
from noughts.learn.frame.checkpoint import checkpoints_in
from noughts.owning import is_owned
from noughts.prove.search import ThreatSearch
from noughts.web.lab.jobs import Jobs
from noughts.web.lab.plans import plan_job

SOLVE_FOR_EVER = """
import os, sys
os.environ["NOUGHTS_JIT"] = "never"  # the same tables, without loading numba
import noughts
solutions = [noughts.solve(f"3x3:flip=0.{n}") for n in (1, 2)]
print("ready", flush=True)
for turn in range(10**9):
    solutions[turn % 2].save(sys.argv[1])
"""

# A search for a proof that keeps itself after every slice, for ever.
PROVE_FOR_EVER = """
import sys
from pathlib import Path
from noughts.prove.search import ThreatSearch
search = ThreatSearch(megabytes=64)
print("ready", flush=True)
while True:
    search.advance(20)
    search.save(Path(sys.argv[1]))
"""

# A server of the Lab that is given one job, without its page.
LAB = """
import json, sys
from pathlib import Path
from noughts.web.lab.jobs import Jobs
jobs = Jobs(Path(sys.argv[1]), at_once=1)
jobs.start(json.loads(sys.argv[2]))
sys.stdin.read()
"""

# A command that says "here" with one line of its log, and never writes the last: it cannot be
# killed too late, however long the killer was kept waiting.
HOLD = """
import sys
from noughts.cli import main
from noughts.learn.frame import runs
from noughts.report import log, run

here, last, *words = sys.argv[1:]
written = 0

def log_line(*arguments):
    global written
    written += 1
    if written == int(here):
        print("here", flush=True)
    if written == int(last):
        sys.stdin.read()
    return log.log_line(*arguments)

run.log_line = runs.log_line = log_line
main(words)
"""

TOURNAMENT = "tournament 3x3:flip=0.1 optimal random fixed:weights=1/2/1/2/5/2/1/2/1 --games 60"
MATCH = "match 3x3:flip=0.1 optimal random --games 60"
TRAINING = "train 3x3 td-table --games 400 --seed 3 --checkpoints 4"


def start(*command: str | Path) -> "subprocess.Popen[str]":
    """A process of its own group, so that its children die with it."""
    return subprocess.Popen(
        list(map(str, command)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )


def kill_after(process: "subprocess.Popen[str]", seconds: float) -> bool:
    """Kill it then, unless it has ended before; whether it was killed."""
    with process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
    return process.returncode == -signal.SIGKILL


def kill_saving(folder: Path, rng: random.Random) -> bool:
    """A process that saves two solutions in turn leaves one of them whole, or nothing."""
    target = folder / "solution"
    process = start(sys.executable, "-c", SOLVE_FOR_EVER, target)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    was_killed = kill_after(process, rng.random() * 0.05)
    if target.exists():
        solution = noughts.Solution.load(target)
        expected = noughts.solve(solution.game)
        assert solution.table.tobytes() == expected.table.tobytes()
    return was_killed


def timeless_log(folder: Path) -> list[Any]:
    """The lines of a log without what the clock says."""
    found = []
    for text in (folder / "log.jsonl").read_text().splitlines():
        line = json.loads(text)
        result = line["result"]
        if isinstance(result, dict):
            result.pop("seconds", None)
        found.append((line["unit"], result))
    return found


def checkpoint_bytes(folder: Path) -> dict[str, bytes]:
    """Everything that training keeps."""
    return {path.name: path.read_bytes() for _, path in checkpoints_in(folder)}


def outcome(folder: Path) -> Any:
    """What a finished run has to say."""
    return timeless_log(folder), checkpoint_bytes(folder)


def command_of(words: str, folder: Path) -> list[str]:
    return [*words.split(), "--out", str(folder)]


class Killer:
    """Kills a command at random moments and lets it go on; an undisturbed run tells the end."""

    def __init__(self, words: str, folder: Path) -> None:
        self.words = words
        self.folder = folder
        self.undisturbed = folder / "undisturbed"
        assert main(command_of(words, self.undisturbed)) == 0
        self.expected = outcome(self.undisturbed)
        self.lines = len(self.expected[0])

    def __call__(self, name: str, rng: random.Random) -> bool:
        """Wait for a random line of the log, a moment longer, kill, and go on to the end."""
        folder = self.folder / name
        numbers = str(rng.randint(1, self.lines)), str(self.lines)
        process = start(sys.executable, "-c", HOLD, *numbers, *command_of(self.words, folder))
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        was_killed = kill_after(process, rng.random() * 0.02)
        assert lines_in(folder / "log.jsonl") < self.lines
        assert main(command_of(self.words, folder)) == 0
        assert outcome(folder) == self.expected
        return was_killed


def lines_in(log: Path) -> int:
    return log.read_bytes().count(b"\n") if log.exists() else 0


def kill_proving(folder: Path, rng: random.Random) -> bool:
    """A search that was killed goes on from what it kept as one that nobody disturbed does."""
    checkpoint = folder / "search"
    process = start(sys.executable, "-c", PROVE_FOR_EVER, checkpoint)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    wait_until(checkpoint.exists)
    was_killed = kill_after(process, rng.random() * 0.3)
    resumed = ThreatSearch(megabytes=64)
    resumed.resume(checkpoint)
    undisturbed = ThreatSearch(megabytes=64)
    undisturbed.advance(resumed.expanded + 100)
    resumed.advance(100)
    for name in ("proof", "disproof", "facts"):
        expected = getattr(undisturbed.graph, name)
        assert np.array_equal(getattr(resumed.graph, name), expected), name
    return was_killed


class LabKiller:
    """Kills a server in the middle of a job; the next server ends it as if nothing had been."""

    def __init__(self, folder: Path, games: int = 400) -> None:
        self.folder = folder
        options = {"game": "3x3", "first": "random", "second": "random", "games": games, "seed": 1}
        self.plan = plan_job("match", options, folder)
        undisturbed = folder / "undisturbed"
        words = f"match 3x3 random random --games {games} --seed 1"
        assert main(command_of(words, undisturbed)) == 0
        self.expected = timeless_log(undisturbed)

    def __call__(self, name: str, rng: random.Random) -> bool:
        runs = self.folder / name
        log = runs / "match-1" / "log.jsonl"
        process = start(sys.executable, "-c", LAB, runs, json.dumps(self.plan))
        few = rng.randint(1, len(self.expected) // 2)
        wait_until(lambda: lines_in(log) >= few)
        was_killed = kill_after(process, 0)
        wait_until(lambda: not is_owned(log.parent))  # the job ends with its server
        jobs = Jobs(runs, at_once=1)
        jobs.take_up()
        wait_until(lambda: jobs.describe("match-1")["state"] not in ("waiting", "running"))
        assert jobs.describe("match-1")["state"] == "done"
        assert timeless_log(log.parent) == self.expected
        return was_killed


Kill = Callable[[str, random.Random], bool]


def kinds(folder: Path) -> dict[str, Kill]:
    """What is killed, by name."""

    def in_folder(kill: Callable[[Path, random.Random], bool], kind: str) -> Kill:
        def kill_there(name: str, rng: random.Random) -> bool:
            (folder / kind / name).mkdir(parents=True)
            return kill(folder / kind / name, rng)

        return kill_there

    return {
        "saving a solution": in_folder(kill_saving, "saving"),
        "match": Killer(MATCH, folder / "match"),
        "tournament": Killer(TOURNAMENT, folder / "tournament"),
        "training": Killer(TRAINING, folder / "training"),
        "search for a proof": in_folder(kill_proving, "proof"),
        "job of the Lab, with its server": LabKiller(folder / "lab"),
    }
