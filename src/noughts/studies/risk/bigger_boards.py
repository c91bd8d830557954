"""Bigger boards, solved exactly with risk: time, memory, values.

A 4×4 board has 2·3^16 = 86,093,442 states (board and turn). A program that keeps a dictionary of
them runs out of memory; the sweep keeps one number per board, seen from the player on turn, in the
order in which each board comes after those it leads to. The time is that of the solve alone, after
the kernels are compiled; the memory is the peak of all that it allocates. Simulated games between
optimal players check the value.
"""

import tracemalloc
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noughts.errors import ParseError
from noughts.games import game as read_game
from noughts.games.grammar import parse_spec
from noughts.games.svg.ink import FAINT
from noughts.options import text, whole
from noughts.report import Answer, Block, Figure, Report, Table, Text, Unit, draw_figure, unit_seed
from noughts.report.figure import PALETTE
from noughts.solve import policy, share_interval, simulate, solve
from noughts.studies.study import Results, Study, StudyParameters

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

DICTIONARY_BYTES = 200  # measured: one (text, turn) -> float entry of a Python dictionary
_SURE = 0.999
PAIRINGS = (("optimal", "optimal"), ("optimal", "random"), ("random", "optimal"))


@dataclass
class Parameters(StudyParameters):
    boards: str = text("3x3/3x4/4x4:k=3/4x4", "Boards, with a slash between them.")
    worlds: str = text("0/0.1/quarter/blind/random", "Risks or named worlds, likewise.")
    played: str = text("0.1", "The risk or world in which games are simulated.")
    games: int = whole(100_000, 1, 10**9, "Simulated games of each pairing.")

    def __post_init__(self) -> None:
        super().__post_init__()
        for board in self.boards.split("/"):
            for world in (*self.worlds.split("/"), self.played):
                _spec(board, world, self.seed)


def _spec(board: str, world: str, seed: int) -> str:
    """The canonical spec of a board in a world; raises ParseError when there is none."""
    spec = parse_spec(board)
    if set(spec.options) - {"k", "misere"}:
        raise ParseError(f"'{board}' is not a board without risk, such as 4x4:k=3.")
    drawn = f",seed={seed}" if world in ("random", "noisy-classic", "noisy-reverse") else ""
    return str(read_game(f"{board}{',' if ':' in board else ':'}flip={world}{drawn}"))


def plan_units(parameters: Parameters) -> list[Unit]:
    units: list[Unit] = []
    for board in parameters.boards.split("/"):
        for world in parameters.worlds.split("/"):
            arguments: dict[str, Any] = {
                "game": str(read_game(_spec(board, world, parameters.seed)))
            }
            units.append(Unit(f"solve {board} {world}", solve_board, arguments))
        arguments = {
            "game": _spec(board, parameters.played, parameters.seed),
            "games": parameters.games,
            "seed": unit_seed(parameters.seed, len(units)),
        }
        units.append(Unit(f"play {board}", play_board, arguments))
    return units


def solve_board(game: str) -> dict[str, Any]:
    """Solve one board and measure it."""
    for dtype in ("float64", "float32"):
        solve("3x3:flip=0.1", dtype=dtype)  # compiles, or loads what was compiled
    tracemalloc.start()
    solution = solve(game)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    start = solution.game.start()
    return {
        "game": str(solution.game),
        "cells": solution.game.cells,
        "boards": solution.running_boards,
        "states": solution.states,
        "seconds": solution.seconds,
        "bytes": peak,
        "value": solution.value(start),
        "best": list(solution.best_moves(start)),
    }


def play_board(game: str, games: int, seed: int) -> dict[str, Any]:
    """Play a solved board out."""
    solution = solve(game)
    players = {"optimal": policy(game, solution), "random": policy(game, "random")}
    found: dict[str, Any] = {"game": game, "value": solution.value(solution.game.start())}
    for x, o in PAIRINGS:
        played = simulate(game, players[x], players[o], games, seed)
        found[f"{x}–{o}"] = [played.x, played.draw, played.o]
    return found


def make_report(parameters: Parameters, results: Results) -> Report:
    boards, worlds = parameters.boards.split("/"), parameters.worlds.split("/")
    largest = _quickest(max(boards, key=lambda b: _quickest(b, worlds, results)["boards"]),
                        worlds, results)  # fmt: skip
    rate = largest["states"] / largest["seconds"]
    games = [results[f"play {board}"] for board in boards]
    missed = [found["game"] for found in games if not _is_consistent(found)]
    agreement = f"in all {len(games)} games that were simulated the value agrees with the outcomes"
    if missed:
        agreement = f"the simulated games contradict the value of {', '.join(missed)}"
    blocks: list[Block] = [
        Answer(
            f"**{largest['game']} is solved exactly in {largest['seconds']:.2f} s**: "
            f"{largest['states']:,} states, {rate / 1e6:.0f} million a second, with "
            f"{largest['bytes'] / 1e6:.0f} MB. A dictionary of its states would take about "
            f"{largest['states'] * DICTIONARY_BYTES / 1e9:.2g} GB. At 99.9%, {agreement}."
        ),
        _cost_table(boards, worlds, results),
        _value_table(boards, worlds, results),
        _figure(boards, worlds, results),
        Text(
            "Values are exact; above 13 cells they are held in single precision, where differences "
            "below 1e-6 count as ties. On 4×4 with four in a row corners and inner cells are "
            "alike: swapping outer rows and columns with inner ones keeps all ten lines."
        ),
        _odds_table(games),
    ]
    return Report(
        "Bigger boards",
        "Risky games on boards of 9 to 16 cells, every state solved: how long it takes, how much "
        "memory, and what the games are worth.",
        blocks,
    )


def _quickest(board: str, worlds: list[str], results: Results) -> dict[str, Any]:
    """The solve of a board that took the least time: the others were disturbed."""
    found = [results[f"solve {board} {world}"] for world in worlds]
    return min(found, key=lambda solved: float(solved["seconds"]))


def _is_consistent(found: dict[str, Any]) -> bool:
    """Whether the value fits the simulated games: both winning odds can be inside their interval.

    P(X) - P(O) lies between the differences of the ends.
    """
    x, draw, o = found["optimal–optimal"]
    total = x + draw + o
    (x_low, x_high), (o_low, o_high) = (
        share_interval(x, total, _SURE),
        share_interval(o, total, _SURE),
    )
    return bool(x_low - o_high <= found["value"] <= x_high - o_low)


def _cost_table(boards: list[str], worlds: list[str], results: Results) -> Table:
    rows: list[list[Any]] = []
    for board in boards:
        found = _quickest(board, worlds, results)
        rows.append(
            [
                board,
                found["cells"],
                found["states"],
                2 * found["boards"],
                found["seconds"],
                found["states"] / found["seconds"],
                found["bytes"] / 1e6,
            ]
        )
    columns = ["board", "cells", "states", "running states", "seconds", "states/s", "peak, MB"]
    formats = {"states": ",", "running states": ",", "states/s": ",.0f"}
    return Table(
        "costs",
        columns,
        rows,
        formats | {"seconds": ".4f", "peak, MB": ",.1f"},
        "The quickest solve of each board. States are boards times turns; running ones have no "
        "line and an empty cell.",
    )


def _value_table(boards: list[str], worlds: list[str], results: Results) -> Table:
    rows: list[list[Any]] = []
    for board in boards:
        for world in worlds:
            found = results[f"solve {board} {world}"]
            best = " ".join(map(str, found["best"]))
            if len(found["best"]) == found["cells"]:
                best = "all"
            rows.append([board, world, found["value"], best, found["seconds"]])
    return Table(
        "values",
        ["board", "world", "value", "best first cells", "seconds"],
        rows,
        {"value": "+.6f", "seconds": ".3f"},
        "What X gains under best play of both, and where X should begin.",
    )


def _odds_table(games: list[dict[str, Any]]) -> Table:
    columns = ["game", "players X–O", "X wins", "draw", "O wins"]
    columns += [
        f"{name}, {end}" for name in ("X wins", "draw", "O wins") for end in ("low", "high")
    ]
    rows: list[list[Any]] = []
    for found in games:
        for x, o in PAIRINGS:
            counts = found[f"{x}–{o}"]
            row: list[Any] = [found["game"], f"{x}–{o}", *(c / sum(counts) for c in counts)]
            for count in counts:
                row += share_interval(count, sum(counts))
            rows.append(row)
    formats = dict.fromkeys(columns[2:], ".4f")
    return Table("odds", columns, rows, formats, "Simulated games, with 95% intervals.")


def _figure(boards: list[str], worlds: list[str], results: Results) -> Figure:
    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        width = 0.8 / len(boards)
        for i, board in enumerate(boards):
            values = [results[f"solve {board} {world}"]["value"] for world in worlds]
            places = [place + (i - (len(boards) - 1) / 2) * width for place in range(len(worlds))]
            axes.bar(places, values, width * 0.9, label=board, color=PALETTE[i % len(PALETTE)])
        axes.axhline(0, color=FAINT, linewidth=0.8)
        axes.set_xticks(range(len(worlds)), worlds)
        axes.grid(visible=False, axis="x")
        axes.set_ylabel("value for X")
        axes.set_xlabel("risk")
        canvas.legend(loc="outside right upper")

    return draw_figure("values", "What moving first is worth on each board, by risk.", draw)


STUDY = Study(
    Parameters,
    plan_units,
    make_report,
    quick={"boards": "3x3/3x4", "worlds": "0/0.1/blind", "games": 2000},
)
