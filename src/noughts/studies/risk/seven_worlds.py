"""Seven worlds on 3×3: who wins, exactly and in 100,000 simulated games.

A world is a flip risk for every cell. In each the optimal player of that world and the random
player meet in all four ways. The sweeps of value iteration are logged as well: a move fills a cell,
so they end after at most 10 of them although nothing is discounted.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noughts.games import game as read_game
from noughts.options import choice, whole
from noughts.report import (
    Answer,
    Block,
    Figure,
    Heading,
    Report,
    Table,
    Text,
    Unit,
    draw_figure,
    unit_seed,
)
from noughts.report.figure import DASHES, PALETTE, outcome_bars
from noughts.solve import solve
from noughts.studies.risk.pairings import (
    Pairing,
    odds_table,
    outside,
    pairing_name,
    play_pairing,
    value_of,
)
from noughts.studies.study import Results, Study, StudyParameters

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

WORLDS = ("stochastic", "classic", "reverse", "noisy-reverse", "noisy-classic", "blind", "random")
DRAWN = ("noisy-reverse", "noisy-classic", "random")
PAIRINGS: tuple[Pairing, ...] = (
    ("optimal", "random"),
    ("random", "optimal"),
    ("optimal", "optimal"),
    ("random", "random"),
)


@dataclass
class Parameters(StudyParameters):
    games: int = whole(100_000, 1, 10**9, "Simulated games of each pairing in each world.")
    ties: str = choice("lowest", ("lowest", "uniform"), "What the optimal player does with ties.")


def world_spec(world: str, seed: int) -> str:
    """The game of a world on 3×3."""
    return f"3x3:flip={world},seed={seed}" if world in DRAWN else f"3x3:flip={world}"


def sweep_log(game: str) -> dict[str, Any]:
    """The log of value iteration, the value of the start and its best moves."""
    solution = solve(game, method="value-iteration")
    start = solution.game.start()
    return {
        "value": solution.value(start),
        "best": list(solution.best_moves(start)),
        "risk": list(solution.game.risk.flip),
        "states": 2 * solution.running_boards,
        "sweeps": [
            [sweep.max_difference, sweep.position.board, sweep.mean_difference]
            for sweep in solution.sweeps
        ],
    }


def plan_units(parameters: Parameters) -> list[Unit]:
    units = []
    for world in WORLDS:
        spec = str(read_game(world_spec(world, parameters.seed)))
        units.append(Unit(f"{world} sweeps", sweep_log, {"game": spec}))
        for x, o in PAIRINGS:
            arguments = {
                "game": spec,
                "x": x,
                "o": o,
                "ties": parameters.ties,
                "games": parameters.games,
                "seed": unit_seed(parameters.seed, len(units)),
            }
            units.append(Unit(f"{world} {pairing_name((x, o))}", play_pairing, arguments))
    return units


def make_report(parameters: Parameters, results: Results) -> Report:
    odds = [
        (world, pairing, results[f"{world} {pairing_name(pairing)}"])
        for world in WORLDS
        for pairing in PAIRINGS
    ]
    missed = sum(outside(result) for _, _, result in odds)
    furthest = max(
        abs(exact - count / sum(result["played"]))
        for _, _, result in odds
        for exact, count in zip(result["exact"], result["played"], strict=True)
    )
    total = 3 * len(odds)
    blocks: list[Block] = [
        Answer(
            f"**{total - missed} of {total}** exact odds lie inside the 99.9% interval of their "
            f"{parameters.games:,} simulated games; the largest difference is {furthest:.4f}."
        ),
        _worlds_table(results),
        _bars(results),
        odds_table(
            "odds",
            "Exact odds, the 95% intervals of the simulated games, and whether all three "
            "exact odds lie inside the 99.9% ones.",
            odds,
        ),
        Heading("How value iteration gets there"),
        Text(
            "Each sweep applies the Bellman equation to all 22,186 running states (board and turn) "
            "at once, starting from 0. The operator does not contract, but every move fills a "
            "cell, so after at most nine sweeps all values are exact and one more changes nothing."
        ),
        _sweep_figure(results),
        _sweep_table(results),
        Heading("The risks"),
        _risk_table(results),
    ]
    return Report(
        "Seven worlds",
        "The optimal player and the random player on 3×3 boards where a mark may land as the "
        "opponent's. Exact odds from the solved game stand beside simulated games.",
        blocks,
    )


def _worlds_table(results: Results) -> Table:
    rows = []
    for world in WORLDS:
        log = results[f"{world} sweeps"]
        values = [value_of(results[f"{world} {pairing_name(pairing)}"]) for pairing in PAIRINGS]
        best = " ".join(map(str, log["best"]))
        rows.append([world, log["value"], best, *values, len(log["sweeps"])])
    pairings = [pairing_name(pairing) for pairing in PAIRINGS]
    return Table(
        "worlds",
        ["world", "value", "best first cells", *pairings, "sweeps"],
        rows,
        {"value": "+.6f"} | dict.fromkeys(pairings, "+.4f"),
        "The value is what X gains under best play of both; then P(X wins) - P(O wins) of each "
        "pairing, X's player first. Cells are numbered 0 to 8, row by row.",
    )


def _bars(results: Results) -> Figure:
    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots(2, 2, sharey=True)
        for place, pairing in zip(axes.flat, PAIRINGS, strict=True):
            odds = [tuple(results[f"{w} {pairing_name(pairing)}"]["exact"]) for w in WORLDS]
            outcome_bars(place, list(WORLDS), odds, f"X {pairing[0]}, O {pairing[1]}")
        handles, labels = axes.flat[0].get_legend_handles_labels()
        canvas.legend(handles, labels, loc="outside lower center", ncols=3)

    return draw_figure(
        "outcomes",
        "How games end, by exact odds: a panel for each pairing, a bar for each world.",
        draw,
        width=9.0,
        height=5.8,
    )


def _sweep_figure(results: Results) -> Figure:
    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        for i, world in enumerate(WORLDS):
            means = [mean for _, _, mean in results[f"{world} sweeps"]["sweeps"] if mean > 0]
            axes.semilogy(
                range(1, len(means) + 1), means, label=world,
                color=PALETTE[i % len(PALETTE)], linestyle=DASHES[i % len(DASHES)],
                marker="osD^vPX"[i], markersize=4.5,
            )  # fmt: skip
        axes.set_xlabel("sweep")
        axes.set_ylabel("mean difference")
        canvas.legend(loc="outside right upper")

    return draw_figure(
        "sweeps", "The mean change of a state's value in each sweep, until it is exactly 0.", draw
    )


def _sweep_table(results: Results) -> Table:
    rows = []
    for world in WORLDS:
        for number, (largest, board, mean) in enumerate(results[f"{world} sweeps"]["sweeps"], 1):
            drawn = "/".join(board[i : i + 3] for i in range(0, 9, 3))
            rows.append([world, number, largest, drawn, mean])
    return Table(
        "sweeps",
        ["world", "sweep", "max difference", "where, X to move", "mean difference"],
        rows,
        {"max difference": ".8g", "mean difference": ".16g"},
        "The log of synchronous value iteration.",
    )


def _risk_table(results: Results) -> Table:
    rows = [[world, *results[f"{world} sweeps"]["risk"]] for world in WORLDS]
    cells = [f"cell {cell}" for cell in range(9)]
    return Table(
        "risks",
        ["world", *cells],
        rows,
        dict.fromkeys(cells, ".3f"),
        "The probability that a mark played in a cell lands as the opponent's.",
    )


STUDY = Study(Parameters, plan_units, make_report, quick={"games": 2000})
