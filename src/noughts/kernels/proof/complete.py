"""A complete search for forced wins, for checkers and players: plain, and sure of both answers.

It shares nothing with the prover. A board is two words and its lines are words; a line is looked at
by counting. X is on turn in a position and plays nothing but threes:

    who can complete a line wins; who must block blocks, and the block has to be a three;
    otherwise every cell that makes a three is tried, and the reply to it is the only one.

`win_length` is 0 when no sequence of threes wins, whatever their order. Otherwise it is how many
moves the sequence takes that was found first, X's last one included.
"""

import numpy as np

from noughts.kernels.jit import kernel

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_S32 = np.uint64(32)


@kernel(allocates=False)
def completing(lines, own, other):
    """The empty cells that complete a line of `own`."""
    found = _ZERO
    for line in lines:
        if line & other == _ZERO:
            missing = line & ~own
            if missing & (missing - _ONE) == _ZERO:
                found |= missing
    return found


@kernel(allocates=False)
def _making_threes(lines, own, other):
    """The empty cells that leave a line of `own` with one cell to fill."""
    found = _ZERO
    for line in lines:
        if line & other == _ZERO:
            missing = line & ~own
            rest = missing & (missing - _ONE)
            if rest != _ZERO and rest & (rest - _ONE) == _ZERO:
                found |= missing
    return found


@kernel(allocates=False, inlined=True, wraps=True)
def _row(own, other, rows):
    word = (own ^ (other * _MIX)) * _MIX
    word ^= word >> _S32
    word *= _MIX
    return np.int64((word >> _S32) & np.uint64(rows - 1))


@kernel(allocates=False)
def win_length(lines, own, other, memory):
    """The moves of a win by threes of `own`, who is on turn, or 0 if there is none.

    `memory` holds own cells, other cells and the answer in each row; a power of two of rows.
    """
    if completing(lines, own, other) != _ZERO:
        return 1
    row = _row(own, other, memory.shape[0])
    if memory[row, 0] == own and memory[row, 1] == other:
        return np.int64(memory[row, 2])
    against = completing(lines, other, own)
    tries = _making_threes(lines, own, other)
    if against != _ZERO:
        tries = tries & against if against & (against - _ONE) == _ZERO else _ZERO
    length = 0
    while tries != _ZERO and length == 0:
        cell = tries & (~tries + _ONE)
        tries ^= cell
        replies = completing(lines, own | cell, other)
        if replies & (replies - _ONE) != _ZERO:
            length = 3
        else:
            deeper = win_length(lines, own | cell, other | replies, memory)
            if deeper > 0:
                length = deeper + 2
    memory[row, 0] = own
    memory[row, 1] = other
    memory[row, 2] = np.uint64(length)
    return length


@kernel(allocates=False)
def unanswered(lines, cells, x, o, memory, out_replies, out_facts):
    """The replies of O after which X has no forced win; how many, or -1 if O completes a line.

    O is on turn and tries every empty cell. `out_facts` receives the replies tried and the most
    marks on the board at the end of a forced win.
    """
    if completing(lines, o, x) != _ZERO:
        return -1
    n = 0
    marks = 0
    for cell in range(cells):
        if ((x | o) >> np.uint64(cell)) & _ONE != _ZERO:
            marks += 1
    for cell in range(cells):
        bit = _ONE << np.uint64(cell)
        if (x | o) & bit != _ZERO:
            continue
        out_facts[0] += 1
        length = win_length(lines, x, o | bit, memory)
        if length == 0:
            out_replies[n] = cell
            n += 1
        else:
            out_facts[1] = max(out_facts[1], marks + 1 + length)
    return n


@kernel(allocates=False)
def win_lengths(lines, own, other, memory, out_lengths):
    """`win_length` of many positions."""
    for i in range(own.size):
        out_lengths[i] = win_length(lines, own[i], other[i], memory)
