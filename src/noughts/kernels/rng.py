"""Random numbers inside kernels: splitmix64, one uint64 of state in an array of length one.

The generator is written out, not numba's, so that a seed gives the same stream with the JIT on and
off, on every platform and in every version. Reference: Steele, Lea and Flood, "Fast splittable
pseudorandom number generators", OOPSLA 2014.
"""

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32, _S11 = (np.uint64(s) for s in (27, 30, 31, 32, 11))
_UNIT = 1.0 / (1 << 53)


def seeded(seed: int, index: int = 0) -> NDArray[np.uint64]:
    """The state of stream `index` of `seed`; streams of one seed are independent."""
    words = np.random.SeedSequence([seed, index]).generate_state(1, np.uint64)
    return np.array(words, dtype=np.uint64)


@kernel(allocates=False, inlined=True, wraps=True)
def next_word(rng):
    """The next 64 random bits."""
    rng[0] += _GOLDEN
    z = rng[0]
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@kernel(allocates=False, inlined=True)
def below(rng, n):
    """A whole number in 0..n-1, for n below 2^31 (bias below n / 2^32)."""
    return np.int64(((next_word(rng) >> _S32) * np.uint64(n)) >> _S32)


@kernel(allocates=False, inlined=True)
def uniform(rng):
    """A float in [0, 1)."""
    return np.float64(next_word(rng) >> _S11) * _UNIT
