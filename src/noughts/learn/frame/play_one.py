"""One game between agents, move by move; what learners and gradings play in plain Python."""

from typing import NamedTuple

import numpy as np

from noughts.agents import Agent
from noughts.games.game import Game, Landing, Mark, Position, Result

MAX_TURNS = 10_000  # where marks keep fading or fizzling a game is called a draw after this


class Step(NamedTuple):
    """A position, what was chosen there, and how it landed."""

    position: Position
    move: int
    landing: Landing


class PlayedGame(NamedTuple):
    """Every step of a game, and how it ended."""

    steps: list[Step]
    result: Result

    def points(self, seat: Mark, seats: int = 2) -> float:
        """1 for a win of this seat, an equal share of a draw, 0 for a loss."""
        if self.result == "draw":
            return 1.0 / seats
        return 1.0 if self.result == seat else 0.0


def play_one(game: Game, *agents: Agent, rng: np.random.Generator) -> PlayedGame:
    """Play one game from the start, one agent per seat; all randomness comes from `rng`."""
    seated = dict(zip(game.marks, agents, strict=True))
    for agent in agents:
        agent.reset()
    position: Position = game.start()
    steps: list[Step] = []
    while position.result is None and len(steps) < MAX_TURNS:
        move = position.check_move(seated[position.mover].choose(position, rng))
        landing, after = position.sample(move, rng)
        steps.append(Step(position, move, landing))
        position = after
    return PlayedGame(steps, position.result or "draw")
