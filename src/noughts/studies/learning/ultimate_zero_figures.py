"""The figures of `ultimate-zero`: strength and losses over the training, first moves as a board."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from noughts.games.svg.ink import FAINT
from noughts.learn.zero.folded.training_record import TrainingRecord
from noughts.report import Figure, draw_figure
from noughts.report.charts import (
    ValuedCell,
    draw_cells,
    frame_board,
    in_percent,
    look,
    short_value,
    value_bar,
)
from noughts.report.figure import O_COLOUR, X_COLOUR
from noughts.stats.scores import games_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

GAP = 0.28  # in cells, between two mini boards
Tally = Sequence[int]


def score_of(tally: Tally) -> float:
    """Points per game of won, drawn and lost."""
    return (tally[0] + tally[1] / 2) / sum(tally)


def score_bounds(tally: Tally) -> tuple[float, float]:
    """95%, of games one by one: the record of a training keeps counts, not pairs."""
    return games_interval(*tally)


def draw_strength(record: TrainingRecord) -> Figure:
    """The rated snapshots over the minutes of training, with their intervals."""
    minutes = [row.minutes for row in record.rated]
    zero, uct = record.match.get("zero"), record.match.get("uct")

    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        curves = (
            ([row.against_uct for row in record.rated], f"{zero} against {uct}", X_COLOUR, "o"),
            ([row.against_last for row in record.rated], "against the last one", O_COLOUR, "s"),
        )
        for tallies, label, colour, marker in curves:
            _curve(axes, minutes, tallies, label, colour, marker)
        axes.set_xlabel("minutes of training")
        axes.set_ylabel("points per game")
        axes.set_ylim(0, 1.02)
        axes.legend(loc="lower right")

    caption = "The network at each stage of its training, with 95% intervals."
    return draw_figure("strength", caption, draw)


def _curve(
    axes: "Axes", places: Sequence[float], tallies: Sequence[Tally], label: str, colour: str,
    marker: str,
) -> None:  # fmt: skip
    bounds = [score_bounds(tally) for tally in tallies]
    scores = [score_of(tally) for tally in tallies]
    axes.fill_between(
        places, [low for low, _ in bounds], [high for _, high in bounds],
        color=colour, alpha=0.15, linewidth=0,
    )  # fmt: skip
    axes.plot(places, scores, color=colour, marker=marker, markersize=4.5, label=label)


def draw_losses(record: TrainingRecord) -> Figure:
    """What the network still gets wrong, over its games; and how many games are drawn."""
    thousands = [chunk.games / 1000 for chunk in record.chunks]

    def draw(canvas: "Canvas") -> None:
        left, right = canvas.subplots(1, 2)
        curves = (("policy_loss", "policy"), ("value_loss", "value"))
        for i, (key, label) in enumerate(curves):
            losses = [getattr(chunk, key) for chunk in record.chunks]
            there = [math.nan if loss is None else loss for loss in losses]
            left.plot(thousands, there, label=label, **look(i))
        left.set_title("cross-entropy")
        left.legend()
        shares = (("won_by_x", "won by X", X_COLOUR), ("drawn", "drawn", FAINT))
        for key, label, colour in shares:
            found = [getattr(chunk, key) for chunk in record.chunks]
            right.plot(thousands, found, label=label, color=colour)
        right.set_title("games with itself")
        right.set_ylim(0, 1)
        in_percent(right.yaxis)
        right.legend()
        for axes in (left, right):
            axes.set_xlabel("thousands of games")

    caption = "Losses of the network, and results of its games with itself, over the training."
    return draw_figure("losses", caption, draw, height=3.6)


def draw_small_training(stages: Sequence[dict[str, Any]], uct: str) -> Figure:
    """The training of this run: points against UCT over its games."""

    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        games = [stage["games"] for stage in stages]
        tallies = [stage["tally"] for stage in stages]
        _curve(axes, games, tallies, f"against {uct}", X_COLOUR, "o")
        axes.set_xlabel("games of training")
        axes.set_ylabel("points per game")
        axes.set_ylim(0, 1.02)
        axes.legend(loc="lower right")

    caption = "The training of this run, from nothing, with 95% intervals."
    return draw_figure("small-training", caption, draw, height=3.4)


def draw_first_moves(classes: Sequence[dict[str, Any]], simulations: int) -> Figure:
    """Two Ultimate boards: every first move by the network alone, and after a search."""
    values = [row[key] for row in classes for key in ("network", "search")]
    # Round, so that the ends of the colour bar can be named.
    largest = max(0.05, math.ceil(20 * max(abs(value) for value in values)) / 20)

    def draw(canvas: "Canvas") -> None:
        left, right = canvas.subplots(1, 2, gridspec_kw={"wspace": 0.08})
        _board(left, classes, "network", largest, "the network alone")
        _board(right, classes, "search", largest, f"after {simulations:,} simulations")
        ticks = {-1.0: f"{-largest:+g}", 0.0: "0", 1.0: f"{largest:+g}"}
        value_bar(canvas, ticks, shrink=0.5)

    caption = (
        "Every first move, coloured by what it is worth for X; symmetric cells have one value. "
        "Frames are around the best ones."
    )
    return draw_figure("first-moves", caption, draw, width=9.2, height=5.4)


def corner(cell: int) -> tuple[float, float]:
    """The upper left corner of a cell, in cells."""
    mini, inside = divmod(cell, 9)
    column = 3 * (mini % 3) + inside % 3
    row = 3 * (mini // 3) + inside // 3
    return column + GAP * (mini % 3), row + GAP * (mini // 3)


def _board(
    axes: "Axes", classes: Sequence[dict[str, Any]], key: str, largest: float, title: str
) -> None:
    from matplotlib.patches import Rectangle

    best = max(row[key] for row in classes)
    cells = [
        ValuedCell(*corner(cell), row[key] / largest, short_value(row[key]), row[key] == best)
        for row in classes
        for cell in row["cells"]
    ]
    draw_cells(axes, cells, size=6.2, dark=0.6)
    for mini in range(9):
        place = corner(9 * mini)
        axes.add_patch(Rectangle(place, 3, 3, fill=False, edgecolor=FAINT, linewidth=1.2))
    frame_board(axes, 9 + 2 * GAP, 9 + 2 * GAP, title)
