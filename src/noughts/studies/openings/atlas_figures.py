"""Boards whose cells are coloured by what the first move there is worth: X blue, O orange.

Values of risky games are small and those of others are whole, and both are to be seen on one ramp.
So the colour follows the square root of a value, with its sign; the colour bar says so.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noughts.report import Figure, draw_figure
from noughts.report.charts import ValuedCell, draw_cells, frame_board, short_value, value_bar

if TYPE_CHECKING:
    from matplotlib.axes import Axes
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
        value_bar(canvas, {ramp_place(tick): f"{tick:+g}" if tick else "0" for tick in TICKS})

    return draw_figure(
        name, caption, draw, _WIDTH, cell * sum(high) + 0.28 * titles + 0.12 * len(rows) + 0.75
    )


def _size(panel: Panel) -> tuple[float, float]:
    """Columns and rows that a panel takes, its layers side by side."""
    rows, columns, layers = panel.found["shape"]
    return layers * columns + (layers - 1) * LAYER_GAP, rows


def _draw_board(axes: "Axes", panel: Panel, size: float) -> None:
    found = panel.found
    rows, columns, _ = found["shape"]
    everything = len(found["best"]) == sum(len(cells) for cells, _ in found["classes"])
    drawn = []
    for cells, value in found["classes"]:
        for cell in cells:
            layer, inside = divmod(cell, rows * columns)
            y, column = divmod(inside, columns)
            x = column + layer * (columns + LAYER_GAP)
            is_framed = cell in found["best"] and not everything
            text = short_value(value) if cell == cells[0] else ""
            drawn.append(ValuedCell(x, y, ramp_place(value), text, is_framed))
    draw_cells(axes, drawn, size, dark=0.72)
    frame_board(axes, *_size(panel), panel.title)
