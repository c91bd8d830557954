"""The figures of the four algorithms: accuracy by ply, time by board, positions by depth."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from noughts.games.svg.ink import FAINT
from noughts.report import Figure, draw_figure
from noughts.report.figure import DASHES, DRAW_COLOUR, PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

_MARKERS = "osD^vPX*"


def _look(number: int) -> dict[str, Any]:
    """The colour, dashes and marker of the curve of this number."""
    colour = (DRAW_COLOUR, *PALETTE)[number % (1 + len(PALETTE))]
    dashes = DASHES[number % len(DASHES)]
    return {"color": colour, "linestyle": dashes, "marker": _MARKERS[number % 8], "markersize": 5}


def draw_accuracy(shares: Mapping[str, Sequence[float | None]]) -> Figure:
    """The share of optimal moves by the number of marks on the board."""

    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        for number, (agent, by_ply) in enumerate(shares.items()):
            points = [(ply, share) for ply, share in enumerate(by_ply) if share is not None]
            axes.plot(*zip(*points, strict=True), label=agent, clip_on=False, **_look(number))
        axes.set_xlabel("marks on the board")
        axes.set_ylabel("optimal moves")
        axes.set_ylim(None, 1.0)
        axes.yaxis.set_major_formatter("{x:.0%}")
        canvas.legend(loc="outside right upper")

    caption = "The share of exactly optimal moves, by how far the game has gone."
    return draw_figure("accuracy-by-ply", caption, draw, 9.0, 4.2)


def draw_scaling(
    found: Mapping[str, Mapping[int, Any]], sides: Sequence[int], estimate: float
) -> Figure:
    """Seconds of the first move by the side of the board; memory beside it."""

    def draw(canvas: "Canvas") -> None:
        left, right = canvas.subplots(1, 2)
        for number, (agent, by_side) in enumerate(found.items()):
            for axes, key, unit in ((left, "seconds", 1.0), (right, "peak", 1e6)):
                known = {s: r[key] / unit for s, r in by_side.items() if key in r}
                label = agent if axes is left else None
                axes.plot(list(known), list(known.values()), label=label, **_look(number))
        look = _look(list(found).index("minimax")) | {"linestyle": (0, (1, 1.5))}
        seconds = found["minimax"][3]["seconds"]
        left.plot([3, 4], [seconds, estimate], markerfacecolor="none", alpha=0.7, **look)
        left.annotate(f"minimax, estimated:\n{estimate / 86_400:.0f} days", (4, estimate),
                      xytext=(8, -4), textcoords="offset points", va="top",
                      color=FAINT, fontsize=8.5)  # fmt: skip
        for axes, label in ((left, "seconds"), (right, "MB allocated at the peak")):
            axes.set_yscale("log")
            axes.set_xticks(list(sides), [f"{side}×{side}" for side in sides])
            axes.set_ylabel(label)
        canvas.legend(loc="outside lower center", ncols=4)

    caption = (
        "The first move on the empty board of n×n with n in a row. Curves end where an agent "
        "cannot play; the open mark is an estimate."
    )
    return draw_figure("scaling-figure", caption, draw, 9.0, 4.8)


def draw_depths(found: Mapping[str, Sequence[int]], game: str) -> Figure:
    """Positions looked at, by depth."""

    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        for number, (agent, nodes) in enumerate(found.items()):
            axes.plot(range(1, len(nodes) + 1), nodes, label=agent, **_look(number + 1))
            axes.annotate(f"{nodes[-1]:,}", (len(nodes), nodes[-1]), xytext=(8, 0),
                          textcoords="offset points", va="center", fontsize=8.5)  # fmt: skip
        axes.set_yscale("log")
        axes.set_xticks(range(1, 1 + max(map(len, found.values()))))
        axes.margins(x=0.12)
        axes.set_xlabel("moves ahead")
        axes.set_ylabel("positions")
        axes.legend(loc="upper left")

    caption = f"Positions looked at from the empty board of {game}."
    return draw_figure("depths-figure", caption, draw, 7.0, 3.8)
