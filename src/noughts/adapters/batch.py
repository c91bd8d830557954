"""Many games of one kind in lockstep: the engine under the Gymnasium and PettingZoo environments.

    batch = Batch(noughts.game("3x3:flip=0.1"), size=1024, seed=1)
    is_legal, seen, masks = batch.step(moves)       # [1024], [1024, 9, 3] and [1024, 9]

All rules live in the kernels. Game i draws from its own stream of the seed, so a game goes the same
way in a batch of one and in a batch of a thousand.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.games.compiled import compiled, result_of
from noughts.games.game import Game, Position
from noughts.kernels.jit import settled
from noughts.kernels.rules import protocol
from noughts.kernels.rules.codes import DRAW, RUNNING
from noughts.kernels.search import stepping

Step = tuple[NDArray[np.bool_], NDArray[np.float32], NDArray[np.int8]]


class Batch:
    """`size` games of one kind. `results` and `turns` are read by the environments."""

    def __init__(self, game: Game, size: int, seed: int) -> None:
        self.game = game
        self.size = size
        self._rules, facts, first, _, _ = compiled(game.start())
        self._facts, self.seats, self.moves = facts, facts.seats, facts.moves
        self._nothing = np.zeros(size, np.bool_)
        self._everything = np.ones(size, np.bool_)
        self._on_turn = np.zeros(size, np.int8)
        self._zeros = np.zeros(size, np.int64)
        self._row = protocol.new_row(facts)
        self._games = stepping.new_games(self._rules, first, size)
        self.turns, self.results = self._games.turns, self._games.results
        self._step: Callable[..., None] | None = None  # what `step` calls, once it is compiled
        self.seed(seed)
        self.begin()

    def __getstate__(self) -> dict[str, Any]:
        """Machine code stays where it was made."""
        return self.__dict__ | {"_step": None}

    def seed(self, seed: int) -> None:
        """Give every game its own stream of this seed."""
        self._games.rngs[:, 0] = np.random.SeedSequence(seed).generate_state(self.size, np.uint64)

    def begin(
        self, sides: NDArray[np.int8] | None = None, answers: bool = False
    ) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Start all games anew; what is seen then, as `step` says."""
        _, seen, masks = self.step(self._zeros, self._everything, sides, answers)
        return seen, masks

    def step(
        self,
        moves: NDArray[np.int64],
        restarts: NDArray[np.bool_] | None = None,
        sides: NDArray[np.int8] | None = None,
        answers: bool = False,
    ) -> Step:
        """One move in each game, or a new game where `restarts` holds.

        Which moves were legal (others change nothing), what is seen, [size, places, planes], and
        the legal moves of whoever is on turn, [size, moves]. Seen is the view of `sides` (seats),
        or of whoever is on turn. With `answers` the seats but that of `sides` move at random, until
        it is its turn again.
        """
        asked = (
            self._rules,
            self._games,
            self._nothing if restarts is None else np.ascontiguousarray(restarts, np.bool_),
            np.ascontiguousarray(moves, np.int64).reshape(self.size),
            self._on_turn if sides is None else np.ascontiguousarray(sides, np.int8),
            bool(answers),
            stepping.new_seen(self._facts, self.size),
        )
        if self._step is None:
            self._step = settled(stepping.step, *asked)
        self._step(*asked)
        return asked[-1]

    def choose(self) -> NDArray[np.int64]:
        """A random legal move for each running game; 0 for the others."""
        found = np.zeros(self.size, np.int64)
        stepping.choose(self._rules, self._games, found)
        return found

    def observe(self, sides: NDArray[np.int8]) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """What each side sees now, and the legal moves of whoever is on turn."""
        out = stepping.new_seen(self._facts, self.size)
        stepping.look(self._rules, self._games, sides, out)
        return out.planes, out.masks

    def forfeit(self, index: int, seat: int) -> None:
        """Game `index` is over: this seat has lost it, the next one counts as its winner."""
        self.results[index] = seat % self.seats + 1

    def worth(self, seats: NDArray[np.int8]) -> NDArray[np.float64]:
        """What the games are worth to these seats: 0 while they run."""
        is_decided = (self.results != RUNNING) & (self.results != DRAW)
        loss = -1.0 / (self.seats - 1)
        return np.where(is_decided, np.where(self.results == seats, 1.0, loss), 0.0)

    def position(self, index: int = 0) -> Position:
        """Game `index` as a Position, for drawing and for agents."""
        stepping.write_row(self._rules, self._games, index, self._row)
        position = self.game.position_from_row(self._row.tolist())
        return replace(position, result=result_of(self.game, int(self.results[index])))


def observation_shape(game: Game) -> tuple[int, int, int]:
    """Rows, columns and planes: a place is a cell where these are drawn, else one of a column.

    The layers of a cube lie below each other. A row of Ultimate is a mini board, so that in every
    game of cells the cell that a move plays is its place in the observation.
    """
    places, planes = protocol.seen_shape(protocol.facts(game.rules))
    rows, columns, layers = game.shape
    if places != game.cells:
        return places, 1, planes
    return rows * layers, columns, planes
