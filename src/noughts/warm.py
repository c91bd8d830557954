"""Compiling ahead: what a new user is likely to ask for, or one game and one agent."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from noughts.agents import agent as read_agent
from noughts.agents import check_player
from noughts.effort import Work, choosing
from noughts.games.registry import game as read_game
from noughts.kernels.cache import note_compiled

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Step:
    """One kind of work, by an example of it."""

    name: str
    game: str
    agent: str

    @property
    def work(self) -> Work:
        """What is compiled."""
        return choosing(read_agent(self.agent), read_game(self.game))


STEPS = (
    Step("3×3 search", "3x3", "alphabeta"),
    Step("exact values", "3x3", "optimal"),
    Step("tree search", "3x3", "uct:simulations=50"),
    Step("risky boards", "3x3:flip=0.1", "uct:simulations=50"),
    Step("risky search", "3x3:flip=0.1", "alphabeta"),
    Step("Ultimate", "ultimate", "uct:simulations=50"),
    Step("the network of Ultimate", "ultimate", "zero:simulations=50"),
    Step("the proof of Qubic", "qubic", "optimal"),
)


def warm(steps: tuple[Step, ...], progress: Progress | None = None) -> list[tuple[Step, float]]:
    """Compile what the steps need, one after the other; each with its seconds."""
    taken = []
    for done, step in enumerate(steps):
        if progress is not None:
            progress(done, len(steps), step.name)
        began = perf_counter()
        player, position = read_agent(step.agent), read_game(step.game).start()
        check_player(player, position)
        player.choose(position, np.random.default_rng(0))
        player.values(position)
        note_compiled(step.work.kernels)
        taken.append((step, perf_counter() - began))
    return taken
