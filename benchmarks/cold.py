"""How long a first answer takes: processor and clock, from an empty cache of kernels.

    python benchmarks/cold.py                       this checkout alone
    python benchmarks/cold.py --before CHECKOUT     another one beside it, in turn
    python benchmarks/cold.py --rows solve play     only rows with one of these words

A row is a command as somebody types it, or a few lines of Python. Each run of a cold row has a
cache and a data folder of its own, both empty; a warm row is run once before its clock starts, and
then several times in the same folders. What is measured is a whole process, from its start to its
end, with all processes that it started and waited for: seconds of the processor (user and system)
and seconds on the wall. Numbers are medians over the rounds, in which the checkouts take turns.

`import numba` is the yardstick: no answer of a kernel can come sooner, so the last column says how
many times as long as that an answer takes. Only a row that gives no answer makes the exit code 1.
"""

import argparse
import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

from checkouts import HERE, Checkout, checkout, clean_up_when_stopped

MOST_SECONDS = 600.0  # of one run
WARM_RUNS = 5  # of a warm row in each round; they are short
YARDSTICK = "import numba"


@dataclass(frozen=True)
class Row:
    """One way to a first answer; `answer` is a pattern that the output shows when it has come."""

    name: str
    arguments: tuple[str, ...]  # of the interpreter
    answer: str = ""
    typed: str = ""
    filled_by: tuple[str, ...] | None = None  # what fills the cache of a warm row

    @property
    def is_warm(self) -> bool:
        return self.filled_by is not None


def command(name: str, words: str, answer: str, typed: str = "") -> Row:
    """What somebody types at a terminal, and then into the command."""
    return Row(name, ("-m", "noughts.cli", *words.split()), answer, typed)


def warm(name: str, arguments: tuple[str, ...], answer: str = "", fill: str = "") -> Row:
    """A row whose cache was filled by a line of Python, or by its own first run."""
    return Row(name, arguments, answer, filled_by=("-c", fill) if fill else arguments)


def first_move(agent: str, game: str) -> tuple[Row, Row]:
    """An agent's first move: as X against a person who leaves at once, and called from Python."""
    code = (
        f"import numpy, noughts; start = noughts.game({game!r}).start(); "
        f"print('move', noughts.agent({agent!r}).choose(start, numpy.random.default_rng(1)))"
    )
    words = f"play {game} --x {agent} --o human --seed 1"
    return (
        command(words.removesuffix(" --seed 1"), words, r"X \(.+\) plays \d", "q\n"),
        Row(f"{agent} on {game} in Python", ("-c", code), r"move \d"),
    )


SOLVE = ("-m", "noughts.cli", "solve", "3x3")
ROWS = (
    command("solve 3x3", "solve 3x3", r"3x3: \+0 for X"),
    command("odds 3x3 --o random", "odds 3x3 --x optimal --o random", "X wins +0.9"),
    command("play 3x3, first reply", "play 3x3 --seed 1", r"O \(.+\) plays \d", "4\nq\n"),
    *first_move("alphabeta", "3x3"),
    *first_move("uct", "3x3"),
    *first_move("uct", "ultimate"),
    *first_move("zero", "ultimate"),
    command(
        "train 3x3 table --games 200",
        "train 3x3 table --games 200 --seed 1 --out table",
        "200 games in",
    ),
    command(
        "match 3x3 alphabeta uct --games 10",
        "match 3x3 alphabeta uct --games 10 --out match",
        "10 games",
    ),
    warm("solve 3x3, warm", SOLVE, r"3x3: \+0 for X", "import noughts; noughts.solve('3x3')"),
    warm("noughts --help", ("-m", "noughts.cli", "--help"), "usage"),
    warm("import noughts", ("-c", "import noughts")),
    warm(YARDSTICK, ("-c", "import numba")),
)


@dataclass(frozen=True)
class Run:
    """What one process took."""

    cpu: float
    clock: float
    problem: str = ""


@dataclass
class Runs:
    """What all runs of a row took in one checkout."""

    cpu: list[float] = field(default_factory=list)
    clock: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def add(self, run: Run) -> None:
        if run.problem:
            self.problems.append(run.problem)
            return
        self.cpu.append(run.cpu)
        self.clock.append(run.clock)


def run_process(
    arguments: Sequence[str], environment: Mapping[str, str], folder: Path, typed: str
) -> tuple[Run, str]:
    """Start a process, wait for it, and read from the system what it and its children took."""
    typing, telling = folder / "typed", folder / "told"
    typing.write_text(typed)
    began = time.perf_counter()
    with typing.open() as source, telling.open("w") as sink:
        process = subprocess.Popen(
            arguments,
            env=environment,
            cwd=folder,
            stdin=source,
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    alarm = threading.Timer(MOST_SECONDS, end_group, (process.pid,))
    alarm.start()
    try:
        _, status, used = os.wait4(process.pid, 0)
        clock = time.perf_counter() - began
    except BaseException:  # this script is stopped: nothing is left running
        end_group(process.pid)
        process.wait()
        raise
    finally:
        alarm.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    problem = f"exit code {process.returncode}" if process.returncode else ""
    if end_group(process.pid):
        problem = problem or "it left processes behind, whose time is not known"
    return Run(used.ru_utime + used.ru_stime, clock, problem), telling.read_text(errors="replace")


def end_group(leader: int) -> bool:
    """End a process and what it started; whether any of them was still there."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)
        return True
    return False


def measure(row: Row, place: Checkout, folder: Path, arguments: Sequence[str]) -> Run:
    """One run of a row in a checkout, its caches in `folder`."""
    environment = place.environment(folder)
    run, told = run_process([place.interpreter, *arguments], environment, folder, row.typed)
    if run.problem or not re.search(row.answer, told):
        last = (told.strip().splitlines() or ["nothing was told"])[-1]
        return Run(run.cpu, run.clock, f"{run.problem or 'no answer'}: {last}")
    return run


def measure_round(row: Row, place: Checkout) -> list[Run]:
    """What one round gives: one run from nothing, or several after the cache was filled."""
    with tempfile.TemporaryDirectory(prefix="noughts-cold-") as folder:
        home = Path(folder)
        if row.filled_by is None:
            return [measure(row, place, home, row.arguments)]
        fill = Row(row.name, row.filled_by)
        filled = measure(fill, place, home, row.filled_by)
        if filled.problem:
            return [filled]
        return [measure(row, place, home, row.arguments) for _ in range(WARM_RUNS)]


def measure_all(
    rows: Sequence[Row], places: Mapping[str, Checkout], rounds: int
) -> dict[str, dict[str, Runs]]:
    """Every row in every checkout, round after round; who comes first changes with the round."""
    found = {row.name: {side: Runs() for side in places} for row in rows}
    for number in range(rounds):
        sides = list(places) if number % 2 == 0 else list(reversed(places))
        for row in rows:
            for side in sides:
                for run in measure_round(row, places[side]):
                    found[row.name][side].add(run)
                    told = run.problem or f"{run.cpu:.2f} s of processor, {run.clock:.2f} s"
                    print(f"  {row.name}, {side}: {told}", file=sys.stderr, flush=True)
    return found


def seconds(values: Sequence[float]) -> str:
    return f"{median(values):.2f}" if values else "–"


def ratio(over: Sequence[float], under: Sequence[float]) -> str:
    return f"{median(over) / median(under):.2f}" if over and under else "–"


def table(found: Mapping[str, Mapping[str, Runs]], sides: Sequence[str]) -> str:
    """The rows as text: seconds in each checkout, after over before, and over the yardstick."""
    is_pair = len(sides) == 2
    head = ["from an empty cache, s"]
    for side in sides:
        head += [f"{side} CPU", "clock"]
    head += (["CPU ratio", "clock ratio"] if is_pair else []) + [f"× {YARDSTICK}"]
    lines = [head]
    for name, runs in found.items():
        line = [name]
        for side in sides:
            line += [seconds(runs[side].cpu), seconds(runs[side].clock)]
        last, first = runs[sides[-1]], runs[sides[0]]
        if is_pair:
            line += [ratio(last.cpu, first.cpu), ratio(last.clock, first.clock)]
        lines.append([*line, ratio(last.cpu, found[YARDSTICK][sides[-1]].cpu)])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            word.rjust(width) if i else word.ljust(width)
            for i, (word, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )


def chosen_rows(words: Sequence[str]) -> list[Row]:
    """The rows that have one of the words in their names, and always the yardstick."""
    rows = [row for row in ROWS if not words or any(word in row.name for word in words)]
    if not rows:
        raise ValueError(f"No row has {' or '.join(words)}; there are: {names(ROWS)}.")
    return [*(row for row in rows if row.name != YARDSTICK), ROWS[-1]]


def names(rows: Sequence[Row]) -> str:
    return "; ".join(row.name for row in rows)


def save(path: Path, found: Mapping[str, Mapping[str, Runs]], about: Mapping[str, str]) -> None:
    rows = {row.name: row for row in ROWS}
    data = [
        {
            "row": name,
            "arguments": rows[name].arguments,
            "warm": rows[name].is_warm,
            **{side: asdict(taken) for side, taken in runs.items()},
        }
        for name, runs in found.items()
    ]
    path.write_text(json.dumps({"about": about, "rows": data}, indent=2, ensure_ascii=False))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--before", metavar="CHECKOUT", help="to compare with")
    parser.add_argument("--after", metavar="CHECKOUT", default=str(HERE), help="(this one)")
    parser.add_argument("--rows", nargs="+", default=[], metavar="WORD", help="of their names")
    parser.add_argument("--rounds", type=int, default=3, help="of all rows (3)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every run, too")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1.")
    try:
        rows = chosen_rows(options.rows)
        places = {"before": checkout(options.before)} if options.before else {}
        places["after"] = checkout(options.after)
    except ValueError as error:
        parser.error(str(error))
    about = {side: place.commit for side, place in places.items()}
    about |= {"python": platform.python_version(), "cores": str(os.cpu_count())}
    about["load"] = f"{os.getloadavg()[0]:.2f}"
    print("  ".join(f"{name} {word}" for name, word in about.items()))
    print(f"Medians of {options.rounds} rounds, {WARM_RUNS} runs of a warm row in each.\n")
    for place in places.values():
        place.write_bytecode()
    clean_up_when_stopped()
    found = measure_all(rows, places, options.rounds)
    print(table(found, list(places)))
    if options.json:
        save(options.json, found, about)
    problems = [
        f"{name}, {side}: {problem}"
        for name, runs in found.items()
        for side, taken in runs.items()
        for problem in taken.problems
    ]
    print("".join(f"\nFAILED {problem}" for problem in problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
