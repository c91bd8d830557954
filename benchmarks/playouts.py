"""Random playouts per second, ours against OpenSpiel's C++ rollouts, on one core each.

    python benchmarks/playouts.py          a table; exit code 1 when a goal is missed
    python benchmarks/playouts.py --json   the same for machines

OpenSpiel (`make .venv/.installed-bench` brings it) plays its rollouts in C++:
`RandomRolloutEvaluator` with k rollouts a leaf, under an `MCTSBot` of 3 simulations, plays 3k
random games from the start or one move into it, and the few steps of the search are lost among
them. Both sides use one thread, and what is taken is the processor's time, so that other work on
the machine counts little. A round times every contestant once, for a moment; rates are medians over
the rounds, and a ratio is the median of the rounds' ratios.

The rules are the same, checked game by game on random play: `gomoku` ends at the first line of at
least `connect` marks (overlines win too, nothing is forbidden, the board does not wrap) and has our
49 lines on 3×3×3 and 76 on Qubic; `mnk` likewise, and on 15×15 the faster of the two counts. One
thing differs: where any mini board is open, OpenSpiel's Ultimate chooses a mini board and then a
cell, as two moves, so its games are drawn from slightly other odds; ours draws a free cell at once.
"""

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from statistics import median

import noughts

Run = Callable[[int], float]  # about so many games -> games per second


@dataclass(frozen=True)
class Contest:
    """One of our games, the same game in OpenSpiel, and how many times faster we want to be."""

    ours: str
    theirs: tuple[str, ...]
    goal: float


CONTESTS = (
    Contest("3x3", ("tic_tac_toe",), 5),
    Contest("3x3x3", ("gomoku(size=3,connect=3,dims=3)",), 10),
    Contest("qubic", ("gomoku(size=4,connect=4,dims=3)",), 10),
    Contest("15x15:k=5", ("mnk(m=15,n=15,k=5)", "gomoku(size=15,connect=5,dims=2)"), 10),
    Contest("ultimate", ("ultimate_tic_tac_toe",), 10),
)


@dataclass(frozen=True)
class Score:
    """What one contest came to. A spread is half the range over the median."""

    game: str
    opponent: str
    ours: float
    ours_spread: float
    theirs: float
    theirs_spread: float
    ratio: float
    lowest_ratio: float
    goal: float

    @property
    def is_met(self) -> bool:
        return self.ratio >= self.goal


def our_run(spec: str) -> Run:
    """Our playouts from the start of a game."""
    game = noughts.game(spec)

    def run(games: int) -> float:
        began = time.process_time()
        noughts.playouts(game, games, threads=1)
        return games / (time.process_time() - began)

    return run


def their_run(name: str) -> Run:
    """OpenSpiel's rollouts from the start of a game."""
    import pyspiel

    game = pyspiel.load_game(name)
    simulations, memory_mb = 3, 100

    def run(games: int) -> float:
        rollouts = max(1, games // simulations)
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=1)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, memory_mb, False, 1, False)
        state = game.new_initial_state()
        began = time.process_time()
        bot.step(state)
        return simulations * rollouts / (time.process_time() - began)

    return run


def measure(contest: Contest, rounds: int, seconds: float) -> Score:
    """Interleave short runs of all sides and keep the fastest of theirs."""
    runs = [our_run(contest.ours), *map(their_run, contest.theirs)]
    sizes = [size_for(run, seconds) for run in runs]
    rates = [[run(size) for run, size in zip(runs, sizes, strict=True)] for _ in range(rounds)]
    ours, *others = zip(*rates, strict=True)
    fastest = max(range(len(others)), key=lambda i: median(others[i]))
    theirs = others[fastest]
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    return Score(
        game=contest.ours,
        opponent=contest.theirs[fastest],
        ours=median(ours),
        ours_spread=spread(ours),
        theirs=median(theirs),
        theirs_spread=spread(theirs),
        ratio=median(ratios),
        lowest_ratio=min(ratios),
        goal=contest.goal,
    )


def size_for(run: Run, seconds: float) -> int:
    """How many games take about so long; the kernels are compiled on the way."""
    games = 10
    run(games)
    while (rate := run(games)) * seconds > 4 * games:
        games *= 4
    return max(games, int(rate * seconds))


def spread(rates: tuple[float, ...]) -> float:
    """Half the range over the median."""
    return (max(rates) - min(rates)) / 2 / median(rates)


def versions() -> dict[str, str]:
    """What was measured."""
    packages = ("noughts", "numba", "numpy", "open_spiel")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}


def table(scores: list[Score]) -> str:
    """The scores as aligned text."""
    head = ("game", "ours/s", "±", "OpenSpiel/s", "±", "ratio", "lowest", "goal", "met")
    rows = [
        (
            score.game,
            f"{score.ours:,.0f}",
            f"{score.ours_spread:.0%}",
            f"{score.theirs:,.0f}",
            f"{score.theirs_spread:.0%}",
            f"{score.ratio:.1f}",
            f"{score.lowest_ratio:.1f}",
            f"{score.goal:g}",
            "yes" if score.is_met else "no",
        )
        for score in scores
    ]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in (head, *rows)
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Random playouts, ours against OpenSpiel's.")
    parser.add_argument("--rounds", type=int, default=7, help="interleaved runs of each side")
    parser.add_argument("--seconds", type=float, default=0.15, help="length of one run")
    parser.add_argument("--json", action="store_true", help="print machine-readable output")
    options = parser.parse_args()
    if options.rounds < 1 or options.seconds <= 0:
        parser.error("--rounds must be at least 1 and --seconds more than 0.")
    try:
        about = versions()
        scores = [measure(contest, options.rounds, options.seconds) for contest in CONTESTS]
    except ImportError:
        parser.error("OpenSpiel is missing; make .venv/.installed-bench brings it.")
    if options.json:
        rows = [{**asdict(score), "is_met": score.is_met} for score in scores]
        print(json.dumps({"versions": about, "rounds": options.rounds, "scores": rows}, indent=2))
    else:
        print("  ".join(f"{name} {number}" for name, number in about.items()))
        print(f"Random playouts per second on one core, medians of {options.rounds} runs.\n")
        print(table(scores))
    return 0 if all(score.is_met for score in scores) else 1


if __name__ == "__main__":
    sys.exit(main())
