"""How soon a won board of a plain game is over, when one side hurries and the other delays.

A table tells who wins, not when. The winner's moves that keep the win and all replies are followed
by iterative deepening, one more pair of plies each time, until a win is forced; boards that were
refuted are remembered. The work is bounded, and without an answer the distance stays unknown.
"""

from functools import lru_cache

from noughts.games import Position
from noughts.games.game import Game
from noughts.solve.numbering import board_number, own_and_other, set_numbers
from noughts.solve.solution import Solution

MOST_BOARDS = 600  # looked at for one question


def plies_to_win(solution: Solution, position: Position, most: int = MOST_BOARDS) -> int | None:
    """The plies that best play takes to the end of a game that is won; None where unknown."""
    game = solution.game
    if game.risk.is_risky or position.result is not None:
        return None
    value = float(solution.table[0, board_number(position)])
    if abs(value) != 1.0:
        return None
    search = _Search(solution, most)
    own, other = own_and_other(position)
    is_forced = search.wins if value > 0 else search.loses
    try:
        for plies in range(1, position.board.count(".") + 1):
            if is_forced(own, other, plies):
                return plies
    except _TooMany:
        return None
    raise AssertionError("a board that is won is won before it is full")


class _TooMany(Exception):
    """The work that was allowed is done."""


class _Search:
    """Whether the player on turn wins, or loses, within so many plies."""

    def __init__(self, solution: Solution, most: int) -> None:
        game = solution.game
        self.is_misere = game.is_misere
        self.through = _lines_through(game)
        self.full, self.left = (1 << game.cells) - 1, most
        # Numbers one by one: an index in brackets would make an array of each first.
        self.number_at, self.value_at = set_numbers(game.cells).item, solution.table[0].item
        self.refuted: dict[tuple[int, int], int] = {}

    def _completes(self, own: int, bit: int) -> bool:
        return any(line & own == line for line in self.through[bit])

    def _is_lost(self, own: int, other: int) -> bool:
        number = self.number_at(own) + 2 * self.number_at(other)
        return float(self.value_at(number)) == -1.0

    def wins(self, own: int, other: int, plies: int) -> bool:
        """Whether some move of the player on turn wins within so many plies."""
        if plies <= 0 or self.refuted.get((own, other), 0) >= plies:
            return False
        self.left -= 1
        if self.left < 0:
            raise _TooMany
        for bit in _bits(self.full & ~(own | other)):
            if self._completes(own | bit, bit):
                if not self.is_misere:
                    return True
            elif self._is_lost(other, own | bit) and self.loses(other, own | bit, plies - 1):
                return True
        self.refuted[own, other] = plies
        return False

    def loses(self, own: int, other: int, plies: int) -> bool:
        """Whether every move of the player on turn loses within so many plies."""
        moves = self.full & ~(own | other)
        if plies <= 0 or not moves:
            return False
        for bit in _bits(moves):
            if self._completes(own | bit, bit):
                if not self.is_misere:
                    return False
            elif not self.wins(other, own | bit, plies - 1):
                return False
        return True


@lru_cache(maxsize=16)
def _lines_through(game: Game) -> dict[int, list[int]]:
    """The lines through each cell, all of them as bits; a page asks for them all the time."""
    through: dict[int, list[int]] = {1 << cell: [] for cell in range(game.cells)}
    for line in game.lines_for("it has no table").line_masks:
        for bit in _bits(line):
            through[bit].append(line)
    return through


def _bits(cells: int) -> list[int]:
    found = []
    while cells:
        found.append(cells & -cells)
        cells &= cells - 1
    return found
