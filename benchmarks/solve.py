"""Exact solving, measured: risky 3×3 against two ways to write it oneself, and boards beyond.

    python benchmarks/solve.py          a table; exit code 1 when a goal is missed
    python benchmarks/solve.py --big    5x4 as well: 7 billion states, some minutes, 16 GB
    python benchmarks/solve.py --json   the same for machines

The world is R1's *stochastic* one. The rivals are in `value_iteration.py`. All three solve it from
the vector of risks to the value of the empty board in one thread, with everything compiled and
imported before. What is taken is the processor's time, so that other work on the machine counts
little, as the median over rounds in which all take turns; ours is so short that a round repeats it.

The larger boards are solved once each in a process of its own, whose peak memory the system
reports, after a tiny board has loaded the kernels; their time is that of the clock on the wall.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from statistics import median

from value_iteration import solve_with_dicts, solve_with_numpy

import noughts
from noughts.games.risk import STOCHASTIC

ROOT = 2991541 / 25000000  # the value of the empty board
REPEATS = 100
MB = 1e6


@dataclass(frozen=True)
class Row:
    """One thing measured, and the goal it has."""

    what: str
    measured: float
    goal: float
    unit: str
    at_least: bool

    @property
    def is_met(self) -> bool:
        return self.measured >= self.goal if self.at_least else self.measured <= self.goal


def solve_ours() -> float:
    """The same as the rivals do, with this package."""
    game = noughts.game("3x3:flip=stochastic")
    value = 0.0
    for _ in range(REPEATS):
        solution = noughts.solve(game, threads=1)
        value = solution.value(game.start())
    return value


def processor_time(work: Callable[[], float]) -> float:
    began = time.process_time()
    value = work()
    seconds = time.process_time() - began
    if abs(value - ROOT) > 1e-12:
        raise SystemExit(f"The value of the empty board is {ROOT}, not {value}.")
    return seconds


def measure_rivals(rounds: int) -> tuple[list[Row], dict[str, float]]:
    """How many times longer each rival takes, and the seconds of all three."""
    solve_ours()
    solve_with_numpy(STOCHASTIC)
    times = []
    for _ in range(rounds):
        ours = processor_time(solve_ours) / REPEATS
        arrays = processor_time(lambda: solve_with_numpy(STOCHASTIC))
        dicts = processor_time(lambda: solve_with_dicts(STOCHASTIC))
        times.append((ours, arrays, dicts))
    names = ("risky 3x3", "NumPy value iteration", "dict value iteration")
    seconds = {
        name: median(column) for name, column in zip(names, zip(*times, strict=True), strict=True)
    }
    rows = [
        Row(
            "risky 3x3: times as fast as a dict value iteration",
            median(dicts / ours for ours, _, dicts in times),
            1000,
            "x",
            at_least=True,
        ),
        Row(
            "risky 3x3: times as fast as a NumPy value iteration",
            median(arrays / ours for ours, arrays, _ in times),
            100,
            "x",
            at_least=True,
        ),
    ]
    return rows, seconds


def solve_here(spec: str) -> None:
    """Solve one board in this process and print what it took."""
    noughts.solve("2x2:flip=0.1", dtype="float32")
    solution = noughts.solve(spec, dtype="float32")
    # The system counts in units of 1024 bytes, but in bytes on a Mac.
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    facts = {"seconds": solution.seconds, "peak": peak, "states": solution.states}
    print(json.dumps({**facts, "running_boards": solution.running_boards}))


def solve_apart(spec: str, runs: int) -> dict[str, float]:
    """Solve a board in processes of their own: the median time, the largest peak."""
    command = [sys.executable, __file__, "--only", spec]
    done = []
    for _ in range(runs):
        printed = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
        done.append(json.loads(printed))
    return {
        **done[0],
        "seconds": median(run["seconds"] for run in done),
        "peak": max(run["peak"] for run in done),
    }


def measure_boards(rounds: int, is_big: bool) -> list[Row]:
    """Time and memory of boards that R1 could not run."""
    four = solve_apart("4x4:flip=0.1", rounds)
    if (four["states"], four["running_boards"]) != (86_093_442, 33_801_749):
        raise SystemExit(f"4x4 has 86,093,442 states, not {four['states']:,}.")
    name = "risky 4x4, 86,093,442 states"
    rows = [
        Row(f"{name}: time on {os.cpu_count()} cores", four["seconds"], 1.5, "s", at_least=False),
        Row(f"{name}: peak memory", four["peak"] / MB, 700, "MB", at_least=False),
    ]
    if is_big:
        five = solve_apart("5x4:flip=0.1", 1)
        name = f"risky 5x4, {five['states']:,} states"
        rows += [
            Row(f"{name}: time", five["seconds"], float("inf"), "s", at_least=False),
            Row(f"{name}: peak memory", five["peak"] / MB, 16_000, "MB", at_least=False),
        ]
    return rows


def table(rows: list[Row]) -> str:
    """The rows as aligned text."""
    width = max(len(row.what) for row in rows)
    lines = [f"{'':{width}}  {'measured':>12}  {'goal':>12}  met"]
    for row in rows:
        goal = f"{'>=' if row.at_least else '<='} {row.goal:,g} {row.unit}"
        measured = f"{row.measured:,.{2 if row.unit == 's' else 0}f} {row.unit}"
        lines.append(
            f"{row.what:{width}}  {measured:>12}  {goal:>12}  {'yes' if row.is_met else 'no'}"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description="Exact solving, measured.")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each (5)")
    parser.add_argument("--big", action="store_true", help="solve 5x4 too")
    parser.add_argument("--json", action="store_true", help="print machine-readable output")
    parser.add_argument("--only", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1.")
    if options.only:
        solve_here(options.only)
        return 0
    rows, seconds = measure_rivals(options.rounds)
    rows += measure_boards(options.rounds, options.big)
    about = {name: version(name) for name in ("noughts", "numba", "numpy")}
    about = {"python": platform.python_version(), **about}
    if options.json:
        found = [{**asdict(row), "is_met": row.is_met} for row in rows]
        print(json.dumps({"versions": about, "seconds": seconds, "rows": found}, indent=2))
    else:
        print("  ".join(f"{name} {number}" for name, number in about.items()))
        print(", ".join(f"{name} {1e3 * taken:,.3f} ms" for name, taken in seconds.items()))
        print(f"Medians of {options.rounds} rounds.\n")
        print(table(rows))
    return 0 if all(row.is_met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
