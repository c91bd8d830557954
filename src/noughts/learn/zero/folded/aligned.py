"""Arrays that begin with a line of the cache, so that a row of 64 bytes is one line, not two."""

from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

CACHE_LINE = 64


def aligned_zeros(shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """Like np.zeros; the first byte lies on a multiple of CACHE_LINE."""
    size = prod(shape) * np.dtype(dtype).itemsize
    room = np.zeros(size + CACHE_LINE, np.uint8)
    first = -room.ctypes.data % CACHE_LINE
    return room[first : first + size].view(dtype).reshape(shape)
