"""One step of training the network `noughts`, in JAX: AdamW on cross-entropies.

    loss = − Σ odds · log softmax(value) − Σ visits · log softmax(policy over legal moves)

The weights that play are a running mean of those that are trained, over some 500 steps: it is
calmer than any one of them.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.learn.zero.configurations import features
from noughts.learn.zero.folded_network import forward

DECAY = 1e-4
SEEN = 1024
MEAN = 0.998
MISSING = "Training needs JAX and optax; install them with: pip install 'noughts[learn]'"

State = Mapping[str, Any]
Step = Callable[..., tuple[Any, Any, Any, Any]]


def optimiser() -> Any:
    """AdamW; the learning rate is given with each step."""
    try:
        import optax
    except ImportError as error:
        raise NoughtsError(MISSING) from error
    return optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.scale_by_adam(b1=0.9, b2=0.999),
        optax.add_decayed_weights(DECAY),
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


@cache
def make_step() -> Step:
    """step(weights, mean, memory, rate, batch) -> the new three, and [policy, value] losses."""
    try:
        import jax
        import jax.numpy as jnp
    except ImportError as error:
        raise NoughtsError(MISSING) from error
    table = jnp.asarray(features())
    adam = optimiser()

    def losses(weights: Any, batch: Any) -> tuple[Any, Any]:
        seen, boards, forced, legal, policy, odds = batch
        value, logits = forward(jnp, weights, table[seen], boards, forced)
        logits = jnp.where(legal, logits, -1e9)
        policy_loss = -(policy * jax.nn.log_softmax(logits)).sum(axis=1).mean()
        value_loss = -(odds * jax.nn.log_softmax(value)).sum(axis=1).mean()
        return policy_loss + value_loss, jnp.stack([policy_loss, value_loss])

    def step(weights: Any, mean: Any, memory: Any, rate: Any, batch: Any) -> Any:
        gradient, parts = jax.grad(losses, has_aux=True)(weights, batch)
        updates, memory = adam.update(gradient, memory, weights)
        weights = jax.tree.map(lambda w, u: w - rate * u, weights, updates)
        mean = jax.tree.map(lambda m, w: MEAN * m + (1.0 - MEAN) * w, mean, weights)
        return weights, mean, memory, parts

    return jax.jit(step, donate_argnums=(0, 1, 2))


def flatten(tree: Any) -> list[np.ndarray[Any, Any]]:
    """The leaves of an optimiser's memory as arrays."""
    import jax

    return [np.asarray(leaf) for leaf in jax.tree.leaves(tree)]


def unflatten(weights: Any, leaves: list[Any]) -> Any:
    """An optimiser's memory from its leaves."""
    import jax

    return jax.tree.unflatten(jax.tree.structure(optimiser().init(weights)), leaves)
