"""R5's own method: self-play with 600 simulations a move and R5's network, many games in lockstep.

    python benchmarks/zero_r5.py [--games 700] [--jobs 2] [--moves 4]

Its report took two weeks on a GPU for 700 games. This plays them in `jobs` processes, each with its
share of the games in lockstep and one thread for the network, and prints what they took. With
`--moves N` only the first N moves of each game are played, and a whole run of 700 games is
projected from the evaluations per second and the evaluations that a game needs.
"""

import argparse
import os
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded; processes share cores

from dataclasses import asdict, replace
from typing import Any

import noughts
from noughts.learn.zero.batched.lockstep_settings import R5
from noughts.learn.zero.batched.networks import network_for
from noughts.learn.zero.batched.self_play import play_games
from noughts.parallel import in_order

GAME = "ultimate"
MOVES_OF_A_GAME = 58  # about what games with random weights take; only for projections


def some_moves(weights: Any, count: int, first: int, moves: int, search: Any) -> dict[str, float]:
    """The first moves of some games."""
    from noughts.learn.zero.batched.lockstep import Lockstep
    from noughts.learn.zero.batched.lockstep_choice import best_moves
    from noughts.learn.zero.batched.lockstep_settings import SearchSettings

    game = noughts.game(GAME)
    lockstep = Lockstep(game, network_for(game), weights, SearchSettings(**search), count)
    for slot in range(count):
        lockstep.seat(slot, game.start(), 1, first + slot)
    lockstep.run(range(count), 2)  # compiles, or loads what was compiled
    lockstep.evaluations, lockstep.network_seconds = 0, 0.0
    began, cpu = time.perf_counter(), time.process_time()
    for _ in range(moves):
        lockstep.run(range(count))
        roots = lockstep.roots(range(count))
        lockstep.advance(range(count), roots.moves[range(count), best_moves(roots)])
    return {
        "evaluations": float(lockstep.evaluations),
        "network_seconds": lockstep.network_seconds,
        "seconds": time.perf_counter() - began,
        "cpu": time.process_time() - cpu,
        "moves": float(count * moves),
    }


def whole_games(weights: Any, count: int, first: int, moves: int, search: Any) -> dict[str, float]:
    """Whole games of self-play."""
    began, cpu = time.perf_counter(), time.process_time()
    _, facts = play_games(weights, GAME, 1, count, first, search, {"opening": 0, "result_share": 1})
    took = {"seconds": time.perf_counter() - began, "cpu": time.process_time() - cpu}
    return facts | took


def main() -> int:
    """Print evaluations per second, the network's share, and games per hour."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=700)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--simulations", type=int, default=600)
    parser.add_argument("--moves", type=int, default=0, help="only so many moves of each game")
    options = parser.parse_args()
    weights = network_for(noughts.game(GAME)).initial(1)
    share = -(-options.games // options.jobs)
    calls = [
        {
            "weights": weights,
            "first": first,
            "count": min(share, options.games - first),
            "moves": options.moves,
            "search": asdict(replace(R5, simulations=options.simulations)),
        }
        for first in range(0, options.games, share)
    ]
    work = some_moves if options.moves else whole_games
    began = time.perf_counter()
    found = list(in_order(work, calls, jobs=options.jobs))
    wall = time.perf_counter() - began
    evaluations = sum(part["evaluations"] for part in found)
    rate = sum(part["evaluations"] / part["seconds"] for part in found)
    by_cpu = sum(part["evaluations"] / part["cpu"] for part in found)
    network = sum(part["network_seconds"] for part in found)
    network /= sum(part["seconds"] for part in found)
    moves = sum(part["moves"] for part in found)
    print(f"games {options.games}, simulations {options.simulations}, processes {options.jobs}")
    print(f"evaluations            {evaluations:,.0f} ({evaluations / moves:.0f} a move)")
    print(f"evaluations/s          {rate:,.0f} (by CPU time {by_cpu:,.0f})")
    print(f"share in the network   {network:.0%}")
    if options.moves:
        projected = 700 * MOVES_OF_A_GAME * evaluations / moves
        print(
            f"700 games, projected   {projected / rate:,.0f} s ({projected / by_cpu:,.0f} s alone)"
        )
    else:
        print(f"seconds                {wall:.1f}, moves {moves:,.0f}")
        print(f"games/hour             {3600 * options.games / wall:,.0f}")
        print(f"700 games              {700 * wall / options.games:,.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
