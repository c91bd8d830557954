"""UCT simulations per second, ours against OpenSpiel's C++ MCTSBot, on one core each.

    python benchmarks/uct.py          a table; exit code 1 when a goal is missed
    python benchmarks/uct.py --json   the same for machines

Both search the start position with one random playout a leaf, the same exploration constant and the
same number of simulations in a search; a new tree is grown in every search. OpenSpiel (`make
.venv/.installed-bench` brings it) is timed with and without its solver, and where it has a game
twice under both names; its fastest counts. Its simulations are counted by the visits of its root,
because its solver too may stop early. What is taken is the processor's time, so that other work on
the machine counts little. A round times every contestant once, for a moment; rates are medians over
the rounds, and a ratio is the median of the rounds' ratios.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from statistics import median

import numpy as np

import noughts
from noughts.search.uct import UctAgent

Run = Callable[[float], float]  # about so many seconds -> simulations per second

EXPLORATION = 1.4
MEMORY_MB = 1000


@dataclass(frozen=True)
class Contest:
    """One of our games, the same game in OpenSpiel, and how many times faster we want to be."""

    ours: str
    theirs: tuple[str, ...]
    goal: float


CONTESTS = (
    Contest("3x3", ("tic_tac_toe",), 3),
    Contest("3x3x3", ("gomoku(size=3,connect=3,dims=3)",), 10),
    Contest("4x4", ("mnk(m=4,n=4,k=4)", "gomoku(size=4,connect=4,dims=2)"), 10),
    Contest("qubic", ("gomoku(size=4,connect=4,dims=3)",), 10),
    Contest("ultimate", ("ultimate_tic_tac_toe",), 8),
)


@dataclass(frozen=True)
class Score:
    """What one contest came to."""

    game: str
    opponent: str
    ours: float
    theirs: float
    ratio: float
    lowest_ratio: float
    goal: float

    @property
    def is_met(self) -> bool:
        return self.ratio >= self.goal


def our_run(spec: str, simulations: int) -> Run:
    """Our searches from the start of a game."""
    start = noughts.game(spec).start()
    player = UctAgent(simulations=simulations, exploration=EXPLORATION)
    rng = np.random.default_rng(1)
    player.choose(start, rng)

    def run(seconds: float) -> float:
        done = 0
        began = time.process_time()
        while time.process_time() - began < seconds:
            player.reset()
            player.choose(start, rng)
            done += player.last.nodes if player.last else 0
        return done / (time.process_time() - began)

    return run


def their_run(name: str, simulations: int, solve: bool) -> Run:
    """OpenSpiel's searches from the start of a game."""
    import pyspiel

    game = pyspiel.load_game(name)
    start = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, simulations, MEMORY_MB, solve, 1, False)

    def run(seconds: float) -> float:
        done = 0
        began = time.process_time()
        while time.process_time() - began < seconds:
            done += bot.mcts_search(start).explore_count
        return done / (time.process_time() - began)

    return run


def measure(contest: Contest, simulations: int, rounds: int, seconds: float) -> Score:
    """Interleave short runs of all sides and keep the fastest of theirs."""
    opponents = [(name, solve) for name in contest.theirs for solve in (False, True)]
    runs = [our_run(contest.ours, simulations)]
    runs += [their_run(name, simulations, solve) for name, solve in opponents]
    rates = [[run(seconds) for run in runs] for _ in range(1 + rounds)]
    ours, *others = zip(*rates[1:], strict=True)  # kernels are compiled in the first
    fastest = max(range(len(others)), key=lambda i: median(others[i]))
    ratios = [a / b for a, b in zip(ours, others[fastest], strict=True)]
    name, solve = opponents[fastest]
    return Score(
        game=contest.ours,
        opponent=f"{name}{', solver' if solve else ''}",
        ours=median(ours),
        theirs=median(others[fastest]),
        ratio=median(ratios),
        lowest_ratio=min(ratios),
        goal=contest.goal,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=5000, help="in one search")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.15, help="of one run")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    scores = [
        measure(contest, options.simulations, options.rounds, options.seconds)
        for contest in CONTESTS
    ]
    if options.json:
        print(json.dumps([{**asdict(score), "is_met": score.is_met} for score in scores]))
    else:
        print(f"open_spiel {version('open_spiel')}, {options.simulations} simulations a search")
        print(f"{'game':10}{'ours/s':>12}{'theirs/s':>12}{'ratio':>8}{'lowest':>8}{'goal':>6}  met")
        for score in scores:
            print(
                f"{score.game:10}{score.ours:12,.0f}{score.theirs:12,.0f}{score.ratio:8.1f}"
                f"{score.lowest_ratio:8.1f}{score.goal:6g}  {'yes' if score.is_met else 'NO':4}"
                f"against {score.opponent}"
            )
    return 0 if all(score.is_met for score in scores) else 1


if __name__ == "__main__":
    sys.exit(main())
