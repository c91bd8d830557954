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

import noughts
from noughts.cli import main
from noughts.learn.checkpoint import checkpoints_in

SOLVE_FOR_EVER = """
import os, sys
os.environ["NOUGHTS_JIT"] = "never"  # the same tables, without loading numba
import noughts
solutions = [noughts.solve(f"3x3:flip=0.{n}") for n in (1, 2)]
print("ready", flush=True)
for turn in range(10**9):
    solutions[turn % 2].save(sys.argv[1])
"""

# A command that says "here" with one line of its log, and never writes the last: it cannot be
# killed too late, however long the killer was kept waiting.
HOLD = """
import sys
from noughts.cli import main
from noughts.learn import runs
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


Kill = Callable[[str, random.Random], bool]


def kinds(folder: Path) -> dict[str, Kill]:
    """What is killed, by name."""

    def saving(name: str, rng: random.Random) -> bool:
        (folder / name).mkdir()
        return kill_saving(folder / name, rng)

    return {
        "saving a solution": saving,
        "tournament": Killer(TOURNAMENT, folder / "tournament"),
        "training": Killer(TRAINING, folder / "training"),
    }
