"""A PettingZoo environment for every game: an agent for each seat.

`player_0` is X and `player_1` is O. What an agent sees is a dict, as in PettingZoo's own board
games: "observation" [rows, columns, planes] (`lines_seen` and `ultimate_seen` in `kernels/rules`
say which planes) and "action_mask", also in its info. The mask of the agent who is not on turn is
empty. The winner gets 1, the loser -1; of three or four players the losers share the -1.

`env()` wraps as PettingZoo's games do: an illegal move ends the game with -1 for whoever made it.
`raw_env()` raises IllegalMove.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from noughts.adapters.batch import Batch, observation_shape
from noughts.adapters.render import MODES, Pixels, check_mode, render
from noughts.errors import IllegalMove
from noughts.games.compiled import MAX_TURNS
from noughts.games.game import Game, check_two
from noughts.games.registry import game as read_game
from noughts.kernels.rules.codes import DRAW, RUNNING


def env(game: str | Game = "3x3", render_mode: str | None = None) -> Any:
    """The environment with PettingZoo's usual wrappers."""
    wrapped: Any = raw_env(game, render_mode)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv):  # noqa: N801 - PettingZoo's name for it
    """The environment itself. Games that do not end are truncated after 10,000 turns."""

    metadata = {  # noqa: RUF012 - PettingZoo reads it from the class
        "name": "noughts_v0",
        "render_modes": list(MODES),
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(self, game: str | Game = "3x3", render_mode: str | None = None) -> None:
        super().__init__()
        self.game = read_game(game)
        check_two(self.game, "This environment")
        self.render_mode = check_mode(render_mode)
        self._batch = Batch(self.game, 1, 0)
        self.possible_agents = [f"player_{i}" for i in range(self._batch.seats)]
        self.agents: list[str] = []
        self._is_seeded = False
        self._shape = observation_shape(self.game)
        self._move = np.zeros(1, np.int64)
        self._nothing = np.zeros(self._batch.moves, np.int8)
        agents = self.possible_agents
        self.observation_spaces = {agent: self._observation_space() for agent in agents}
        self.action_spaces = {agent: spaces.Discrete(self._batch.moves) for agent in agents}

    def __str__(self) -> str:
        return "noughts_v0"

    def _observation_space(self) -> Any:
        planes = spaces.Box(0.0, 1.0, self._shape, np.float32)
        mask = spaces.Box(0, 1, (self._batch.moves,), np.int8)
        return spaces.Dict({"observation": planes, "action_mask": mask})

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. A seed decides this game and those after it."""
        if seed is not None or not self._is_seeded:
            self._batch.seed(_fresh_seed() if seed is None else seed)
            self._is_seeded = True
        seen, masks = self._batch.begin()
        self._turns = 0
        self.agents = list(self.possible_agents)
        self.agent_selection = self._on_turn()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._look(seen, masks)

    def step(self, action: int | None) -> None:
        """Play a move of the agent on turn."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._move[0] = -1 if action is None else action
        is_legal, seen, masks = self._batch.step(self._move)
        if not is_legal[0]:
            self._batch.position().check_move(action)  # type: ignore[arg-type]  # says what is wrong
            raise IllegalMove(f"Move {action} is not allowed.")
        self._turns += 1
        self.agent_selection = self._on_turn()
        result = self._batch.results[0]
        if result != RUNNING:
            self.terminations = dict.fromkeys(self.agents, True)
            if result != DRAW:
                self.rewards = {agent: self._reward(agent) for agent in self.agents}
                self._accumulate_rewards()
        elif self._turns >= MAX_TURNS:
            self.truncations = dict.fromkeys(self.agents, True)
        self._look(seen, masks)

    def _on_turn(self) -> str:
        agent: str = self.possible_agents[max(0, self._batch.turns[0] - 1)]
        return agent

    def _side(self, agent: str) -> NDArray[np.int8]:
        return np.array([self.possible_agents.index(agent) + 1], np.int8)

    def _reward(self, agent: str) -> float:
        return float(self._batch.worth(self._side(agent))[0])

    def _look(self, seen: NDArray[np.float32], masks: NDArray[np.int8]) -> None:
        """Remember what the agent on turn sees."""
        self._seen = {"observation": seen[0].reshape(self._shape), "action_mask": masks[0]}
        self.infos = {agent: {"action_mask": self._nothing} for agent in self.agents}
        self.infos[self.agent_selection] = {"action_mask": masks[0]}

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now."""
        if agent == self.agent_selection:
            return dict(self._seen)
        seen, _ = self._batch.observe(self._side(agent))
        return {
            "observation": seen[0].reshape(self._shape),
            "action_mask": self._nothing.copy(),
        }

    def render(self) -> str | Pixels | None:
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs render_mode='ansi' or 'rgb_array'.")
        return render(self._batch.position(), self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""


def _fresh_seed() -> int:
    """A seed for somebody who gave none."""
    return int(np.random.SeedSequence().generate_state(1)[0])
