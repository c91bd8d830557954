"""The figures of the tactical suite: shares with their intervals, and where they come from."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from noughts.games.svg.ink import FAINT, INK, SHEET
from noughts.report import Figure, Table, draw_figure
from noughts.report.figure import DRAW_COLOUR, PALETTE, X_COLOUR

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


def draw_shares(name: str, families: Mapping[str, Sequence[str]], shares: Table) -> Figure:
    """One dot with an interval for each agent, families apart and in their own colours."""
    rows: dict[str, dict[str, Any]]
    rows = {str(row[0]): dict(zip(shares.columns, row, strict=True)) for row in shares.rows}

    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        height, places, labels = 0.0, [], []
        for number, specs in enumerate(families.values()):
            colour = (DRAW_COLOUR, *PALETTE)[number]
            for spec in specs:
                row = rows[spec]
                axes.plot([row["95% low"], row["95% high"]], [height] * 2, color=colour, alpha=0.45,
                          linewidth=4, solid_capstyle="round")  # fmt: skip
                axes.plot(row["share"], height, "o", color=colour, markersize=6, clip_on=False)
                axes.text(1.03, height, f"{row['solved']} of {row['positions']}", va="center",
                          fontsize=8.5, color=FAINT)  # fmt: skip
                places.append(height)
                labels.append(spec)
                height -= 1.0
            height -= 0.5
        axes.set_yticks(places, labels)
        axes.set_xlim(-0.02, 1.0)
        axes.xaxis.set_major_formatter("{x:.0%}")
        axes.tick_params(length=0)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel("positions solved")

    count = sum(map(len, families.values()))
    caption = "Positions solved among those an agent can play, with 95% intervals."
    return draw_figure(name, caption, draw, 9.0, 1.0 + 0.27 * count)


def draw_heat(
    name: str, caption: str, agents: Sequence[str], groups: Sequence[str], shares: Table
) -> Figure:
    """The share of every agent in every group; a place without positions stays empty."""
    cells = {(str(row[0]), str(row[1])): row[4] for row in shares.rows}

    def draw(canvas: "Canvas") -> None:
        import numpy as np
        from matplotlib.colors import LinearSegmentedColormap

        axes = canvas.subplots()
        found = np.full((len(agents), len(groups)), np.nan)
        for i, agent in enumerate(agents):
            for j, group in enumerate(groups):
                share = cells[agent, group]
                if not isinstance(share, float):
                    continue
                found[i, j] = share
                ink = "white" if share > 0.75 else INK
                axes.text(j, i, f"{share:.0%}", ha="center", va="center", color=ink, fontsize=8.5)
        colours = LinearSegmentedColormap.from_list("share", [SHEET, "#cfdcea", X_COLOUR])
        axes.imshow(found, cmap=colours, vmin=0.0, vmax=1.0, aspect="auto")
        axes.set_xticks(range(len(groups)), [_broken(group) for group in groups], fontsize=8.5)
        axes.xaxis.tick_top()
        axes.set_yticks(range(len(agents)), agents)
        axes.set_xticks(np.arange(-0.5, len(groups)), minor=True)
        axes.set_yticks(np.arange(-0.5, len(agents)), minor=True)
        axes.grid(visible=False)
        axes.grid(visible=True, which="minor", color=SHEET, linewidth=2)
        axes.tick_params(which="both", length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)

    return draw_figure(name, caption, draw, 9.0, 0.6 + 0.27 * len(agents))


def _broken(spec: str) -> str:
    """A spec on several short lines."""
    return spec.replace(":", ":\n").replace(",", ",\n").replace("flip=", "flip=\n")
