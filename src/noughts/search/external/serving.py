"""What an agent needs to answer as a program: a budget of time, and kernels that are ready."""

from typing import Protocol

import numpy as np

from noughts.agents import Agent, check_player
from noughts.games.game import Game
from noughts.options import Option


class Server(Protocol):
    """The answering end of a protocol: one line in, any number of lines out."""

    is_over: bool  # the other end said good-bye

    def answer(self, line: str) -> list[str]: ...


def safe_time(limit: float) -> float:
    """How long to think when an answer must arrive within so many seconds.

    Sending and the last look at the clock take a share, and on a busy machine a moment besides.
    """
    return max(limit / 2, limit - max(0.1 * limit, 0.1))


def time_option(agent: Agent) -> Option | None:
    """The option by which the agent is told how long to think, if it has one."""
    return next((option for option in agent.options() if option.key == "time"), None)


def set_time(agent: Agent, seconds: float | None) -> None:
    """Let it think for so long, within what its option takes; nothing if it has no such option."""
    option = time_option(agent)
    if option is not None:
        inside = None if seconds is None else min(max(seconds, option.low), option.high)
        vars(agent)["time"] = inside


def get_time(agent: Agent) -> float | None:
    """The seconds that it was told to think for, if any."""
    found: float | None = vars(agent).get("time")
    return found


def warm_up(agent: Agent, game: Game) -> None:
    """Refuse what it cannot play, and choose once in next to no time: compiling is no thinking."""
    check_player(agent, game)
    if time_option(agent) is not None:
        usual = get_time(agent)
        set_time(agent, 0.0)
        try:
            agent.choose(game.start(), np.random.default_rng(0))
        finally:
            set_time(agent, usual)
    agent.reset()
