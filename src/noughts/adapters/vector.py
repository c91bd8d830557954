"""Many Gymnasium environments in lockstep, all of them inside a few kernel calls a step.

    envs = gymnasium.make_vec("noughts/3x3-v0", num_envs=4096, opponent="self")

`opponent="random"` answers inside the kernels, and the player keeps its seat. `opponent="self"`
leaves both seats to the caller: each step is one move of whoever is on turn, seen from his side,
and the reward is his. A game that ended begins anew at the next step, whose action is not looked at
(Gymnasium's NEXT_STEP). An illegal action ends its game with -1; info["illegal"] says which did.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from noughts.adapters.batch import Batch, observation_shape
from noughts.adapters.gym import check_choice, check_seat, check_seat_name
from noughts.errors import whole
from noughts.games.compiled import MAX_TURNS
from noughts.games.game import Game, check_two
from noughts.games.registry import game as read_game
from noughts.kernels.rules.codes import NOBODY, RUNNING

OPPONENTS = ("random", "self")

Step = tuple[
    NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
]


class NoughtsVectorEnv(VectorEnv):
    """`num_envs` games at once."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game = "3x3",
        num_envs: int = 1,
        opponent: str = "random",
        seat: str = "X",
        render_mode: str | None = None,
    ) -> None:
        self.game = read_game(game)
        check_two(self.game, "This environment")
        self.num_envs = whole("num_envs", num_envs, 1)
        self.plays_both = check_choice("opponent", opponent, OPPONENTS) == "self"
        self.seat = check_seat_name(self.game, seat)
        if not self.plays_both:
            check_seat(self.game, seat)
        self.render_mode = render_mode
        self._batch = Batch(self.game, num_envs, 0)
        self._is_seeded = False
        # Kernels take NOBODY for whoever is on turn; of "both" one is drawn when a game begins.
        marks = self.game.marks
        first = 1 + marks.index(seat) if seat in marks else 1
        side = NOBODY if self.plays_both else first
        self._sides = np.full(num_envs, side, np.int8)
        self._is_done = np.zeros(num_envs, np.bool_)
        self._turns = np.zeros(num_envs, np.int64)
        self._shape = (num_envs, *observation_shape(self.game))
        self._masks: NDArray[np.int8] = np.zeros((num_envs, self._batch.moves), np.int8)
        self.single_observation_space = spaces.Box(
            0.0, 1.0, observation_shape(self.game), np.float32
        )
        self.single_action_space = spaces.Discrete(self._batch.moves)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin all games."""
        super().reset(seed=seed)
        if seed is not None or not self._is_seeded:
            self._batch.seed(int(self.np_random.integers(2**32)))
            self._is_seeded = True
        self._seat(np.ones(self.num_envs, np.bool_))
        self._is_done[:] = False
        seen, self._masks = self._batch.begin(self._sides, not self.plays_both)
        return seen.reshape(self._shape), {"action_mask": self._masks}

    def step(self, actions: NDArray[np.int64]) -> Step:
        """One move of the player in every game, and the answers to them."""
        restarts, batch = self._is_done, self._batch
        movers = batch.turns.copy() if self.plays_both else self._sides
        if restarts.any():
            self._seat(restarts)
        moves = np.ascontiguousarray(actions, np.int64)
        is_legal, seen, self._masks = batch.step(moves, restarts, self._sides, not self.plays_both)
        self._turns += 1
        rewards = batch.worth(movers)
        terminated = (batch.results != RUNNING) | ~is_legal
        truncated = (self._turns >= MAX_TURNS) & ~terminated
        info: dict[str, Any] = {"action_mask": self._masks}
        if not is_legal.all():
            rewards[~is_legal] = -1.0
            info["illegal"] = ~is_legal
        self._is_done = terminated | truncated
        return seen.reshape(self._shape), rewards, terminated, truncated, info

    def _seat(self, which: NDArray[np.bool_]) -> None:
        """Say where the player sits in the games that begin."""
        self._turns[which] = 0
        if self.seat == "both" and not self.plays_both:
            self._sides[which] = self.np_random.integers(1, self._batch.seats + 1, int(which.sum()))

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of every game, [num_envs, actions]."""
        return self._masks.astype(np.bool_)
