"""How many free cells of Ultimate the alpha-beta search solves exactly in one second.

    python benchmarks/ultimate_endgames.py [--positions 20] [--seconds 1]

Positions come from random play (seed 1), stopped at the first one with so many free cells.
"""

import argparse
import sys
import time
from statistics import median

import numpy as np

import noughts
from noughts.games import UltimatePosition

SIZES = (12, 16, 20, 24, 26, 28, 30, 32)


def free_cells(position: UltimatePosition) -> int:
    """How many cells take a mark, forced or not."""
    return sum(position.free_cells(mini).bit_count() for mini in range(9))


def positions(free: int, count: int, rng: np.random.Generator) -> list[UltimatePosition]:
    """Running positions with exactly so many free cells."""
    found: list[UltimatePosition] = []
    while len(found) < count:
        position = noughts.game("ultimate").start()
        while position.result is None and free_cells(position) > free:
            position = position.play(int(rng.choice(position.moves)))
        if position.result is None and free_cells(position) == free:
            found.append(position)
    return found


def main() -> int:
    """Print one row per size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=1.0)
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    agent = noughts.agent(f"alphabeta:time={options.seconds:g}")
    agent.choose(positions(8, 1, rng)[0], rng)  # compiles
    print(f"{'free cells':>10}{'solved':>10}{'median ms':>12}{'slowest ms':>12}")
    for free in SIZES:
        times, solved = [], 0
        for position in positions(free, options.positions, rng):
            agent.reset()
            began = time.perf_counter()
            agent.choose(position, rng)
            times.append(1000 * (time.perf_counter() - began))
            solved += agent.last is not None and agent.last.is_exact
        share = f"{solved}/{options.positions}"
        print(f"{free:>10}{share:>10}{median(times):>12.1f}{max(times):>12.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
