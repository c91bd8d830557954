"""Boards in the terminal with a word in every empty cell: its number, or its value."""

from collections.abc import Mapping

from noughts.games import Game, LineGame, Position, UltimateGame

_COLOURS = {"X": "\x1b[1;34m", "O": "\x1b[1;33m", "T": "\x1b[1;32m", "S": "\x1b[1;35m"}
_COLOURS |= {"last": "\x1b[7m", "faint": "\x1b[2m"}
_PLAIN = "\x1b[0m"


def draw_board(position: Position, words: Mapping[int, str], colour: bool) -> str:
    """The board as rows of equally wide cells, layers and mini boards apart."""
    width = max([1, *(len(word) for word in words.values())])
    cells = []
    for cell, mark in enumerate(position.board):
        word = mark if mark != "." else words.get(cell, "·")
        cells.append(_paint(word.center(width), mark, cell == position.last, colour))
    if isinstance(position.game, UltimateGame):
        return _draw_ultimate(cells, width)
    return _draw_layers(position, cells)


def number_words(position: Position) -> dict[int, str]:
    """The number of every cell that may be played."""
    return {cell: str(cell) for cell in position.open_cells}


def risk_lines(game: Game) -> list[str]:
    """What may happen to a mark, cell by cell, in a few lines; none when nothing can."""
    lines: list[str] = []
    for name in ("flip", "fizzle", "fade", "hazard"):
        vector: tuple[float, ...] = getattr(game.risk, name)
        if not any(vector):
            continue
        if len(set(vector)) == 1:
            lines.append(f"{name} {vector[0]:g} in every cell")
            continue
        words = {cell: f"{risk:.2f}" for cell, risk in enumerate(vector)}
        lines += [f"{name}, cell by cell:", draw_board(game.start(), words, colour=False)]
    return lines


def _paint(word: str, mark: str, is_last: bool, colour: bool) -> str:
    if not colour:
        return word
    style = _COLOURS.get(mark, _COLOURS["faint"]) + (_COLOURS["last"] if is_last else "")
    return f"{style}{word}{_PLAIN}"


def _draw_layers(position: Position, cells: list[str]) -> str:
    rows, columns, layers = position.game.shape
    assert isinstance(position.game, LineGame)
    cell_at = position.game.board.cell_at
    return "\n".join(
        "    ".join(
            " ".join(cells[cell_at(row, column, layer)] for column in range(columns))
            for layer in range(layers)
        )
        for row in range(rows)
    )


def _draw_ultimate(cells: list[str], width: int) -> str:
    lines = []
    for row in range(9):
        bands = []
        for band in range(3):
            mini = 3 * (row // 3) + band
            first = 9 * mini + 3 * (row % 3)
            bands.append(" ".join(cells[first : first + 3]))
        lines.append(" │ ".join(bands))
    dash = "─" * (3 * width + 2)
    rule = f"{dash}─┼─{dash}─┼─{dash}"
    return "\n".join([*lines[:3], rule, *lines[3:6], rule, *lines[6:]])
