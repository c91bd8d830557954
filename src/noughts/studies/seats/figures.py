"""The drawings of the studies of more than two players."""

from typing import TYPE_CHECKING, Any

from noughts.games.svg.ink import COLOURS, FAINT
from noughts.report import Figure, draw_figure
from noughts.report.figure import DASHES, DRAW_COLOUR, PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

Numbers = list[float]


def worth_figure(boards: dict[str, tuple[Numbers, Numbers]]) -> Figure:
    """What each seat is worth (a point) above what it is sure of (the foot of its line)."""

    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        for place, (worth, sure) in enumerate(boards.values()):
            for seat, (mark, value, least) in enumerate(zip("XOT", worth, sure, strict=False)):
                x = place + 0.22 * (seat - 1)
                axes.plot([x, x], [least, value], color=COLOURS[mark], linewidth=2.2)
                axes.plot(x, least, marker="_", markersize=11, color=COLOURS[mark])
                label = f"{mark}: worth above guarantee" if place == 0 else None
                axes.plot(x, value, marker="osD"[seat], linestyle="none", color=COLOURS[mark],
                          label=label)  # fmt: skip
        axes.axhline(0, color=FAINT, linewidth=0.8)
        axes.set_xticks(range(len(boards)), list(boards))
        axes.set_ylabel("worth")
        canvas.legend(loc="outside upper center", ncols=3)

    caption = "What each seat is worth in equilibrium, and below it what it can be sure of."
    return draw_figure("worth", caption, draw, width=8.5, height=4.2)


SEEN = 0.005  # of a bar of length 1: less is no wider than the line of a pen


def kingmaking_figure(boards: dict[str, dict[str, Numbers]]) -> Figure:
    """How games end under each tie rule, on the boards where one sees it; on all if on none."""
    matters = {
        board: rules
        for board, rules in boards.items()
        if any(max(column) - min(column) > SEEN for column in zip(*rules.values(), strict=True))
    }
    shown = matters or boards

    def draw(canvas: "Canvas") -> None:
        panels = canvas.subplots(1, len(shown), sharey=True, squeeze=False)[0]
        colours = [*(COLOURS[mark] for mark in "XOT"), DRAW_COLOUR]
        for axes, (board, rules) in zip(panels, shown.items(), strict=True):
            left = [0.0] * len(rules)
            columns: Any = zip(*rules.values(), strict=True)
            for name, colour, column in zip(("X", "O", "T", "draw"), colours, columns, strict=True):
                axes.barh(list(rules), column, left=left, color=colour,
                          label=name if axes is panels[0] else None)  # fmt: skip
                left = [a + b for a, b in zip(left, column, strict=True)]
            axes.set_title(board)
            axes.set_xlim(0, 1)
        panels[0].invert_yaxis()
        canvas.legend(loc="outside lower center", ncols=4)

    caption = "How games end under each tie rule, on the boards where the eye sees a difference."
    return draw_figure("kingmaking", caption, draw, width=2.5 + 2.2 * len(shown), height=3.6)


def risk_figure(risks: list[dict[str, Any]]) -> Figure:
    """Worth and guarantee of each seat against the flip."""

    def draw(canvas: "Canvas") -> None:
        left, right = canvas.subplots(1, 2, sharey=True)
        flips = [row["flip"] for row in risks]
        for axes, key, title in ((left, "worth", "worth"), (right, "guarantees", "guarantee")):
            for seat, mark in enumerate("XOT"):
                axes.plot(flips, [row[key][seat] for row in risks], color=COLOURS[mark],
                          linestyle=DASHES[seat], marker="osD"[seat], markersize=3.5,
                          label=mark)  # fmt: skip
            axes.axhline(0, color=FAINT, linewidth=0.8)
            axes.set_title(title)
            axes.set_xlabel("flip")
        left.legend(loc="lower left")

    caption = "3×3 with the same flip in every cell: what each seat is worth, and is sure of."
    return draw_figure("risk", caption, draw, width=9.0, height=4.0)


def learning_figure(learned: dict[str, list[dict[str, Any]]]) -> Figure:
    """The mean regret of each table against the games it played."""

    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        for i, (spec, curve) in enumerate(learned.items()):
            axes.plot([point["games"] for point in curve], [point["regret"] for point in curve],
                      color=PALETTE[(2, 4)[i]], linestyle=DASHES[i], marker="os"[i],
                      label=spec)  # fmt: skip
        axes.set_xscale("log")
        highest = max(point["regret"] for curve in learned.values() for point in curve)
        axes.set_ylim(0, 1.1 * highest if highest > 0 else 1)  # no mark is cut off
        axes.set_xlabel("games with itself")
        axes.set_ylabel("mean regret")
        axes.legend(loc="lower left")

    caption = "How much worth a choice of a self-taught table loses, on 3×3 with flips of 0.1."
    return draw_figure("learning", caption, draw, width=6.0, height=3.6)
