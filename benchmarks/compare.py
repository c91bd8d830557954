"""One table, one run: this package and what a user would take otherwise, on the same work.

    python benchmarks/compare.py            the whole table, about five minutes
    python benchmarks/compare.py --quick    the same rows from runs of a moment
    python benchmarks/compare.py --contests the contests only: no imports, sizes or growth
    python benchmarks/compare.py --json     for machines

Every row is one piece of work and the median over rounds in which all contestants take turns, with
half the range over the median as its spread. Solving, playouts, searches and steps take the
processor's time of one thread; Pgx and mctx, whose compiler spreads its work over the cores as it
likes, take the time on the wall. Everything is imported and compiled before the clock starts, and
whoever is not installed is named below the table (`make .venv/.installed-bench` brings them all).

What each contestant does is written down in `peers.py`; that page says where the work is not quite
the same.
"""

import argparse
import json
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from statistics import median

import peers

import noughts

Run = Callable[[], float]  # does the work once and gives the measure

PACKAGES = {
    "noughts": "noughts",
    "OpenSpiel": "open_spiel",
    "Pgx": "pgx",
    "mctx": "mctx",
    "easyAI": "easyAI",
    "PettingZoo": "pettingzoo",
    "QuantEcon": "quantecon",
}
IMPORTS = {
    "noughts": "noughts",
    "OpenSpiel": "pyspiel",
    "Pgx": "pgx",
    "mctx": "mctx",
    "easyAI": "easyAI",
    "PettingZoo": "pettingzoo",
    "QuantEcon": "quantecon",
}


@dataclass(frozen=True)
class Row:
    """What one contestant did. More is better where `unit` ends with /s."""

    work: str
    who: str
    measured: float
    spread: float
    unit: str
    times: float  # as good as ours is, of the same work


def spread(values: list[float]) -> float:
    """Half the range over the median."""
    middle = median(values)
    return (max(values) - min(values)) / 2 / middle if middle else 0.0


def contest(work: str, unit: str, runs: dict[str, Run], rounds: int) -> list[Row]:
    """All contestants in turn, round after round."""
    for run in runs.values():
        run()  # compiles and warms up
    found: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            found[name].append(run())
    ours = median(found["noughts"])
    is_rate = unit.endswith("/s")
    rows = []
    for name, values in found.items():
        middle = median(values)
        times = ours / middle if is_rate else middle / ours
        rows.append(Row(work, name, middle, spread(values), unit, times))
    return rows


def measured_contests(rounds: int, quick: bool) -> list[Row]:
    """Every contest for which at least one peer is installed."""
    rows = []
    for work, unit, make in peers.CONTESTS:
        runs = make(0.02 if quick else 0.3)
        rows += contest(work, unit, runs, rounds)
    return rows


def import_rows(rounds: int) -> list[Row]:
    """Seconds from an empty interpreter to the name being there, in fresh processes."""
    names = {who: module for who, module in IMPORTS.items() if is_installed(PACKAGES[who])}
    runs: dict[str, Run] = {
        who: (lambda module=module: timed_import(module)) for who, module in names.items()
    }
    runs["noughts and its kernels"] = lambda: timed_import("noughts.games.compiled")
    return contest("import", "s", runs, rounds)


def timed_import(module: str) -> float:
    """The processor's seconds of `import module`, the interpreter's own start taken off."""
    code = f"import time; t = time.process_time(); import {module}; print(time.process_time() - t)"
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True
    )
    return float(ran.stdout.split()[-1])


def size_rows() -> list[Row]:
    """Megabytes of the package itself and of everything that it requires."""
    found = {who: installed_bytes(name) for who, name in PACKAGES.items() if is_installed(name)}
    ours = found["noughts"]
    return [
        Row("install size with dependencies", who, size / 1e6, 0.0, "MB", size / ours)
        for who, size in found.items()
    ]


def is_installed(package: str) -> bool:
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True


def installed_bytes(package: str) -> int:
    """The files of a distribution and of those it requires without extras."""
    from packaging.requirements import Requirement

    waiting, seen, total = [package], set(), 0
    while waiting:
        name = waiting.pop()
        key = name.lower().replace("_", "-")
        if key in seen or not is_installed(name):
            continue
        seen.add(key)
        found = distribution(name)
        total += total_size(Path(str(found.locate_file(file))) for file in found.files or ())
        for text in found.requires or ():
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting.append(requirement.name)
    if package == "noughts":  # an editable install lists no sources
        sources = Path(noughts.__file__).parent.rglob("*")
        total += total_size(path for path in sources if path.suffix != ".pyc")
    return total


def total_size(paths: Iterable[Path]) -> int:
    """The bytes of all these files."""
    return sum(path.stat().st_size for path in paths if path.is_file())


@dataclass(frozen=True)
class Growth:
    """How our time grows with the work."""

    what: str
    size: int
    seconds: float
    spread: float

    @property
    def rate(self) -> float:
        return self.size / self.seconds


def solve_growth(rounds: int, quick: bool) -> list[Growth]:
    """Risky boards from 3×3 to 5×4, which has 7 billion states and is solved once."""
    boards = ["3x3", "4x3", "7x2", "5x3", "4x4"] if not quick else ["3x3", "4x3"]
    found = []
    noughts.solve("2x2:flip=0.1", dtype="float32")
    for board in boards:
        noughts.solve(f"{board}:flip=0.1", dtype="float32")
        times, states = [], 0
        for _ in range(rounds):
            solution = noughts.solve(f"{board}:flip=0.1", dtype="float32")
            times.append(solution.seconds)
            states = solution.states
        found.append(Growth(f"solve {board}:flip=0.1", states, median(times), spread(times)))
    return found


def largest_growth() -> list[Growth]:
    """5×4, once, where the memory allows it."""
    from noughts.solve.exact import plan_for

    game = noughts.game("5x4:flip=0.1")
    plan = plan_for(game, None, "float32")
    if plan.needed > plan.free:
        return []
    solution = noughts.solve(game, dtype="float32")
    return [Growth("solve 5x4:flip=0.1, once", solution.states, solution.seconds, 0.0)]


def search_growth(rounds: int, quick: bool) -> list[Growth]:
    """One UCT move of Ultimate with more and more simulations."""
    import numpy as np

    start = noughts.game("ultimate").start()
    found = []
    for simulations in (100, 1_000) if quick else (100, 1_000, 10_000, 100_000, 1_000_000):
        agent = noughts.agent(f"uct:simulations={simulations}")
        agent.choose(start, np.random.default_rng(0))
        times = []
        for seed in range(rounds):
            agent.reset()
            began = time.process_time()
            agent.choose(start, np.random.default_rng(seed))
            times.append(time.process_time() - began)
        found.append(Growth("uct move of ultimate", simulations, median(times), spread(times)))
    return found


def number(value: float) -> str:
    """Three digits that count."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value >= 0.001 else f"{value:.2e}"


def aligned(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A table as text: words to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    return "\n".join(
        "  ".join(
            word.ljust(width) if (i < 2 and len(head) > 5) or i == 0 else word.rjust(width)
            for i, (word, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (head, *rows)
    )


def comparison(rows: list[Row]) -> str:
    """The table of contests."""
    cells = [
        (
            row.work,
            row.who,
            number(row.measured),
            row.unit,
            f"{row.spread:.0%}",
            "" if row.who == "noughts" else f"{number(row.times)} x",
        )
        for row in rows
    ]
    return aligned(("work", "who", "median", "unit", "±", "ours is better by"), cells)


def growth(rows: list[Growth]) -> str:
    """The table of growth."""
    cells = [
        (row.what, f"{row.size:,}", number(row.seconds), f"{row.spread:.0%}", number(row.rate))
        for row in rows
    ]
    return aligned(("our work", "size", "seconds", "±", "per second"), cells)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="runs of each (5)")
    parser.add_argument("--quick", action="store_true", help="runs of a moment, small boards")
    parser.add_argument("--contests", action="store_true", help="leave out all but the contests")
    parser.add_argument("--json", action="store_true", help="print machine-readable output")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1.")
    rows = measured_contests(options.rounds, options.quick)
    grown = []
    if not options.contests:
        rows += import_rows(options.rounds) + size_rows()
        grown += solve_growth(options.rounds, options.quick)
        grown += [] if options.quick else largest_growth()
        grown += search_growth(options.rounds, options.quick)
    about = {"python": platform.python_version()}
    about |= {name: version(name) for name in PACKAGES.values() if is_installed(name)}
    missing = [who for who, name in PACKAGES.items() if not is_installed(name)]
    if options.json:
        data = {"versions": about, "missing": missing, "rounds": options.rounds}
        tables = {"rows": [asdict(r) for r in rows], "growth": [asdict(g) for g in grown]}
        print(json.dumps(data | tables, indent=2))
        return 0
    print("  ".join(f"{name} {found}" for name, found in about.items()))
    print(f"Medians of {options.rounds} rounds; ± is half the range over the median.\n")
    print(comparison(rows))
    if grown:
        print(f"\n{growth(grown)}")
    if missing:
        print(f"\nNot installed, so not compared: {', '.join(missing)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
