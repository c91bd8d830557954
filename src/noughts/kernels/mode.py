"""Whether this process compiles its kernels or interprets them.

A kernel is plain Python, and interpreted it gives the same answer: much slower, but sooner than
numba can be loaded, let alone compile it, where the work is small. It is decided once, before the
first kernel is loaded, and stands in the environment, so that processes started from here do the
same: `NOUGHTS_JIT=never`, or numba's own `NUMBA_DISABLE_JIT=1`.
"""

import os

VARIABLE = "NOUGHTS_JIT"
ALWAYS, NEVER = "always", "never"


def is_interpreted() -> bool:
    """Whether kernels are run as they are written; numba is not even loaded then."""
    disabled = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
    return disabled or os.environ.get(VARIABLE) == NEVER


def interpret() -> None:
    """From now on interpret. For the beginning of a process: what is loaded stays compiled."""
    os.environ[VARIABLE] = NEVER
