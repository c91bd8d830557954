"""What `q-net` hands out: an agent that plays the move with the best output. NumPy is enough."""

from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent, Thought, check_running
from noughts.errors import NoughtsError
from noughts.games.game import Game, Mark, Position
from noughts.learn.net.games import Batch
from noughts.learn.net.network import Parameters, forward


def best_moves(q: Any, allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The first of the best moves among those allowed, in every game."""
    found: NDArray[np.int64] = np.where(allowed, q, -np.inf).argmax(axis=-1)
    return found


class QNetPlayer(Agent):
    """Plays the move that the network values most."""

    name = "q-net"

    def __init__(self, games: Batch, parameters: Parameters) -> None:
        self.games, self.parameters = games, parameters

    @property
    def is_deterministic(self) -> bool:
        return True

    def check_game(self, game: Game) -> None:
        learned = self.games.encoder.game
        if game != learned:
            raise NoughtsError(f"{self} has learned {learned}, and cannot play {game}.")

    def _outputs(self, position: Position) -> NDArray[np.float32]:
        """Q of every move, for the player on turn."""
        check_running(position)
        self.check_game(position.game)
        rows = self.games.row_of(position)[None]
        found: NDArray[np.float32] = forward(np, self.parameters, self.games.encode(rows))[0]
        return found

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        began = perf_counter()
        q = self._outputs(position)[list(position.moves)]
        best = int(q.argmax())
        sign = 1.0 if position.turn == "X" else -1.0
        value = sign * max(-1.0, min(float(q[best]), 1.0))
        seconds = perf_counter() - began
        memory = sum(array.nbytes for array in self.parameters.values())
        self.last = Thought(nodes=1, depth=0, seconds=seconds, memory=memory, value=value)
        return position.moves[best]

    def values(self, position: Position) -> dict[int, float]:
        """Q for X of every move, kept within [-1, 1]."""
        q, sign = self._outputs(position), 1.0 if position.turn == "X" else -1.0
        return {m: sign * max(-1.0, min(float(q[m]), 1.0)) for m in position.moves}

    def choices(self, boards: NDArray[np.int64], turn: Mark) -> NDArray[np.int64]:
        """The moves on many boards, numbered from the player on turn; see `learner.py`."""
        from noughts.solve.numbering import check_numbered, numbered_rows

        rows = numbered_rows(check_numbered(self.games.encoder.game), boards, turn)
        q = forward(np, self.parameters, self.games.encode(rows))
        return best_moves(q, self.games.allowed(rows))
