"""Training a network by gradient descent: JAX and optax.

    loss = cross-entropy(policy, softmax over legal moves) + weight · (value - target)²

by Adam with a constant learning rate; with a decay above 0, AdamW.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.learn.zero.networks import Network, Weights

ILLEGAL = -1e9  # the logit of a move that is not allowed


def load_jax() -> tuple[Any, Any]:
    """JAX and optax, or a sentence that says how to get them."""
    try:
        import jax
        import optax
    except ImportError:
        raise NoughtsError("Training a network needs JAX: pip install 'noughts[learn]'.") from None
    return jax, optax


class Trainer:
    """Weights, Adam's memory, and the compiled step that changes them."""

    def __init__(
        self, network: Network, weights: Weights, rate: float, decay: float, value_weight: float
    ) -> None:
        jax, optax = load_jax()
        self.network, self.value_weight = network, value_weight
        self.optimizer = optax.adamw(rate, weight_decay=decay) if decay else optax.adam(rate)
        self.weights: Any = {name: jax.numpy.asarray(array) for name, array in weights.items()}
        self.memory: Any = self.optimizer.init(self.weights)
        self._step = jax.jit(self._make_step())

    def _make_step(self) -> Any:
        jax, optax = load_jax()
        xp = jax.numpy

        def losses(weights: Any, features: Any, policies: Any, legal: Any, values: Any) -> Any:
            logits, judged = self.network.forward(xp, weights, features)
            chances = jax.nn.log_softmax(xp.where(legal, logits, ILLEGAL))
            policy_loss = -xp.mean(xp.sum(policies * xp.where(legal, chances, 0.0), axis=1))
            value_loss = xp.mean((judged - values) ** 2)
            return policy_loss + self.value_weight * value_loss, (policy_loss, value_loss)

        def step(weights: Any, memory: Any, *batch: Any) -> Any:
            (_, parts), slopes = jax.value_and_grad(losses, has_aux=True)(weights, *batch)
            changes, memory = self.optimizer.update(slopes, memory, weights)
            return optax.apply_updates(weights, changes), memory, parts

        return step

    def train(self, batch: tuple["NDArray[Any]", ...]) -> tuple[Any, Any]:
        """One step; the losses of policy and value before it, still on their way."""
        self.weights, self.memory, parts = self._step(self.weights, self.memory, *batch)
        found: tuple[Any, Any] = parts
        return found

    def numpy_weights(self) -> dict[str, "NDArray[np.float32]"]:
        """The weights as NumPy plays with them."""
        return {name: np.array(array, np.float32) for name, array in self.weights.items()}

    def arrays(self) -> dict[str, "NDArray[Any]"]:
        """Weights and Adam's memory by name."""
        jax, _ = load_jax()
        found: dict[str, NDArray[Any]] = {
            f"weights.{name}": array for name, array in self.numpy_weights().items()
        }
        for i, leaf in enumerate(jax.tree_util.tree_leaves(self.memory)):
            found[f"adam.{i:03}"] = np.array(leaf)
        return found

    def restore(self, arrays: Mapping[str, "NDArray[Any]"]) -> None:
        """Go on where `arrays` were taken."""
        jax, _ = load_jax()
        leaves, structure = jax.tree_util.tree_flatten(self.memory)
        kept = [jax.numpy.asarray(arrays[f"adam.{i:03}"]) for i in range(len(leaves))]
        self.memory = jax.tree_util.tree_unflatten(structure, kept)
        self.weights = {name: jax.numpy.asarray(arrays[f"weights.{name}"]) for name in self.weights}
