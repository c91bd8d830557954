"""A transposition table: bounds on the scores of positions that were searched before.

Two arrays of a power of two of entries, `keys` and `data`. An entry packs score, move, depth and
bound into one int64, never 0. Wins and losses are stored with their distance from the position
itself, not from the root, so that they are right wherever the position comes up again.
"""

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.mode import is_interpreted
from noughts.kernels.rules.protocol import WIN

DECIDED = WIN - 1024  # scores beyond this are wins or losses with their distance
MOST_MOVES = 4095  # a move beyond them is not remembered
ENDLESS = 900  # the depth of an entry that holds at every depth

# How sure a score is: proven; a proven win or loss whose distance is not; estimated.
SURE, SURE_OF_RESULT, UNSURE = 0, 1, 2

LOOK = 15 if is_interpreted() else 1023  # nodes, a mask: then a search asks whether to stop

LOWER, UPPER, EXACT = 1, 2, 3
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_DEPTH_ZERO = 100  # depths are stored shifted, because chains of threats have negative ones


@kernel(allocates=False, wraps=True)
def _slot(keys, key):
    return np.int64((key * _GOLDEN) >> np.uint64(20)) & (keys.size - 2)


def slots_of(keys: NDArray[np.uint64], size: int) -> NDArray[np.int64]:
    """The first slot of each key in a table of this size."""
    return ((keys * _GOLDEN) >> np.uint64(20)).astype(np.int64) & (size - 2)


@kernel(allocates=False)
def probe(keys, data, key):
    """The slot of a position, or -1."""
    slot = _slot(keys, key)
    if keys[slot] == key and data[slot] != 0:
        return slot
    if keys[slot + 1] == key and data[slot + 1] != 0:
        return slot + 1
    return np.int64(-1)


@kernel(allocates=False)
def store(keys, data, key, score, ply, depth, bound, move):
    """Keep an entry and say where: the first of two slots prefers depth, the second takes all."""
    if score > DECIDED:
        score += ply
    elif score < -DECIDED:
        score -= ply
    if move >= MOST_MOVES:
        move = -1
    entry = ((score * 4096 + (move + 1)) * 1024 + (depth + _DEPTH_ZERO)) * 4 + bound
    slot = _slot(keys, key)
    kept_depth = ((data[slot] >> 2) & 1023) - _DEPTH_ZERO
    if data[slot] != 0 and keys[slot] != key and kept_depth > depth:
        slot += 1
    keys[slot] = key
    data[slot] = entry
    return slot


@kernel(allocates=False)
def unpack(entry, ply):
    """(score, move, depth, bound) of an entry, its distance counted from the root again."""
    score = entry >> 24
    if score > DECIDED:
        score -= ply
    elif score < -DECIDED:
        score += ply
    return score, ((entry >> 12) & 4095) - 1, ((entry >> 2) & 1023) - _DEPTH_ZERO, entry & 3


@kernel(allocates=False)
def settles(score, kept_depth, bound, depth, alpha, beta):
    """True when an entry answers a search of this depth and window.

    A win is a lower bound at every depth, and a loss an upper one.
    """
    is_deep = kept_depth >= depth
    if bound == EXACT and is_deep:
        return True
    if bound & LOWER and score >= beta and (is_deep or score > DECIDED):
        return True
    return bound & UPPER != 0 and score <= alpha and (is_deep or score < -DECIDED)


@kernel(allocates=False)
def sureness(score, doubt):
    """How sure a score is, given the most doubtful of those it was made from."""
    if abs(score) > DECIDED:
        return min(doubt, SURE_OF_RESULT)
    return UNSURE if doubt == UNSURE else SURE


@kernel(allocates=False)
def pick(moves, scores, start, n):
    """Bring the most promising of the moves that are left to the front."""
    best = start
    for i in range(start + 1, n):
        if scores[i] > scores[best]:
            best = i
    moves[start], moves[best] = moves[best], moves[start]
    scores[start], scores[best] = scores[best], scores[start]
    return moves[start]
