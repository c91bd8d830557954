"""The replay memory: the youngest samples of self-play, and batches drawn from them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.games.game import Game
from noughts.games.line_game import LineGame
from noughts.kernels.zero import lockstep_lines, lockstep_ultimate
from noughts.learn.zero.networks import Network

FIELDS = ("states", "turns", "policies", "legal", "values")


class ReplayMemory:
    """At most `most` samples; the oldest are forgotten first."""

    def __init__(self, game: Game, network: Network, most: int) -> None:
        self.network, self.most = network, most
        self.rules: Any = game.rules
        is_lines = isinstance(game, LineGame)
        self.kernels: Any = lockstep_lines if is_lines else lockstep_ultimate
        self.symmetries = np.array(game.symmetries(), np.int64)
        waits = network.policy // game.cells
        of_moves = [self.symmetries + game.cells * wait for wait in range(waits)]
        self.move_symmetries = np.concatenate(of_moves, axis=1)
        self.fields: dict[str, NDArray[Any]] = {}

    def __len__(self) -> int:
        return len(self.fields["values"]) if self.fields else 0

    def add(self, samples: Mapping[str, "NDArray[Any]"]) -> None:
        """Remember more samples."""
        before = [self.fields] if self.fields else []
        self.fields = {
            name: np.concatenate([*(kept[name] for kept in before), samples[name]])[-self.most :]
            for name in FIELDS
        }

    def draw(self, size: int, rng: np.random.Generator) -> tuple["NDArray[Any]", ...]:
        """Features, policies, legal moves and values of random samples, each seen by a symmetry."""
        rows = rng.integers(len(self), size=size)
        choices = rng.integers(len(self.symmetries), size=size)
        features = np.zeros((size, self.network.inputs), np.float32)
        turns = self.fields["turns"][rows].astype(np.int64)
        self.kernels.encode_all(
            self.rules, self.symmetries, self.fields["states"][rows], turns, choices, features
        )
        images = self.move_symmetries[choices]
        policies = np.zeros((size, self.network.policy), np.float32)
        np.put_along_axis(policies, images, self.fields["policies"][rows].astype(np.float32), 1)
        flags = np.unpackbits(self.fields["legal"][rows], axis=1, count=self.network.policy)
        legal = np.zeros((size, self.network.policy), np.bool_)
        np.put_along_axis(legal, images, flags.astype(np.bool_), 1)
        return features, policies, legal, self.fields["values"][rows]
