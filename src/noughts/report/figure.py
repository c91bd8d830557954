"""Figures in the house style: warm paper, X blue, O orange, and nothing that shouts.

    drawn = draw_figure("values", "The value of the first move.", draw, width=8, height=4)

`draw(figure)` gets an empty matplotlib figure. What comes back is data: the same SVG text and the
same PNG bytes every time, so that a run can be compared with an earlier one byte by byte.
"""

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noughts.games.svg.ink import COLOURS, EDGE, FAINT, FONT, INK, SHEET

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

X_COLOUR, O_COLOUR = COLOURS["X"], COLOURS["O"]
DRAW_COLOUR = "#c9bfab"
# For curves that are neither X nor O. They differ in lightness too, and each gets its own dashes.
PALETTE = (X_COLOUR, O_COLOUR, "#3a352d", "#4f9a8c", "#a8476f", "#8b8069", "#7fb0dd")
DASHES: tuple[Any, ...] = (
    "-", (0, (6, 2)), (0, (1, 1.2)), (0, (6, 2, 1.5, 2)), (0, (3, 1.5)), "-", (0, (4, 1, 1, 1)),
)  # fmt: skip

_MEASURED = "DejaVu Sans"  # comes with matplotlib, so texts are measured alike everywhere
_DPI = 144
_STYLE: Any = {  # matplotlib types every key of it as a literal
    "font.family": _MEASURED,
    "font.size": 9.5,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 8.0,
    "axes.facecolor": SHEET,
    "axes.edgecolor": EDGE,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": "#ebe3d2",
    "grid.linewidth": 0.8,
    "figure.facecolor": SHEET,
    "text.color": INK,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "lines.linewidth": 1.8,
    "legend.frameon": False,
    "svg.fonttype": "none",
}


@dataclass(frozen=True)
class Figure:
    """A finished drawing. `name` is also the name of its files."""

    name: str
    caption: str
    svg: str
    png: bytes


def draw_figure(
    name: str,
    caption: str,
    draw: Callable[["Canvas"], None],
    width: float = 8.0,
    height: float = 4.2,
) -> Figure:
    """Draw on an empty canvas of this size in inches."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    with matplotlib.rc_context(_STYLE | {"svg.hashsalt": name}):
        canvas = Canvas(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(canvas)
        draw(canvas)
        svg, png = io.StringIO(), io.BytesIO()
        canvas.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        canvas.savefig(png, format="png", dpi=_DPI, metadata={"Software": None})
    return Figure(name, caption, _own_names(svg.getvalue(), name), png.getvalue())


def _own_names(svg: str, name: str) -> str:
    """Ids that no other figure of a page has, and the fonts of the page."""
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'(url\(|href=")#', rf"\1#{name}-", svg)
    return svg.replace(f"'{_MEASURED}'", FONT.replace('"', "'"))


def outcome_bars(
    axes: "Axes", labels: list[str], odds: list[tuple[float, float, float]], title: str
) -> None:
    """One bar per label: X wins, draws, O wins, from left to right; the larger shares named."""
    places = list(range(len(labels)))[::-1]
    left = [0.0] * len(labels)
    parts = zip(
        ("X wins", "draw", "O wins"),
        (X_COLOUR, DRAW_COLOUR, O_COLOUR),
        ("white", INK, "white"),
        zip(*odds, strict=True),
        strict=True,
    )
    for name, colour, ink, shares in parts:
        axes.barh(places, shares, left=left, color=colour, label=name, height=0.72)
        for place, start, share in zip(places, left, shares, strict=True):
            if share >= 0.09:
                axes.text(
                    start + share / 2, place, f"{share:.0%}", color=ink,
                    ha="center", va="center", fontsize=8,
                )  # fmt: skip
        left = [start + share for start, share in zip(left, shares, strict=True)]
    axes.set_title(title)
    axes.set_yticks(places, labels)
    axes.set_xlim(0, 1)
    axes.set_xticks([])
    axes.grid(visible=False)
    axes.tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
