"""Every agent on Ultimate endgames that are solved exactly: moves, what they lose, and values.

The set is frozen (`ultimate_endgames_set`): positions with 12 to 20 free cells in which some moves
are better than others, with the exact value of each. An agent is asked once for every position,
with a seed of its own. What is measured:

    best moves    the share of positions in which it played a best move, with its exact interval
    regret        what its moves lost on average: 1 for half a point, 2 for a whole game
    values        of the agents that say what their move is worth: the share that is nearest to the
                  exact result of the position (win, draw or loss), and the mean distance from it
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

import numpy as np

from noughts.agents import agent as read_agent
from noughts.errors import NoughtsError
from noughts.games.grammar import format_number
from noughts.options import number, whole
from noughts.report import (
    Answer,
    Block,
    Cell,
    Figure,
    Heading,
    Report,
    Table,
    Text,
    Unit,
    draw_figure,
    unit_seed,
)
from noughts.report.figure import DRAW_COLOUR, PALETTE
from noughts.solve import share_interval
from noughts.studies.players.ultimate_endgames_set import Endgame, all_endgames, free_cells
from noughts.studies.study import Results, Study, StudyParameters

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

# By family, from the smallest budget to the largest; {} is the time of alphabeta.
FAMILIES = {
    "random": ("random",),
    "flat": ("flat:playouts=100", "flat:playouts=1000"),
    "uct": tuple(f"uct:simulations={n}" for n in (100, 600, 1000, 10_000)),
    "zero": tuple(f"zero:simulations={n}" for n in (1, 100, 600)),
    "alphabeta": (*(f"alphabeta:depth={n}" for n in (2, 4, 6)), "alphabeta:time={}"),
}  # fmt: skip
SIZES = ((12, 14), (15, 17), (18, 20))  # free cells
COLUMNS = [
    "agent", "positions", "best moves", "95% low", "95% high", "regret", "results right",
    "value error", "median ms",
]  # fmt: skip
FORMATS = {
    "best moves": ".1%", "95% low": ".1%", "95% high": ".1%", "regret": ".3f",
    "results right": ".1%", "value error": ".3f", "median ms": ".2f",
}  # fmt: skip


@dataclass
class Parameters(StudyParameters):
    positions: int = whole(1200, 1, 10**6, "The first so many positions of the set.")
    time: float = number(0.1, 0.001, 60, "Alphabeta's seconds.")


def agents_of(parameters: Parameters) -> dict[str, list[str]]:
    """The agents of every family, by the specs that name them."""
    seconds = format_number(parameters.time)
    return {family: [spec.format(seconds) for spec in specs] for family, specs in FAMILIES.items()}


def plan_units(parameters: Parameters) -> list[Unit]:
    specs = [spec for found in agents_of(parameters).values() for spec in found]
    return [
        Unit(
            spec,
            ask_agent,
            {
                "agent": spec,
                "positions": parameters.positions,
                "seed": unit_seed(parameters.seed, i),
            },
        )
        for i, spec in enumerate(specs)
    ]


def ask_agent(agent: str, positions: int, seed: int) -> dict[str, Any]:
    """Moves, values for X and seconds of an agent, position by position; why not, if it cannot."""
    player = read_agent(agent)
    moves: list[int] = []
    values: list[float | None] = []
    seconds: list[float] = []
    try:
        for i, endgame in enumerate(all_endgames()[:positions]):
            player.reset()
            moves.append(player.choose(endgame.position, np.random.default_rng([seed, i])))
            values.append(player.last.value if player.last else None)
            seconds.append(player.last.seconds if player.last else 0.0)
    except NoughtsError as error:
        return {"cannot": str(error)}
    return {
        "moves": moves,
        "values": [None if value is None else round(value, 6) for value in values],
        "seconds": [round(taken, 6) for taken in seconds],
    }


def _row(agent: str, endgames: Sequence[Endgame], result: Mapping[str, Any]) -> list[Cell]:
    asked = list(zip(endgames, result["moves"], result["values"], strict=True))
    regrets = [endgame.regret(move) for endgame, move, _ in asked]
    best = sum(regret == 0.0 for regret in regrets)
    low, high = share_interval(best, len(asked))
    errors = [abs(value - endgame.value) for endgame, _, value in asked if value is not None]
    right = sum(error < 0.5 for error in errors) / len(errors) if errors else None
    return [
        agent, len(asked), best / len(asked), low, high, fmean(regrets), right,
        fmean(errors) if errors else None, 1000 * median(result["seconds"]),
    ]  # fmt: skip


def _part(result: Mapping[str, Any], places: Sequence[int]) -> dict[str, Any]:
    return {name: [found[i] for i in places] for name, found in result.items()}


def make_report(parameters: Parameters, results: Results) -> Report:
    families = agents_of(parameters)
    endgames = all_endgames()[: parameters.positions]
    specs = [spec for found in families.values() for spec in found]
    able = [spec for spec in specs if "moves" in results[spec]]
    table = Table(
        "agents",
        COLUMNS,
        [_row(spec, endgames, results[spec]) for spec in able],
        FORMATS,
        "Best moves with 95% intervals; what a move loses on average; the share of values "
        "that are nearest to the exact result, and their mean distance from it.",
    )
    blocks: list[Block] = [
        Answer(_answer(table)),
        table,
        _draw_regrets(families, table),
        Heading("By size"),
        _size_table(able, endgames, results),
    ]
    missing = [spec for spec in specs if spec not in able]
    if missing:
        reasons = " ".join(f"`{spec}`: {results[spec]['cannot']}" for spec in missing)
        blocks.append(Text(f"Not asked: {reasons}"))
    return Report(
        "Ultimate endgames",
        f"{len(endgames)} endgames of Ultimate with 12 to 20 free cells, each solved exactly, put "
        "to every agent that plays it.",
        blocks,
    )


def _size_table(able: Sequence[str], endgames: Sequence[Endgame], results: Results) -> Table:
    rows: list[list[Cell]] = []
    for spec in able:
        for low, high in SIZES:
            sizes = [free_cells(endgame.position) for endgame in endgames]
            places = [i for i, size in enumerate(sizes) if low <= size <= high]
            if places:
                found = [endgames[i] for i in places]
                row = _row(spec, found, _part(results[spec], places))
                rows.append([spec, f"{low}–{high}", *row[1:]])
    columns = [COLUMNS[0], "free cells", *COLUMNS[1:]]
    return Table("sizes", columns, rows, FORMATS, "The same by the number of free cells.")


def _answer(table: Table) -> str:
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    named = {str(row["agent"]): row for row in rows}
    tried = [row for row in rows if not str(row["agent"]).startswith("alphabeta")]
    best = min(tried, key=lambda row: float(str(row["regret"])))
    words = (
        f"Of the agents that do not search to the end, `{best['agent']}` loses least: a regret of "
        f"**{best['regret']:.3f}** per move, with a best move in {best['best moves']:.1%} of "
        f"{best['positions']} positions"
    )
    if "random" in named and best["agent"] != "random":
        words += (
            f" (random: {named['random']['regret']:.3f} and {named['random']['best moves']:.1%})"
        )
    return words + "."


def _draw_regrets(families: Mapping[str, Sequence[str]], table: Table) -> Figure:
    """Regret against time, a line for each family."""
    rows: dict[str, dict[str, Any]]
    rows = {str(row[0]): dict(zip(table.columns, row, strict=True)) for row in table.rows}

    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        for number_, (family, specs) in enumerate(families.items()):
            found = [rows[spec] for spec in specs if spec in rows]
            times = [max(row["median ms"], 0.001) for row in found]
            regrets = [row["regret"] for row in found]
            colour = (DRAW_COLOUR, *PALETTE)[number_]
            axes.plot(times, regrets, "o-", color=colour, label=family, markersize=5)
            for row, time, regret in zip(found, times, regrets, strict=True):
                axes.annotate(
                    str(row["agent"]).partition(":")[2], (time, regret), fontsize=7.5,
                    xytext=(4, 4), textcoords="offset points",
                )  # fmt: skip
        axes.set_xscale("log")
        axes.set_ylim(bottom=0.0)
        axes.set_xlabel("milliseconds for a move (median)")
        axes.set_ylabel("regret of a move")
        axes.legend()

    caption = "What a move loses on average, against the time it takes."
    return draw_figure("regrets", caption, draw, 8.0, 4.6)


STUDY = Study(Parameters, plan_units, make_report, quick={"positions": 20, "time": 0.01})
