"""The same learning in plain Python, over positions, against any opponent.

Against the learner itself and the random player kernels do this many times faster
(`kernels/learn`). With the same seed both draw the same numbers in the same order.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent
from noughts.games.game import Landing, Mark, Position
from noughts.learn.frame.features import Encoder

if TYPE_CHECKING:
    from noughts.kernels.learn.quadratic import Form, Terms
    from noughts.kernels.learn.quadratic_td import Course


class Dice:
    """The kernels' random numbers, with the methods of a Generator that positions ask for."""

    def __init__(self, state: NDArray[np.uint64]) -> None:
        self.state = state

    def random(self) -> float:
        """A number in [0, 1)."""
        from noughts.kernels.rng import uniform

        return float(uniform(self.state))

    def pick(self, moves: tuple[int, ...]) -> int:
        """One of these, all equally likely."""
        from noughts.kernels.rng import below

        return moves[int(below(self.state, len(moves)))]

    def sample(self, position: Position, move: int) -> tuple[Landing, Position]:
        """What happened to a move, and the position it led to."""
        return position.sample(move, cast("np.random.Generator", self))


@dataclass
class Quadratic:
    """Weights on the terms of one encoder: the function and its steps, for positions."""

    encoder: Encoder
    terms: "Terms"
    weights: NDArray[np.float64]

    def __post_init__(self) -> None:
        self._gradient = np.zeros(self.weights.size)
        self._touched = np.empty(self.weights.size + 1, np.int64)

    @property
    def form(self) -> "Form":
        """The function as kernels take it."""
        from noughts.kernels.learn.quadratic import Form

        return Form(*self.terms, self.weights)

    def copy(self) -> "Quadratic":
        """The same function, which later steps of this one leave as it is."""
        return Quadratic(self.encoder, self.terms, self.weights.copy())

    def value(self, position: Position, row: int = 0) -> float:
        """The value for X that the weights give a position, or a move in it."""
        from noughts.kernels.learn.quadratic import evaluate

        listed = self._listed(position)
        found = evaluate(self.form, row, *listed)
        return self.encoder.sign(position) * float(found)

    def values(self, position: Position, moves: Iterable[int]) -> dict[int, float]:
        """The values for X of moves, where each has a row of its own."""
        from noughts.kernels.learn.quadratic import evaluate

        listed, sign, form = self._listed(position), self.encoder.sign(position), self.form
        return {m: sign * float(evaluate(form, m, *listed)) for m in moves}

    def step(self, position: Position, row: int, target: float, course: "Course", game: int) -> Any:
        """Move the value towards a target; the error before."""
        from noughts.kernels.learn.quadratic import Step, learn_step
        from noughts.kernels.learn.quadratic_td import rate_in

        sign = self.encoder.sign(position)
        error = target - self.value(position, row)
        step = Step(rate_in(course, game), course.scales, self._gradient, self._touched)
        learn_step(self.form, row, *self._listed(position), sign * error, step)
        return error

    def _listed(self, position: Position) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
        x = self.encoder.encode(position)
        index = np.flatnonzero(x)
        return index, x[index], len(index)

    def ahead(self, position: Position, move: int, dice: Dice | None) -> float:
        """E[r + v(s')] for X over the landings of a move, or for one that is drawn."""
        game = position.game
        odds: list[tuple[float, Mark | None]] = [(1.0, position.mover)]
        if game.is_risky:
            odds = position.mark_chances(move)
            if dice is not None:
                odds = [(1.0, _drawn(odds, dice.random()))]
        total = 0.0
        for chance, mark in odds:
            if chance > 0.0:
                after = position.play(move, Landing(mark))
                total += chance * self.worth(after)
        return total

    def worth(self, position: Position) -> float:
        """For X: the result where the game is over, else the value."""
        if position.result is None:
            return self.value(position)
        return position.game.worth(position.result)[0]


def _drawn(odds: list[tuple[float, Mark | None]], draw: float) -> Mark | None:
    reached = 0.0
    for chance, mark in odds[:-1]:
        reached += chance
        if draw < reached:
            return mark
    return odds[-1][1]


def best_of(values: dict[int, float], turn: Mark) -> int:
    """The first of the best moves for the player on turn; rounding makes none better."""
    from noughts.kernels.learn.quadratic_td import TIE

    sign = 1.0 if turn == "X" else -1.0
    best = next(iter(values))
    for move, value in values.items():
        if sign * (value - values[best]) > TIE:
            best = move
    return best


@dataclass
class PlainLoop:
    """Plays and learns game by game; `opponent` is None in self-play."""

    function: Quadratic
    course: "Course"
    dice: Dice
    opponent: Agent | None
    seed: int

    def learns_turn(self, game: int, position: Position) -> bool:
        """Is this the learner's turn in the game of this number?"""
        if self.opponent is None:
            return True
        seat = self.course.seat or 1 + game % 2
        return position.turn == position.game.marks[seat - 1]

    def opponents_move(self, position: Position, rng: np.random.Generator) -> int:
        """What the opponent plays; the random one draws from the dice, as the kernels do."""
        assert self.opponent is not None
        if self.opponent.name == "random":
            return self.dice.pick(position.moves)
        return position.check_move(self.opponent.choose(position, rng))

    def begin(self, game: int) -> tuple[Position, np.random.Generator, float]:
        """The start, the opponent's random numbers and the share of random moves of a game."""
        from noughts.kernels.learn.quadratic_td import epsilon_in

        if self.opponent is not None:
            self.opponent.reset()
        rng = np.random.default_rng([self.seed, game])
        return self.function.encoder.game.start(), rng, float(epsilon_in(self.course, game))

    def td_game(self, game: int, tally: NDArray[np.float64]) -> None:
        """One game of TD(0); see `kernels/learn/quadratic_td`."""
        position, rng, epsilon = self.begin(game)
        left = position  # as the last player left it, before anything faded
        for _ in range(self.course.longest):
            learns = self.learns_turn(game, position)
            explores = learns and self.dice.random() < epsilon
            backs_up = learns and self.course.backs_up_best
            target, move = 0.0, -1
            if backs_up or (learns and not explores):
                dice = self.dice if self.course.samples else None
                values = {m: self.function.ahead(position, m, dice) for m in position.moves}
                move = best_of(values, position.mover)
                target = values[move]
            if explores:
                move = self.dice.pick(position.moves)
            elif not learns:
                move = self.opponents_move(position, rng)
            landing, after = self.dice.sample(position, move)
            next_left = position.play(move, Landing(landing.mark))
            if not backs_up:
                target = self.function.worth(next_left)
            error = self.function.step(left, 0, target, self.course, game)
            _count(tally, error)
            tally[3] += 1
            left, position = next_left, after
            if position.result is not None:
                break
        tally[(*position.game.marks, "draw").index(position.result or "draw")] += 1

    def q_game(self, game: int, tally: NDArray[np.float64]) -> None:
        """One game of Q-learning; see `kernels/learn/quadratic_q`."""
        position, rng, epsilon = self.begin(game)
        pending: tuple[Position, int] | None = None  # the move whose worth is yet to be seen
        for _ in range(self.course.longest):
            if self.learns_turn(game, position):
                values = self.function.values(position, position.moves)
                move = best_of(values, position.mover)
                if pending is not None:
                    error = self.function.step(*pending, values[move], self.course, game)
                    _count(tally, error)
                if self.dice.random() < epsilon:
                    move = self.dice.pick(position.moves)
                pending = position, move
            else:
                move = self.opponents_move(position, rng)
            _, position = self.dice.sample(position, move)
            tally[3] += 1
            if position.result is not None:
                break
        result = position.result or "draw"
        if pending is not None:
            worth = position.game.worth(result)[0]
            _count(tally, self.function.step(*pending, worth, self.course, game))
        tally[(*position.game.marks, "draw").index(result)] += 1


def _count(tally: NDArray[np.float64], error: float) -> None:
    tally[4] += abs(error)
    tally[5] += 1
