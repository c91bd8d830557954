"""A Gymnasium environment: one player, and an agent of ours inside as the opponent.

    env = gymnasium.make("noughts/Game-v0", game="3x3:flip=0.1", opponent="uct", seat="both")

The observation is [rows, columns, planes] in [0, 1] from the player's side (`kernels/stepping` says
which planes); an action is a move of the game. `action_masks()` and info["action_mask"] say which
are legal. The reward is 1 for a win, -1 for a loss, 0 otherwise.

What an illegal action does is said by `illegal`: "lose" ends the game with -1 and
info["illegal"] says why; "raise" raises IllegalMove.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from noughts.adapters.batch import SIDES, Batch, observation_shape
from noughts.adapters.render import MODES, Pixels, check_mode, render
from noughts.agents import Agent, ChooseFunction
from noughts.agents import agent as read_agent
from noughts.errors import IllegalMove, NoughtsError
from noughts.games.compiled import MAX_TURNS
from noughts.games.game import Game
from noughts.games.registry import game as read_game
from noughts.kernels.rules import DRAW, RUNNING, O, X

SEATS = ("X", "O", "both")
ILLEGAL = ("lose", "raise")


def check_choice(key: str, word: str, allowed: tuple[str, ...]) -> str:
    """The word, if it is one of those allowed."""
    if word not in allowed:
        raise NoughtsError(f"{key}={word} is not known; allowed: {', '.join(allowed)}.")
    return word


class NoughtsEnv(gymnasium.Env):
    """One player against an opponent. `seat="both"` draws the seat anew for every game."""

    metadata = {"render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012 - Gymnasium reads it

    def __init__(
        self,
        game: str | Game = "3x3",
        opponent: str | Agent | ChooseFunction = "random",
        seat: str = "X",
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        self.game = read_game(game)
        self.opponent = None if opponent == "random" else read_agent(opponent)
        if self.opponent is not None:
            self.opponent.check_game(self.game)
        self.seat = check_choice("seat", seat, SEATS)
        self.illegal = check_choice("illegal", illegal, ILLEGAL)
        self.render_mode = check_mode(render_mode)
        self._batch = Batch(self.game, 1, 0)
        self._is_seeded = False
        self._move = np.zeros(1, np.int64)
        self._sides = np.array([X], np.int8)
        self._shape = observation_shape(self.game)
        self._mask: NDArray[np.int8] = np.zeros(self._batch.moves, np.int8)
        self.observation_space = spaces.Box(0.0, 1.0, self._shape, np.float32)
        self.action_space = spaces.Discrete(self._batch.moves)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a game; the opponent moves first where it sits at X."""
        super().reset(seed=seed)
        if seed is not None or not self._is_seeded:
            self._batch.seed(int(self.np_random.integers(2**32)))
            self._is_seeded = True
        self._batch.begin()
        self._turns = 0
        if self.seat == "both":
            self._sides[0] = self.np_random.integers(X, O + 1)
        else:
            self._sides[0] = SIDES["X" if self.seat == "X" else "O"]
        if self.opponent is not None:
            self.opponent.reset()
        if self._sides[0] == O:
            self._reply()
        return self._look()

    def step(self, action: int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play a move, and the opponent's answer to it."""
        self._move[0] = action
        if not self._batch.step(self._move)[0]:
            return self._refuse(action)
        self._turns += 1
        if self._batch.results[0] == RUNNING:
            self._reply()
        result = self._batch.results[0]
        reward = 0.0
        if result not in (RUNNING, DRAW):
            reward = 1.0 if result == self._sides[0] else -1.0
        seen, info = self._look()
        is_over = bool(result != RUNNING)
        return seen, reward, is_over, not is_over and self._turns >= MAX_TURNS, info

    def _reply(self) -> None:
        self._turns += 1
        if self.opponent is None:
            self._batch.step(self._batch.choose())
            return
        position = self._batch.position()
        move = position.check_move(self.opponent.choose(position, self.np_random))
        self._move[0] = move
        self._batch.step(self._move)

    def _refuse(self, action: int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        try:
            self._batch.position().check_move(action)
        except IllegalMove as error:
            if self.illegal == "raise" or self._batch.results[0] != RUNNING:
                raise
            self._batch.results[0] = O if self._sides[0] == X else X
            seen, info = self._look()
            return seen, -1.0, True, False, info | {"illegal": str(error)}
        raise AssertionError(f"the kernel and the position disagree about move {action}")

    def _look(self) -> tuple[NDArray[np.float32], dict[str, Any]]:
        planes, masks = self._batch.observe(self._sides)
        self._mask = masks[0]
        return planes[0].reshape(self._shape), {"action_mask": self._mask}

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, as maskable learners ask for them."""
        return self._mask.astype(np.bool_)

    def render(self) -> str | Pixels | None:  # type: ignore[override]  # typed where it is installed
        return render(self._batch.position(), self.render_mode)
