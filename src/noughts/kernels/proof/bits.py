"""Sets of up to 64 cells, or of up to 64 lines, as the bits of a word.

Every operand is unsigned: numba turns a mix of signed and unsigned 64-bit numbers into floats.
"""

import numpy as np

from noughts.kernels.jit import kernel

ZERO, ONE = np.uint64(0), np.uint64(1)

_DEBRUIJN = np.uint64(0x03F79D71B4CB0A89)
_PLACE = np.zeros(64, np.int64)
for _bit in range(64):
    _PLACE[(int(_DEBRUIJN) << _bit & (1 << 64) - 1) >> 58] = _bit

_S1, _S2, _S4, _S56, _S58 = (np.uint64(s) for s in (1, 2, 4, 56, 58))
_M1, _M2, _M4, _SUM = (
    np.uint64(m)
    for m in (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F, 0x0101010101010101)
)


@kernel(allocates=False, inlined=True)
def lowest(word):
    """The lowest bit of a word that is not zero, alone."""
    return word & (~word + ONE)


@kernel(allocates=False, inlined=True)
def number_of(bit):
    """The number of a single bit."""
    return _PLACE[(bit * _DEBRUIJN) >> _S58]


@kernel(allocates=False, inlined=True)
def bit_of(cell):
    """The bit of a number."""
    return ONE << np.uint64(cell)


@kernel(allocates=False, inlined=True)
def count(word):
    """How many bits are set."""
    word = word - ((word >> _S1) & _M1)
    word = (word & _M2) + ((word >> _S2) & _M2)
    word = (word + (word >> _S4)) & _M4
    return np.int64((word * _SUM) >> _S56)
