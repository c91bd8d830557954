"""Games of more than two players in plain Python and in fractions, to hold the solver against.

Written from the rules alone: a board is a tuple of seats (None: empty), risks are fractions. Where
turns are lost unequally fractions grow without end, and floats must do.
"""

import itertools
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from noughts.games.line_game import LineGame, LinePosition

TIE = Fraction(1, 10**12)
Shares = tuple[Fraction, ...]
Lost = tuple[Fraction, Fraction]  # the chance that a turn is lost, what a seat earns if it is not


class State(NamedTuple):
    board: tuple[int | None, ...]
    turn: int
    tick: int


def state_of(position: LinePosition) -> State:
    marks = position.game.marks
    board = tuple(None if letter == "." else marks.index(letter) for letter in position.board)
    return State(board, marks.index(position.turn), position.tick)


def worth_of(wins: Shares, seat: int) -> Fraction:
    """What these chances to win are worth to a seat."""
    return wins[seat] - (sum(wins) - wins[seat]) / (len(wins) - 1)


class Reference:
    """The equilibrium and the guarantees of one game without fading, from every position."""

    def __init__(
        self, game: LineGame, ties: str = "lowest", number: Callable[..., Any] = Fraction
    ) -> None:
        self.game, self.ties, self.seats, self.number = game, ties, game.seats, number
        self.wins = cache(self._wins)
        self.guarantee = cache(self._guarantee)

    def _ended(self, board: tuple[int | None, ...]) -> Shares | None:
        for line in self.game.lines:
            owners = {board[cell] for cell in line}
            if len(owners) == 1 and None not in owners:
                return tuple(self.number(seat in owners) for seat in range(self.seats))
        return None if None in board else (self.number(0),) * self.seats

    def _moves(self, state: State) -> list[tuple[int, int]]:
        """(the tick at which it is made, cell), the shortest wait first."""
        free = [cell for cell, mark in enumerate(state.board) if mark is None]
        waits = range(self.game.risk.waits(state.tick) + 1)
        return [(state.tick + wait, cell) for wait in waits for cell in free]

    def _landed(self, state: State, move: tuple[int, int]) -> list[tuple[Fraction, State]]:
        """What a move leads to if it does not fizzle."""
        tick, cell = move
        own, flip, _ = map(self.number, self.game.risk.landing_odds(cell, tick))
        turn = (state.turn + 1) % self.seats
        found = []
        for seat in range(self.seats):
            chance = own if seat == state.turn else flip / (self.seats - 1)
            if chance > 0:
                board = (*state.board[:cell], seat, *state.board[cell + 1 :])
                found.append((chance, State(board, turn, tick)))
        return found

    def _ring(self, state: State) -> list[State]:
        """The same board with everybody's turn, this one's first."""
        return [state._replace(turn=(state.turn + i) % self.seats) for i in range(self.seats)]

    def _chosen(self, state: State) -> Shares:
        """What the mover's choice earns everybody by landing."""
        rows = []
        for move in self._moves(state):
            after = [(p, self.wins(one)) for p, one in self._landed(state, move)]
            rows.append(tuple(sum(p * w[i] for p, w in after) for i in range(self.seats)))
        best = max(worth_of(row, state.turn) for row in rows)
        tied = [row for row in rows if worth_of(row, state.turn) >= best - TIE]
        if self.ties == "lowest":
            return tied[0]
        return tuple(sum(column) / len(tied) for column in zip(*tied, strict=True))

    def _wins(self, state: State) -> Shares:
        """The chance of each seat to win in equilibrium."""
        ended = self._ended(state.board)
        if ended is not None:
            return ended
        lost = self.number(self.game.risk.fizzle[0])
        if lost == 0:
            return self._chosen(state)
        ring = [self._chosen(turned) for turned in self._ring(state)]
        weights = [lost**i / (1 - lost**self.seats) for i in range(self.seats)]
        rows = zip(*ring, strict=True)
        return tuple(sum(w * p for w, p in zip(weights, row, strict=True)) for row in rows)

    def _guarantee(self, state: State, seat: int) -> Fraction:
        """A seat's value against all others: of all plans on the ring the best worst case."""
        ended = self._ended(state.board)
        if ended is not None:
            return worth_of(ended, seat)
        if not self.game.risk.fizzles:
            pick = max if seat == state.turn else min
            return pick(self._earned(state, move, seat)[1] for move in self._moves(state))
        ring = self._ring(state)
        choices = [[self._earned(one, move, seat) for move in self._moves(one)] for one in ring]
        owner = (seat - state.turn) % self.seats
        order = [*choices[owner:], *choices[:owner]]
        value = max(
            min(self._round([own, *plan]) for plan in itertools.product(*order[1:]))
            for own in order[0]
        )
        for options in choices[:owner][::-1]:  # back from the owner's turn to the one asked for
            value = min(earned + lost * value for lost, earned in options)
        return value

    def _earned(self, state: State, move: tuple[int, int], seat: int) -> Lost:
        after = self._landed(state, move)
        earned = sum((p * self.guarantee(one, seat) for p, one in after), self.number(0))
        return self.number(self.game.risk.fizzle[move[1]]), earned

    def _round(self, plan: list[Lost]) -> Fraction:
        """What one plan for everybody is worth at its first turn; nothing if it never ends."""
        level, slope = self.number(0), self.number(1)
        for lost, earned in plan[::-1]:
            level, slope = earned + lost * level, lost * slope
        return self.number(0) if slope == 1 else level / (1 - slope)
