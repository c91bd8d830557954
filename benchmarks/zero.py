"""How fast `zero` thinks on Ultimate: evaluations per second on one core, milliseconds per move.

    python benchmarks/zero.py [--run FOLDER] [--repeats 5]

Positions come from random play (seed 1); the best of several repeats counts. The last rows are
self-play at 200 simulations a move, and a move through the agent with 600 simulations.
"""

import argparse
import sys
import time
from statistics import median

import numpy as np

import noughts
from noughts.games.ultimate import UltimatePosition
from noughts.kernels.zero.folded import FoldedNet
from noughts.learn.zero.agent import learner_of
from noughts.learn.zero.folded.configurations import board_tables
from noughts.learn.zero.folded.files import shipped_net
from noughts.learn.zero.folded.learner import Settings
from noughts.learn.zero.folded.puct_tree import self_play
from noughts.learn.zero.folded.search_tree import ZeroTree

PLIES = (4, 10, 16, 22, 28)
SIMULATIONS = (600, 20_000, 200_000)
NODES = 8_000_000


def positions() -> list[UltimatePosition]:
    """One running position after each number of random plies."""
    rng, found = np.random.default_rng(1), []
    for plies in PLIES:
        position = noughts.game("ultimate").start()
        for _ in range(plies):
            position = position.play(int(rng.choice(position.open_cells)))
        assert isinstance(position, UltimatePosition)
        found.append(position)
    return found


def search_rows(net: FoldedNet, repeats: int) -> None:
    """Evaluations per second in single searches, tree included."""
    tree = ZeroTree(net, NODES)
    for simulations in SIMULATIONS:
        rates = []
        for _ in range(repeats):
            evaluations, seconds = 0, 0.0
            for position in positions():
                tree.begin(position)
                began = time.perf_counter()
                tree.run(simulations, 1.2)
                seconds += time.perf_counter() - began
                evaluations += tree.evaluations
            rates.append(evaluations / seconds)
        print(f"one search, {simulations:,} simulations: {max(rates):,.0f} evaluations/s")


def move_row(net: FoldedNet, repeats: int) -> None:
    """A whole move through the agent's interface."""
    from noughts.learn.zero.folded.player import FoldedPlayer

    player, times = FoldedPlayer(simulations=600, net=net), []
    player.choose(positions()[0], np.random.default_rng(0))  # makes room for its tree
    for _ in range(repeats):
        for position in positions():
            player.reset()
            began = time.perf_counter()
            player.choose(position, np.random.default_rng(0))
            times.append(1000 * (time.perf_counter() - began))
    print(
        f"a move at 600 simulations: {median(times):.2f} ms (median), {max(times):.2f} ms (worst)"
    )


def self_play_row(net: FoldedNet, repeats: int) -> None:
    """Games and evaluations per second of one core in self-play."""
    best = (0.0, 0.0)
    for _ in range(repeats):
        began = time.perf_counter()
        _, _, evaluations = self_play(net, board_tables(), Settings().play, 1, 0, 60)
        seconds = time.perf_counter() - began
        best = max(best, (60 / seconds, evaluations / seconds))
    print(f"self-play at 200 visits: {best[0]:.0f} games/s, {best[1]:,.0f} evaluations/s")


def main() -> int:
    """Print one line per measurement."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--run", help="a run of 'noughts train'; else the shipped network")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    if options.run is None:
        net = shipped_net()
    else:
        from pathlib import Path

        net = learner_of(Path(options.run)).folded_net
    ZeroTree(net, 1000)
    warm = ZeroTree(net, 100_000)
    warm.begin(positions()[0])
    warm.run(100, 1.2)
    search_rows(net, options.repeats)
    move_row(net, options.repeats)
    self_play_row(net, options.repeats)
    return 0


if __name__ == "__main__":
    sys.exit(main())
