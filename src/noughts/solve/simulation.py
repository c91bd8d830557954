"""Many games between two tabulated players in one kernel, with honest intervals."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.games import Game
from noughts.games.compiled import MAX_TURNS
from noughts.games.tables.rules import risk_rules
from noughts.kernels import policies
from noughts.kernels.rng import seeded
from noughts.solve.numbering import sweep_rules
from noughts.solve.policies import Policy
from noughts.solve.stages import thread_count
from noughts.stats.shares import share_interval

_BATCH = 1 << 14


@dataclass(frozen=True)
class Simulation:
    """How simulated games ended."""

    x: int
    draw: int
    o: int

    @property
    def games(self) -> int:
        return self.x + self.draw + self.o

    def interval(self, outcome: str, confidence: float = 0.95) -> tuple[float, float]:
        """The exact interval of the odds of `x`, `draw` or `o`."""
        if outcome not in ("x", "draw", "o"):
            raise NoughtsError(f"outcome={outcome} is not known; allowed: x, draw, o.")
        return share_interval(getattr(self, outcome), self.games, confidence)


def run_simulation(
    game: Game, x: Policy, o: Policy, games: int, seed: int, threads: int | None
) -> Simulation:
    """Play games between two players, in batches that draw from their own streams of the seed."""
    rules, risk = sweep_rules(game), risk_rules(game.risk)
    tables = [(p.masks, p.weights, p.waits) for p in (x, o)]

    def play(batch: tuple[int, int]) -> NDArray[np.int64]:
        index, count = batch
        tally = np.zeros(3, np.int64)
        rng = seeded(seed, index)
        policies.simulate(rules, risk, *tables, count, MAX_TURNS, rng, tally)
        return tally

    sizes = [min(_BATCH, games - first) for first in range(0, games, _BATCH)]
    with ThreadPoolExecutor(thread_count(threads)) as pool:
        x_wins, o_wins, draws = sum(pool.map(play, enumerate(sizes)), np.zeros(3, np.int64))
    return Simulation(int(x_wins), int(draws), int(o_wins))
