"""The last so many moves and what they turned into, to draw lessons from."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from noughts.learn.q_net_games import Batch
from noughts.learn.q_net_training import Lesson

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from noughts.kernels.learn.features_batch import Landed


class Memory:
    """A ring of transitions: the row before a move, the move, and its landings."""

    def __init__(self, batch: Batch, size: int, landings: int) -> None:
        import numpy as np

        self.batch, self.size, self.next, self.filled = batch, size, 0, 0
        self.before = np.zeros((size, batch.width), np.int32)
        self.move = np.zeros(size, np.int64)
        self.after = np.zeros((size, landings, batch.width), np.int32)
        self.chance, self.reward = (np.zeros((size, landings), np.float32) for _ in range(2))
        self.is_over = np.zeros((size, landings), np.bool_)

    def keep(
        self, before: "NDArray[np.int32]", move: "NDArray[np.int64]", landings: "Landed"
    ) -> None:
        """Add a batch of transitions; the oldest make room."""
        import numpy as np

        places = (self.next + np.arange(len(before))) % self.size
        self.before[places], self.move[places] = before, move
        self.after[places], self.chance[places] = landings.rows, landings.chance
        self.reward[places], self.is_over[places] = landings.reward, landings.is_over
        self.next = (self.next + len(before)) % self.size
        self.filled = min(self.size, self.filled + len(before))

    def lesson(self, count: int, turned: bool, rng: "np.random.Generator") -> Lesson:
        """Transitions drawn at random; `turned` shows each in a random orientation."""
        drawn = rng.integers(self.filled, size=count)
        batch, before, move = self.batch, self.before[drawn], self.move[drawn]
        after = self.after[drawn]
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
            chance=self.chance[drawn],
            reward=self.reward[drawn],
            is_over=self.is_over[drawn],
        )

    def arrays(self) -> Mapping[str, Any]:
        """What is remembered, and where the next goes."""
        import numpy as np

        kept = slice(0, self.filled)
        return {
            "memory_before": self.before[kept].copy(),
            "memory_move": self.move[kept].copy(),
            "memory_after": self.after[kept].copy(),
            "memory_chance": self.chance[kept].copy(),
            "memory_reward": self.reward[kept].copy(),
            "memory_over": self.is_over[kept].copy(),
            "memory_next": np.array([self.next], np.int64),
        }

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """The inverse of `arrays`."""
        self.filled = len(arrays["memory_move"])
        kept = slice(0, self.filled)
        self.before[kept], self.move[kept] = arrays["memory_before"], arrays["memory_move"]
        self.after[kept], self.chance[kept] = arrays["memory_after"], arrays["memory_chance"]
        self.reward[kept], self.is_over[kept] = arrays["memory_reward"], arrays["memory_over"]
        self.next = int(arrays["memory_next"][0])
