"""The figures of `learning-from-you`."""

from typing import TYPE_CHECKING, Any

from noughts.report import Figure, draw_figure
from noughts.report.figure import DASHES, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

Found = dict[tuple[str, str, str], list[list[dict[str, Any]]]]  # by person, step and seat


def _losing(curves: list[list[dict[str, Any]]], key: str) -> tuple[list[int], list[float]]:
    """Games, and the mean over tables of the share that is lost."""
    games = [point["games"] for point in curves[0]]
    shares = [sum(curve[i][key][2] for curve in curves) / len(curves) for i in range(len(games))]
    return games, shares


def _draw_persons(axes: "Axes", found: Found, persons: list[str], step: str, key: str) -> None:
    for i, person in enumerate(persons):
        both = [_losing(found[person, step, seat], key) for seat in ("x", "o")]
        mean = [(a + b) / 2 for a, b in zip(both[0][1], both[1][1], strict=True)]
        axes.plot(both[0][0], mean, label=person, color=PALETTE[i], linestyle=DASHES[i])
    axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")


def lessons_figure(found: Found, persons: list[str], steps: list[str]) -> Figure:
    """Games that the greedy player loses to optimal and to random, exactly."""

    def draw(canvas: "Canvas") -> None:
        grid = canvas.subplots(2, len(steps), sharex=True, sharey="row")
        for row, key in enumerate(("optimal", "random")):
            for column, step in enumerate(steps):
                axes = grid[row][column]
                _draw_persons(axes, found, persons, step, key)
                axes.set_title(f"{step}, against {key}" if row == 0 else f"against {key}")
            grid[row][0].set_ylabel("games lost")
            grid[row][0].set_ylim(bottom=-0.02)  # now that all curves of the row are there
        for axes in grid[1]:
            axes.set_xlabel("games")
        handles, names = grid[0][0].get_legend_handles_labels()
        canvas.legend(handles, names, loc="outside lower center", ncols=4)

    caption = "What the greedy player of the table loses, exactly; the mean of both seats."
    return draw_figure("lessons", caption, draw, width=2.9 * len(steps), height=5.6)


def games_figure(found: Found, persons: list[str], steps: list[str]) -> Figure:
    """Games that the table loses to the person who teaches it."""

    def draw(canvas: "Canvas") -> None:
        panels = canvas.subplots(1, len(steps), sharey=True)
        for axes, step in zip(panels, steps, strict=True):
            _draw_persons(axes, found, persons, step, "with the person")
            axes.set_title(step)
            axes.set_xlabel("games")
        panels[0].set_ylabel("games lost")
        panels[0].set_ylim(bottom=-0.02)
        handles, names = panels[0].get_legend_handles_labels()
        canvas.legend(handles, names, loc="outside lower center", ncols=4)

    caption = "The share of its games with the person that the table loses; the mean of both seats."
    return draw_figure("games", caption, draw, width=2.9 * len(steps), height=3.6)
