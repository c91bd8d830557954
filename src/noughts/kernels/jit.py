"""The decorator of every kernel: compiled, cached on disk, and free of the GIL; or left as it is.

Numba's own cache does not notice when a kernel in *another* file changes, and would go on running
the old machine code. So each file's cache folder carries a digest of all the kernel sources it
depends on in its name: an edit starts new folders.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from noughts.kernels.mode import is_interpreted

Function = Callable[..., Any]


def kernel(
    *, allocates: bool | None = True, inlined: bool = False, wraps: bool = False, **options: Any
) -> Callable[[Function], Function]:
    """`@kernel()` in place of `@numba.njit`; other options are numba's.

    `allocates=False` is for kernels that make no arrays of their own. Numba then leaves out its
    reference counts, which it otherwise takes, atomically, for every array read from a tuple of
    rules: they cost more than the moves of a random game. Making an array there does not compile.
    `allocates=None` counts where the caller does: for kernels that return arrays they were given.

    `inlined` puts the kernel into those that call it; that is left to LLVM, which loses nothing.
    `wraps` is for kernels that mean to wrap around in 64 bits, of which numpy warns in Python.
    """
    if is_interpreted():
        return np.errstate(over="ignore") if wraps else _as_it_is
    from noughts.kernels.lean import compiled_kernel

    if allocates is not None:
        options["_nrt"] = allocates
    if inlined:
        options["forceinline"] = True
    return lambda function: compiled_kernel(function, options)


def settled(kernel: Function, *arguments: Any) -> Function:
    """What a kernel calls for arguments of exactly these types, which are not looked at again.

    Numba asks every array of every tuple for its type at each call, which takes as long as many
    games of a batch take to make a step. Whoever calls this answers for the types himself, down to
    how arrays lie in memory; others would be read as what they are not.
    """
    if is_interpreted():
        return kernel
    from numba import typeof

    found: Function = kernel.compile(tuple(typeof(one) for one in arguments))  # type: ignore[attr-defined]
    return found


def _as_it_is(function: Function) -> Function:
    return function
