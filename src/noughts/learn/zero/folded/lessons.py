"""What the network `noughts` learns from: positions of self-play, and a loss.

    loss = − Σ odds · log softmax(value) − Σ visits · log softmax(policy over legal moves)

The memory holds half a million positions at first and grows to its full size with the games played:
early games are poor teachers and are soon forgotten.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.zero.selfplay import Batch, Samples, fill_batch
from noughts.learn.frame.memory import Memory
from noughts.learn.zero.folded.configurations import augmentation, features
from noughts.learn.zero.folded.network import forward

SEEN = 1024
FIRST_SIZE = 500_000  # positions


class Positions:
    """The positions of self-play that are remembered."""

    def __init__(self, most: int) -> None:
        self.memory = Memory(most)
        self.seen = 0  # positions that ever came in

    def __len__(self) -> int:
        return len(self.memory)

    @property
    def room(self) -> int:
        """Positions that may be held by now: a third of all that were seen, within the limits."""
        return min(self.memory.most, max(FIRST_SIZE, self.seen // 3))

    def add(self, batches: Sequence[Samples]) -> None:
        """Append samples; forget those that have no room any more."""
        for batch in batches:
            self.seen += len(batch.forced)
            self.memory.add(batch._asdict())
        self.memory.keep(self.room)

    def draw(self, size: int, rng: np.random.Generator) -> tuple[NDArray[Any], ...]:
        """A batch of random positions, each seen by one of the board's eight symmetries."""
        slots = self.memory.slots(rng.integers(len(self.memory), size=size))
        turns = rng.integers(8, size=size)
        batch = new_batch(size)
        fill_batch(Samples(**self.memory.ring), augmentation(), slots, turns, batch)
        seen, boards = each_once(batch.boards)
        return seen, boards, *batch[1:]


def new_batch(size: int) -> Batch:
    """Room for so many positions; new each time, for JAX reads it in place while still at work."""
    return Batch(
        boards=np.empty((size, 9), np.int32),
        forced=np.empty(size, np.int32),
        legal=np.empty((size, 81), np.bool_),
        policy=np.empty((size, 81), np.float32),
        odds=np.empty((size, 3), np.float32),
    )


def each_once(boards: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The configurations of a batch without repetition, and where each mini board finds its own.

    A fifth of a batch differs, so the encoder has that much less to do. The first array is filled
    up to a multiple of SEEN: JAX compiles a step anew for every length.
    """
    row = np.zeros(len(features()), np.int32)
    row[boards] = 1
    found = np.flatnonzero(row)
    row[found] = np.arange(len(found))
    seen = np.zeros(-(-len(found) // SEEN) * SEEN, np.int32)
    seen[: len(found)] = found
    return seen, row[boards]


def loss(jax: Any, weights: Any, batch: Any) -> tuple[Any, Any]:
    """The loss, and those of policy and value."""
    xp, (seen, boards, forced, legal, policy, odds) = jax.numpy, batch
    value, logits = forward(xp, weights, xp.asarray(features())[seen], boards, forced)
    logits = xp.where(legal, logits, -1e9)
    policy_loss = -(policy * jax.nn.log_softmax(logits)).sum(axis=1).mean()
    value_loss = -(odds * jax.nn.log_softmax(value)).sum(axis=1).mean()
    return policy_loss + value_loss, xp.stack([policy_loss, value_loss])
