"""One step of a Q-network in JAX: the Bellman residual, masked, with a target network.

    loss = mean of (Q(s, a) - y)²
    y = Σ over landings of chance · (r + sign · max over a' of Q'(s', a'))

Q is the value for the player on turn in s, Q' that of the target network. `sign` is -1 where the
other player is on turn in s' and +1 where it is the same one: the two-player game comes in here,
and nowhere else. No value lies outside [-1, 1], and y is kept there.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from noughts.errors import NoughtsError
from noughts.learn.network import Parameters, forward


class Lesson(NamedTuple):
    """A batch of transitions; K landings each."""

    x: Any  # [batch, inputs]
    move: Any  # [batch]
    next_x: Any  # [batch, K, inputs]
    next_allowed: Any  # [batch, K, moves]
    sign: Any  # [batch, K]
    chance: Any  # [batch, K]
    reward: Any  # [batch, K]
    is_over: Any  # [batch, K]


def targets(library: Any, parameters: Parameters, lesson: Lesson) -> Any:
    """y for every transition."""
    q = forward(library, parameters, lesson.next_x)
    best = library.where(lesson.next_allowed, q, -library.inf).max(axis=-1)
    later = library.where(lesson.is_over, 0.0, lesson.sign * best)
    y = (lesson.chance * (lesson.reward + later)).sum(axis=-1)
    return library.clip(y, -1.0, 1.0)


def residual(library: Any, parameters: Parameters, lesson: Lesson, y: Any) -> Any:
    """The mean squared difference between what is said of the moves made and their targets."""
    q = forward(library, parameters, lesson.x)
    said = library.take_along_axis(q, lesson.move[:, None], axis=1)[:, 0]
    return ((said - y) ** 2).mean()


class Trainer:
    """Adam on the residual, compiled once."""

    def __init__(self, rate: float) -> None:
        try:
            import jax
            import optax
        except ImportError:
            raise NoughtsError(
                "Training q-net needs JAX and optax: pip install 'noughts[learn]'."
            ) from None
        import jax.numpy as jnp

        self.optimiser = optax.adam(rate)

        def step(parameters: Any, state: Any, target: Any, lesson: Lesson) -> Any:
            y = targets(jnp, target, lesson)
            loss, gradient = jax.value_and_grad(lambda p: residual(jnp, p, lesson, y))(parameters)
            updates, state = self.optimiser.update(gradient, state)
            return optax.apply_updates(parameters, updates), state, loss

        self.step: Callable[..., tuple[Any, Any, Any]] = jax.jit(step)

    def begin(self, parameters: Parameters) -> Any:
        """The optimiser's memory before the first step."""
        return self.optimiser.init(dict(parameters))

    def numbers(self, state: Any) -> dict[str, Any]:
        """The optimiser's memory as named arrays."""
        import jax
        import numpy as np

        leaves = jax.tree_util.tree_leaves(state)
        return {f"optimiser{i}": np.array(leaf) for i, leaf in enumerate(leaves)}

    def remember(self, parameters: Parameters, arrays: Mapping[str, Any]) -> Any:
        """The optimiser's memory from named arrays."""
        import jax
        import jax.numpy as jnp

        shape: Any = jax.tree_util.tree_structure(self.begin(parameters))
        leaves = [jnp.asarray(arrays[f"optimiser{i}"]) for i in range(shape.num_leaves)]
        return jax.tree_util.tree_unflatten(shape, leaves)


@lru_cache(maxsize=8)
def trainer(rate: float) -> Trainer:
    """One trainer for all learners with this rate, so that JAX compiles a network once."""
    return Trainer(rate)
