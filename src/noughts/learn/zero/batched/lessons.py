"""What a network that is read in batches learns from: samples of self-play, and the loss over them.

loss = cross-entropy(policy, softmax over legal moves) + weight · (value - target)²
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.games.game import Game
from noughts.kernels.rules import protocol
from noughts.kernels.search import lockstep
from noughts.learn.frame.memory import Memory
from noughts.learn.zero.batched.lockstep import images_of
from noughts.learn.zero.batched.networks import Network

FIELDS = ("rows", "policies", "legal", "values")
ILLEGAL = -1e9  # the logit of a move that is not allowed


@dataclass(frozen=True)
class PolicyAndValue:
    """The loss of one network."""

    network: Network
    value_weight: float

    def __call__(self, jax: Any, weights: Any, batch: Any) -> tuple[Any, Any]:
        """The loss, and those of policy and value."""
        xp, (features, policies, legal, values) = jax.numpy, batch
        logits, judged = self.network.forward(xp, weights, features)
        chances = jax.nn.log_softmax(xp.where(legal, logits, ILLEGAL))
        policy_loss = -xp.mean(xp.sum(policies * xp.where(legal, chances, 0.0), axis=1))
        value_loss = xp.mean((judged - values) ** 2)
        return policy_loss + self.value_weight * value_loss, (policy_loss, value_loss)


class Drawer:
    """Draws batches from a memory of one game's samples."""

    def __init__(self, game: Game, network: Network) -> None:
        self.network = network
        self.rules: Any = game.rules
        self.images = images_of(game)
        self._room = lockstep.new_room(self.rules, protocol.facts(self.rules))

    def draw(self, memory: Memory, size: int, rng: np.random.Generator) -> tuple[NDArray[Any], ...]:
        """Features, policies, legal moves and values of random samples, each seen by a symmetry."""
        slots = memory.slots(rng.integers(len(memory), size=size))
        choices = rng.integers(len(self.images.places), size=size)
        features = np.zeros((size, self.network.inputs), np.float32)
        drawn = memory.ring["rows"][slots]
        lockstep.encode_all(self.rules, self._room, self.images, drawn, choices, features)
        images = self.images.moves[choices]
        policies = np.zeros((size, self.network.policy), np.float32)
        np.put_along_axis(policies, images, memory.ring["policies"][slots].astype(np.float32), 1)
        flags = np.unpackbits(memory.ring["legal"][slots], axis=1, count=self.network.policy)
        legal = np.zeros((size, self.network.policy), np.bool_)
        np.put_along_axis(legal, images, flags.astype(np.bool_), 1)
        return features, policies, legal, memory.ring["values"][slots]


def read_fields(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The fields of a memory, also as Noughts 0.1 kept them: the turn apart from the rest.

    In a row it stands before the last number, the clock.
    """
    if "rows" in arrays:
        return {name: arrays[name] for name in FIELDS}
    rows = np.insert(arrays["states"], -1, arrays["turns"], axis=1)
    return {"rows": rows, **{name: arrays[name] for name in FIELDS if name != "rows"}}
