"""What each part of the Ultimate player is worth: the same player with and without it.

    python benchmarks/zero_ablations.py RUN [--games 400] [--seed 1]

RUN is a run of `noughts train ultimate zero`. Every pair of games starts from four random plies,
played from both sides. Scores are those of the player *with* the part, intervals are 95%.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

import noughts
from noughts.agents import Agent
from noughts.games.game import Position
from noughts.learn.zero.agent import learner_of
from noughts.learn.zero.folded.network import fold
from noughts.learn.zero.folded.player import FoldedPlayer

OPENING = 4  # random plies


class Forgetful(FoldedPlayer):
    """Begins a new tree for every move."""

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        self.reset()
        return super().choose(position, rng)


def report(part: str, having: Agent, lacking: Agent, options: argparse.Namespace) -> None:
    """Play the two against each other and print a line."""
    result = noughts.match(
        "ultimate", having, lacking, games=options.games, seed=options.seed, openings=OPENING
    )
    low, high = result.score_interval
    print(f"{part:44} {result.score:.3f}  [{low:.3f}, {high:.3f}]", flush=True)


def main() -> int:
    """Print one line for each part."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    learner = learner_of(options.run).folded_learner
    net, last = learner.net, fold(learner.trainer.weights)
    for simulations in (1, 100):
        report(
            f"averaged weights, {simulations} simulations",
            FoldedPlayer(contempt=0.0, simulations=simulations, net=net),
            FoldedPlayer(contempt=0.0, simulations=simulations, net=last),
            options,
        )
    report(
        "the tree is kept, 600 simulations",
        FoldedPlayer(contempt=0.0, simulations=600, net=net),
        Forgetful(contempt=0.0, simulations=600, net=net),
        options,
    )
    report(
        "two threads of 600 against one of 600",
        FoldedPlayer(contempt=0.0, simulations=1200, threads=2, net=net),
        FoldedPlayer(contempt=0.0, simulations=600, net=net),
        options,
    )
    report(
        "two threads of 600 against one of 1,200",
        FoldedPlayer(contempt=0.0, simulations=1200, threads=2, net=net),
        FoldedPlayer(contempt=0.0, simulations=1200, net=net),
        options,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
