"""The decorator of every kernel: compiled, cached on disk, and free of the GIL.

Numba's own cache does not notice when a kernel in *another* file changes, and would go on running
the old machine code. So each file's cache folder carries a digest of all the kernel sources it
depends on in its name: an edit starts new folders.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numba

from noughts.kernels.cache import module_cache_folder


@contextmanager
def _own_cache_folder(module: str) -> Iterator[None]:
    # Numba picks a function's cache folder while decorating it, so other users of numba in this
    # process keep theirs.
    config: Any = numba.config  # its attributes are made at run time
    before = config.CACHE_DIR
    config.CACHE_DIR = str(module_cache_folder(module))
    try:
        yield
    finally:
        config.CACHE_DIR = before


def kernel(
    *, allocates: bool = True, **options: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`@kernel()` in place of `@numba.njit`; other options are numba's.

    `allocates=False` is for kernels that make no arrays of their own. Numba then leaves out its
    reference counts, which it otherwise takes, atomically, for every array read from a tuple of
    rules: they cost more than the moves of a random game. Making an array there does not compile.
    """
    if not allocates:
        options["_nrt"] = False

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        with _own_cache_folder(function.__module__):
            compiled: Callable[..., Any] = numba.njit(cache=True, nogil=True, **options)(function)
        return compiled

    return decorate
