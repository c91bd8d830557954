"""The 3×3 game with one risk p for all cells, exactly, in plain Python.

It settles what floats cannot, such as whether two moves are equal or nearly so, and it is written
from the rules alone, so that it checks the fast solver as well. With marks seen from the player on
turn, the value of playing a is

    q(a) = -((1-p) · after(own mark at a) + p · after(opponent's mark at a)),

where `after` is the value for the player who moves next. With p = n/d a board with e empty cells
has a value that is a whole number of 1/d^e: all arithmetic is on those whole numbers.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache

LINES = tuple(
    sum(1 << cell for cell in line)
    for line in (
        (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
    )
)  # fmt: skip
FULL = 0b111_111_111
_HAS_LINE = tuple(any(mask & line == line for line in LINES) for mask in range(FULL + 1))


def has_line(mask: int) -> bool:
    """Whether a set of cells holds a line."""
    return _HAS_LINE[mask]


class RiskyBoard:
    """3×3 in which every mark flips with probability p. Boards are (mine, theirs) masks."""

    def __init__(self, p: Fraction) -> None:
        self.p = p
        self._flip, self._whole = p.numerator, p.denominator
        self._scale = [self._whole**empty for empty in range(10)]
        self._best_scaled = lru_cache(maxsize=None)(self._choose)

    def value(self) -> Fraction:
        """The value of the empty board for the player on turn."""
        return Fraction(self._best_scaled(0, 0)[0], self._scale[9])

    def move_values(self) -> dict[int, Fraction]:
        """The value of every first move for the player on turn."""
        return {
            cell: Fraction(self.scaled(0, 0, cell, self._after), self._scale[9])
            for cell in range(9)
        }

    def best(self, mine: int, theirs: int) -> int:
        """The lowest of the best moves."""
        return self._best_scaled(mine, theirs)[1]

    def _choose(self, mine: int, theirs: int) -> tuple[int, int]:
        """(scaled value, lowest best move)."""
        filled = mine | theirs
        moves = [cell for cell in range(9) if not filled >> cell & 1]
        values = [self.scaled(mine, theirs, cell, self._after) for cell in moves]
        best = max(values)
        return best, moves[values.index(best)]

    def _after(self, mine: int, theirs: int) -> int:
        return self._best_scaled(mine, theirs)[0]

    def scaled(self, mine: int, theirs: int, cell: int, after: Callable[[int, int], int]) -> int:
        """What playing a cell is worth, given what later boards are worth to who moves there."""
        bit = 1 << cell
        win = self._scale[8 - (mine | theirs).bit_count()]
        total = 0
        for chance, own, other in (
            (self._whole - self._flip, mine | bit, theirs),
            (self._flip, mine, theirs | bit),
        ):
            if chance == 0:
                continue
            if _HAS_LINE[own]:
                total += chance * win
            elif _HAS_LINE[other]:
                total -= chance * win
            elif own | other != FULL:
                total -= chance * after(other, own)
        return total


def duel(world: RiskyBoard, classic_seat: str) -> Fraction:
    """The value for X when the classic player has one seat and the optimal player the other.

    Both play the lowest of their best moves.
    """

    @cache
    def play(mine: int, theirs: int, turn: str) -> int:
        mover = _CLASSIC if turn == classic_seat else world
        other = "O" if turn == "X" else "X"
        cell = mover.best(mine, theirs)
        return world.scaled(mine, theirs, cell, lambda m, t: play(m, t, other))

    return Fraction(play(0, 0, "X"), world.p.denominator**9)


_CLASSIC = RiskyBoard(Fraction(0))
