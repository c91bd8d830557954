"""What UCT's choices lose when three play risky 3×3, exactly.

    python benchmarks/uct_seats.py          a table, and docs/figures/uct-seats.svg
    python benchmarks/uct_seats.py --check  exit code 1 when a goal is missed

Positions are drawn from random games, as many plies into them as the draw says. The regret of a
choice is the worth of the best move to who is on turn, less that of the choice, both from the table
of all boards, by backward induction in which tied moves count alike. Goals: with at most three
empty cells every choice is a best one; over all positions the mean regret falls, to 0.01 at the
most.
"""

import argparse
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
from uct_convergence import draw

import noughts
from noughts.games.game import Position

GAME = "3x3:players=3,flip=0.1"
SIMULATIONS = (200, 2000, 20_000)
GROUPS = {"1 to 3 empty": (1, 3), "4 to 6 empty": (4, 6), "7 to 9 empty": (7, 9)}
FIGURE = Path(__file__).parent.parent / "docs" / "figures" / "uct-seats.svg"
HIGHEST = 0.01  # mean regret after the most simulations
ROUNDING = 1e-12


def draw_positions(count: int, seed: int) -> list[Position]:
    """Running positions of random games."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < count:
        position = noughts.game(GAME).start()
        for _ in range(int(rng.integers(position.game.cells))):
            if position.result is None:
                position = position.sample(int(rng.choice(position.moves)), rng)[1]
        if position.result is None:
            found.append(position)
    return found


def regrets(solution, positions: list[Position], simulations: int) -> dict[str, list]:
    """What each choice lost, by the number of empty cells."""
    found = defaultdict(list)
    for index, position in enumerate(positions):
        player = noughts.agent(f"uct:simulations={simulations}")
        move = player.choose(position, np.random.default_rng(index))
        worths = solution.values(position)
        seat = position.game.marks.index(position.mover)
        lost = max(worth[seat] for worth in worths.values()) - worths[move][seat]
        empty = len(position.open_cells)
        for name, (low, high) in GROUPS.items():
            if low <= empty <= high:
                found[name].append(lost if lost > ROUNDING else 0.0)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--check", action="store_true", help="fail when a goal is missed")
    options = parser.parse_args()
    positions = draw_positions(options.positions, seed=1)
    solution = noughts.solve(GAME, ties="uniform")
    by_budget = [regrets(solution, positions, simulations) for simulations in SIMULATIONS]
    print(f"{GAME}: mean regret of UCT's choice, and choices that are not best")
    print(f"{'positions':24}" + "".join(f"{n:>18,}" for n in SIMULATIONS))
    means = {}
    for name in [*GROUPS, "all"]:
        names = GROUPS if name == "all" else [name]
        found = [[lost for one in names for lost in f[one]] for f in by_budget]
        means[name] = [float(np.mean(lost)) for lost in found]
        wrong = [sum(one > 0.0 for one in lost) for lost in found]
        told = (f"{m:12.6f} {w:>5}" for m, w in zip(means[name], wrong, strict=True))
        count = f"{len(found[0]):,}"
        words = f"all {count}" if name == "all" else f"{count} with {name}"
        print(f"{words:24}" + "".join(told))
    title = "Regret of UCT's choice against simulations when three play risky 3×3"
    shown = {name: row for name, row in means.items() if any(row)}
    drawn = draw(shown, SIMULATIONS, title, "mean regret", low=-5)
    FIGURE.write_text(drawn, encoding="utf-8")
    small, every = means["1 to 3 empty"], means["all"]
    is_good = not any(small) and every[0] > every[1] > every[2] and every[2] <= HIGHEST
    return 1 if options.check and not is_good else 0


if __name__ == "__main__":
    sys.exit(main())
