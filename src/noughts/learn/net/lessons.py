"""What a Q-network learns from: moves drawn from the memory, and the loss over them.

    loss = mean of (Q(s, a) - y)²
    y = Σ over landings of chance · (r + sign · max over a' of Q'(s', a'))

Q is the value for the player on turn in s, Q' that of the target network. `sign` is -1 where the
other player is on turn in s' and +1 where it is the same one: the two-player game comes in here,
and nowhere else. No value lies outside [-1, 1], and y is kept there.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.learn.frame.memory import Memory
from noughts.learn.net.games import Batch
from noughts.learn.net.network import Parameters, forward

if TYPE_CHECKING:
    from noughts.kernels.learn.features_batch import Landed


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


def loss(jax: Any, parameters: Any, batch: tuple[Any, Lesson]) -> tuple[Any, Any]:
    """The residual of a lesson; the target network comes with it."""
    target, lesson = batch
    found = residual(jax.numpy, parameters, lesson, targets(jax.numpy, target, lesson))
    return found, found


def transitions(
    before: NDArray[np.int32], move: NDArray[np.int64], landed: "Landed"
) -> dict[str, NDArray[Any]]:
    """Moves as the memory holds them: the row before, the move, and its landings."""
    return {
        "before": before,
        "move": move,
        "after": landed.rows,
        "chance": landed.chance.astype(np.float32),
        "reward": landed.reward.astype(np.float32),
        "over": landed.is_over,
    }


def draw_lesson(
    memory: Memory, batch: Batch, count: int, turned: bool, rng: np.random.Generator
) -> Lesson:
    """Transitions drawn at random; `turned` shows each in a random orientation."""
    drawn = rng.integers(len(memory), size=count)  # slots of the ring, not ages
    kept = {name: array[drawn] for name, array in memory.ring.items()}
    before, move, after = kept["before"], kept["move"], kept["after"]
    mine, next_turns = batch.turns(before)[:, None], batch.turns(after)
    x, next_x, allowed = batch.encode(before), batch.encode(after), batch.allowed(after)
    if turned:
        which = rng.integers(len(batch.orientations.moves), size=count)
        x, next_x = batch.turned(x, which), batch.turned(next_x, which)
        move, allowed = batch.turned_moves(move, which), batch.turned_masks(allowed, which)
    return Lesson(
        x=x,
        move=move,
        next_x=next_x,
        next_allowed=allowed,
        sign=(2.0 * (mine == next_turns) - 1.0).astype("float32"),
        chance=kept["chance"],
        reward=kept["reward"],
        is_over=kept["over"],
    )
