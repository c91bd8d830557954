"""A small kit for figures: what curves look like, legends below, shares as percent, valued cells.

def draw(canvas):
    axes = canvas.subplots()
    for i, (label, points) in enumerate(found.items()):
        axes.plot(*points, label=label, **look(i))
    in_percent(axes.yaxis)
    legend_below(canvas, axes)
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from noughts.games.svg.ink import EDGE, FAINT, GRID, INK, SHEET
from noughts.report.figure import DASHES, O_COLOUR, PALETTE, X_COLOUR

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure as Canvas


def look(number: int) -> dict[str, Any]:
    """The colour and the dashes of the curve of this number."""
    return {"color": PALETTE[number % len(PALETTE)], "linestyle": DASHES[number % len(DASHES)]}


def in_percent(axis: "Axis") -> None:
    """Shares as 25%."""
    axis.set_major_formatter(lambda share, _: f"{share:.0%}")


def legend_below(canvas: "Canvas", axes: "Axes", columns: int = 4) -> None:
    """One legend for all panels, from what one of them shows."""
    handles, names = axes.get_legend_handles_labels()
    canvas.legend(handles, names, loc="outside lower center", ncols=columns)


def ramp(*colours: str) -> "Colormap":
    """From one colour over the others to the last."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("ramp", list(colours))


def value_ramp() -> "Colormap":
    """From O's orange over paper to X's blue."""
    return ramp(O_COLOUR, SHEET, X_COLOUR)


def short_value(value: float) -> str:
    """A value in a small cell: as few digits as tell it from 0 and 1."""
    if value == round(value):
        return f"{value:+.0f}" if value else "0"
    text = f"{value:+.2f}"
    if not text.strip("+-0."):
        text = f"{value:+.3f}"
        return text.replace("0.", ".", 1) if text.strip("+-0.") else "≈0"
    return text.replace("0.", ".", 1)


class ValuedCell(NamedTuple):
    """A square of a board: where, how far on the ramp from -1 to 1, and what is written there."""

    x: float
    y: float
    share: float
    text: str
    is_framed: bool


def draw_cells(axes: "Axes", cells: Sequence[ValuedCell], size: float, dark: float) -> None:
    """Squares on the value ramp; ink is white where the share is beyond `dark`."""
    from matplotlib.patches import Rectangle

    colours = value_ramp()
    for x, y, share, text, is_framed in cells:
        ink = "white" if abs(share) > dark else INK
        fill = colours((share + 1) / 2)
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor=fill, edgecolor=GRID, linewidth=0.9))
        if is_framed:
            frame: Any = {"fill": False, "edgecolor": ink, "linewidth": 1.1}
            axes.add_patch(Rectangle((x + 0.06, y + 0.06), 0.88, 0.88, **frame))
        if text:
            axes.text(
                x + 0.5, y + 0.52, text, fontsize=size, color=ink, ha="center", va="center"
            )  # fmt: skip


def frame_board(axes: "Axes", width: float, height: float, title: str) -> None:
    """Square cells, no axes, a modest title."""
    axes.set_xlim(-0.06, width + 0.06)
    axes.set_ylim(height + 0.06, -0.06)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title(title, fontsize=9, fontweight="normal", loc="center", pad=4)


def value_bar(canvas: "Canvas", ticks: Mapping[float, str], shrink: float = 0.6) -> None:
    """The ramp below all boards; `ticks` are places on it from -1 to 1, and their words."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    bar = canvas.colorbar(
        ScalarMappable(Normalize(-1, 1), value_ramp()), ax=canvas.axes, location="bottom",
        ticks=list(ticks), shrink=shrink, aspect=44, pad=0.02,
    )  # fmt: skip
    bar.set_ticklabels(list(ticks.values()))
    bar.ax.tick_params(labelsize=8, length=2, color=FAINT)
    bar.outline.set_edgecolor(EDGE)
    bar.set_label("value for X of playing here first", fontsize=8.2)
