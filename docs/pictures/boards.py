"""Boards as the program draws them (`_repr_svg_`), and the same at night.

A test draws them again and compares every byte. At night only the colours differ: those of
`noughts/games/svg/ink.py` are exchanged for the page's dark ones.
"""

import re
from pathlib import Path

import noughts
from noughts.games.svg import ink

HERE = Path(__file__).parent
# name of the picture: (game, moves as (cell, the mark that landed))
BOARDS: dict[str, tuple[str, str]] = {
    "3x3": ("3x3", "4X 1O 0X 8O 6X 3O 2X"),
    "risky": ("3x3:flip=stochastic", "8X 3O 4O 1O"),
    "6x5": ("6x5:k=4", "12X 13O 17X 7O 22X 16O 18X 11O 6X 24O 26X"),
    "3x3x3": ("3x3x3", "13X 4O 0X 26O 9X 17O 18X"),
    "qubic": (
        "qubic",
        "0X 21O 12X 4O 48X 37O 53X 22O 52X 20O 23X 63O 51X 38O 55X 54O 6X 39O 36X 24O",
    ),
    "ultimate": (
        "ultimate",
        "50X 48O 34X 65O 24X 56O 20X 21O 28X 12O 30X 35O 72X 6O 54X 3O 31X 36O 0X 8O 78X 60O 61X "
        "69O 58X 42O 62X 75O 74X 19O 14X 46O",
    ),
    "misere": ("3x3:misere", "4X 0O 8X 2O 5X 3O 1X"),
    "lesson": ("3x3:flip=0/0/0/0/0.2/0/0/0/0", ""),
    "fade": ("3x3:flip=0.1,fade=0.05", "4X 0O 2X"),
}
NIGHT = {
    ink.PAPER: "#171d24",
    ink.SHEET: "#222a33",
    ink.SHADE: "#1c232b",
    ink.EDGE: "#3b4652",
    ink.GRID: "#55616e",
    ink.INK: "#eae5da",
    ink.FAINT: "#8d8a80",
    ink.PENCIL: "#b5a98f",
    ink.MARKER: "#5a4c1f",
    ink.MARKER_EDGE: "#c9a53f",
    ink.COLOURS["X"]: "#6aaaf2",
    ink.COLOURS["O"]: "#f0954a",
    ink.DEEP["X"]: "#8fc1fa",
    ink.DEEP["O"]: "#ffb173",
    "#ebe3d2": "#3b4652",  # the grid of figures
}


def position(name: str) -> noughts.Position:
    """The position of a picture."""
    spec, moves = BOARDS[name]
    found = noughts.game(spec).start()
    for word in moves.split():
        found = found.play(int(word[:-1]), noughts.Landing(word[-1]))  # type: ignore[arg-type]
    return found


def drawn(name: str) -> dict[str, str]:
    """The files of a picture: name and content."""
    day = position(name)._repr_svg_()
    return {f"board-{name}-light.svg": f"{day}\n", f"board-{name}-dark.svg": f"{at_night(day)}\n"}


def at_night(svg: str) -> str:
    """The same drawing in the page's dark colours."""
    return re.sub(r"#[0-9a-f]{6}\b", lambda colour: NIGHT.get(colour[0], colour[0]), svg)


def take() -> None:
    """Write every board."""
    for name in BOARDS:
        for file, content in drawn(name).items():
            (HERE / file).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    take()
