"""Four algorithms compared, then all agents: games, memory, time, accuracy, scaling, complexity.

The published comparison (`PUBLISHED`) is of minimax, alpha-beta, Monte-Carlo tree search with 100
simulations and C = √2, and depth-limited minimax on an evaluation. Its six pairings are played
again with its numbers of games. Then every agent meets every other, and

    accuracy      the share of exactly optimal moves over all 4,520 running positions of 3×3
    memory        the peak that one first move allocates, from a fresh agent
    time          the quickest of several first moves on the empty board, compiled beforehand
    scaling       the same on n×n with n in a row, n = 3 … 6
    complexity    positions looked at, by depth, and the branching factor that they amount to
"""

from dataclasses import dataclass
from itertools import combinations

from noughts.arena.match import Series, plan_games, seat_players
from noughts.games import game as read_game
from noughts.options import whole
from noughts.report import Report, Unit, unit_seed
from noughts.studies.players.four_algorithms.measures import (
    AGENTS,
    DEEP_AGENTS,
    DEPTHS,
    GAME,
    NAMES,
    PUBLISHED,
    SIDES,
    count_positions,
    measure_accuracy,
    measure_first_move,
    play_evaluation,
    published_pairing,
    time_whole_games,
)
from noughts.studies.players.four_algorithms.report import build
from noughts.studies.study import Results, Study, StudyParameters


@dataclass
class Parameters(StudyParameters):
    games: int = whole(50, 2, 10**6, "Games of each pairing of the round robin.")
    every: int = whole(1, 1, 4520, "Accuracy is taken over every so-manieth position of 3×3.")
    repeats: int = whole(40, 1, 10_000, "First moves that are timed; the quickest counts.")
    depth: int = whole(5, 2, 6, "How many moves ahead positions are counted.")


def plan_units(parameters: Parameters) -> list[Unit]:
    """The games first, each a unit of its own; then accuracy, first moves and depths."""
    units = _published_games(parameters) + _round_robin(parameters)
    for depth in DEPTHS:
        seeded = {"depth": depth, "seed": unit_seed(parameters.seed, len(units))}
        units.append(Unit(f"evaluation {depth}", play_evaluation, seeded))
    units.append(Unit("whole games", time_whole_games, {"repeats": parameters.repeats}))
    for agent in AGENTS:
        arguments = {"agent": agent, "every": parameters.every, "seed": parameters.seed}
        units.append(Unit(f"accuracy {agent}", measure_accuracy, arguments))
    for agent in AGENTS:
        for side in SIDES:
            timing = {"agent": agent, "side": side, "repeats": parameters.repeats}
            units.append(Unit(f"first move {agent} {side}x{side}", measure_first_move, timing))
    for name, spec in DEEP_AGENTS.items():
        for depth in range(1, parameters.depth + 1):
            arguments = {"agent": spec, "depth": depth}
            units.append(Unit(f"depth {name} {depth}", count_positions, arguments))
    return units


def _published_games(parameters: Parameters) -> list[Unit]:
    """The six published pairings; their numbers as pairings follow those of the round robin."""
    players = seat_players(NAMES.values())
    places, rules = list(NAMES), read_game(GAME)
    units = []
    for row, (first, second, *counts) in enumerate(PUBLISHED):
        seats, number = (places.index(first), places.index(second)), published_pairing(row)
        games = sum(count for count in counts[:3] if count is not None)
        seed = unit_seed(parameters.seed, number)
        units += plan_games(rules, players, seats, Series(int(games), seed, 0, pairing=number))
    return units


def _round_robin(parameters: Parameters) -> list[Unit]:
    players, rules = seat_players(AGENTS), read_game(GAME)
    units = []
    for number, seats in enumerate(combinations(range(len(AGENTS)), 2)):
        seed = unit_seed(parameters.seed, number)
        series = Series(parameters.games, seed, pairing=number, book_seed=parameters.seed)
        units += plan_games(rules, players, seats, series)
    return units


def make_report(parameters: Parameters, results: Results) -> Report:
    return build(parameters.games, parameters.seed, parameters.depth, results)


STUDY = Study(
    Parameters,
    plan_units,
    make_report,
    quick={"games": 4, "every": 60, "repeats": 20, "depth": 4},
)
