"""Where the sheets lie: flat, tilted one above another, or three by three."""

from noughts.games.game import Position
from noughts.games.svg.ink import EDGE, Sheet, tag
from noughts.games.ultimate import UltimatePosition

FLAT_ROOM = 400.0  # px, what a flat board would like to fill
TALL_ROOM = 560.0  # px, what a stack would like to fill
SLANT, DEPTH, AIR = 0.3, 0.62, 0.5  # in cells: aside and down per row, and between two sheets
MINI_CELL, MINI_GAP = 34.0, 18.0  # px


def lay_out(position: Position) -> list[Sheet]:
    """The sheets of a position, in the order of their cells."""
    if isinstance(position, UltimatePosition):
        return _nine()
    rows, columns, layers = position.game.shape
    if layers == 1:
        size = min(72.0, max(26.0, FLAT_ROOM / max(rows, columns)))
        return [Sheet(0, rows, columns, (0.0, 0.0), (size, 0.0), (0.0, size))]
    return _stack(rows, columns, layers)


def _nine() -> list[Sheet]:
    step = 3 * MINI_CELL + MINI_GAP
    return [
        Sheet(9 * mini, 3, 3, (mini % 3 * step, mini // 3 * step), (MINI_CELL, 0), (0, MINI_CELL))
        for mini in range(9)
    ]


def _stack(rows: int, columns: int, layers: int) -> list[Sheet]:
    """Layer 0 on top; the back of a sheet is its first row, and leans to the right."""
    tall = layers * (rows * DEPTH + AIR)
    wide = columns + rows * SLANT
    size = min(60.0, max(20.0, min(TALL_ROOM / tall, FLAT_ROOM / wide)))
    step = (rows * DEPTH + AIR) * size
    return [
        Sheet(
            layer * rows * columns,
            rows,
            columns,
            (rows * SLANT * size, layer * step),
            (size, 0.0),
            (-SLANT * size, DEPTH * size),
        )
        for layer in range(layers)
    ]


def bounds(sheets: list[Sheet]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of all sheets together."""
    corners = [
        sheet.at(u, v) for sheet in sheets for u in (0, sheet.columns) for v in (0, sheet.rows)
    ]
    across, down = [x for x, _ in corners], [y for _, y in corners]
    return min(across), min(down), max(across), max(down)


def posts(sheets: list[Sheet]) -> str:
    """Faint uprights that hold a stack of layers together."""
    if sheets[0].is_flat:
        return ""
    top, bottom = sheets[0], sheets[-1]
    steps = []
    for u, v in ((0, 0), (0, top.rows), (top.columns, 0)):
        steps += [(top.at(u, v), bottom.at(u, v))]
    return "".join(
        tag(
            "line",
            x1=x1,
            y1=y1,
            x2=x2,
            y2=y2,
            stroke=EDGE,
            stroke_width=1.2,
            stroke_dasharray="1 5",
        )
        for (x1, y1), (x2, y2) in steps
    )
