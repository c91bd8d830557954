"""Maxⁿ: every player looks for what is best for himself, and expects the same of the others.

With two players that is minimax. With more it follows the equilibrium of backward induction, and it
is exact where the search comes to the end of the game. `alphabeta` is the other way to play against
several: it expects them to stand together against it (the *paranoid* search). See
`kernels/search/maxn` for what may be cut off.
"""

import dataclasses
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from noughts.agents import Agent, check_running
from noughts.effort import visiting
from noughts.games.game import Game, Position
from noughts.options import choice, number, whole
from noughts.search.engines.deepening import deepen, deepen_values, limits, thinking, warmed

if TYPE_CHECKING:
    from noughts.search.engines.maxn import MaxnEngine


@dataclass(eq=False, repr=False)
class MaxnAgent(Agent):
    """Iterative deepening in which every player maximises his own worth.

    Moves within 1e-12 of the best are tied. Without `depth` and `time` it thinks for one second at
    most, and with `depth` alone the same position always has the same worth.
    """

    name = kernels = "maxn"
    depth: int | None = whole(None, 1, 400, "How many moves it looks ahead.")
    time: float | None = number(None, 0.001, 86400, "Seconds for a move; 1 when no limit is given.")
    ties: str = choice(
        "lowest", ("lowest", "uniform"), "Which of several best moves: the lowest, or any."
    )
    playouts: int = whole(
        8, 0, 10**6, "Random games that stand for a position at the depth limit; 0: a draw."
    )
    memory: int = whole(64, 1, 16384, "Megabytes of the table of positions.")
    _engine: "tuple[Game, MaxnEngine] | None" = field(default=None, init=False)

    @property
    def is_deterministic(self) -> bool:
        return self.ties == "lowest"

    def interpreted_seconds(self, game: Game) -> float:
        if self.depth is None or game.fades:
            return math.inf
        return visiting(game, self.depth) * (1 + self.playouts)

    def check_game(self, game: Game) -> None:
        game.check_kernels()

    def engine(self, game: Game) -> "MaxnEngine":
        """The engine for a game; it keeps its table until another game comes or `reset`."""
        if self._engine is None or self._engine[0] != game:
            from noughts.search.engines.maxn import MaxnEngine  # numba is only loaded when it runs

            engine = MaxnEngine(game, self.memory, self.ties, self.playouts)
            self._engine = (game, warmed(engine, game))
        return self._engine[1]

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        check_running(position)
        engine = self.engine(position.game)
        with thinking(engine) as report:
            answer, reached = deepen(engine, position, *limits(self.depth, self.time))
        self.last = dataclasses.replace(
            report[0], value=answer.value, is_exact=answer.is_proven, note=f"depth {reached}"
        )
        if self.ties == "uniform" and answer.is_finished:
            return engine.tied[int(rng.integers(len(engine.tied)))]
        return position.moves[0] if answer.move is None else answer.move

    def values(self, position: Position) -> dict[int, float]:
        """Every move is searched as deep as the limits allow."""
        if position.result is not None:
            return {}
        found, self.values_are_exact = deepen_values(
            self.engine(position.game), position, *limits(self.depth, self.time)
        )
        return found

    def reset(self) -> None:
        super().reset()
        self._engine = None
