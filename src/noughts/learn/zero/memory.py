"""The replay memory: the last positions of self-play, in the order in which they were played.

It holds half a million positions at first and grows to its full size with the games played: early
games are poor teachers and are soon forgotten.
"""

from collections.abc import Sequence

import numpy as np

from noughts.kernels.zero.selfplay import Samples
from noughts.learn.zero.puct_tree import new_samples

FIRST_SIZE = 500_000


class Memory:
    """A list of samples that forgets its oldest."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.seen = 0  # positions that ever came in
        self.samples = new_samples(0)

    @property
    def size(self) -> int:
        """Positions held now."""
        return len(self.samples.forced)

    @property
    def room(self) -> int:
        """Positions that may be held by now: a third of all that were seen, within the limits."""
        return min(self.most, max(FIRST_SIZE, self.seen // 3))

    def add(self, batches: Sequence[Samples]) -> None:
        """Append samples; forget those that have no room any more."""
        self.seen += sum(len(batch.forced) for batch in batches)
        joined = [np.concatenate(arrays) for arrays in zip(self.samples, *batches, strict=True)]
        self.samples = Samples._make(array[-self.room :].copy() for array in joined)
