"""One game between two agents, move by move; what learners and gradings play in plain Python."""

from typing import TYPE_CHECKING, NamedTuple

from noughts.agents import Agent
from noughts.games.game import Game, Landing, Mark, Position, Result

if TYPE_CHECKING:
    import numpy as np

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

    def points(self, seat: Mark) -> float:
        """1 for a win of this seat, ½ for a draw, 0 for a loss."""
        if self.result == "draw":
            return 0.5
        return 1.0 if self.result == seat else 0.0


def play_one(game: Game, x: Agent, o: Agent, rng: "np.random.Generator") -> PlayedGame:
    """Play one game from the start; all randomness comes from `rng`."""
    x.reset()
    o.reset()
    position: Position = game.start()
    steps: list[Step] = []
    while position.result is None and len(steps) < MAX_TURNS:
        player = x if position.turn == "X" else o
        move = position.check_move(player.choose(position, rng))
        landing, after = position.sample(move, rng)
        steps.append(Step(position, move, landing))
        position = after
    return PlayedGame(steps, position.result or "draw")
