"""How much value each choice lost, where the exact values are known.

    regret of a choice = best value - value of the choice,  both for the player who chose,

from 0 for an optimal move to 2 for one that turns a sure win into a sure loss. Risk is in the
values, so bad luck is nobody's regret.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from noughts.arena.record import GameRecord
from noughts.games.game import Position
from noughts.stats.means import Interval, Sample, mean_interval

if TYPE_CHECKING:
    from noughts.solve.solution import Solution


MOST_LOST = 2.0  # by one choice: from a sure win to a sure loss


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
    units: tuple[tuple[float, int], ...] = ()  # of each pair of games: what it lost, and moves

    @cached_property
    def interval(self) -> Interval:
        """95%, of the mean, over pairs of games."""
        import numpy as np

        played = np.array([unit for unit in self.units if unit[1]], np.float64).reshape(-1, 2)
        return mean_interval(Sample(played[:, 0], played[:, 1], 0.0, MOST_LOST))

    @property
    def mean(self) -> float:
        return self.total / max(self.moves, 1)


def regrets(
    solution: "Solution",
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
            name = record.seats[position.turn]
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
    return [Regret(moves[n], optimal[n], totals[n], worst[n], found[n]) for n in agents]


class _Judge:
    """Remembers the values of the positions it was asked about, because games begin alike."""

    def __init__(self, solution: "Solution") -> None:
        self.solution = solution
        self._seen: dict[Position, tuple[dict[int, float], int]] = {}

    def loss(self, position: Position, move: int) -> tuple[float, int]:
        """What a move loses, and the best one; rounding is no loss."""
        if position not in self._seen:
            sign = 1.0 if position.turn == "X" else -1.0
            values = {m: sign * v for m, v in self.solution.values(position).items()}
            self._seen[position] = values, self.solution.best(position)
        values, best = self._seen[position]
        loss = max(values.values()) - values[move]
        return (loss if loss > self.solution.tie else 0.0), best
