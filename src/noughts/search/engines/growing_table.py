"""The arrays of a transposition table, small at first.

Most searches end after a few thousand positions, and clearing a large table would take longer than
they do. So the table starts small and grows once more positions were searched than it has entries.
"""

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.transposition import slots_of

ENTRY_BYTES = 16  # and four for every number of a row
_FIRST_ENTRIES = 2**14
_GROWTH = 4

Arrays = tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int32]]


class GrowingTable:
    """Keys, data and, where keys are not exact, rows, for at most so many megabytes."""

    def __init__(self, megabytes: int, row_size: int = 0) -> None:
        entry_bytes = ENTRY_BYTES + 4 * row_size
        self.row_size = row_size
        self.most = 2 ** ((megabytes * 2**20 // entry_bytes).bit_length() - 1)
        self.arrays = self._empty(min(_FIRST_ENTRIES, self.most))

    @property
    def memory(self) -> int:
        """How many bytes it takes."""
        return sum(array.nbytes for array in self.arrays)

    def grow(self, nodes: int) -> None:
        """Make room for a search that has seen this many positions; what is known is kept."""
        keys, data, rows = self.arrays
        size = len(keys)
        while size < min(nodes, self.most):
            size = min(size * _GROWTH, self.most)
        if size == len(keys):
            return
        new_keys, new_data, new_rows = self.arrays = self._empty(size)
        is_kept = data != 0
        slots = slots_of(keys[is_kept], size)
        new_keys[slots], new_data[slots] = keys[is_kept], data[is_kept]
        if self.row_size:
            new_rows[slots] = rows[is_kept]

    def _empty(self, size: int) -> Arrays:
        rows = (size, self.row_size) if self.row_size else (1, 0)
        return np.zeros(size, np.uint64), np.zeros(size, np.int64), np.zeros(rows, np.int32)
