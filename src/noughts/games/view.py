"""How a game is drawn and clicked, said once for every drawing: sheets, names, choices, targets.

A *sheet* is a piece of paper with rows and columns of cells: one for a flat board, one per layer of
a stack, one per mini board. A *choice* is a legal move and the cell where a person clicks for it;
several moves may share a cell. All of it follows from the facts of a game (`facts.py`): where its
cells are drawn, its zones, and what a move leads to.
"""

from dataclasses import dataclass
from functools import lru_cache

from noughts.games.game import Game, Position

NINE = (
    "top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom",
    "bottom right",
)  # fmt: skip


@dataclass(frozen=True)
class Sheet:
    """Cells in rows and columns, and where the sheet lies among the others."""

    name: str
    rows: int
    columns: int
    row: int
    column: int
    layer: int
    cells: tuple[int, ...]  # row by row


@dataclass(frozen=True)
class GameView:
    """What does not change during a game."""

    sheets: tuple[Sheet, ...]
    names: tuple[str, ...]  # of cells, as they stand in a list of moves
    spoken: tuple[str, ...]  # as they are read aloud
    is_labelled: bool  # whether letters and numbers along the edges help to find a cell
    lines: tuple[tuple[int, ...], ...]  # of cells that win


@dataclass(frozen=True)
class Choice:
    """A move that a person may make."""

    move: int
    cell: int  # where it is clicked
    label: str  # what tells it from other moves of the same cell; empty where it is alone
    mark: str  # what will stand in the cell if it lands as meant
    targets: tuple[int, ...] | None  # the sheets that the next player may play in; None: no matter


@dataclass(frozen=True)
class PositionView:
    """What changes with every move."""

    choices: tuple[Choice, ...]
    open_sheets: tuple[int, ...]  # in which a choice lies
    forced: int | None  # the only sheet in which one may play, where that is a rule
    owners: tuple[str, ...]  # of sheets that can be won: a mark or '.'; empty where none can
    winning_cells: tuple[int, ...]
    winning_sheets: tuple[int, ...]


@lru_cache(maxsize=64)
def game_view(game: Game) -> GameView:
    """The sheets of a game, and the names of its cells."""
    groups: dict[tuple[int, int, int], list[tuple[int, int, int]]] = {}
    for cell in range(game.cells):
        row, column, above, left = game.drawn_at(cell)
        layer = game.place_of(cell)[2]
        groups.setdefault((layer, above, 0 if layer else left), []).append((row, column, cell))
    is_stack = game.shape[2] > 1
    sheets: list[Sheet] = []
    for (layer, above, left), found in sorted(groups.items()):
        cells = tuple(cell for *_, cell in sorted(found))
        columns = len({column for _, column, _ in found})
        name = f"layer {layer + 1}" if is_stack else _mini_name(len(groups), len(sheets))
        row, column = (0, 0) if is_stack else (above, left)
        sheets.append(Sheet(name, len(cells) // columns, columns, row, column, layer, cells))
    names, spoken = [""] * game.cells, [""] * game.cells
    for sheet in sheets:
        for place, cell in enumerate(sheet.cells):
            names[cell], spoken[cell] = _cell_names(sheet, place, len(sheets), is_stack)
    is_labelled = is_stack or (len(sheets) == 1 and not _is_nine(sheets[0]))
    lines = () if game.zones else game.deciding_lines
    return GameView(tuple(sheets), tuple(names), tuple(spoken), is_labelled, lines)


def _mini_name(count: int, number: int) -> str:
    if count == 1:
        return ""
    return NINE[number] if count == len(NINE) else f"board {number + 1}"


def _is_nine(sheet: Sheet) -> bool:
    return sheet.rows == sheet.columns == 3


def _cell_names(sheet: Sheet, place: int, sheets: int, is_stack: bool) -> tuple[str, str]:
    row, column = divmod(place, sheet.columns)
    square = f"{chr(ord('a') + column)}{row + 1}"
    if is_stack:
        return f"{sheet.layer + 1}·{square}", f"{sheet.name}, {square}"
    name = NINE[place] if _is_nine(sheet) else square
    if sheets == 1:
        return name, name
    mini = sheet.name if sheet.name.startswith("board") else f"mini board {sheet.name}"
    return f"{sheet.name} › {name}", f"{mini}, {name}"


def position_view(position: Position) -> PositionView:
    """What may be played where, and what has been won."""
    game = position.game
    view = game_view(game)
    choices = _choices(position) if position.result is None else ()
    sheet_of = {cell: i for i, sheet in enumerate(view.sheets) for cell in sheet.cells}
    open_sheets = tuple(sorted({sheet_of[choice.cell] for choice in choices}))
    line = tuple(position.winning_line or ())
    return PositionView(
        choices=choices,
        open_sheets=open_sheets,
        forced=position.zone if position.result is None else None,
        owners=tuple(position.zone_owners),
        winning_cells=() if game.zones else line,
        winning_sheets=line if game.zones else (),
    )


def _choices(position: Position) -> tuple[Choice, ...]:
    game, moves = position.game, position.at_once
    at: dict[int, int] = {}
    for move in moves:
        cell = game.cell_of(move)
        at[cell] = at.get(cell, 0) + 1
    found = []
    for move in moves:
        cell = game.cell_of(move)
        is_alone = at[cell] == 1
        if is_alone and not game.zones:
            found.append(Choice(move, cell, "", position.turn or "", None))
            continue
        after = position.play(move)
        label = "" if is_alone else _label(position, move, after)
        targets = _targets(after) if game.zones else None
        found.append(Choice(move, cell, label, after.board[cell], targets))
    return tuple(found)


def _label(position: Position, move: int, after: Position) -> str:
    """The mark that a move leaves where that is the difference, else its own name."""
    game, cell = position.game, position.game.cell_of(move)
    others = (m for m in position.at_once if game.cell_of(m) == cell and m != move)
    mark = after.board[cell]
    is_different = all(position.play(m).board[cell] != mark for m in others)
    return mark if is_different and mark != "." else game.name_move(move)


def _targets(after: Position) -> tuple[int, ...]:
    """The sheets that whoever moves next may play in."""
    if after.result is not None:
        return ()
    if after.zone is not None:
        return (after.zone,)
    sheets = game_view(after.game).sheets
    return tuple(i for i, s in enumerate(sheets) if not set(s.cells).isdisjoint(after.open_cells))


def move_name(position: Position, move: int) -> str:
    """A move as it stands in a list: its cell, what tells it from others, and its wait."""
    game = position.game
    cell, wait = game.cell_of(move), game.wait_of(move)
    words = [game_view(game).names[cell]]
    if game.moves > game.cells and not game.has_clock:
        words.append(_label(position, move, position.play(move)))
    return " ".join(words) + (f" +{wait}" if wait else "")


@dataclass(frozen=True)
class RiskView:
    """What may happen to marks, cell by cell, and the clock."""

    flip: list[float]
    fizzle: list[float]
    fade: list[float]
    hazard: list[float]
    is_risky: bool
    has_clock: bool
    limit: float | None
    turn_limit: float | None
    ticks: int
    tick_length: float


def risk_view(game: Game) -> RiskView:
    """The risk as the game states it."""
    risk = game.risk
    return RiskView(
        flip=list(risk.flip),
        fizzle=list(risk.fizzle),
        fade=list(risk.fade),
        hazard=list(risk.hazard),
        is_risky=risk.is_risky,
        has_clock=risk.has_clock,
        limit=risk.limit,
        turn_limit=risk.turn_limit,
        ticks=risk.ticks if risk.has_clock else 0,
        tick_length=risk.tick_length,
    )


@dataclass(frozen=True)
class LandingView:
    """How a mark lands in each cell at a time of the clock."""

    tick: int
    flip: list[float]
    fizzle: list[float]
    fade: list[float]
    risk: list[float]  # that it is not there, as it was meant, a turn later


def landing_view(game: Game, tick: int) -> LandingView | None:
    """None where nothing can go wrong."""
    if not game.is_risky:
        return None
    risk, cells = game.risk, range(game.cells)
    odds = [risk.landing_odds(cell, tick) for cell in cells]
    return LandingView(
        tick,
        [flip for _, flip, _ in odds],
        [nothing for *_, nothing in odds],
        list(risk.fade),
        [risk.loss_odds(cell, tick) for cell in cells],
    )
