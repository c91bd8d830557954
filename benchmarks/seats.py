"""Boards a second: a game of three players against the two-player sweep, in one run.

    python benchmarks/seats.py          a table; about a minute
    python benchmarks/seats.py --json   the same for machines

Both go once over all boards of 3×4 with three in a row: 3^12 of two players, with one number for
each, and 4^12 of three, with six numbers: the odds of each seat and what it can guarantee. What is
taken is the processor's time, of one thread, as the median of rounds in which both take turns.
"""

import argparse
import json
import sys
import time
from statistics import median

import numpy as np

import noughts
from noughts.solve.seats.exact import sweep_compiled

TWO, THREE = "3x4:k=3", "3x4:k=3,players=3"
RUNNING = 8_937_805  # boards of three players
REPEATS = 20  # of the two-player sweep, which is short


def measure(spec: str, repeats: int) -> tuple[float, int]:
    """(processor seconds of one solve, running boards)."""
    began, running = time.process_time(), 0
    for _ in range(repeats):
        running = noughts.solve(spec, threads=1, dtype="float64").running_boards
    return (time.process_time() - began) / repeats, running


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="runs of each (3)")
    parser.add_argument("--json", action="store_true", help="print machine-readable output")
    options = parser.parse_args()
    noughts.solve("2x2", dtype="float64")  # compiles, or loads what was compiled
    game = noughts.game("2x2:players=3")
    sweep_compiled(game, "lowest", np.zeros((1, 4**4, 3)), np.zeros((1, 4**4, 3)))
    taken: dict[str, list[float]] = {TWO: [], THREE: []}
    boards = {}
    for _ in range(options.rounds):
        for spec, repeats in ((TWO, REPEATS), (THREE, 1)):
            seconds, boards[spec] = measure(spec, repeats)
            taken[spec].append(seconds)
    if boards[THREE] != RUNNING:
        raise SystemExit(f"{THREE} has {RUNNING:,} running boards, not {boards[THREE]:,}.")
    rows = [
        {"game": spec, "running boards": boards[spec], "seconds": median(taken[spec]),
         "boards a second": boards[spec] / median(taken[spec])}
        for spec in (TWO, THREE)
    ]  # fmt: skip
    if options.json:
        print(json.dumps(rows, indent=2))
        return 0
    for row in rows:
        print(
            f"{row['game']:18} {row['running boards']:>10,} running boards "
            f"{row['seconds']:8.3f} s {row['boards a second']:>14,.0f} boards/s"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
