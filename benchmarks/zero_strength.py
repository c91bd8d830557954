"""How strong `zero` is on Ultimate against pure Monte-Carlo tree search, in five matches.

    python benchmarks/zero_strength.py --out FOLDER [--only 100 600 policy 50ms 1s] [--run FOLDER]
                                       [--jobs 2] [--seed 1] [--games N]
    python benchmarks/zero_strength.py --out FOLDER --opponents     which constant suits UCT

Every pair of games starts from four random plies, played from both sides. Each match has a run
folder with a line per finished game, so a benchmark that was stopped goes on. The table goes to the
terminal and to FOLDER/strength.json. Matches by the clock should have a core for each job.
"""

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import noughts
from noughts.arena.result import MatchResult

OPENING = 4  # random plies
BEST_EXPLORATION = 0.7
OTHER_EXPLORATIONS = (0.5, 1.0)


@dataclass(frozen=True)
class Test:
    """One match, and the score that it has to show."""

    name: str
    zero: str
    uct: str
    games: int
    goal: float


TESTS = (
    Test("100", "simulations=100", "simulations=600", 400, 0.97),
    Test("600", "simulations=600", "simulations=10000", 400, 0.93),
    Test("policy", "simulations=1", "simulations=600", 400, 0.50),
    Test("50ms", "time=0.05", "time=0.05", 400, 0.95),
    Test("1s", "time=1", "time=1", 100, 0.93),
)


def play(test: Test, folder: Path, options: argparse.Namespace) -> MatchResult:
    """The match of one test, or the rest of it."""
    run = f",run={options.run}" if options.run else ""
    return noughts.match(
        "ultimate",
        f"zero:{test.zero}{run}",
        f"uct:{test.uct},exploration={BEST_EXPLORATION}",
        games=options.games or test.games,
        seed=options.seed,
        openings=OPENING,
        jobs=options.jobs,
        folder=folder / test.name,
    )


def compare_explorations(folder: Path, options: argparse.Namespace) -> None:
    """UCT with the constant of these matches against UCT with others."""
    for other in OTHER_EXPLORATIONS:
        result = noughts.match(
            "ultimate",
            f"uct:simulations=2000,exploration={BEST_EXPLORATION}",
            f"uct:simulations=2000,exploration={other}",
            games=options.games or 400,
            seed=options.seed,
            openings=OPENING,
            jobs=options.jobs,
            folder=folder / f"uct-{other}",
        )
        low, high = result.score_interval
        print(f"{result}  {result.score:.3f} [{low:.3f}, {high:.3f}]", flush=True)


def row(test: Test, result: MatchResult) -> dict[str, Any]:
    """A line of the table, as data."""
    low, high = result.score_interval
    mine, theirs = result.efforts
    return {
        "test": test.name, "zero": result.first, "uct": result.second, "games": result.games,
        "seed": result.seed, "wins": result.wins, "draws": result.draws, "losses": result.losses,
        "score": result.score, "interval": [low, high], "goal": test.goal,
        "zero_ms": 1000 * mine.seconds, "uct_ms": 1000 * theirs.seconds,
        "zero_simulations": mine.nodes, "uct_simulations": theirs.nodes,
    }  # fmt: skip


def main() -> int:
    """Play the matches that were asked for; print and keep the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--only", nargs="*", default=[test.name for test in TESTS])
    parser.add_argument("--run", help="a run or checkpoint; else the shipped network")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, help="instead of each test's own number")
    parser.add_argument("--opponents", action="store_true")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.opponents:
        compare_explorations(options.out, options)
        return 0
    path = options.out / "strength.json"
    rows = json.loads(path.read_text()) if path.exists() else {}
    print(f"{'test':<8}{'won':>6}{'drawn':>6}{'lost':>6}{'score':>8}  95% interval   goal")
    for test in (test for test in TESTS if test.name in options.only):
        found = row(test, play(test, options.out, options))
        rows[test.name] = found
        path.write_text(json.dumps(rows, indent=1) + "\n")
        low, high = found["interval"]
        print(
            f"{test.name:<8}{found['wins']:>6}{found['draws']:>6}{found['losses']:>6}"
            f"{found['score']:>8.3f}  [{low:.3f}, {high:.3f}]  {test.goal:.2f}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
