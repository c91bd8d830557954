"""The figures of `danger-curve`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from noughts.games.svg.ink import FAINT, INK
from noughts.report import Figure, draw_figure
from noughts.report.charts import legend_below
from noughts.report.figure import DASHES, DRAW_COLOUR, O_COLOUR, PALETTE, X_COLOUR

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

Point = Mapping[str, Any]


def _risks(points: Sequence[Point]) -> list[float]:
    return [point["p"] for point in points]


def _frame(axes: "Axes", title: str, ylabel: str = "") -> None:
    axes.set_title(title)
    axes.set_xlim(0, 1)
    axes.set_xlabel("risk p")
    axes.set_ylabel(ylabel)
    axes.axhline(0, color=FAINT, linewidth=0.8)


def classic_figure(points: Sequence[Point], result: Any, foreseen: Any, even: Any) -> Figure:
    """The classic player's result in both seats."""

    def draw(canvas: "Canvas") -> None:
        both = canvas.subplots(1, 2, sharey=True)
        for axes, seat, colour in zip(both, "XO", (X_COLOUR, O_COLOUR), strict=True):
            sign = 1.0 if seat == "X" else -1.0
            risks = _risks(points)
            axes.plot(risks, [sign * p["value"] for p in points], color=INK, linestyle=DASHES[2],
                      label="optimal in this seat")  # fmt: skip
            axes.plot(risks, [result.at(p, seat) for p in points], color=colour,
                      label="classic against optimal")  # fmt: skip
            axes.plot(risks, [even.at(p, seat) for p in points], color=colour, linewidth=1.1,
                      linestyle=DASHES[1], label="the same, ties even")  # fmt: skip
            axes.plot(risks, [foreseen.at(p, seat) for p in points], color=FAINT, linewidth=1.3,
                      label="classic, foreseen")  # fmt: skip
            axes.axvline(0.5, color=FAINT, linewidth=0.8)
            _frame(axes, f"the classic player as {seat}")
            axes.legend(loc="lower left", fontsize=8.5)
        both[0].set_ylabel("P(win) - P(loss)")

    return draw_figure(
        "classic",
        "The expected result of the classic player, from its own side. It is best off at p = 0.",
        draw,
        width=9.0,
        height=4.4,
    )


def outcome_figure(points: Sequence[Point]) -> Figure:
    """Stacked odds along the curve."""
    pairings = ("classic–optimal", "optimal–classic", "optimal–optimal")

    def draw(canvas: "Canvas") -> None:
        row = canvas.subplots(1, len(pairings), sharey=True)
        for axes, pairing in zip(row, pairings, strict=True):
            shares = list(zip(*(p["lowest"][pairing] for p in points), strict=True))
            axes.stackplot(
                _risks(points), *shares, colors=(X_COLOUR, DRAW_COLOUR, O_COLOUR),
                labels=("X wins", "draw", "O wins"),
            )  # fmt: skip
            x, _, o = pairing.partition("–")
            axes.set_title(f"X {x}, O {o}")
            axes.set_xlim(0, 1)
            axes.set_ylim(0, 1)
            axes.set_xlabel("risk p")
            axes.grid(visible=False)
        row[0].set_ylabel("share of games")
        legend_below(canvas, row[0], 3)

    return draw_figure(
        "outcomes",
        "How games end. Draws vanish on the way to ½, where exactly 1/16 is left for everybody.",
        draw,
        width=9.0,
        height=3.8,
    )


def value_figure(points: Sequence[Point], changes: Sequence[float]) -> Figure:
    """The value of the three kinds of first move."""

    def draw(canvas: "Canvas") -> None:
        left, right = canvas.subplots(1, 2)
        for axes in (left, right):
            for i, kind in enumerate(("centre", "edge", "corner")):
                axes.plot(_risks(points), [p["first"][kind] for p in points], label=kind,
                          color=PALETTE[(0, 3, 1)[i]], linestyle=DASHES[i])  # fmt: skip
            for change in changes:
                axes.axvline(change, color=FAINT, linewidth=0.8)
        _frame(left, "value of each first move", "expected result for X")
        _frame(right, "the same, nearer")
        right.set_ylim(-0.24, 0.08)
        left.legend(loc="lower left")

    return draw_figure(
        "values",
        "What X gets under best play after each kind of first move. Upright lines: where the best "
        "one changes.",
        draw,
        width=9.0,
        height=4.0,
    )


def pairing_figure(points: Sequence[Point]) -> Figure:
    """The value of every pairing."""
    pairings = (
        ("optimal–random", "random–optimal"),
        ("optimal–classic", "classic–optimal"),
        ("classic–random", "random–classic"),
        ("optimal–optimal", "classic–classic"),
    )

    def draw(canvas: "Canvas") -> None:
        grid = canvas.subplots(2, 2, sharex=True, sharey=True)
        for axes, pair in zip(grid.flat, pairings, strict=True):
            for i, pairing in enumerate(pair):
                values = [p["lowest"][pairing][0] - p["lowest"][pairing][2] for p in points]
                axes.plot(_risks(points), values, label=pairing, linestyle=DASHES[i],
                          color=(X_COLOUR, O_COLOUR)[i])  # fmt: skip
            _frame(axes, " and ".join(pair))
            axes.label_outer()
            axes.legend(loc="lower left", fontsize=8.5)
        for axes in grid[:, 0]:
            axes.set_ylabel("expected result for X")

    return draw_figure(
        "pairings", "P(X wins) - P(O wins) of each pairing, X's player first.", draw, 9.0, 6.0
    )
