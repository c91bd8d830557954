"""The Ultimate network that comes with Noughts: how it was trained, and what it thinks.

R5 trained a network for two weeks on a GPU and logged, every 100 games, the time, the score against
the best network so far, and whether the new one is better. The same table for ours, from the log
that is shipped beside the network; its strength against pure Monte-Carlo tree search on the way;
then, measured anew: what every first move is worth, how the network does under rules that it was
not trained for, and a small training from nothing, which is the method itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from noughts.learn.zero.folded.learner import GATE_PAIRS
from noughts.learn.zero.folded.training_record import TrainingRecord, shipped_record
from noughts.options import whole
from noughts.report import Answer, Block, Cell, Heading, Report, Table, Text, Unit, unit_seed
from noughts.studies.learning.ultimate_zero_figures import (
    draw_first_moves,
    draw_losses,
    draw_small_training,
    draw_strength,
    score_bounds,
    score_of,
)
from noughts.studies.learning.ultimate_zero_units import (
    VARIANTS,
    first_moves,
    play_variant,
    train_small,
    uct_of,
)
from noughts.studies.study import Results, Study, StudyParameters

R5_GAMES, R5_HOURS = 700, 14 * 24
FIRST_MOVES, TRAINING = "first moves", "training"


@dataclass
class Parameters(StudyParameters):
    simulations: int = whole(200_000, 1, 500_000, "Simulations behind each first move.")
    match_games: int = whole(100, 2, 10**6, "Games of each match with uct; a pair has two.")
    match_simulations: int = whole(600, 1, 10**6, "Simulations of either side in these matches.")
    games: int = whole(4000, 20, 10**7, "Games of the training from nothing.")
    training_games: int = whole(20, 2, 10**6, "Games against uct after each of its stages.")
    training_simulations: int = whole(100, 1, 10**6, "Simulations of either side in these.")


def plan_units(parameters: Parameters) -> list[Unit]:
    seeds = [unit_seed(parameters.seed, i) for i in range(2 + len(VARIANTS))]
    return [
        Unit(FIRST_MOVES, first_moves, {"simulations": parameters.simulations, "seed": seeds[0]}),
        *(
            Unit(
                game,
                play_variant,
                {
                    "game": game,
                    "simulations": parameters.match_simulations,
                    "games": parameters.match_games,
                    "seed": seed,
                },
            )
            for game, seed in zip(VARIANTS, seeds[2:], strict=True)
        ),
        Unit(
            TRAINING,
            train_small,
            {
                "games": parameters.games,
                "simulations": parameters.training_simulations,
                "match_games": parameters.training_games,
                "seed": seeds[1],
            },
        ),
    ]


def make_report(parameters: Parameters, results: Results) -> Report:
    record, moves = shipped_record(), results[FIRST_MOVES]
    blocks: list[Block] = [
        Answer(_answer(parameters, record, results)),
        Heading("The training"),
        Text(f"The network that comes with Noughts was made by `{record.made_by}`."),
        pace_table(record, results[TRAINING]),
        log_table(record),
        draw_losses(record),
        *_strength_blocks(record),
        Heading("First moves"),
        Text(
            "Symmetries leave 15 of the 81 first moves. A move's value for X is the network's own, "
            "as the mean over eight views of the board, and that of a search of the position after "
            "it. These are estimates: Ultimate is not solved."
        ),
        first_moves_table(moves),
        draw_first_moves(moves, parameters.simulations),
        Heading("Rules that it was not trained for"),
        Text(
            "The network has only seen won mini boards closed and games without a line drawn. It "
            "searches the variants by their own rules, with evaluations that were not made for "
            "them. Either side has the same number of simulations."
        ),
        variants_table(parameters, results),
        Heading("From nothing"),
        *_training_blocks(parameters, results[TRAINING]),
    ]
    return Report(
        "The Ultimate network",
        "A network that taught itself Ultimate on two cores: the log of its training beside a "
        "published one, its strength on the way, and what it thinks of the first move.",
        blocks,
    )


def _per_hour(record: TrainingRecord) -> float:
    return 3600.0 * record.games / record.seconds


def _answer(parameters: Parameters, record: TrainingRecord, results: Results) -> str:
    pace, published = _per_hour(record), R5_GAMES / R5_HOURS
    words = [
        f"**{record.games:,} games in {record.seconds / 60:.0f} minutes on two cores: "
        f"{pace:,.0f} games an hour**, where the published training on a GPU had "
        f"{published:.1f} ({R5_GAMES} in two weeks)."
    ]
    if record.rated:
        last = record.rated[-1]
        words.append(
            f"Its last network scores {_score(last.against_uct)} against `{record.match['uct']}` "
            f"with `{record.match['zero']}`."
        )
    words.append(_best_words(results[FIRST_MOVES]))
    variants = " and ".join(
        f"{score_of(results[game]['tally']):.3f} on `{game}`" for game in VARIANTS[1:]
    )
    own = score_of(results[VARIANTS[0]]["tally"])
    words.append(
        f"Under rules that it was not trained for it scores {variants} against UCT with as many "
        f"simulations ({parameters.match_simulations}), and {own:.3f} on its own game."
    )
    return " ".join(words)


def _best_words(moves: Sequence[Mapping[str, Any]]) -> str:
    best, worst = (pick(moves, key=lambda row: row["search"]) for pick in (max, min))
    bare = max(moves, key=lambda row: row["prior"])
    return (
        f"By search the best first move is {_place(best)}, worth {best['search']:+.3f} for X, the "
        f"worst {_place(worst)}, worth {worst['search']:+.3f}; without a search the network plays "
        f"{_place(bare)} or its like with {bare['prior']:.1%}."
    )


def _place(row: Mapping[str, Any]) -> str:
    return "cell {1} of mini board {0}".format(*divmod(row["cells"][0], 9))


def _score(tally: Sequence[int]) -> str:
    low, high = score_bounds(tally)
    return f"{score_of(tally):.3f} [{low:.3f}, {high:.3f}]"


def pace_table(record: TrainingRecord, training: Mapping[str, Any]) -> Table:
    """Games per hour: the published training, ours, and the small one of this run."""
    hours = record.seconds / 3600.0
    rows: list[list[Cell]] = [
        ["published, GPU", R5_GAMES, float(R5_HOURS), R5_GAMES / R5_HOURS],
        ["the shipped network", record.games, hours, record.games / hours],
    ]
    if "stages" in training:
        last = training["stages"][-1]
        hours = last["seconds"] / 3600.0
        rows.append(["this run's training", last["games"], hours, last["games"] / hours])
    return Table(
        "pace",
        ["training", "games", "hours", "games per hour"],
        rows,
        {"games": ",", "hours": ".3f", "games per hour": ",.1f"},
        "Games of self-play and the time they took, with the training between them.",
    )


def log_table(record: TrainingRecord) -> Table:
    """The published table again: time, score, is best; with what else the log has."""
    rows: list[list[Cell]] = []
    for i, gate in enumerate(record.gates):
        assert gate.score is not None
        wins = round((2 * gate.score - 1) * 2 * GATE_PAIRS) if i else None  # nobody to play first
        rows.append(
            [
                gate.games, record.minutes_at(gate.games), wins, bool(gate.is_best),
                gate.policy_loss, gate.value_loss, gate.drawn,
            ]
        )  # fmt: skip
    return Table(
        "log",
        ["games", "minutes", "wins - losses", "is best", "policy loss", "value loss", "drawn"],
        rows,
        {"games": ",", "minutes": ".1f", "wins - losses": "+", "policy loss": ".3f",
         "value loss": ".3f", "drawn": ".1%"},
        f"Every gate: the new network against the best before it, in {2 * GATE_PAIRS} games.",
    )  # fmt: skip


def _strength_blocks(record: TrainingRecord) -> list[Block]:
    if not record.rated:
        return [Text("The stages of this training have not been rated against UCT.")]
    match, rows = record.match, []
    for rating in record.rated:
        cells: list[Cell] = [rating.games, rating.minutes]
        for tally in (rating.against_uct, rating.against_last):
            low, high = score_bounds(tally)
            cells += ["–".join(map(str, tally)), score_of(tally), low, high]
        rows.append(cells)
    columns = ["games", "minutes"]
    for rival in ("uct", "last"):
        columns += [
            f"against {rival}",
            f"score, {rival}",
            f"95% low, {rival}",
            f"95% high, {rival}",
        ]
    formats = dict.fromkeys(columns[2:], ".3f") | {"games": ",", "minutes": ".1f"}
    formats = {name: text for name, text in formats.items() if not name.startswith("against")}
    table = Table(
        "strength",
        columns,
        rows,
        formats,
        f"Won–drawn–lost by `{match['zero']}` against `{match['uct']}` and against the last "
        f"network, from {match['openings']} random plies, seed {match['seed']}.",
    )
    return [Heading("Strength on the way"), draw_strength(record), table]


def first_moves_table(moves: Sequence[Mapping[str, Any]]) -> Table:
    """The 15 classes of first moves, the best first."""
    rows: list[list[Cell]] = [
        [
            row["cells"][0] // 9, row["cells"][0] % 9, len(row["cells"]), row["network"],
            row["search"], row["prior"], row["reply"] % 9,
        ]
        for row in sorted(moves, key=lambda row: -row["search"])
    ]  # fmt: skip
    return Table(
        "first-moves",
        ["mini board", "cell", "cells alike", "network", "search", "prior", "reply"],
        rows,
        {"network": "+.3f", "search": "+.3f", "prior": ".1%"},
        "Values for X; the network's chances of playing one of the cells alike; and the cell of "
        "O's reply, whose mini board the first move names.",
    )


def variants_table(parameters: Parameters, results: Results) -> Table:
    """The shipped network against UCT, game by game."""
    rows: list[list[Cell]] = [
        [
            game,
            *results[game]["tally"],
            score_of(results[game]["tally"]),
            *results[game]["interval"],
        ]
        for game in VARIANTS
    ]
    simulations = parameters.match_simulations
    return Table(
        "variants",
        ["game", "won", "drawn", "lost", "score", "95% low", "95% high"],
        rows,
        dict.fromkeys(("score", "95% low", "95% high"), ".3f"),
        f"`zero:simulations={simulations}` against `{uct_of(simulations)}` over paired random "
        "openings; exact intervals over pairs.",
    )


def _training_blocks(parameters: Parameters, training: Mapping[str, Any]) -> list[Block]:
    if "stages" not in training:
        return [Text(training["cannot"])]
    stages, uct = training["stages"], uct_of(parameters.training_simulations)
    rows: list[list[Cell]] = []
    for stage in stages:
        score, best = stage.get("score"), stage.get("is_best")
        low, high = score_bounds(stage["tally"])
        rows.append(
            [
                stage["games"], stage["seconds"],
                None if score is None else round((2 * score - 1) * 2 * GATE_PAIRS),
                None if best is None else bool(best),
                stage.get("policy_loss"), stage.get("value_loss"),
                "–".join(map(str, stage["tally"])), score_of(stage["tally"]), low, high,
            ]
        )  # fmt: skip
    columns = [
        "games", "seconds", "wins - losses", "is best", "policy loss", "value loss", "against uct",
        "score", "95% low", "95% high",
    ]  # fmt: skip
    formats = dict.fromkeys(("policy loss", "value loss", *columns[-3:]), ".3f")
    formats |= {"games": ",", "seconds": ".1f", "wins - losses": "+"}
    table = Table(
        "training",
        columns,
        rows,
        formats,
        f"A training of {parameters.games:,} games: gates as above, and "
        f"`zero:simulations={parameters.training_simulations}` against `{uct}`.",
    )
    told = Text(
        "The same method with fewer games and smaller batches, from random weights. The learning "
        "rate falls over these games: a whole training in small, not the beginning of a long one."
    )
    return [told, table, draw_small_training(stages, uct)]


STUDY = Study(
    Parameters,
    plan_units,
    make_report,
    quick={
        "simulations": 3000,
        "match_games": 10,
        "match_simulations": 100,
        "games": 300,
        "training_games": 10,
    },
)
