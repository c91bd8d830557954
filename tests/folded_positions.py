"""Positions of Ultimate, and a small network that has opinions, for tests of the folded search."""

from typing import Any

import numpy as np

import noughts
from noughts.games.ultimate import UltimatePosition
from noughts.learn.zero.folded.network import Sizes, new_weights

SMALL = Sizes(hidden=8, code=4)


def lively_weights(sizes: Sizes = SMALL) -> dict[str, Any]:
    """Weights whose heads say something, as after some training."""
    rng = np.random.default_rng(7)
    return {
        name: (array + 0.2 * rng.standard_normal(array.shape)).astype(np.float32)
        for name, array in new_weights(1, sizes).items()
    }


def random_position(seed: int, moves: int, spec: str = "ultimate") -> UltimatePosition:
    """The last running position after at most so many random moves."""
    rng = np.random.default_rng(seed)
    position = noughts.game(spec).start()
    for _ in range(moves):
        after = position.play(int(rng.choice(position.open_cells)))
        if after.result is not None:
            break
        position = after
    assert isinstance(position, UltimatePosition)
    return position


def endgame(seed: int, spec: str) -> UltimatePosition:
    """A random running position with at most nine free cells."""
    for attempt in range(100):
        position = random_position(1000 * attempt + seed, 81, spec)
        if sum(position.free_cells(mini).bit_count() for mini in range(9)) <= 9:
            return position
    raise AssertionError(f"{spec} has no such endgame near seed {seed}.")
