"""Training a network by gradient descent, in JAX: Adam on any loss.

    w ← w - rate · (Adam's direction of the loss + decay · w)

A loss is `loss(jax, weights, batch) -> (number, parts)`, with parts that a learner reports. JAX is
loaded at the first step, so that restoring and playing need none. With `mean` above 0 a running
mean of the weights is kept beside them: it is calmer than any one of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError

NEEDED = "JAX and optax: pip install 'noughts[learn]'"

Weights = Mapping[str, NDArray[np.float32]]
Loss = Callable[[Any, Any, Any], tuple[Any, Any]]


def load_jax() -> tuple[Any, Any]:
    """JAX and optax, or a sentence that says how to get them."""
    try:
        import jax
        import optax
    except ImportError:
        raise NoughtsError(f"Training a network needs {NEEDED}.") from None
    return jax, optax


@dataclass(frozen=True)
class Descent:
    """How weights follow a slope."""

    rate: float  # unless a step is given its own
    decay: float = 0.0
    clip: float | None = None  # the longest gradient
    mean: float = 0.0  # share of the running mean that stays in a step; 0 for none

    def optimiser(self) -> Any:
        """Adam as optax builds it, but for the rate, which each step is given."""
        _, optax = load_jax()
        parts = [optax.scale_by_adam()]
        if self.clip is not None:
            parts.insert(0, optax.clip_by_global_norm(self.clip))
        if self.decay:
            parts.append(optax.add_decayed_weights(self.decay))
        return optax.chain(*parts)


@lru_cache(maxsize=8)
def _compiled(loss: Loss, descent: Descent) -> Any:
    """step(weights, mean, memory, rate, batch) -> the new three, and the parts of the loss.

    One for all learners with this loss and descent, so that JAX compiles a network once.
    """
    jax, _ = load_jax()
    optimiser = descent.optimiser()

    def step(weights: Any, mean: Any, memory: Any, rate: Any, batch: Any) -> Any:
        slope, parts = jax.grad(lambda w: loss(jax, w, batch), has_aux=True)(weights)
        directions, memory = optimiser.update(slope, memory, weights)
        weights = jax.tree.map(lambda w, d: w - rate * d, weights, directions)
        if descent.mean:
            share = descent.mean
            mean = jax.tree.map(lambda m, w: share * m + (1.0 - share) * w, mean, weights)
        return weights, mean, memory, parts

    return jax.jit(step, donate_argnums=(0, 1, 2))


class Trainer:
    """Weights, their running mean, Adam's memory, and the compiled step that changes them."""

    def __init__(self, loss: Loss, descent: Descent, weights: Weights) -> None:
        self._loss, self._descent = loss, descent
        self._weights: Any = weights
        self._mean: Any = weights if descent.mean else {}
        self._memory: Any = None  # Adam's; until JAX is loaded its arrays are in _leaves
        self._leaves: Sequence[NDArray[Any]] = ()

    def load(self) -> None:
        """Load JAX, or say how to get it."""
        if self._memory is not None:
            return
        jax, _ = load_jax()
        # Copies: a step writes into what it is given.
        self._weights = jax.tree.map(jax.numpy.array, dict(self._weights))
        self._mean = jax.tree.map(jax.numpy.array, dict(self._mean))
        fresh = self._descent.optimiser().init(self._weights)
        self._memory = fresh
        if len(self._leaves):
            leaves = [jax.numpy.array(leaf) for leaf in self._leaves]
            self._memory = jax.tree.unflatten(jax.tree.structure(fresh), leaves)

    def train(self, batch: Any, rate: float | None = None) -> Any:
        """One step; the parts of the loss before it, still on their way."""
        self.load()
        step = _compiled(self._loss, self._descent)
        rate = self._descent.rate if rate is None else rate
        self._weights, self._mean, self._memory, parts = step(
            self._weights, self._mean, self._memory, np.float32(rate), batch
        )
        return parts

    @property
    def weights(self) -> dict[str, NDArray[np.float32]]:
        """As NumPy plays with them."""
        return {name: np.array(array, np.float32) for name, array in self._weights.items()}

    @property
    def mean(self) -> dict[str, NDArray[np.float32]]:
        """The running mean of the weights."""
        return {name: np.array(array, np.float32) for name, array in self._mean.items()}

    @property
    def leaves(self) -> list[NDArray[Any]]:
        """Adam's memory as arrays; none before the first step."""
        if self._memory is None:
            return list(self._leaves)
        jax, _ = load_jax()
        return [np.array(leaf) for leaf in jax.tree.leaves(self._memory)]

    def restore(
        self, weights: Weights, leaves: Sequence[NDArray[Any]], mean: Weights | None = None
    ) -> None:
        """Go on where these were taken."""
        self._weights, self._leaves, self._memory = weights, leaves, None
        self._mean = mean if mean is not None else weights if self._descent.mean else {}
