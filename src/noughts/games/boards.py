"""Boards as hypergraphs: cells 0…N-1 and lines, the sets of cells that win.

Cells are numbered row by row, and in three dimensions layer by layer:

    3x3          2x2x2 (rows × columns × layers)
    0 1 2        0 1   4 5
    3 4 5        2 3   6 7
    6 7 8
"""

import itertools
import re
from dataclasses import dataclass
from functools import cached_property

from noughts.errors import NoughtsError, ParseError

MAX_SIDE = 20
MAX_CELLS = 400

Line = tuple[int, ...]


@dataclass(frozen=True)
class Board:
    """Cells in rows, columns and layers, and the lines that win.

    `name` is the canonical text in a spec; third parties make boards with any lines they like, in
    any order.
    """

    name: str
    shape: tuple[int, int, int]  # rows, columns, layers
    lines: tuple[Line, ...]  # each ascending, and sorted

    def __post_init__(self) -> None:
        if len(self.shape) != 3 or min(self.shape) < 1:
            raise NoughtsError(f"Board '{self.name}' has shape {self.shape}; it takes three sides.")
        if not self.lines:
            raise NoughtsError(f"Board '{self.name}' has no lines, so nobody could win on it.")
        for line in self.lines:
            if not line or len(set(line)) < len(line):
                raise NoughtsError(f"Line {line} of '{self.name}' is empty or repeats a cell.")
            if min(line) < 0 or max(line) >= self.cells:
                last = self.cells - 1
                raise NoughtsError(f"Line {line} leaves '{self.name}'; cells are 0 to {last}.")
        lines = tuple(sorted({tuple(sorted(line)) for line in self.lines}))
        object.__setattr__(self, "lines", lines)

    @property
    def cells(self) -> int:
        rows, columns, layers = self.shape
        return rows * columns * layers

    @cached_property
    def line_masks(self) -> tuple[int, ...]:
        """Each line as a set of bits."""
        return tuple(sum(1 << cell for cell in line) for line in self.lines)

    @cached_property
    def masks_through(self) -> tuple[tuple[int, ...], ...]:
        """For each cell the masks of the lines through it."""
        through: list[list[int]] = [[] for _ in range(self.cells)]
        for line, mask in zip(self.lines, self.line_masks, strict=True):
            for cell in line:
                through[cell].append(mask)
        return tuple(map(tuple, through))

    def cell_at(self, row: int, column: int, layer: int = 0) -> int:
        """The number of the cell in this place."""
        rows, columns, _ = self.shape
        return (layer * rows + row) * columns + column

    def place_of(self, cell: int) -> tuple[int, int, int]:
        """Row, column and layer of a cell."""
        rows, columns, _ = self.shape
        return cell // columns % rows, cell % columns, cell // (rows * columns)


def grid_lines(shape: tuple[int, int, int], k: int) -> tuple[Line, ...]:
    """Every straight window of k cells, in all directions, sorted."""
    rows, columns, layers = shape
    found: set[Line] = set()
    for direction in itertools.product((-1, 0, 1), repeat=3):
        if direction == (0, 0, 0):
            continue
        for start in itertools.product(range(rows), range(columns), range(layers)):
            end = [s + (k - 1) * d for s, d in zip(start, direction, strict=True)]
            if all(0 <= e < side for e, side in zip(end, shape, strict=True)):
                window = [
                    ((start[2] + i * direction[2]) * rows + start[0] + i * direction[0]) * columns
                    + start[1]
                    + i * direction[1]
                    for i in range(k)
                ]
                found.add(tuple(sorted(window)))
    return tuple(sorted(found))


def read_sides(name: str) -> tuple[int, ...]:
    """The sides of a board named like `3x3` or `4x4x4`."""
    words = name.split("x")
    if len(words) not in (2, 3) or not all(re.fullmatch(r"[0-9]{1,9}", word) for word in words):
        raise ParseError(
            f"'{name}' is not a game; boards are ROWSxCOLUMNS or ROWSxCOLUMNSxLAYERS such as 3x3 "
            f"or 3x3x3, and 'noughts games' lists the other names."
        )
    sides = tuple(int(word) for word in words)
    for side in sides:
        if not 1 <= side <= MAX_SIDE:
            raise ParseError(f"Side {side} of '{name}' is out of range; sides are 1 to {MAX_SIDE}.")
    cells = 1
    for side in sides:
        cells *= side
    if cells > MAX_CELLS:
        raise ParseError(f"'{name}' has {cells} cells; at most {MAX_CELLS} are allowed.")
    return sides


def default_k(sides: tuple[int, ...]) -> int:
    """The line length when none is given: the shortest side (all of them when they are equal)."""
    return min(sides)


def grid_board(sides: tuple[int, ...], k: int) -> Board:
    """The board of these sides where k in a row win."""
    if not 1 <= k <= max(sides):
        raise ParseError(f"k={k} does not fit the board; k is 1 to {max(sides)}.")
    name = "x".join(map(str, sides))
    if k != default_k(sides):
        name += f":k={k}"
    elif sides == (4, 4, 4):
        name = "qubic"
    rows, columns, layers = (*sides, 1)[:3]
    return Board(name, (rows, columns, layers), grid_lines((rows, columns, layers), k))
