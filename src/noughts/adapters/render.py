"""What environments show: a position as text, or as a picture of plain NumPy pixels.

A cell is a square of `CELL` pixels; a cross and a ring are the points near two diagonals and near a
circle, a triangle and a square those near their edges. Nothing is loaded for it.
"""

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.games.game import MARKS, Position

MODES = ("ansi", "rgb_array")

CELL = 32
GAP = 12  # between the layers of a cube and between mini boards
_PAPER, _RULE = (255, 255, 255), (200, 204, 212)
_INK: dict[str, tuple[int, int, int]] = dict(
    zip(MARKS, ((32, 90, 180), (200, 70, 40), (40, 140, 70), (130, 60, 160)), strict=True)
)

Pixels = NDArray[np.uint8]


def check_mode(mode: str | None) -> str | None:
    """The render mode, if there is one of that name."""
    if mode is not None and mode not in MODES:
        raise NoughtsError(f"render_mode={mode} is not known; allowed: {', '.join(MODES)}.")
    return mode


def render(position: Position, mode: str | None) -> str | Pixels | None:
    """The position in a mode that was checked before."""
    if mode is None:
        return None
    return str(position) if mode == "ansi" else picture(position)


def picture(position: Position) -> Pixels:
    """Red, green and blue of every pixel."""
    places = [_corner(position, cell) for cell in range(position.game.cells)]
    height, width = (max(place[axis] for place in places) + CELL + 1 for axis in (0, 1))
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[:] = _PAPER
    for (top, left), letter in zip(places, position.board, strict=True):
        square = pixels[top : top + CELL, left : left + CELL]
        square[[0, -1], :] = _RULE
        square[:, [0, -1]] = _RULE
        if letter != ".":
            square[_shape(letter)] = _INK[letter]
    return pixels


def _corner(position: Position, cell: int) -> tuple[int, int]:
    """The top left pixel of a cell."""
    row, column, above, aside = position.game.drawn_at(cell)
    return row * CELL + above * GAP + 1, column * CELL + aside * GAP + 1


def _shape(letter: str) -> NDArray[np.bool_]:
    """The pixels of a mark inside its cell."""
    line = np.linspace(-1.0, 1.0, CELL)
    across, down = line[None, :], line[:, None]
    if letter == "O":
        return np.abs(np.hypot(across, down) - 0.58) < 0.1
    if letter == "S":
        return np.abs(np.maximum(np.abs(across), np.abs(down)) - 0.5) < 0.1
    if letter == "T":  # how far outside the nearest of three edges
        return np.abs(np.maximum(down - 0.5, 2.0 * np.abs(across) - down - 0.7) / 1.5) < 0.1
    inside = (np.abs(across) < 0.65) & (np.abs(down) < 0.65)
    return inside & (np.minimum(np.abs(across - down), np.abs(across + down)) < 0.13)
