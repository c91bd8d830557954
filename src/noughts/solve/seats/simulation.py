"""Many games between players of more than two seats, all of them played side by side.

Games whose boards have the same filled cells and the same tick are one block, about which the
player on turn is asked once; what he draws and how it lands is drawn for every game on its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.games.compiled import MAX_TURNS
from noughts.games.game import Game
from noughts.solve.numbering import landing_vectors, won_sets
from noughts.solve.seats.blocks import Block, Numbers, boards_of
from noughts.solve.seats.policies import SeatPolicy
from noughts.solve.simulation import Simulation
from noughts.stats.shares import share_interval


@dataclass(frozen=True)
class SeatSimulation(Simulation):
    """How simulated games of more than two players ended."""

    t: int = 0
    s: int = 0

    @property
    def games(self) -> int:
        return self.x + self.draw + self.o + self.t + self.s

    def interval(self, outcome: str, confidence: float = 0.95) -> tuple[float, float]:
        """The exact interval of the odds of `x`, `o`, `t`, `s` or `draw`."""
        if outcome not in ("x", "o", "t", "s", "draw"):
            raise NoughtsError(f"outcome={outcome} is not known; allowed: x, o, t, s, draw.")
        return share_interval(getattr(self, outcome), self.games, confidence)


def simulate_seats(
    game: Game, players: Sequence[SeatPolicy], games: int, seed: int
) -> SeatSimulation:
    """Play games from the empty board; the same for the same seed."""
    table = _Table(game, games, np.random.default_rng(seed))
    for turn in range(MAX_TURNS):
        if len(table.marks) == 0:
            break
        table.play(players[turn % game.seats], turn % game.seats)
    x, o, *more = table.won.tolist()
    return SeatSimulation(x, games - int(table.won.sum()), o, *more)


class _Table:
    """The games that are still running: marks [games, cells], 0 for empty, and their clocks."""

    def __init__(self, game: Game, games: int, rng: np.random.Generator) -> None:
        self.game, self.rng = game, rng
        self.marks = np.zeros((games, game.cells), np.int64)
        self.ticks = np.zeros(games, np.int64)
        self.won = np.zeros(game.seats, np.int64)
        self.bits = 1 << np.arange(game.cells)
        self.fade = np.array(game.risk.fade)

    def play(self, player: SeatPolicy, seat: int) -> None:
        """One turn of a seat, in every game."""
        cells = np.empty(len(self.marks), np.int64)
        for some, tick in self._alike():
            cells[some], waits = self._choose(player, seat, some, tick)
            self.ticks[some] += waits
        self._land(cells, seat)
        runs = self._count()
        self.marks, self.ticks = self.marks[runs], self.ticks[runs]
        if self.game.risk.fades:
            self.marks[self.rng.random(self.marks.shape) < self.fade] = 0

    def _alike(self) -> Iterator[tuple[Numbers, int]]:
        """The games of each set of filled cells and tick."""
        filled = (self.marks > 0) @ self.bits
        keys = filled * (1 + self.ticks.max()) + self.ticks
        order = np.argsort(keys, kind="stable")
        ends = np.flatnonzero(np.diff(keys[order])) + 1
        for some in np.split(order, ends):
            yield some, int(self.ticks[some[0]])

    def _choose(
        self, player: SeatPolicy, seat: int, some: Numbers, tick: int
    ) -> tuple[Numbers, Numbers]:
        """(cells, waits) of games whose boards are alike."""
        power, seats = boards_of(self.game).power, self.game.seats
        marks = self.marks[some]
        seen = np.where(marks > 0, (marks - 1 - seat) % seats + 1, 0)
        numbers, which = np.unique(seen @ power, return_inverse=True)
        digits = numbers[:, None] // power % (seats + 1)
        turned = np.where(digits > 0, (digits - 2) % seats + 1, 0) @ power
        free = tuple(np.flatnonzero(marks[0] == 0).tolist())
        chances = player.chances(Block(seats, free, numbers, turned))(tick)
        heaps = np.cumsum(chances.reshape(-1, len(numbers)), axis=0)[:, which]
        drawn = self.rng.random(len(some)) * heaps[-1]
        move = np.minimum((heaps <= drawn).sum(axis=0), len(heaps) - 1)
        return np.array(free)[move % len(free)], move // len(free)

    def _land(self, cells: Numbers, seat: int) -> None:
        """Draw what lands: the own mark, one of the others', or nothing."""
        own, flip = np.empty(len(cells)), np.empty(len(cells))
        for tick in np.unique(self.ticks):
            at, odds = self.ticks == tick, landing_vectors(self.game, int(tick))
            own[at], flip[at] = odds.own[cells[at]], odds.flip[cells[at]]
        seats, draw = self.game.seats, self.rng.random(len(cells))
        steps = 1 + self.rng.integers(seats - 1, size=len(cells))
        mark = np.where(draw < own, seat, (seat + steps) % seats) + 1
        lands = draw < own + flip
        self.marks[np.flatnonzero(lands), cells[lands]] = mark[lands]

    def _count(self) -> NDArray[np.bool_]:
        """Count the games that have ended; which still run."""
        is_won = won_sets(self.game.lines_for("it has no table"))
        runs: NDArray[np.bool_] = (self.marks == 0).any(axis=1)
        for seat in range(self.game.seats):
            has_line = is_won[(self.marks == seat + 1) @ self.bits]
            self.won[seat] += has_line.sum()
            runs &= ~has_line
        return runs
