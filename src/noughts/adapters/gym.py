"""A Gymnasium environment: one player, and an agent of ours inside as the opponent.

    env = gymnasium.make("noughts/Game-v0", game="3x3:flip=0.1", opponent="uct", seat="both")

The observation is [rows, columns, planes] in [0, 1] from the player's side (`lines_seen` and
`ultimate_seen` in `kernels/rules` say which planes); an action is a move of the game.
`action_masks()` and info["action_mask"] say which are legal. The reward is 1 for a
win, -1 for a loss, 0 otherwise.

What an illegal action does is said by `illegal`: "lose" ends the game with -1 and
info["illegal"] says why; "raise" raises IllegalMove.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from noughts.adapters.batch import Batch, observation_shape
from noughts.adapters.render import MODES, Pixels, check_mode, render
from noughts.agents import Agent, ChooseFunction, check_player
from noughts.agents import agent as read_agent
from noughts.errors import IllegalMove, NoughtsError
from noughts.games.compiled import MAX_TURNS
from noughts.games.game import Game, check_two
from noughts.games.registry import game as read_game
from noughts.kernels.rules.codes import RUNNING

ILLEGAL = ("lose", "raise")


def check_choice(key: str, word: str, allowed: tuple[str, ...]) -> str:
    """The word, if it is one of those allowed."""
    if word not in allowed:
        raise NoughtsError(f"{key}={word} is not known; allowed: {', '.join(allowed)}.")
    return word


def check_seat_name(game: Game, seat: str) -> str:
    """The mark of a seat of this game, or "both"."""
    return check_choice("seat", seat, (*game.marks, "both"))


def check_seat(game: Game, seat: str) -> str:
    """The seat, if there is a move for it: Gymnasium has no game that is over when it begins."""
    if check_seat_name(game, seat) == game.marks[0]:
        return seat
    start = game.start()
    one_of_a_cell = {game.cell_of(move): move for move in start.moves}.values()
    if any(start.play(move).result is not None for move in one_of_a_cell):
        raise NoughtsError(f"{game} may end with X's first move; the seat must be X, not {seat}.")
    return seat


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
        check_two(self.game, "This environment")
        self.opponent = None if opponent == "random" else read_agent(opponent)
        if self.opponent is not None:
            check_player(self.opponent, self.game)
        self.seat = check_seat(self.game, seat)
        self.illegal = check_choice("illegal", illegal, ILLEGAL)
        self.render_mode = check_mode(render_mode)
        self._batch = Batch(self.game, 1, 0)
        self._is_seeded = False
        self._move = np.zeros(1, np.int64)
        self._sides = np.ones(1, np.int8)
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
        if self.seat == "both":
            self._sides[0] = self.np_random.integers(1, self._batch.seats + 1)
        else:
            self._sides[0] = self._batch.game.marks.index(self.seat) + 1
        seen, masks = self._batch.begin(self._sides, self.opponent is None)
        self._turns = 0
        if self.opponent is not None:
            self.opponent.reset()
            seen, masks = self._reply(self.opponent, seen, masks)
        return self._look(seen, masks)

    def step(self, action: int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play a move, and the opponent's answer to it."""
        self._move[0] = action
        batch = self._batch
        is_legal, seen, masks = batch.step(self._move, None, self._sides, self.opponent is None)
        if not is_legal[0]:
            return self._refuse(action)
        self._turns += 2
        if self.opponent is not None:
            seen, masks = self._reply(self.opponent, seen, masks)
        reward = float(batch.worth(self._sides)[0])
        is_over = bool(batch.results[0] != RUNNING)
        is_cut = not is_over and self._turns >= MAX_TURNS
        planes, info = self._look(seen, masks)
        return planes, reward, is_over, is_cut, info

    def _reply(
        self, opponent: Agent, seen: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Let an agent of ours move until it is the player's turn; what he sees then."""
        batch = self._batch
        while batch.results[0] == RUNNING and batch.turns[0] != self._sides[0]:
            position = batch.position()
            self._move[0] = position.check_move(opponent.choose(position, self.np_random))
            _, seen, masks = batch.step(self._move, None, self._sides)
        return seen, masks

    def _refuse(self, action: int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        try:
            self._batch.position().check_move(action)
        except IllegalMove as error:
            if self.illegal == "raise" or self._batch.results[0] != RUNNING:
                raise
            self._batch.forfeit(0, int(self._sides[0]))
            planes, info = self._look(*self._batch.observe(self._sides))
            return planes, -1.0, True, False, info | {"illegal": str(error)}
        raise AssertionError(f"the kernel and the position disagree about move {action}")

    def _look(
        self, seen: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        self._mask = masks[0]
        return seen[0].reshape(self._shape), {"action_mask": self._mask}

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, as maskable learners ask for them."""
        return self._mask.astype(np.bool_)

    def render(self) -> str | Pixels | None:  # type: ignore[override]  # typed where it is installed
        return render(self._batch.position(), self.render_mode)
