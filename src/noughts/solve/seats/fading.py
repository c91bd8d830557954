"""Guarantees where marks fade: interval iteration, from below and from above until the two meet.

Boards depend on each other in circles there. The value of a seat against all others is what both
iterations tend to: from -1/(n-1), the worst that can happen to it, and from 1. Half their distance
is the bound of what is said. As for two players marks fade cell by cell, which is the expectation
over every set of emptied cells, and each tick of a clock starts from what is known of later ones.
"""

import numpy as np

from noughts.aloud import tell
from noughts.errors import NoughtsError
from noughts.games.game import Game
from noughts.solve.api import Progress
from noughts.solve.numbering import landing_vectors
from noughts.solve.seats.blocks import Block, Rows, boards_of, losers_share
from noughts.solve.seats.guarantee import NEVER, choose, fill_ended
from noughts.solve.seats.landing import landed, longest_wait, to_mover

_STALLED = 200  # steps without a narrower interval before it is given up


def before_fading(game: Game, table: Rows) -> Rows:
    """What a board is worth before marks fade from it, cell by cell; nothing fades from ended ones.

    table: [boards, columns].
    """
    boards, mixed, out = boards_of(game), table.copy(), table.copy()
    for cell, chance in enumerate(game.risk.fade):
        if chance > 0.0:
            size = int(boards.power[cell])
            cut = mixed.reshape(-1, game.seats + 1, size, table.shape[1])
            cut[:, 1:] *= 1.0 - chance
            cut[:, 1:] += chance * cut[:, :1]
    out[boards.running] = mixed[boards.running]
    return out


class FadingGuarantees:
    """One solve: the running boards of a game, what the others are worth, and how certain it is."""

    def __init__(self, game: Game, tolerance: float, progress: Progress | None) -> None:
        self.game, self.tolerance, self.progress = game, tolerance, progress
        self.bound = 0.0
        boards = boards_of(game)
        results = np.zeros((boards.count, game.seats))
        blocks = []
        for block, ended in boards.blocks():
            fill_ended(block, ended, results)
            blocks.append(block)
        self.numbers = np.concatenate([block.numbers for block in blocks])
        self.turned = np.concatenate([block.turned for block in blocks])
        self.results = results
        digits = game.seats + 1
        self.empty = [np.flatnonzero(self.numbers // p % digits == 0) for p in boards.power]

    def solve(self, table: Rows) -> None:
        """Fill the table [ticks, boards, seats] with the middle of what is certain."""
        ticks = len(table)
        at_once = np.empty((ticks, len(self.numbers), self.game.seats))
        for tick in range(ticks - 1, -1, -1):
            longest = longest_wait(self.game, tick)
            low_wait = high_wait = None
            if longest > 0:
                wait = choose(at_once[tick + 1 : tick + longest + 1])
                low_wait, high_wait = wait - self.bound, wait + self.bound
            share = self.tolerance * (ticks - tick) / ticks  # errors of later ticks are inherited
            table[tick] = self._narrow(tick, low_wait, high_wait, share)
            at_once[tick] = self._step(tick, None, before_fading(self.game, table[tick]))

    def _narrow(
        self, tick: int, low_wait: Rows | None, high_wait: Rows | None, share: float
    ) -> Rows:
        low, high = self.results.copy(), self.results.copy()
        low[self.numbers], high[self.numbers] = losers_share(self.game.seats), 1.0
        smallest, stalled, sweeps = np.inf, 0, 0
        while smallest > share and stalled < _STALLED:
            for end, wait in ((low, low_wait), (high, high_wait)):
                arrivals = before_fading(self.game, end)
                end[self.numbers] = to_mover(self._step(tick, wait, arrivals))
            width = float(np.max(high - low)) / 2
            stalled = 0 if width < smallest else stalled + 1
            smallest = min(smallest, width)
            sweeps += 1
            tell()
            if self.progress is not None:
                self.progress(sweeps, 0, f"sweep {sweeps}: bound {width:.3g}")
        self.bound = max(self.bound, smallest)
        if self.bound > self.tolerance:
            raise NoughtsError(
                f"{self.game} may go on for ever: its values are known to ±{self.bound:.2g} only."
            )
        low += high
        low *= 0.5
        return low

    def _step(self, tick: int, waits: Rows | None, arrivals: Rows) -> Rows:
        """One move ahead, on every running board, the mover last."""
        seats, fizzle = self.game.seats, landing_vectors(self.game, tick).fizzle
        best = np.full((len(self.numbers), seats), -NEVER) if waits is None else waits.copy()
        if waits is None:
            best[:, -1] = NEVER
        for cell, at in enumerate(self.empty):
            block = Block(seats, (cell,), self.numbers[at], self.turned[at])
            rows = landed(self.game, block, cell, tick, arrivals)
            if fizzle[cell] > 0.0:
                rows += fizzle[cell] * arrivals.take(block.turned, axis=0)
            best[at] = choose(np.stack([best[at], rows]))
        return best
