"""Trees in arrays: a pool of nodes, what is proven of them, and how a part of one is kept.

A node's value and proof are those of the player who *moved into* it, so a parent compares its
children as they stand.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.zero.mini_boards import DRAW, LOSS, UNKNOWN, WIN

LEAF: Final = 0  # in `first`: not expanded; the pool's node 0 is never a child
DEEPEST: Final = 96  # no game has more moves


class PuctTree(NamedTuple):
    """A pool of nodes. The children of a node are first .. first + n_children - 1."""

    size: NDArray[np.int64]  # [3] nodes in use; evaluations; deepest walk
    draw_worth: NDArray[np.float32]  # [2] what a draw counts for X and for O: 0, or contempt
    visits: NDArray[np.int32]  # [nodes]
    value: NDArray[np.float32]  # [nodes] mean for the player who moved here
    draws: NDArray[np.float32]  # [nodes] mean chance of a draw
    prior: NDArray[np.float32]  # [nodes]
    share: NDArray[np.float32]  # [nodes] prior / (1 + visits), 0 for a lost move
    first: NDArray[np.int32]  # [nodes]
    n_children: NDArray[np.int16]  # [nodes]
    move: NDArray[np.int16]  # [nodes]
    proof: NDArray[np.int8]  # [nodes] UNKNOWN, or the result for the player who moved here


class Scratch(NamedTuple):
    """Room that a search needs once."""

    game: NDArray[np.int32]  # [STATE] that is played
    state: NDArray[np.int32]  # [STATE]
    sums: NDArray[np.int16]  # [H]
    hidden: NDArray[np.float32]  # [H]
    middle: NDArray[np.float32]  # [K]
    ahead: NDArray[np.int32]  # [2, STATE]
    moves: NDArray[np.int16]  # [81]
    is_lost: NDArray[np.bool_]  # [81]
    priors: NDArray[np.float32]  # [81]
    path: NDArray[np.int64]  # [DEEPEST]


@kernel(allocates=False, inlined=True)
def clear_node(tree, node):
    """A node that nothing is known about."""
    tree.visits[node] = 0
    tree.value[node] = 0.0
    tree.draws[node] = 0.0
    tree.first[node] = LEAF
    tree.n_children[node] = 0
    tree.proof[node] = UNKNOWN


@kernel(allocates=False, inlined=True)
def set_proof(tree, node, proof, mover):
    """What is proven for the player, 0 or 1, who moved into the node."""
    tree.proof[node] = proof
    tree.draws[node] = 0.0
    if proof == WIN:
        tree.value[node] = 1.0
    elif proof == DRAW:
        tree.value[node] = tree.draw_worth[mover]
        tree.draws[node] = 1.0
    else:
        tree.value[node] = -1.0
        tree.share[node] = 0.0


@kernel(allocates=False)
def proof_from_children(tree, node):
    """What is proven of a node, for the player who moved into it."""
    best = LOSS
    first = tree.first[node]
    for child in range(first, first + tree.n_children[node]):
        proof = tree.proof[child]
        if proof == WIN:
            return LOSS
        if proof == UNKNOWN:
            best = UNKNOWN
        elif proof == DRAW and best == LOSS:
            best = DRAW
    return WIN if best == LOSS else best


@kernel(allocates=False)
def keep_subtree(tree, root, out_tree, queue):
    """Copy what is below a node into an empty pool, whose root is node 0; `queue` [nodes]."""
    _copy_node(tree, root, out_tree, 0)
    queue[0] = root
    size = 1
    at = 0
    while at < size:
        old = queue[at]
        if tree.first[old] != LEAF:
            out_tree.first[at] = size
            out_tree.n_children[at] = tree.n_children[old]
            for child in range(tree.first[old], tree.first[old] + tree.n_children[old]):
                _copy_node(tree, child, out_tree, size)
                queue[size] = child
                size += 1
        at += 1
    out_tree.size[0] = size


@kernel(allocates=False, inlined=True)
def _copy_node(tree, node, out_tree, at):
    out_tree.visits[at] = tree.visits[node]
    out_tree.value[at] = tree.value[node]
    out_tree.draws[at] = tree.draws[node]
    out_tree.prior[at] = tree.prior[node]
    out_tree.share[at] = tree.share[node]
    out_tree.move[at] = tree.move[node]
    out_tree.proof[at] = tree.proof[node]
    out_tree.first[at] = LEAF
    out_tree.n_children[at] = 0
