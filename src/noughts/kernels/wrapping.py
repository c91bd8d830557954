"""Arithmetic that wraps around in 64 bits: what hashes of positions are made of.

Numpy warns of it in interpreted kernels, and rightly everywhere else. So it is said where it is
meant: by these, and by kernels that are marked `wraps`.
"""

from noughts.kernels.jit import kernel


@kernel(allocates=False, inlined=True, wraps=True)
def plus(a, b):
    """a + b."""
    return a + b


@kernel(allocates=False, inlined=True, wraps=True)
def minus(a, b):
    """a - b."""
    return a - b


@kernel(allocates=False, inlined=True, wraps=True)
def times(a, b):
    """a · b."""
    return a * b
