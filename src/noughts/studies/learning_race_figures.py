"""The figures of `learning-race`."""

from typing import TYPE_CHECKING, Any

from noughts.report import Figure, draw_figure
from noughts.report.figure import DASHES, PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

Curves = dict[str, dict[str, list[dict[str, Any]]]]  # by world and learner

COLUMNS = 4
SMALLEST = 1e-5  # a logarithm has no place for zero


def race_figure(key: str, curves: Curves) -> Figure:
    """One panel for each world: mean regret against games or seconds."""
    columns = min(COLUMNS, len(curves) + 1)
    rows = -(-(len(curves) + 1) // columns)

    def draw(canvas: "Canvas") -> None:
        from matplotlib.ticker import NullFormatter

        panels = list(canvas.subplots(rows, columns, sharex=True, sharey=True).flat)
        for axes, (world, learners) in zip(panels, curves.items(), strict=False):
            for i, (label, points) in enumerate(learners.items()):
                axes.plot(
                    [max(point[key], 1e-4) for point in points],
                    [max(point["regret_mean"], SMALLEST) for point in points],
                    label=label, color=PALETTE[i], linestyle=DASHES[i], linewidth=1.5,
                )  # fmt: skip
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.set_title(world)
            axes.xaxis.set_minor_formatter(NullFormatter())
            axes.tick_params(labelbottom=True)
        for axes in panels[len(curves) :]:
            axes.set_axis_off()
        handles, names = panels[0].get_legend_handles_labels()
        panels[len(curves)].legend(handles, names, loc="center", fontsize=8.5)
        canvas.supxlabel("games" if key == "games" else "seconds of learning", fontsize=9.5)
        canvas.supylabel("mean regret", fontsize=9.5)

    against = "games" if key == "games" else "seconds of one processor"
    caption = f"Mean regret over all positions against {against}, in each world."
    return draw_figure(
        f"regret-by-{key}", caption, draw, width=2.5 * columns, height=2.6 * rows + 0.4
    )
