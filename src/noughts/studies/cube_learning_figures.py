"""The figures of `cube-learning`."""

from typing import TYPE_CHECKING, Any

from noughts.report import Figure, draw_figure
from noughts.report.figure import DASHES, PALETTE, outcome_bars

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


def results_figure(world: str, found: dict[str, dict[str, Any]]) -> Figure:
    """Two rows of bars: every learner as X and as O against random."""

    def draw(canvas: "Canvas") -> None:
        left, right = canvas.subplots(1, 2, sharey=True)
        labels = list(found)
        for axes, seat, title in ((left, "x", "learner as X"), (right, "o", "learner as O")):
            odds = []
            for label in labels:
                won, drawn, lost = found[label][seat]
                shares = [n / (won + drawn + lost) for n in (won, drawn, lost)]
                odds.append(tuple(shares if seat == "x" else shares[::-1]))
            outcome_bars(axes, labels, odds, title)
        handles, names = left.get_legend_handles_labels()
        canvas.legend(handles, names, loc="outside lower center", ncols=3)

    caption = f"Games against random in the {world} world: X wins, draws, O wins."
    return draw_figure(f"{world}-results", caption, draw, width=9, height=4.2)


def curves_figure(curves: dict[str, list[dict[str, Any]]]) -> Figure:
    """Games lost to random against games of training, in each world and seat."""

    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        for i, (world, points) in enumerate(curves.items()):
            for j, seat in enumerate(("x", "o")):
                lost = [1 - point[seat][0] / sum(point[seat]) for point in points]
                games = [point["games"] for point in points]
                axes.plot(
                    games, lost, label=f"{world}, as {seat.upper()}", color=PALETTE[j],
                    linestyle=DASHES[i], marker="o" if i == 0 else "s", markersize=4,
                )  # fmt: skip
        axes.set_xscale("log")
        axes.set_ylim(bottom=-0.01)
        axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
        axes.set_xlabel("games of training (tuned TD on lines)")
        axes.set_ylabel("games not won against random")
        axes.legend()

    caption = "The tuned learner on its way: what it does not win against random."
    return draw_figure("curves", caption, draw, width=8, height=4)
