"""Pen and paper for drawings: sheets seen flat or tilted, and the strokes that go on them.

A sheet maps the board to the page, (u, v) -> origin + u · across + v · down, with u in columns
and v in rows. Marks, hatches and grids are written once in (u, v); a flat board, a layer of a
cube and a mini board differ only in where they lie and in their two vectors.
"""

import math
from dataclasses import dataclass, replace
from xml.sax.saxutils import escape, quoteattr

Point = tuple[float, float]

PAPER = "#f6efe0"
SHEET = "#fffcf5"
SHADE = "#efe6d3"  # a sheet that waits
EDGE = "#d9cdb6"
GRID = "#cbbfa8"
INK = "#3a352d"
FAINT = "#8b8069"
PENCIL = "#6d5f4c"
MARKER = "#f7e3a1"  # the highlighter on the last move
MARKER_EDGE = "#d3ac3f"
# Told apart by who does not see red, green or blue, too: `tests/test_seats.py` measures it.
COLOURS = {"X": "#2a66ad", "O": "#cf6a1c", "T": "#009e73", "S": "#8e2a5b"}
DEEP = {"X": "#173f73", "O": "#8f420a", "T": "#00563f", "S": "#551737"}
FONT = "system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', sans-serif"

ROUNDING = 3.0  # px, the corners of a sheet
HATCH_STEP = 3.2  # px, half of what lies between two hatches where the risk is 1


def number(value: float) -> str:
    """A coordinate or a share, as short as the eye allows."""
    text = f"{value:.1f}" if abs(value) >= 2.0 else f"{value:.3f}"
    text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def tag(name: str, content: str = "", **attributes: str | float) -> str:
    """One element; `stroke_width` becomes stroke-width."""
    words = [name]
    for key, value in attributes.items():
        text = value if isinstance(value, str) else number(value)
        words.append(f"{key.rstrip('_').replace('_', '-')}={quoteattr(text)}")
    return f"<{' '.join(words)}>{content}</{name}>" if content else f"<{' '.join(words)}/>"


def write(text: str, at: Point, size: float, colour: str = INK, **attributes: str | float) -> str:
    """A line of text that starts at this point unless `text_anchor` says otherwise."""
    return tag("text", escape(text), x=at[0], y=at[1], font_size=size, fill=colour, **attributes)


@dataclass(frozen=True)
class Sheet:
    """Rows and columns of cells somewhere on the page; `first` is the number of its first cell."""

    first: int
    rows: int
    columns: int
    origin: Point
    across: Point
    down: Point

    @property
    def size(self) -> float:
        """The width of a cell in px."""
        return self.across[0]

    @property
    def is_flat(self) -> bool:
        return self.down[0] == 0.0

    @property
    def cells(self) -> range:
        return range(self.first, self.first + self.rows * self.columns)

    def corner(self, cell: int) -> Point:
        """The corner (u, v) of a cell."""
        row, column = divmod(cell - self.first, self.columns)
        return float(column), float(row)

    def centre(self, cell: int) -> Point:
        """The middle of a cell on the page."""
        u, v = self.corner(cell)
        return self.at(u + 0.5, v + 0.5)

    def at(self, u: float, v: float) -> Point:
        """Where (u, v) is on the page."""
        return (
            self.origin[0] + u * self.across[0] + v * self.down[0],
            self.origin[1] + u * self.across[1] + v * self.down[1],
        )

    def path(self, *steps: tuple[str, float, float] | str) -> str:
        """Path data from (letter, u, v) steps."""
        words = []
        for step in steps:
            if isinstance(step, str):
                words.append(step)
            else:
                x, y = self.at(step[1], step[2])
                words.append(f"{step[0]}{number(x)} {number(y)}")
        return "".join(words)

    def box(self, u: float, v: float, width: float, height: float, inset: float = 0.0) -> str:
        """Path data of a rectangle of the board."""
        left, top, right, bottom = u + inset, v + inset, u + width - inset, v + height - inset
        corners = (("M", left, top), ("L", right, top), ("L", right, bottom), ("L", left, bottom))
        return self.path(*corners, "Z")

    def shifted(self, dx: float, dy: float) -> "Sheet":
        """The same sheet elsewhere."""
        return replace(self, origin=(self.origin[0] + dx, self.origin[1] + dy))

    def scaled(self, factor: float) -> "Sheet":
        """The same sheet, larger around its own middle."""
        x, y = self.at(self.columns / 2, self.rows / 2)
        return replace(
            self,
            origin=(x + (self.origin[0] - x) * factor, y + (self.origin[1] - y) * factor),
            across=(self.across[0] * factor, self.across[1] * factor),
            down=(self.down[0] * factor, self.down[1] * factor),
        )


def wobble(cell: int, salt: int) -> float:
    """A number in [-1, 1] that is always the same for a cell: no two marks of a pen are alike."""
    mixed = (cell * 7919 + salt * 104_729 + 12_289) * 2_654_435_761 % 2**32
    return (mixed >> 8) / 2**23 - 1.0


def cross(sheet: Sheet, cell: int, reach: float, u: float, v: float) -> str:
    """Path data of an X around (u, v): two strokes with a slight bow."""
    steps: list[tuple[str, float, float] | str] = []
    for stroke, side in enumerate((1.0, -1.0)):
        tilt = 0.1 * reach * wobble(cell, stroke)
        bow = 0.14 * reach * wobble(cell, 2 + stroke)
        end = side * (reach - tilt)
        steps.append(("M", u - end, v - reach - tilt))
        bend_u, bend_v = sheet.at(u + bow * side, v - bow)
        x, y = sheet.at(u + end, v + reach + tilt)
        steps.append(f"Q{number(bend_u)} {number(bend_v)} {number(x)} {number(y)}")
    return sheet.path(*steps)


def ring(sheet: Sheet, cell: int, reach: float, u: float, v: float) -> str:
    """Path data of an O around (u, v): once round, and a little past where the pen began."""
    arcs, turn = 5, math.radians(372 + 6 * wobble(cell, 4))
    start = math.radians(-100 + 25 * wobble(cell, 5))
    outer, inner = reach * 1.012, reach * 0.988
    handle = 4 / 3 * math.tan(turn / arcs / 4)

    def spoke(i: int) -> tuple[float, float, float]:
        angle = start - turn * i / arcs
        return outer + (inner - outer) * i / arcs, math.cos(angle), math.sin(angle)

    steps: list[tuple[str, float, float]] = []
    for i in range(arcs):
        radius, cos, sin = spoke(i)
        if i == 0:
            steps.append(("M", u + radius * cos, v + radius * sin))
        far, far_cos, far_sin = spoke(i + 1)
        steps += [
            ("C", u + radius * (cos + handle * sin), v + radius * (sin - handle * cos)),
            (" ", u + far * (far_cos - handle * far_sin), v + far * (far_sin + handle * far_cos)),
            (" ", u + far * far_cos, v + far * far_sin),
        ]
    return sheet.path(*steps)


def _closed(
    sheet: Sheet, cell: int, reach: float, middle: Point, corners: tuple[Point, ...]
) -> str:
    """Path data of a shape with straight sides, its corners a little off."""
    steps: list[tuple[str, float, float] | str] = []
    for i, (u, v) in enumerate(corners):
        off_u, off_v = (0.05 * wobble(cell, 6 + 2 * i + j) for j in range(2))
        letter = "L" if steps else "M"
        steps.append((letter, middle[0] + reach * (u + off_u), middle[1] + reach * (v + off_v)))
    return sheet.path(*steps, "Z")


def triangle(sheet: Sheet, cell: int, reach: float, u: float, v: float) -> str:
    """Path data of a T around (u, v): a triangle that stands on its side."""
    corners = ((0.0, -1.05), (1.08, 0.85), (-1.08, 0.85))
    return _closed(sheet, cell, reach, (u, v), corners)


def square(sheet: Sheet, cell: int, reach: float, u: float, v: float) -> str:
    """Path data of an S around (u, v)."""
    corners = ((-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88))
    return _closed(sheet, cell, reach, (u, v), corners)


def mark_path(sheet: Sheet, mark: str, cell: int, reach: float, u: float, v: float) -> str:
    """Path data of a mark around (u, v)."""
    if mark == "X":
        return cross(sheet, cell, reach * 0.92, u, v)
    if mark != "O":
        return (triangle if mark == "T" else square)(sheet, cell, reach, u, v)
    return ring(sheet, cell, reach, u, v)


def hatch_path(sheet: Sheet, cell: int, risk: float) -> str:
    """Path data of slanted pencil lines, as many as the risk is high.

    The lines are u + v = (i + ½)/pairs. With a whole number of them to each unit they run on into
    neighbours of the same risk.
    """
    u, v = sheet.corner(cell)
    pairs = max(1, round(risk * sheet.down[1] / (2 * HATCH_STEP)))
    steps: list[tuple[str, float, float]] = []
    for i in range(2 * pairs):
        level = (i + 0.5) / pairs
        low, high = max(0.0, level - 1.0), min(1.0, level)
        steps += [("M", u + low, v + level - low), ("L", u + high, v + level - high)]
    return sheet.path(*steps)


def paper(sheet: Sheet, fill: str, edge: str, edge_width: float) -> list[str]:
    """The sheet itself, with round corners and a thin edge, lying on its shadow."""
    outline = sheet.box(0, 0, sheet.columns, sheet.rows)
    below = sheet.shifted(0, 2.5).box(0, 0, sheet.columns, sheet.rows)
    drawn = ((below, INK, 2 * ROUNDING + 1, 0.1), (outline, edge, 2 * (ROUNDING + edge_width), 1.0))
    return [
        *(
            tag("path", d=d, fill=colour, stroke=colour, stroke_width=width, opacity=opacity)
            for d, colour, width, opacity in drawn
        ),
        tag("path", d=outline, fill=fill, stroke=fill, stroke_width=2 * ROUNDING),
    ]


def grid(sheet: Sheet, width: float) -> str:
    """The lines between the cells; the sheet's edge is its frame."""
    gap = 0.03
    steps: list[tuple[str, float, float]] = []
    for column in range(1, sheet.columns):
        steps += [("M", column, gap), ("L", column, sheet.rows - gap)]
    for row in range(1, sheet.rows):
        steps += [("M", gap, row), ("L", sheet.columns - gap, row)]
    if not steps:
        return ""
    return tag("path", d=sheet.path(*steps), stroke=GRID, stroke_width=width)
