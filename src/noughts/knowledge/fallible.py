"""`fallible`: a best move, and now and then any move. A person who sometimes gives in."""

from dataclasses import dataclass

import numpy as np

from noughts.agents import Agent, check_running
from noughts.games.game import Game, Position
from noughts.knowledge.optimal import OptimalAgent
from noughts.options import number


@dataclass(eq=False, repr=False)
class FallibleAgent(Agent):
    """Plays a random best move, but with probability `errs` any move at all."""

    name = "fallible"
    kernels = OptimalAgent.kernels
    most_seats = 2
    errs: float = number(0.2, 0.0, 1.0, "How often any move will do.")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._optimal = OptimalAgent(ties="uniform")

    def interpreted_seconds(self, game: Game) -> float:
        return self._optimal.interpreted_seconds(game)

    def check_game(self, game: Game) -> None:
        self._optimal.check_game(game)

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        check_running(position)
        if rng.random() < self.errs:
            return position.moves[int(rng.integers(len(position.moves)))]
        move = self._optimal.choose(position, rng)
        self.last = self._optimal.last
        return move

    def reset(self) -> None:
        super().reset()
        self._optimal.reset()
