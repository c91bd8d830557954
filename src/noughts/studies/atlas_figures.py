"""Boards whose cells are coloured by what the first move there is worth: X blue, O orange.

Values of risky games are small and those of others are whole, and both are to be seen on one ramp.
So the colour follows the square root of a value, with its sign; the colour bar says so.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noughts.games.svg.ink import EDGE, FAINT, GRID, INK, SHEET
from noughts.report import Figure, draw_figure
from noughts.report.figure import O_COLOUR, X_COLOUR

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure as Canvas

TICKS = (-1.0, -0.5, -0.25, -0.1, 0.0, 0.1, 0.25, 0.5, 1.0)
LAYER_GAP = 0.45  # in cells, between two layers of a cube
_WIDTH, _LARGEST_CELL = 9.0, 0.42  # inches


@dataclass(frozen=True)
class Panel:
    """One board of an atlas; None in a row of panels leaves its place empty."""

    title: str
    found: Mapping[str, Any]  # the result of a unit of the study


def ramp_place(value: float) -> float:
    """Where a value lies on the ramp, from -1 (all O) over 0 (paper) to +1 (all X)."""
    return math.copysign(math.sqrt(min(abs(value), 1.0)), value)


def value_ramp() -> "Colormap":
    """From O's orange over paper to X's blue."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("values", [O_COLOUR, SHEET, X_COLOUR])


def short_value(value: float) -> str:
    """A value in a small cell: as few digits as tell it from 0 and 1."""
    if value == round(value):
        return f"{value:+.0f}" if value else "0"
    text = f"{value:+.2f}"
    if not text.strip("+-0."):
        text = f"{value:+.3f}"
        return text.replace("0.", ".", 1) if text.strip("+-0.") else "≈0"
    return text.replace("0.", ".", 1)


def draw_atlas(
    name: str, caption: str, rows: Sequence[Sequence[Panel | None]], labels: Sequence[str] = ()
) -> Figure:
    """Rows of boards, all on the same ramp; `labels` stand to the left of the rows."""
    columns = range(len(rows[0]))
    wide = [max(_size(panel)[0] for row in rows if (panel := row[i])) for i in columns]
    high = [max(_size(panel)[1] for panel in row if panel) for row in rows]
    cell = min(_LARGEST_CELL, (_WIDTH - 0.9 - 0.12 * len(wide)) / sum(wide))
    titles = sum(any(panel and panel.title for panel in row) for row in rows)

    def draw(canvas: "Canvas") -> None:
        grid = canvas.add_gridspec(len(rows), len(wide), width_ratios=wide, height_ratios=high)
        for i, row in enumerate(rows):
            for j, panel in enumerate(row):
                if panel is not None:
                    axes = canvas.add_subplot(grid[i, j])
                    _draw_board(axes, panel, min(7.0, 20 * cell))
                    if labels and j == 0:
                        axes.text(-0.35, high[i] / 2, labels[i], ha="right", va="center")
        _draw_bar(canvas)

    return draw_figure(
        name, caption, draw, _WIDTH, cell * sum(high) + 0.28 * titles + 0.12 * len(rows) + 0.75
    )


def _size(panel: Panel) -> tuple[float, float]:
    """Columns and rows that a panel takes, its layers side by side."""
    rows, columns, layers = panel.found["shape"]
    return layers * columns + (layers - 1) * LAYER_GAP, rows


def _draw_board(axes: "Axes", panel: Panel, size: float) -> None:
    from matplotlib.patches import Rectangle

    found, ramp = panel.found, value_ramp()
    rows, columns, _ = found["shape"]
    everything = len(found["best"]) == sum(len(cells) for cells, _ in found["classes"])
    for cells, value in found["classes"]:
        place = ramp_place(value)
        for cell in cells:
            layer, inside = divmod(cell, rows * columns)
            v, u = divmod(inside, columns)
            x = u + layer * (columns + LAYER_GAP)
            colour = ramp((place + 1) / 2)
            axes.add_patch(Rectangle((x, v), 1, 1, facecolor=colour, edgecolor=GRID, linewidth=0.9))
            ink = "white" if abs(place) > 0.72 else INK
            if cell in found["best"] and not everything:
                frame: Any = {"fill": False, "edgecolor": ink, "linewidth": 1.1}
                axes.add_patch(Rectangle((x + 0.06, v + 0.06), 0.88, 0.88, **frame))
            if cell == cells[0]:
                axes.text(
                    x + 0.5, v + 0.52, short_value(value), fontsize=size, ha="center", va="center",
                    color=ink,
                )  # fmt: skip
    width, height = _size(panel)
    axes.set_xlim(-0.06, width + 0.06)
    axes.set_ylim(height + 0.06, -0.06)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title(panel.title, fontsize=9, fontweight="normal", loc="center", pad=4)


def _draw_bar(canvas: "Canvas") -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    bar = canvas.colorbar(
        ScalarMappable(Normalize(-1, 1), value_ramp()), ax=canvas.axes, location="bottom",
        ticks=[ramp_place(tick) for tick in TICKS], shrink=0.6, aspect=44, pad=0.02,
    )  # fmt: skip
    bar.set_ticklabels([f"{tick:+g}" if tick else "0" for tick in TICKS])
    bar.ax.tick_params(labelsize=8, length=2, color=FAINT)
    bar.outline.set_edgecolor(EDGE)
    bar.set_label("value for X of playing here first", fontsize=8.2)
