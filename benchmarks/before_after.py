"""Two checkouts against each other, row by row: is anything slower than it was?

    python benchmarks/before_after.py BEFORE AFTER [--rounds 21] [--rows TEXT …]
    python benchmarks/before_after.py BEFORE BEFORE        # the same against itself: the noise

Each checkout has a process of its own, with its own interpreter, that stays warm. A row is a fixed
amount of work, of some 50 ms or more where that can be had; in every round both do it, in turn
first, and its CPU seconds are compared. What is told is the median of the ratios before/after
(above 1: faster now) with a 95% interval from the order statistics of the rounds (Conover,
Practical Nonparametric Statistics, 3.2).

Work is named through the public API only, so that any two versions can be compared.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
from pathlib import Path

PLAYOUTS = {
    "3x3": 1_200_000,
    "3x3:flip=0.1": 300_000,
    "3x3:fade=0.05": 100_000,
    "3x3x3": 500_000,
    "qubic": 200_000,
    "15x15:k=5": 15_000,
    "ultimate": 60_000,
    "ultimate:flip=0.1": 40_000,
}
PERFT = {"3x3": 9, "4x4": 7, "3x3x3": 5, "ultimate": 6}
MOVES = (
    ("3x3", "uct:simulations=60000"),
    ("4x4", "uct:simulations=60000"),
    ("4x4:flip=0.1", "uct:simulations=60000"),
    ("3x3:fade=0.05", "uct:simulations=40000"),
    ("qubic", "uct:simulations=40000"),
    ("ultimate", "uct:simulations=40000"),
    ("4x4", "flat:playouts=30000"),
    ("ultimate", "flat:playouts=1000"),
    ("3x3", "minimax"),
    ("4x4:misere", "alphabeta:depth=10"),
    ("5x5:k=4", "alphabeta:depth=7"),
    ("qubic", "alphabeta:depth=3"),
    ("ultimate", "alphabeta:depth=8"),
    ("3x3:flip=0.1", "alphabeta:depth=7"),
    ("ultimate", "zero:simulations=10000"),
    ("qubic", "zero:simulations=200"),
)
STEPS = {"3x3": 600, "3x3:flip=0.1": 400, "qubic": 60, "ultimate": 60}
SOLVES = ("4x3", "4x3:flip=0.1", "3x3:fade=0.05")
LEARNERS = (
    ("3x3", "table", 60_000),
    ("3x3", "td-table", 60_000),
    ("3x3", "q-table", 30_000),
    ("3x3x3", "td-quadratic", 600),
    ("3x3x3", "q-quadratic", 300),
)

WORKER = """
import json, sys, time
import numpy as np
import noughts
from noughts.games import perft, playouts

PLAYOUTS, PERFT, MOVES, STEPS, SOLVES, LEARNERS = json.loads(sys.argv[1])

def move(game, agent):
    noughts.agent(agent).choose(noughts.game(game).start(), np.random.default_rng(1))

def steps(game, count):
    from noughts.adapters.batch import Batch
    batch = Batch(noughts.game(game), 1024, 1)
    sides = np.ones(1024, np.int8)
    _, masks = batch.begin(sides, answers=True)
    for _ in range(count):
        ended = batch.results != 0
        _, _, masks = batch.step(masks.argmax(axis=1), ended, sides, answers=True)

def learn(game, name, games):
    try:
        from noughts.learn.frame.registry import learner
    except ImportError:  # where it stood before
        from noughts.learn.registry import learner
    chosen, played = learner(name), noughts.game(game)
    chosen.game = played
    chosen.begin(played, "self", 1)
    chosen.learn(games)

ROWS = {
    **{
        f"playouts {g}": (lambda g=g, n=n: playouts(g, n, seed=1, threads=1))
        for g, n in PLAYOUTS.items()
    },
    **{f"perft {g} {d}": (lambda g=g, d=d: perft(g, d, threads=1)) for g, d in PERFT.items()},
    **{f"{a} on {g}": (lambda g=g, a=a: move(g, a)) for g, a in MOVES},
    **{f"steps {g}": (lambda g=g, n=n: steps(g, n)) for g, n in STEPS.items()},
    **{f"solve {g}": (lambda g=g: noughts.solve(g, threads=1)) for g in SOLVES},
    **{f"learn {g} {n}": (lambda g=g, n=n, c=c: learn(g, n, c)) for g, n, c in LEARNERS},
}
warm = set()
for line in sys.stdin:
    name = line.strip()
    if name not in warm:
        ROWS[name]()
        warm.add(name)
    began = time.process_time()
    ROWS[name]()
    print(time.process_time() - began, flush=True)
"""


def row_names() -> list[str]:
    """The rows, in the order of the table."""
    return [
        *(f"playouts {game}" for game in PLAYOUTS),
        *(f"perft {game} {depth}" for game, depth in PERFT.items()),
        *(f"{agent} on {game}" for game, agent in MOVES),
        *(f"steps {game}" for game in STEPS),
        *(f"solve {game}" for game in SOLVES),
        *(f"learn {game} {name}" for game, name, _ in LEARNERS),
    ]


class Checkout:
    """A warm process of one version."""

    def __init__(self, folder: Path) -> None:
        own = folder / ".venv" / "bin" / "python"
        python = str(own) if own.exists() else sys.executable
        self.process = subprocess.Popen(
            [python, "-c", WORKER, json.dumps([PLAYOUTS, PERFT, MOVES, STEPS, SOLVES, LEARNERS])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(folder / "src"), "NOUGHTS_JIT": "always"},
        )

    def seconds(self, row: str) -> float:
        """CPU seconds of one round of a row."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(row + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def interval(ratios: list[float]) -> tuple[float, float, float]:
    """(low, median, high): the median of the rounds and its 95% interval."""
    ordered, n = sorted(ratios), len(ratios)
    chance, cut = 0.0, 0
    for k in range(n // 2):
        chance += math.comb(n, k) / 2**n
        if chance > 0.025:
            break
        cut = k + 1
    cut = max(cut - 1, 0)
    return ordered[cut], statistics.median(ordered), ordered[n - 1 - cut]


def compare(before: Checkout, after: Checkout, row: str, rounds: int) -> list[float]:
    """The ratios before/after of all rounds."""
    ratios = []
    for index in range(rounds):
        if index % 2:
            second = after.seconds(row)
            first = before.seconds(row)
        else:
            first = before.seconds(row)
            second = after.seconds(row)
        ratios.append(first / second)
    return ratios


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--rows", nargs="+", default=[""], help="rows that hold one of these texts")
    options = parser.parse_args()
    before, after = Checkout(options.before.resolve()), Checkout(options.after.resolve())
    logs = []
    print(f"{'row':40}{'median':>8}   95% interval   (above 1: faster now)")
    try:
        for row in row_names():
            if not any(text in row for text in options.rows):
                continue
            low, median, high = interval(compare(before, after, row, options.rounds))
            logs.append(math.log(median))
            print(f"{row:40}{median:8.3f}   {low:.3f} to {high:.3f}", flush=True)
    finally:
        before.close()
        after.close()
    print(f"{'geometric mean':40}{math.exp(statistics.fmean(logs)):8.3f}")


if __name__ == "__main__":
    main()
