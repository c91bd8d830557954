"""The figures of `ultimate-zero`: strength and losses over the training, first moves as a board."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from noughts.games.svg.ink import EDGE, FAINT, GRID, INK
from noughts.learn.zero.training_record import TrainingRecord
from noughts.report import Figure, draw_figure
from noughts.report.figure import DASHES, O_COLOUR, PALETTE, X_COLOUR
from noughts.stats.scores import games_interval
from noughts.studies.atlas_figures import short_value, value_ramp

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
            left.plot(thousands, there, label=label, color=PALETTE[i], linestyle=DASHES[i])
        left.set_title("cross-entropy")
        left.legend()
        shares = (("won_by_x", "won by X", X_COLOUR), ("drawn", "drawn", FAINT))
        for key, label, colour in shares:
            found = [getattr(chunk, key) for chunk in record.chunks]
            right.plot(thousands, found, label=label, color=colour)
        right.set_title("games with itself")
        right.set_ylim(0, 1)
        right.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
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
        _bar(canvas, largest)

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

    ramp, best = value_ramp(), max(row[key] for row in classes)
    for row in classes:
        share = row[key] / largest
        ink = "white" if abs(share) > 0.6 else INK
        for cell in row["cells"]:
            x, y = corner(cell)
            colour = ramp((share + 1) / 2)
            axes.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, edgecolor=GRID, linewidth=0.8))
            if row[key] == best:
                frame: Any = {"fill": False, "edgecolor": ink, "linewidth": 1.2}
                axes.add_patch(Rectangle((x + 0.07, y + 0.07), 0.86, 0.86, **frame))
            axes.text(
                x + 0.5, y + 0.52, short_value(row[key]), fontsize=6.2, color=ink, ha="center",
                va="center",
            )  # fmt: skip
    for mini in range(9):
        x, y = corner(9 * mini)
        axes.add_patch(Rectangle((x, y), 3, 3, fill=False, edgecolor=FAINT, linewidth=1.2))
    side = 9 + 2 * GAP
    axes.set_xlim(-0.06, side + 0.06)
    axes.set_ylim(side + 0.06, -0.06)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title(title, fontsize=9, fontweight="normal", loc="center", pad=4)


def _bar(canvas: "Canvas", largest: float) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    bar = canvas.colorbar(
        ScalarMappable(Normalize(-largest, largest), value_ramp()), ax=canvas.axes,
        location="bottom", ticks=[-largest, 0, largest], shrink=0.5,
        aspect=40, pad=0.03,
    )  # fmt: skip
    bar.set_ticklabels([f"{-largest:+g}", "0", f"{largest:+g}"])
    bar.ax.tick_params(labelsize=8, length=2, color=FAINT)
    bar.outline.set_edgecolor(EDGE)
    bar.set_label("value for X of playing here first", fontsize=8.2)
