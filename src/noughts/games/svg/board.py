"""What lies on a sheet: risk, the last move, the grid, numbers, marks, and the winning line."""

import math
from xml.sax.saxutils import escape

from noughts.games.game import Position
from noughts.games.line_game import LinePosition
from noughts.games.svg.ink import (
    COLOURS,
    DEEP,
    EDGE,
    FAINT,
    INK,
    MARKER,
    MARKER_EDGE,
    PENCIL,
    SHADE,
    SHEET,
    Point,
    Sheet,
    grid,
    hatch_path,
    mark_path,
    paper,
    tag,
    write,
)
from noughts.games.ultimate import ANYWHERE, UltimatePosition

NUMBERED = 28.0  # px, the smallest cell that shows its number
RISK_NUMBERED = 37.0  # px, the smallest cell that shows its risk
REACH = 0.3  # half the size of a mark, in cells
LIFT = 1.1  # how much larger the forced mini board is drawn


def winning_cells(position: Position) -> tuple[int, ...]:
    """The cells to single out as the line that ended the game."""
    line = position.winning_line if isinstance(position, LinePosition) else None
    return line or ()


def draw_sheet(position: Position, sheet: Sheet) -> str:
    """One sheet with everything on it."""
    if isinstance(position, UltimatePosition):
        return _mini_board(position, sheet)
    return "".join([*paper(sheet, SHEET, EDGE, 1.0), *_contents(position, sheet)])


def _mini_board(position: UltimatePosition, sheet: Sheet) -> str:
    mini = sheet.first // 9
    owner = position.owners[mini]
    is_running = position.result is None
    is_open = bool(position.free_cells(mini)) and position.forced in (ANYWHERE, mini)
    is_dimmed = is_running and not is_open
    if position.forced == mini:
        sheet = sheet.scaled(LIFT)
        parts = paper(sheet, SHEET, INK, 1.6)
    else:
        parts = paper(sheet, SHADE if is_dimmed else SHEET, EDGE, 1.0)
    strength = (0.45 if owner != "." else 1.0) * (0.7 if is_dimmed else 1.0)
    parts += _contents(position, sheet, strength)
    if owner != ".":
        parts.append(
            tag(
                "path",
                d=mark_path(sheet, owner, mini, 1.1, 1.5, 1.5),
                stroke=COLOURS[owner],
                stroke_width=0.42 * sheet.size,
                opacity=0.5,
                data_owner=owner,
            )
        )
    return "".join(parts)


def _contents(position: Position, sheet: Sheet, strength: float = 1.0) -> list[str]:
    """Everything on the paper; only the last move keeps its full strength on a dimmed sheet."""

    def dimmed(*parts: str) -> str:
        drawn = "".join(parts)
        return tag("g", drawn, opacity=strength) if drawn and strength < 1.0 else drawn

    return [
        dimmed(_hatches(position, sheet)),
        _singled_out(position, sheet),
        dimmed(
            grid(sheet, 1.0 + sheet.size / 60), *_numbers(position, sheet), _marks(position, sheet)
        ),
    ]


def _hatches(position: Position, sheet: Sheet) -> str:
    """For each cell with a risk a tint and a hatch, lighter under a mark that has landed."""
    parts = []
    for cell in sheet.cells:
        risk = position.game.risk.loss_odds(cell, position.tick)
        if risk <= 0.0:
            continue
        tint = tag(
            "path",
            tag("title", f"cell {cell}: {escape(_risk_text(risk))}"),
            d=sheet.box(*sheet.corner(cell), 1, 1),
            fill=PENCIL,
            fill_opacity=0.16 * risk,
            stroke="none",
        )
        hatch = tag(
            "path",
            d=hatch_path(sheet, cell, risk),
            stroke_opacity=0.5 if position.board[cell] == "." else 0.25,
            data_risk=f"{risk:.4g}",
        )
        parts.append(tint + hatch)
    if not parts:
        return ""
    return tag("g", "".join(parts), stroke=PENCIL, stroke_width=0.9, stroke_linecap="butt")


def _singled_out(position: Position, sheet: Sheet) -> str:
    """The last move under a highlighter; in space also the cells that the winning stroke meets."""
    parts = []
    for cell in winning_cells(position):
        if cell in sheet.cells and not sheet.is_flat:
            box = sheet.box(*sheet.corner(cell), 1, 1)
            parts.append(tag("path", d=box, fill=COLOURS[position.board[cell]], opacity=0.13))
    if position.last is not None and position.last in sheet.cells:
        parts.append(
            tag(
                "path",
                d=sheet.box(*sheet.corner(position.last), 1, 1, 0.07),
                fill=MARKER,
                fill_opacity=0.55,
                stroke=MARKER_EDGE,
                stroke_width=1,
                data_last=str(position.last),
            )
        )
    return "".join(parts)


def _numbers(position: Position, sheet: Sheet) -> list[str]:
    """In the cells that are open: their number, and their risk where there is room."""
    if sheet.size < NUMBERED or position.result is not None:
        return []
    parts = []
    for cell in position.open_cells:
        if cell not in sheet.cells:
            continue
        u, v = sheet.corner(cell)
        size = max(8.0, min(11.0, 0.2 * sheet.size))
        inset = max(0.09, 3.5 / sheet.size)
        parts.append(_lying(sheet, str(cell), (u + inset, v + inset), size, "start"))
        risk = position.game.risk.loss_odds(cell, position.tick)
        middle = v + (0.5 if sheet.size > 60.0 else 0.62)
        if risk > 0.0 and sheet.size >= RISK_NUMBERED:
            parts.append(_lying(sheet, _risk_text(risk), (u + 0.5, middle), 1.2 * size, "middle"))
    return parts


def _risk_text(risk: float) -> str:
    """Two decimals, without calling a small risk none or a great one certain."""
    if 0.0 < risk < 0.005:
        return "<0.01"
    if 0.995 <= risk < 1.0:
        return ">0.99"
    return f"{risk:.2f}"


def _lying(sheet: Sheet, text: str, at: Point, size: float, anchor: str) -> str:
    """A small number that lies on the sheet as the marks do, with a halo against the hatching."""
    x, y = sheet.at(*at)
    scale = sheet.size
    across, down = sheet.across, sheet.down
    matrix = " ".join(
        f"{value:.3g}"
        for value in (across[0] / scale, across[1] / scale, down[0] / scale, down[1] / scale)
    )
    drop = 0.75 * size if anchor == "start" else 0.36 * size
    return write(
        text,
        (0, drop),
        size,
        FAINT if anchor == "start" else PENCIL,
        transform=f"matrix({matrix} {x:.2f} {y:.2f})",
        text_anchor=anchor,
        stroke=SHEET,
        stroke_width=3,
        paint_order="stroke",
    )


def _marks(position: Position, sheet: Sheet) -> str:
    line = winning_cells(position)
    parts = []
    for cell in sheet.cells:
        mark = position.board[cell]
        if mark == ".":
            continue
        u, v = sheet.corner(cell)
        weight = 0.115 if cell in line else 0.095
        parts.append(
            tag(
                "path",
                d=mark_path(sheet, mark, cell, REACH, u + 0.5, v + 0.5),
                stroke=COLOURS[mark],
                stroke_width=max(2.0, weight * sheet.size),
                data_mark=mark,
            )
        )
    return "".join(parts)


def row_labels(sheet: Sheet) -> str:
    """The first cell of every row and what each column adds, where cells are too small to say."""
    parts = []
    for row in range(sheet.rows):
        x, y = sheet.at(0, row + 0.5)
        label = str(sheet.first + row * sheet.columns)
        parts.append(write(label, (x - 8, y + 3), 8.5, FAINT, text_anchor="end"))
    for column in range(sheet.columns):
        x, y = sheet.at(column + 0.5, 0)
        parts.append(write(f"+{column}", (x, y - 8), 8.5, FAINT, text_anchor="middle"))
    return "".join(parts)


def winning_stroke(position: Position, sheets: list[Sheet]) -> str:
    """One stroke through the line that ended the game; through its mini boards in Ultimate."""
    if isinstance(position, UltimatePosition) and position.winning_line is not None:
        points = [sheets[mini].at(1.5, 1.5) for mini in position.winning_line]
        mark, size = position.owners[position.winning_line[0]], 2.2 * sheets[0].size
    elif cells := winning_cells(position):
        points = [s.centre(cell) for cell in cells for s in sheets if cell in s.cells]
        mark, size = position.board[cells[0]], sheets[0].size
    else:
        return ""
    points = _extended(points, 0.36 * size)
    path = "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points)
    return tag(
        "g",
        tag("path", d=path, stroke=COLOURS[mark], stroke_width=0.3 * size, opacity=0.22)
        + tag("path", d=path, stroke=DEEP[mark], stroke_width=max(2.2, 0.055 * size), opacity=0.9),
        data_line=mark,
    )


def _extended(points: list[Point], by: float) -> list[Point]:
    """The same stroke, begun a little earlier and ended a little later."""

    def beyond(end: Point, before: Point) -> Point:
        dx, dy = end[0] - before[0], end[1] - before[1]
        length = math.hypot(dx, dy)
        return end[0] + by * dx / length, end[1] + by * dy / length

    if len(points) == 1:
        x, y = points[0]
        return [(x - by, y), (x + by, y)]
    return [beyond(points[0], points[1]), *points[1:-1], beyond(points[-1], points[-2])]
