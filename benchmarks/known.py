"""How long it takes to say what is certain: CPU milliseconds, warm.

    python benchmarks/known.py [--positions 200] [--seed 1]

Positions are those of random games, at a random length, dice included. Every position is asked
about for the first time; kernels are compiled and tables in memory, because positions of another
seed were asked about before. CPU time, not the clock's: other work on the machine does not count,
nor does collecting garbage, as in Python's timeit.
"""

import argparse
import gc
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import noughts

GAMES = (
    "3x3", "4x4", "4x4:flip=0.1", "3x3:fade=0.05", "3x3:hazard=0.2,limit=10,ticks=100", "3x3x3",
    "qubic", "ultimate", "ultimate:flip=0.1", "5x5:k=4", "5x5:flip=0.1", "8x8:k=5", "15x15:k=5",
    "20x20:k=5",
)  # fmt: skip
GOAL = 50.0  # milliseconds


def positions(game: noughts.Game, count: int, seed: int) -> Iterator[noughts.Position]:
    """Running positions of random games."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        position = game.start()
        for _ in range(int(rng.integers(0, game.cells))):
            _, after = position.sample(int(rng.choice(position.moves)), rng)
            if after.result is not None:
                break
            position = after
        yield position


def spent(ask: Callable[[noughts.Position], Any], position: noughts.Position) -> tuple[Any, float]:
    """The answer and the milliseconds it took."""
    began = time.process_time()
    found = ask(position)
    return found, 1e3 * (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(
        "| game | known: mean | most | known_moves: mean | most | positions known | moves known |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for spec in GAMES:
        game = noughts.game(spec)
        for position in positions(game, 10, options.seed + 1):
            noughts.known_moves(position)
        gc.collect()
        gc.disable()
        one, all_moves, exact, moves, count = [], [], 0, 0, 0
        for position in positions(game, options.positions, options.seed):
            told, milliseconds = spent(noughts.known, position)
            one.append(milliseconds)
            exact += told is not None and told.is_exact
            found, milliseconds = spent(noughts.known_moves, position)
            all_moves.append(milliseconds)
            moves += sum(row.is_exact for row in found.values())
            count += len(position.moves)
        gc.enable()
        print(
            f"| `{spec}` | {np.mean(one):.2f} ms | {max(one):.1f} ms | {np.mean(all_moves):.2f} ms "
            f"| {max(all_moves):.1f} ms | {exact / len(one):.0%} | {moves / count:.0%} |",
            flush=True,
        )
    print(f"\nThe goal: {GOAL:.0f} ms at the most.")


if __name__ == "__main__":
    main()
