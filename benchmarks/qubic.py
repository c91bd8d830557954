"""`optimal` as X in Qubic against everybody: every game must be won.

    python benchmarks/qubic.py [--games 200] [--opponents random uct:simulations=20000 …] [--seed 1]

Opponents take turns; the first cell is drawn among the sixteen that are alike. The exit code is 1
if a game is not won.
"""

import argparse
import sys
import time
from collections import Counter

import numpy as np

import noughts

OPPONENTS = ("uct:simulations=20000", "random", "alphabeta:time=0.5")


def play_game(x: noughts.Agent, o: noughts.Agent, rng: np.random.Generator) -> noughts.Position:
    """One game to its end."""
    position: noughts.Position = noughts.game("qubic").start()
    x.reset()
    o.reset()
    while position.result is None:
        mover = x if position.turn == "X" else o
        position = position.play(mover.choose(position, rng))
    return position


def main() -> int:
    """Print one row per opponent."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--opponents", nargs="+", default=OPPONENTS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    player = noughts.agent("optimal:ties=uniform")
    opponents = [noughts.agent(spec) for spec in options.opponents]
    results: dict[str, Counter[str]] = {str(o): Counter() for o in opponents}
    marks: dict[str, list[int]] = {str(o): [] for o in opponents}
    began, cpu_began = time.perf_counter(), time.process_time()
    for number in range(options.games):
        opponent = opponents[number % len(opponents)]
        end = play_game(player, opponent, np.random.default_rng([options.seed, number]))
        results[str(opponent)][str(end.result)] += 1
        marks[str(opponent)].append(64 - end.board.count("."))
    print(f"{'opponent':<28}{'games':>7}{'won':>6}{'drawn':>7}{'lost':>6}{'marks':>8}{'most':>6}")
    for name, found in results.items():
        print(
            f"{name:<28}{found.total():>7}{found['X']:>6}{found['draw']:>7}{found['O']:>6}"
            f"{np.mean(marks[name]):>8.1f}{max(marks[name]):>6}"
        )
    spent = f"{time.perf_counter() - began:.0f} s, {time.process_time() - cpu_began:.0f} s of CPU"
    won = sum(found["X"] for found in results.values())
    print(f"{won} of {options.games} won in {spent}")
    return 0 if won == options.games else 1


if __name__ == "__main__":
    sys.exit(main())
