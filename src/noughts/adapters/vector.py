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

from noughts.adapters.batch import SIDES, Batch, observation_shape
from noughts.adapters.gym import SEATS, check_choice
from noughts.checks import whole
from noughts.games.compiled import MAX_TURNS
from noughts.games.game import Game
from noughts.games.registry import game as read_game
from noughts.kernels.rules import DRAW, RUNNING, O, X

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
        self.num_envs = whole("num_envs", num_envs, 1)
        self.plays_both = check_choice("opponent", opponent, OPPONENTS) == "self"
        self.seat = check_choice("seat", seat, SEATS)
        self.render_mode = render_mode
        self._batch = Batch(self.game, num_envs, 0)
        self._is_seeded = False
        self._sides = np.full(num_envs, X, np.int8)
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
        self._begin(np.ones(self.num_envs, np.bool_))
        return self._look()

    def step(self, actions: NDArray[np.int64]) -> Step:
        """One move of the player in every game, and the answers to them."""
        was_done, batch = self._is_done, self._batch
        playing = ~was_done
        if self.plays_both:
            np.copyto(self._sides, batch.turns)
        is_legal = batch.step(np.ascontiguousarray(actions, np.int64), playing)
        self._turns += 1
        if not self.plays_both:
            answering = playing & is_legal & (batch.results == RUNNING)
            batch.step(batch.choose(answering), answering)
            self._turns += 1
        results = batch.results
        is_decided = (results != RUNNING) & (results != DRAW) & playing
        rewards = np.where(is_decided, np.where(results == self._sides, 1.0, -1.0), 0.0)
        rewards[~is_legal] = -1.0
        terminated = ((results != RUNNING) | ~is_legal) & playing
        truncated = (self._turns >= MAX_TURNS) & playing & ~terminated
        if was_done.any():
            self._begin(was_done)
        self._is_done = terminated | truncated
        seen, info = self._look()
        if not is_legal.all():
            info["illegal"] = ~is_legal
        return seen, rewards, terminated, truncated, info

    def _begin(self, which: NDArray[np.bool_]) -> None:
        """Start these games anew, with the opponent's first move where it has one."""
        self._batch.begin(which)
        self._turns[which] = 0
        self._is_done = self._is_done & ~which
        if self.plays_both:
            return
        if self.seat == "both":
            self._sides[which] = self.np_random.integers(X, O + 1, int(which.sum()))
        else:
            self._sides[which] = SIDES["X" if self.seat == "X" else "O"]
        opening = which & (self._sides == O)
        if opening.any():
            self._batch.step(self._batch.choose(opening), opening)

    def _look(self) -> tuple[NDArray[np.float32], dict[str, Any]]:
        sides = self._batch.turns if self.plays_both else self._sides
        planes, self._masks = self._batch.observe(sides)
        return planes.reshape(self._shape), {"action_mask": self._masks}

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of every game, [num_envs, actions]."""
        return self._masks.astype(np.bool_)
