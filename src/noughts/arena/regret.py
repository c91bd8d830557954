"""How much value each choice lost, where the exact values are known.

    regret of a choice = best value - value of the choice,  both for the player who chose,

from 0 for an optimal move to 2 for one that turns a sure win into a sure loss. Risk is in the
values, so bad luck is nobody's regret. With n players values are worths in equilibrium, tied moves
counting alike, and a choice can lose n/(n - 1) at the most.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from noughts.agents import view_of
from noughts.arena.record import GameRecord
from noughts.games.game import Game, Position
from noughts.knowledge.tables import seat_table_at_hand, table_at_hand
from noughts.stats.means import Interval, Sample, mean_interval

if TYPE_CHECKING:
    from noughts.solve.seats.solution import SeatSolution  # loads numba
    from noughts.solve.solution import Solution


@dataclass(frozen=True)
class Blunder:
    """A choice that lost value."""

    position: Position
    move: int
    best: int
    loss: float
    record: GameRecord


@dataclass(frozen=True)
class Regret:
    """What one agent's choices lost."""

    moves: int
    optimal: int  # choices that lost nothing
    total: float
    worst: Blunder | None  # the first of the worst; None when nothing was lost
    units: tuple[tuple[float, int], ...] = ()  # of each block of games: what it lost, and moves
    most: float = 2.0  # that one choice can lose: from a sure win to a sure loss

    @cached_property
    def interval(self) -> Interval:
        """95%, of the mean, over blocks of games."""
        played = np.array([unit for unit in self.units if unit[1]], np.float64).reshape(-1, 2)
        return mean_interval(Sample(played[:, 0], played[:, 1], 0.0, self.most))

    @property
    def mean(self) -> float:
        return self.total / max(self.moves, 1)


def regrets(
    solution: "Solution | SeatSolution",
    agents: Sequence[str],
    records: Iterable[GameRecord],
    repeats: Container[tuple[int, int]] = (),
) -> list[Regret]:
    """The regret of every agent over all its games.

    `repeats` are the pairs, as (pairing, pair), in which nothing was random and which were played
    before: they are no evidence.
    """
    judge = _Judge(solution)
    units: dict[str, dict[tuple[int, int], list[float]]] = {name: {} for name in agents}
    moves, optimal = dict.fromkeys(agents, 0), dict.fromkeys(agents, 0)
    totals = dict.fromkeys(agents, 0.0)
    worst: dict[str, Blunder | None] = dict.fromkeys(agents)
    for record in records:
        position: Position = solution.game.start()
        for move in record.opening:
            position = position.play(move)
        for move, landing in zip(record.moves, record.landings, strict=True):
            name = record.seats[position.mover]
            loss, best = judge.loss(position, move)
            moves[name] += 1
            optimal[name] += loss == 0.0
            totals[name] += loss
            pair = (record.pairing, record.pair)
            if pair not in repeats:
                unit = units[name].setdefault(pair, [0.0, 0])
                unit[0], unit[1] = unit[0] + loss, unit[1] + 1
            before = worst[name]
            if loss > (0.0 if before is None else before.loss):
                worst[name] = Blunder(position, move, best, loss, record)
            position = position.play(move, landing)
    found = {n: tuple((lost, int(made)) for lost, made in units[n].values()) for n in agents}
    seats = solution.game.seats
    most = seats / (seats - 1)
    return [Regret(moves[n], optimal[n], totals[n], worst[n], found[n], most) for n in agents]


def truth_about(game: Game) -> "Solution | SeatSolution | None":
    """The table that knows what every choice of a game loses, if it is at hand."""
    return table_at_hand(game) if game.seats == 2 else seat_table_at_hand(game, "uniform")


class _Judge:
    """Remembers the values of the positions it was asked about, because games begin alike."""

    def __init__(self, solution: "Solution | SeatSolution") -> None:
        self.solution = solution
        self._seen: dict[Position, tuple[dict[int, float], int]] = {}

    def loss(self, position: Position, move: int) -> tuple[float, int]:
        """What a move loses, and the best one; rounding is no loss."""
        if position not in self._seen:
            sign, column = view_of(position)
            told = self.solution.values(position).items()
            values = {m: v[column] if isinstance(v, tuple) else sign * v for m, v in told}
            self._seen[position] = values, self.solution.best(position)
        values, best = self._seen[position]
        loss = max(values.values()) - values[move]
        return (loss if loss > self.solution.tie else 0.0), best
