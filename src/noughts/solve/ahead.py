"""How games end from here: the odds of every move when both go on by the table.

A table tells what a board is worth, not how often it is drawn. So the boards that best play can
lead to are followed forward, all those of one ply together:

    P(next board) = Σ_boards P(board) · P(landing of its best move),

until every game is over. The lowest of several best moves is played, as `optimal` does. Boards are
pairs of sets of cells, the player on turn first; equal ones are merged, so that a ply holds at most
one board per set of landings. Fizzles pass the turn on, and what is left of a game that nearly
never ends is counted as drawn, as in `evaluation.py`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.games import Game, Position
from noughts.solve.numbering import landing_vectors, own_and_other, set_numbers, sweep_rules
from noughts.solve.seats.answers import Odds
from noughts.solve.solution import Solution

MOST_BOARDS = 1 << 17  # of one ply; the walk ends without an answer where there are more
NEGLIGIBLE = 1e-12  # of probability that is still on its way

Wholes = NDArray[np.int64]
Floats = NDArray[np.float64]


def odds_ahead(
    solution: Solution, position: Position, moves: Sequence[int]
) -> dict[int, Odds] | None:
    """The odds of these moves; None where marks fade, a clock runs, or boards are too many."""
    game = solution.game
    if game.risk.fades or game.risk.has_clock:
        return None
    walk = _Walk(solution, len(moves))
    own, other = own_and_other(position)
    is_x = position.turn == "X"
    start = np.full(len(moves), own, np.int64), np.full(len(moves), other, np.int64)
    cells = np.array([game.cell_of(move) for move in moves], np.int64)
    walk.land(*start, np.eye(len(moves)), cells, is_x)
    while walk.weights.sum() > NEGLIGIBLE:
        if len(walk.own) > MOST_BOARDS:
            return None
        is_x = not is_x
        walk.land(walk.own, walk.other, walk.weights, walk.best_cells(), is_x)
    walk.ended[1] += walk.weights.sum(axis=0)
    return {
        move: Odds(*map(float, column)) for move, column in zip(moves, walk.ended.T, strict=True)
    }


class _Walk:
    """The boards of one ply with their probabilities, one column for each move that was begun."""

    def __init__(self, solution: Solution, columns: int) -> None:
        self.game: Game = solution.game
        self.table: NDArray[Any] = solution.table[0]
        self.tie = solution.tie
        self.rules = sweep_rules(self.game)
        self.odds = landing_vectors(self.game)
        self.full = (1 << self.game.cells) - 1
        self.ended = np.zeros((3, columns))  # X, draw, O

    def _number(self, own: Wholes, other: Wholes) -> Wholes:
        numbers = set_numbers(self.game.cells)
        found: Wholes = numbers[own] + 2 * numbers[other]
        return found

    def best_cells(self) -> Wholes:
        """The lowest best cell of every board."""
        own, other = self.own, self.other
        passed = self._number(other, own)  # as the opponent sees it
        best = np.full(len(own), -np.inf)
        chosen = np.zeros(len(own), np.int64)
        for cell in range(self.game.cells):
            is_open = ((own | other) >> cell & 1) == 0
            seen, power = passed[is_open], 3**cell
            value = -(
                self.odds.own[cell] * self.table[seen + 2 * power]
                + self.odds.flip[cell] * self.table[seen + power]
                + self.odds.fizzle[cell] * self.table[seen]
            )
            at = np.flatnonzero(is_open)
            better = value > best[at] + self.tie
            best[at[better]], chosen[at[better]] = value[better], cell
        return chosen

    def land(self, own: Wholes, other: Wholes, weights: Floats, cells: Wholes, is_x: bool) -> None:
        """Play a cell on every board; what ends the game is counted, the rest is the next ply."""
        bit = np.int64(1) << cells
        ways = ((self.odds.own, bit, 0), (self.odds.flip, 0, bit), (self.odds.fizzle, 0, 0))
        boards, shares = [], []
        for odds, mine, theirs in ways:
            chance = odds[cells]
            if chance.any():
                boards.append((other | theirs, own | mine))  # seen by who moves next
                shares.append(weights * chance[:, None])
        next_own = np.concatenate([pair[0] for pair in boards])
        next_other = np.concatenate([pair[1] for pair in boards])
        share = np.concatenate(shares)
        over = self._count(next_own, next_other, share, not is_x)
        self._merge(next_own[~over], next_other[~over], share[~over])

    def _count(self, own: Wholes, other: Wholes, share: Floats, is_x: bool) -> NDArray[np.bool_]:
        """Which games are over; their probabilities go to whoever won them."""
        has_own, has_other = self.rules.is_won[own], self.rules.is_won[other]
        own_wins, other_wins = (has_own, has_other) if not self.game.is_misere else (
            has_other, has_own)  # fmt: skip
        is_full = ((own | other) == self.full) & ~has_own & ~has_other
        x_wins, o_wins = (own_wins, other_wins) if is_x else (other_wins, own_wins)
        for row, mask in enumerate((x_wins, is_full, o_wins)):
            self.ended[row] += share[mask].sum(axis=0)
        over: NDArray[np.bool_] = has_own | has_other | is_full
        return over

    def _merge(self, own: Wholes, other: Wholes, share: Floats) -> None:
        keys, where = np.unique(own << self.game.cells | other, return_inverse=True)
        self.weights = np.zeros((len(keys), share.shape[1]))
        np.add.at(self.weights, where, share)
        self.own, self.other = keys >> self.game.cells, keys & self.full
