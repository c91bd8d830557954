"""What is proven once and for all, about plain games of lines.

- *Strategy stealing*: an own mark never harms, so the first player does not lose from the empty
  board.
- *Erdős and Selfridge* (1973): give every line without a mark of a player the weight 2^-(its empty
  cells). If the weights sum to less than 1 when he is on turn, or to less than 1/2 when he is not,
  he can stop them all by playing the cell of the greatest weight, and does not lose.
- *The cube*: on 3×3×3 whoever takes the centre wins, if it is taken with the first move or in
  answer to it. (`noughts prove 3x3x3` finds it again.)

The first two together say that n×n with n in a row is a draw from n = 5 on, and one move ahead that
4×4 is.
"""

from collections.abc import Iterable

from noughts.games.boards import grid_board
from noughts.games.game import Position
from noughts.knowledge.known import NOTHING, Known, between, exactly
from noughts.knowledge.limits import Budget
from noughts.knowledge.plain import PlainBoard, line_masks, plain_board
from noughts.knowledge.sources import Source

CUBE, CENTRE = grid_board((3, 3, 3), 3), 13


class Theorems(Source):
    """Bounds that follow from the lines alone, and the first moves of the cube."""

    name = "theorem"

    def known(self, position: Position, budget: Budget) -> Known | None:
        if position.result is not None:
            return None
        board = plain_board(position)
        if board is None:
            return None
        if line_masks(position.game) == CUBE.line_masks:
            winner = _winner_in_the_cube(position, board)
            if winner is not None:
                return exactly(1.0 if winner == "X" else -1.0, self.name)
        return self._bounds(position, board)

    def _bounds(self, position: Position, board: PlainBoard) -> Known | None:
        masks = line_masks(position.game)
        assert masks is not None, "a plain board has lines"
        found = NOTHING
        sign = 1.0 if position.turn == "X" else -1.0
        if holds(masks, board.own, board.other, is_on_turn=True) or not board.own | board.other:
            found = found.narrowed(_at_least(0.0, sign, self.name))
        if holds(masks, board.other, board.own, is_on_turn=False):
            found = found.narrowed(_at_least(0.0, -sign, self.name))
        return found if found.is_telling else None


def _at_least(value: float, sign: float, source: str) -> Known:
    return between(value, 1.0, source) if sign > 0 else between(-1.0, -value, source)


def holds(masks: Iterable[int], own: int, other: int, is_on_turn: bool) -> bool:
    """Whether a player can stop every line of his opponent, by the greatest weight.

    The weights are whole numbers in units of 2^-longest, so nothing is rounded.
    """
    alive = [(mask & ~other).bit_count() for mask in masks if not mask & own]
    longest = max(alive, default=0)
    danger = sum(1 << (longest - empty) for empty in alive)
    return danger < 1 << longest if is_on_turn else 2 * danger < 1 << longest


def _winner_in_the_cube(position: Position, board: PlainBoard) -> str | None:
    """Who wins for certain; None after the opening."""
    filled = (board.own | board.other).bit_count()
    centre = position.board[CENTRE]
    if filled == 0:
        return position.turn
    if filled == 1 and board.other:  # one mark, of the player who is not on turn
        mark = position.game.after(position.mover)
        return mark if centre == mark else position.turn
    if filled == 2 and board.own.bit_count() == 1 and centre != ".":
        return centre
    return None
