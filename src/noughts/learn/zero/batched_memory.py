"""The replay memory: the youngest samples of self-play, and batches drawn from them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.games.game import Game
from noughts.kernels.rules import protocol
from noughts.kernels.search import lockstep
from noughts.learn.zero.lockstep import images_of
from noughts.learn.zero.networks import Network

FIELDS = ("rows", "policies", "legal", "values")


class ReplayMemory:
    """At most `most` samples; the oldest are forgotten first."""

    def __init__(self, game: Game, network: Network, most: int) -> None:
        self.network, self.most = network, most
        self.rules: Any = game.rules
        self.images = images_of(game)
        self._room = lockstep.new_room(self.rules, protocol.facts(self.rules))
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
        choices = rng.integers(len(self.images.places), size=size)
        features = np.zeros((size, self.network.inputs), np.float32)
        drawn = self.fields["rows"][rows]
        lockstep.encode_all(self.rules, self._room, self.images, drawn, choices, features)
        images = self.images.moves[choices]
        policies = np.zeros((size, self.network.policy), np.float32)
        np.put_along_axis(policies, images, self.fields["policies"][rows].astype(np.float32), 1)
        flags = np.unpackbits(self.fields["legal"][rows], axis=1, count=self.network.policy)
        legal = np.zeros((size, self.network.policy), np.bool_)
        np.put_along_axis(legal, images, flags.astype(np.bool_), 1)
        return features, policies, legal, self.fields["values"][rows]


def read_fields(arrays: Mapping[str, "NDArray[Any]"]) -> dict[str, "NDArray[Any]"]:
    """The fields of a memory, also as Noughts 0.1 kept them: the turn apart from the rest.

    In a row it stands before the last number, the clock.
    """
    if "rows" in arrays:
        return {name: arrays[name] for name in FIELDS}
    rows = np.insert(arrays["states"], -1, arrays["turns"], axis=1)
    return {"rows": rows, **{name: arrays[name] for name in FIELDS if name != "rows"}}
