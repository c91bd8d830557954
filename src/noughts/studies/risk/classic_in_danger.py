"""The classic player in a risky world: what does it cost not to know the risk?

Three players meet in each of five worlds, in both seats: the optimal player of that world, the
classic player, who plays as if nothing could go wrong, and the random player.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noughts.games import game as read_game
from noughts.options import whole
from noughts.report import Answer, Block, Figure, Report, Table, Text, Unit, draw_figure, unit_seed
from noughts.report.figure import outcome_bars
from noughts.studies.risk.pairings import (
    Pairing,
    odds_table,
    outside,
    pairing_name,
    play_pairing,
    value_of,
)
from noughts.studies.risk.seven_worlds import world_spec
from noughts.studies.study import Results, Study, StudyParameters

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

WORLDS = ("noisy-classic", "quarter", "blind", "random", "reverse")  # from safe to upside down
PAIRINGS: tuple[Pairing, ...] = (
    ("classic", "optimal"),
    ("optimal", "classic"),
    ("random", "optimal"),
    ("optimal", "random"),
    ("random", "classic"),
    ("classic", "random"),
    ("optimal", "optimal"),
)
EVEN_PAIRINGS = PAIRINGS[:2]


@dataclass
class Parameters(StudyParameters):
    games: int = whole(100_000, 1, 10**9, "Simulated games of each pairing in each world.")


def plan_units(parameters: Parameters) -> list[Unit]:
    units: list[Unit] = []
    for world in WORLDS:
        for ties, pairings in (("lowest", PAIRINGS), ("uniform", EVEN_PAIRINGS)):
            for x, o in pairings:
                arguments = {
                    "game": str(read_game(world_spec(world, parameters.seed))),
                    "x": x,
                    "o": o,
                    "ties": ties,
                    "games": parameters.games,
                    "seed": unit_seed(parameters.seed, len(units)),
                }
                units.append(Unit(_key(world, (x, o), ties), play_pairing, arguments))
    return units


def _key(world: str, pairing: Pairing, ties: str = "lowest") -> str:
    return f"{world} {pairing_name(pairing)} {ties}"


def make_report(parameters: Parameters, results: Results) -> Report:
    odds = [(w, pairing, results[_key(w, pairing)]) for w in WORLDS for pairing in PAIRINGS]
    missed = sum(outside(result) for _, _, result in odds)
    blocks: list[Block] = [
        Answer(_answer(results)),
        _cost_table(results),
        _bars(results),
        Text(
            "The classic player has many equal moves to choose from, and in a risky world they are "
            "not equal. Above it takes the lowest cell; the last two columns of the first table "
            "let it, and the optimal player, choose evenly among equals."
        ),
        odds_table(
            "odds",
            f"Exact odds, and the 95% intervals of {parameters.games:,} simulated games. "
            f"{3 * len(odds) - missed} of {3 * len(odds)} exact odds lie inside the 99.9% one.",
            odds,
        ),
    ]
    return Report(
        "A classic player in danger",
        "A player who is perfect where marks land as they are meant, in worlds where they do not: "
        "against the optimal player of each world, and beside a player who moves at random.",
        blocks,
    )


def _answer(results: Results) -> str:
    """Where the classic player beats the random one against the optimal player, and where not."""
    words = []
    for world in WORLDS:
        classic = value_of(results[_key(world, ("classic", "optimal"))])
        chance = value_of(results[_key(world, ("random", "optimal"))])
        words.append(f"{world} {classic:+.3f} ({chance:+.3f})")
    worse = [
        f"{world} as {seat}"
        for world in WORLDS
        for seat, classic, chance in _both_seats(results, world)
        if classic < chance
    ]
    tail = f"It does worse than the random player in: {', '.join(worse)}." if worse else ""
    return (
        "**Expected result of the classic player as X against the optimal one**, and in brackets "
        f"that of the random player: {'; '.join(words)}. {tail}"
    )


def _both_seats(results: Results, world: str) -> list[tuple[str, float, float]]:
    """(seat, the classic player's result, the random player's) against the optimal player."""
    return [
        (
            "X",
            value_of(results[_key(world, ("classic", "optimal"))]),
            value_of(results[_key(world, ("random", "optimal"))]),
        ),
        (
            "O",
            -value_of(results[_key(world, ("optimal", "classic"))]),
            -value_of(results[_key(world, ("optimal", "random"))]),
        ),
    ]


def _cost_table(results: Results) -> Table:
    rows: list[list[Any]] = []
    for world in WORLDS:
        row: list[Any] = [world, value_of(results[_key(world, ("optimal", "optimal"))])]
        row += [value_of(results[_key(world, pairing)]) for pairing in PAIRINGS[:-1]]
        row += [value_of(results[_key(world, pairing, "uniform")]) for pairing in EVEN_PAIRINGS]
        rows.append(row)
    columns = ["world", "value", *(pairing_name(pairing) for pairing in PAIRINGS[:-1])]
    columns += [f"{pairing_name(pairing)}, ties even" for pairing in EVEN_PAIRINGS]
    return Table(
        "costs",
        columns,
        rows,
        dict.fromkeys(columns[1:], "+.4f"),
        "P(X wins) - P(O wins), exactly; X's player first. The value is what best play of both "
        "gives.",
    )


def _bars(results: Results) -> Figure:
    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots(3, 2, sharey=True)
        for place, pairing in zip(axes.flat, PAIRINGS[:-1], strict=True):
            odds = [tuple(results[_key(world, pairing)]["exact"]) for world in WORLDS]
            outcome_bars(place, list(WORLDS), odds, f"X {pairing[0]}, O {pairing[1]}")
        handles, labels = axes.flat[0].get_legend_handles_labels()
        canvas.legend(handles, labels, loc="outside lower center", ncols=3)

    caption = "How games end, by exact odds: a panel for each pairing, a bar for each world."
    return draw_figure("outcomes", caption, draw, width=9.0, height=6.6)


STUDY = Study(Parameters, plan_units, make_report, quick={"games": 2000})
