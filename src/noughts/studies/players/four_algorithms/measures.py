"""What is played and what is measured: plain functions that give plain data."""

import math
import time
import tracemalloc
from functools import cache
from typing import Any

import numpy as np

from noughts.agents import Agent
from noughts.agents import agent as read_agent
from noughts.arena import match
from noughts.errors import NoughtsError
from noughts.games import Position
from noughts.games import game as read_game
from noughts.solve import solve

GAME = "3x3"
NAMES = {
    "minimax": "minimax",
    "alpha-beta": "alphabeta",
    "evaluation": "heuristic",
    "MCTS": "uct:simulations=100,exploration=1.4142135623730951",
}
# Algorithm1, Algorithm2, wins of each, ties, and the seconds per move that were given.
PUBLISHED: tuple[tuple[str, str, int, int, int, float | None, float | None], ...] = (
    ("minimax", "alpha-beta", 0, 0, 1, 1.53, 0.01),
    ("evaluation", "minimax", 0, 1, 0, None, None),
    ("minimax", "MCTS", 30, 0, 0, None, None),
    ("alpha-beta", "evaluation", 1, 0, 0, None, None),
    ("MCTS", "alpha-beta", 0, 20, 10, None, None),
    ("evaluation", "MCTS", 197, 3, 0, None, None),
)
AGENTS = (
    "random", "minimax", "alphabeta", "heuristic", "flat", "uct:simulations=100", "uct", "optimal",
)  # fmt: skip
SIDES = (3, 4, 5, 6)
DEPTHS = (1, 2, 3, 4)  # of the evaluation; which one was published is not known
DEEP_GAME = "5x5:k=4"  # neither side is soon proven to hold it, so every depth is searched
DEEP_AGENTS = {"minimax": "minimax", "alphabeta": "alphabeta:threats=0", "heuristic": "heuristic"}


def published_pairing(row: int) -> int:
    """The number under which a published pairing is played."""
    return math.comb(len(AGENTS), 2) + row


@cache
def running_positions() -> tuple[Position, ...]:
    """Every position of 3×3 that play can reach and that is not over, in the order of plies."""
    found: dict[Position, None] = {read_game(GAME).start(): None}
    for position in (queue := list(found)):
        for move in position.moves:
            after = position.play(move)
            if after not in found and after.result is None:
                found[after] = None
                queue.append(after)
    return tuple(queue)


def measure_accuracy(agent: str, every: int, seed: int) -> dict[str, Any]:
    """How often an agent chooses an exactly optimal move, and the value it loses otherwise."""
    player, solution = read_agent(agent), solve(GAME)
    asked, optimal, lost, worst = [0] * 9, [0] * 9, 0.0, 0.0
    for place, position in enumerate(running_positions()):
        if place % every:
            continue
        # Every position is put to it as if it were the first that it sees.
        player.reset()
        move = player.choose(position, np.random.default_rng([seed, place]))
        ply = 9 - len(position.moves)
        values, best = solution.values(position), solution.best_moves(position)
        loss = abs(values[best[0]] - values[move])
        asked[ply] += 1
        optimal[ply] += move in best
        lost, worst = lost + loss, max(worst, loss)
    return {"asked": asked, "optimal": optimal, "lost": lost, "worst": worst}


def measure_first_move(agent: str, side: int, repeats: int) -> dict[str, Any]:
    """Seconds and bytes of the first move on an empty board; why not, where it cannot."""
    player, start = read_agent(agent), read_game(f"{side}x{side}").start()
    try:
        _first_move(player, start)  # compiles kernels, and solves what is kept on the disk
    except NoughtsError as error:
        return {"cannot": str(error)}
    seconds = min(_first_move(player, start) for _ in range(repeats))
    tracemalloc.start()
    try:
        _first_move(read_agent(agent), start)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    thought = player.last
    assert thought is not None
    found = {"seconds": seconds, "peak": peak, "nodes": thought.nodes, "held": thought.memory}
    return found | {"is_exact": thought.is_exact}


def _first_move(player: Agent, start: Position) -> float:
    player.reset()
    rng = np.random.default_rng(0)
    began = time.perf_counter()
    player.choose(start, rng)
    return time.perf_counter() - began


def count_positions(agent: str, depth: int) -> dict[str, Any]:
    """Positions that a search of this depth looks at from the empty board."""
    player = read_agent(f"{agent}{',' if ':' in agent else ':'}depth={depth}")
    player.choose(read_game(DEEP_GAME).start(), np.random.default_rng(0))
    assert player.last is not None
    return {"nodes": player.last.nodes}


def play_evaluation(depth: int, seed: int) -> dict[str, Any]:
    """The published pairings of the evaluation, with another depth: wins, losses, draws."""
    agent, found = f"heuristic:depth={depth}", {}
    for name, games in (("minimax", 1), ("alpha-beta", 1), ("MCTS", 200)):
        # The published order: alpha-beta moves first against the evaluation.
        pair = (NAMES[name], agent) if name == "alpha-beta" else (agent, NAMES[name])
        played = match(GAME, *pair, games=games, seed=seed, openings=0)
        counts = [played.wins, played.losses, played.draws]
        found[name] = [counts[1], counts[0], counts[2]] if name == "alpha-beta" else counts
    return found


def time_whole_games(repeats: int) -> dict[str, list[float]]:
    """Seconds per move of minimax and alpha-beta, averaged over all moves of a game: as X, as O.

    They draw nothing at random, so their game is always the same, and the quickest of several
    plays of each move is what that move takes.
    """
    found: dict[str, list[float]] = {"minimax": [], "alphabeta": []}
    for first, second in (("minimax", "alphabeta"), ("alphabeta", "minimax")):
        games = [_timed_game(first, second) for _ in range(repeats + 1)][1:]  # the first one loads
        quickest = [min(seconds) for seconds in zip(*games, strict=True)]
        for place, name in enumerate((first, second)):
            own = quickest[place::2]
            found[name].append(sum(own) / len(own))
    return {"minimax": found["minimax"], "alphabeta": found["alphabeta"][::-1]}


def _timed_game(first: str, second: str) -> list[float]:
    """The seconds of every move of one game."""
    players = read_agent(first), read_agent(second)
    position, seconds = read_game(GAME).start(), list[float]()
    while position.result is None:
        player, rng = players[len(seconds) % 2], np.random.default_rng(0)
        began = time.perf_counter()
        move = player.choose(position, rng)
        seconds.append(time.perf_counter() - began)
        position = position.play(move)
    return seconds
