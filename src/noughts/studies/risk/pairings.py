"""Two players in one world: exact odds beside simulated games. What several studies share."""

from collections.abc import Mapping, Sequence
from typing import Any

from noughts.report import Cell, Table
from noughts.solve import odds, policy, share_interval, simulate

SURE = 0.999  # the confidence at which exact odds must lie inside the interval of simulation

# The names that reports use, and the players they stand for.
PLAYERS = {"optimal": "optimal", "random": "random", "classic": "optimal:of=3x3"}
Pairing = tuple[str, str]


def play_pairing(
    game: str, x: str, o: str, ties: str, games: int = 0, seed: int = 0
) -> dict[str, Any]:
    """Exact odds and, if games are asked for, simulated counts; the result of a unit."""
    x_policy = policy(game, PLAYERS[x], ties, "X")
    o_policy = policy(game, PLAYERS[o], ties, "O")
    exact = odds(game, x_policy, o_policy)
    found: dict[str, Any] = {"exact": [exact.x, exact.draw, exact.o]}
    if games:
        played = simulate(game, x_policy, o_policy, games, seed)
        found["played"] = [played.x, played.draw, played.o]
    return found


def pairing_name(pairing: Pairing) -> str:
    """X's player, then O's."""
    return f"{pairing[0]}–{pairing[1]}"


def value_of(result: Mapping[str, Any]) -> float:
    """The expected result for X."""
    return float(result["exact"][0] - result["exact"][2])


def outside(result: Mapping[str, Any], confidence: float = SURE) -> int:
    """How many of the three exact odds lie outside the interval of the simulated games."""
    missed = 0
    total = sum(result["played"])
    for exact, count in zip(result["exact"], result["played"], strict=True):
        low, high = share_interval(count, total, confidence)
        missed += not low <= exact <= high
    return missed


def odds_table(
    name: str, caption: str, results: Sequence[tuple[str, Pairing, Mapping[str, Any]]]
) -> Table:
    """One row per world and pairing: exact odds and the 95% intervals of simulation."""
    columns = ["world", "players X–O", "value", "X", "draw", "O"]
    columns += [f"{outcome} {end}" for outcome in ("X", "draw", "O") for end in ("low", "high")]
    columns.append("inside")
    rows: list[list[Cell]] = []
    for world, pairing, result in results:
        row: list[Cell] = [world, pairing_name(pairing), value_of(result), *result["exact"]]
        total = sum(result["played"])
        for count in result["played"]:
            row += share_interval(count, total)
        row.append(outside(result) == 0)
        rows.append(row)
    formats = dict.fromkeys(columns[3:-1], ".4f") | {"value": "+.4f"}
    return Table(name, columns, rows, formats, caption)
