"""The replay memory: the youngest samples of play, as named arrays in a ring.

    memory = Memory(100_000)
    memory.add({"rows": rows, "values": values})     # the oldest make room
    memory.slots(rng.integers(len(memory), size=256))  # where samples lie, counted from the oldest

What a sample is and how a lesson is made of some is each learner's own.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Fields = Mapping[str, NDArray[Any]]


class Memory:
    """At most `most` samples. The ring grows with what comes in, up to that."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.first = self.count = 0  # the slot of the oldest sample; how many there are
        self.ring: dict[str, NDArray[Any]] = {}

    def __len__(self) -> int:
        return self.count

    @property
    def size(self) -> int:
        """Slots of the ring."""
        return len(next(iter(self.ring.values()))) if self.ring else 0

    def add(self, samples: Fields) -> None:
        """Remember more samples; all fields have the same length."""
        young = {name: array[-self.most :] for name, array in samples.items()}
        new = len(next(iter(young.values())))
        self._make_slots(min(self.most, self.count + new), young)
        slots = (self.first + self.count + np.arange(new)) % max(self.size, 1)
        for name, array in young.items():
            self.ring[name][slots] = array
        surplus = max(0, self.count + new - self.size)
        self.count += new - surplus
        self.first = (self.first + surplus) % max(self.size, 1)

    def keep(self, count: int) -> None:
        """Forget all but so many of the youngest."""
        surplus = max(0, self.count - count)
        self.first, self.count = (self.first + surplus) % max(self.size, 1), self.count - surplus

    def slots(self, ages: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the samples lie that are so many places after the oldest."""
        return (self.first + ages) % max(self.size, 1)

    def in_order(self) -> dict[str, NDArray[Any]]:
        """Copies of all samples, the oldest first."""
        slots = self.slots(np.arange(self.count))
        return {name: array[slots] for name, array in self.ring.items()}

    def restore(self, samples: Fields, first: int = 0) -> None:
        """Hold exactly these, which lie in the ring as they are given."""
        self.ring = {name: np.array(array) for name, array in samples.items()}
        self.count = self.size
        self.first = first if self.count == self.most else 0

    def _make_slots(self, wanted: int, samples: Fields) -> None:
        """Room for so many, and for half as many again as there was."""
        if wanted <= self.size:
            return
        wanted = min(self.most, max(wanted, self.size * 3 // 2))
        kept = self.in_order()
        self.ring = {
            name: np.zeros((wanted, *array.shape[1:]), kept[name].dtype if kept else array.dtype)
            for name, array in samples.items()
        }
        for name, array in kept.items():
            self.ring[name][: self.count] = array
        self.first = 0
