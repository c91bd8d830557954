"""Boards in the terminal with a word in every empty cell: its number, or its value."""

from collections.abc import Mapping

from noughts.games import Game, Position

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
    return _lay_out(position.game, cells, width)


def number_words(position: Position) -> dict[int, str]:
    """The number of every cell that may be played."""
    return {cell: str(cell) for cell in position.open_cells}


def risk_lines(game: Game) -> list[str]:
    """What may happen to a mark, cell by cell, in a few lines; none when nothing can."""
    lines: list[str] = []
    for name, vector in game.risks.items():
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


def _lay_out(game: Game, cells: list[str], width: int) -> str:
    """The cells where the game draws them. Gaps that lie above one another are ruled."""
    places = {game.drawn_at(cell): word for cell, word in enumerate(cells)}
    is_ruled = any(above for _, _, above, _ in places)
    rows: dict[tuple[int, int], dict[int, list[str]]] = {}  # bands of each row, left to right
    for row, column, above, aside in sorted(places):
        band = rows.setdefault((row, above), {}).setdefault(aside, [])
        band.append(places[row, column, above, aside])
    lines, last = [], 0
    for (_, above), bands in rows.items():
        if above > last:
            lines.append("─┼─".join("─" * (len(band) * (width + 1) - 1) for band in bands.values()))
        lines.append((" │ " if is_ruled else "    ").join(map(" ".join, bands.values())))
        last = above
    return "\n".join(lines)
