"""The figures of a tournament: who beats whom, how strong, and at what price."""

import math
from typing import TYPE_CHECKING

import numpy as np

from noughts.games.svg.ink import EDGE, FAINT, INK
from noughts.report import Figure, draw_figure
from noughts.report.figure import O_COLOUR, PALETTE, X_COLOUR

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

    from noughts.arena.tournament import Tournament


def make_figures(played: "Tournament") -> list[Figure]:
    """All figures, in reading order."""
    count = len(played.agents)
    tall = 1.2 + 0.42 * count
    return [
        draw_figure(
            "ratings-figure",
            "Elo with 95% intervals; the mean of all agents is 0.",
            lambda canvas: _draw_ratings(canvas, played),
            height=tall,
        ),
        draw_figure(
            "crosstable-figure",
            "The score of each row against each column: blue wins, orange loses."
            if played.game.seats == 2
            else "The points per game of each row in each seat: blue is more than a share each.",
            lambda canvas: _draw_crosstable(canvas, played),
            width=2.6 + 0.85 * (count if played.game.seats == 2 else played.game.seats),
            height=1.6 + 0.62 * count,
        ),
        draw_figure(
            "time-strength",
            "Strength against thinking time; up and to the left is better.",
            lambda canvas: _draw_times(canvas, played),
        ),
    ]


def _draw_ratings(canvas: "Canvas", played: "Tournament") -> None:
    axes = canvas.add_subplot()
    places = list(range(len(played.order)))[::-1]
    shown = _shown_ends(played)
    for place, agent in zip(places, played.order, strict=True):
        rating = played.ratings[agent]
        axes.barh(place, rating.elo, color=X_COLOUR if rating.elo >= 0 else O_COLOUR, height=0.6)
        low, high = shown[agent]
        axes.plot([low, high], [place, place], color=INK, linewidth=1.4)
        for end, is_known in ((low, low == rating.low), (high, high == rating.high)):
            if is_known:
                axes.plot([end, end], [place - 0.14, place + 0.14], color=INK, linewidth=1.4)
            else:  # the interval goes on for ever
                axes.plot(end, place, ">" if end == high else "<", color=INK, markersize=5)
    axes.set_yticks(places, [played.agents[agent] for agent in played.order])
    axes.axvline(0.0, color=EDGE, linewidth=1.0)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("Elo")


def _shown_ends(played: "Tournament") -> list[tuple[float, float]]:
    """The ends of the intervals; an infinite one is drawn a little beyond all that is known."""
    known = [n for r in played.ratings for n in (r.elo, r.low, r.high) if math.isfinite(n)]
    least, most = min(known), max(known)
    beyond = 0.15 * (most - least) + 10.0
    return [
        (max(rating.low, least - beyond), min(rating.high, most + beyond))
        for rating in played.ratings
    ]


def _draw_crosstable(canvas: "Canvas", played: "Tournament") -> None:
    from matplotlib.colors import LinearSegmentedColormap

    axes = canvas.add_subplot()
    colours = LinearSegmentedColormap.from_list("score", [O_COLOUR, "#faf5ea", X_COLOUR])
    names, even = [played.agents[agent] for agent in played.order], 1.0 / played.game.seats
    if played.game.seats == 2:
        above = names
        scores = [[played.scores[row][column] for column in played.order] for row in played.order]
    else:
        above = list(played.game.marks)
        scores = [list(played.by_seat[row]) for row in played.order]
    cells = np.full((len(names), len(above)), np.nan)
    for row, told in enumerate(scores):
        for column, score in enumerate(told):
            if score is None:
                continue
            # From nothing over an even share to everything, whatever an even share is.
            shade = 0.5 * score / even if score < even else 1.0 - 0.5 * (1.0 - score) / (1.0 - even)
            cells[row, column] = shade
            ink = "white" if abs(shade - 0.5) > 0.3 else INK
            axes.text(column, row, f"{score:.0%}", ha="center", va="center", color=ink)
    axes.imshow(cells, cmap=colours, vmin=0.0, vmax=1.0, aspect="auto")
    axes.set_xticks(range(len(above)), above, rotation=30, ha="left", rotation_mode="anchor")
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(length=0)
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _draw_times(canvas: "Canvas", played: "Tournament") -> None:
    axes = canvas.add_subplot()
    shown = _shown_ends(played)
    for number, agent in enumerate(played.order):
        seconds, rating = max(played.efforts[agent].seconds, 1e-7), played.ratings[agent]
        axes.plot([seconds, seconds], shown[agent], color=FAINT, linewidth=1.2, zorder=1)
        axes.plot(seconds, rating.elo, "o", color=PALETTE[number % len(PALETTE)], markersize=7)
        axes.annotate(
            played.agents[agent], (seconds, rating.elo), xytext=(7, 5), color=FAINT, fontsize=8.5,
            textcoords="offset points",
        )  # fmt: skip
    axes.set_xscale("log")
    axes.margins(x=0.18, y=0.12)
    axes.set_xlabel("seconds per move")
    axes.set_ylabel("Elo")
