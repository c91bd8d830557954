"""The figures of the proof of Qubic."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from noughts.report import Figure, draw_figure
from noughts.report.figure import DASHES, O_COLOUR, PALETTE, X_COLOUR

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas


def draw_search(curves: Mapping[str, Sequence[Sequence[float]]]) -> Figure:
    """Proof and disproof number of the root, beside each other, as the search goes on."""

    def draw(canvas: "Canvas") -> None:
        panels = canvas.subplots(1, 2, sharex=True)
        for place, title in ((1, "proof number"), (2, "disproof number")):
            axes = panels[place - 1]
            for i, (share, curve) in enumerate(curves.items()):
                shown = [point for point in curve if 0 < point[place] < 1 << 30]
                axes.plot(
                    [point[0] for point in shown],
                    [point[place] for point in shown],
                    color=PALETTE[i % len(PALETTE)],
                    linestyle=DASHES[i % len(DASHES)],
                    label=f"share {share}" if place == 1 else None,
                )
            axes.set_yscale("log")
            axes.set_title(title)
            axes.set_xlabel("positions expanded")
            _plain_numbers(axes)
        canvas.legend(loc="outside lower center", ncols=len(curves))

    caption = "The numbers of the root: a proof is there when the left one reaches 0."
    return draw_figure("search", caption, draw, 8.5, 4.0)


def _plain_numbers(axes: "Axes") -> None:
    """1,000 where matplotlib would write a power of ten, and few of them."""
    from matplotlib.ticker import MaxNLocator, NullFormatter, StrMethodFormatter

    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    low, high = axes.get_ylim()
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    if high / max(low, 1e-9) > 20:
        axes.yaxis.set_minor_formatter(NullFormatter())
    else:
        axes.yaxis.set_minor_formatter(StrMethodFormatter("{x:,.0f}"))


def draw_marks(marks: Sequence[Sequence[int]]) -> Figure:
    """How many moves the certificate lists, by the marks on the board."""

    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        bars = axes.bar([m for m, _ in marks], [n for _, n in marks], 1.5, color=X_COLOUR)
        axes.bar_label(bars, fmt="{:,.0f}", fontsize=8, padding=2)
        axes.set_xticks([m for m, _ in marks])
        axes.set_xlabel("marks on the board, X on turn")
        axes.set_ylabel("moves listed")
        axes.margins(y=0.1)
        axes.grid(visible=False, axis="x")

    caption = "Where X has to think: the moves that the certificate lists, by marks on the board."
    return draw_figure("marks", caption, draw, 8.0, 3.6)


def draw_replies(replies: Sequence[Mapping[str, Any]]) -> Figure:
    """How much of the proof each first reply takes."""

    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        places = range(len(replies), 0, -1)
        labels = [f"O {reply['cells'][1]}  (×{reply['alike']})" for reply in replies]
        bars = axes.barh(places, [reply["moves"] for reply in replies], color=O_COLOUR)
        axes.bar_label(bars, fmt="{:,.0f}", fontsize=8, padding=3)
        axes.set_yticks(places, labels)
        axes.set_xlabel("moves listed below the reply")
        axes.margins(x=0.06)
        axes.grid(visible=False, axis="y")

    caption = "O's first replies, the hardest on top; in brackets how many cells are alike."
    return draw_figure("replies", caption, draw, 8.0, 1.0 + 0.3 * len(replies))
