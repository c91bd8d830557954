"""PUCT over trees in arrays, for Ultimate with a folded network.

A simulation walks from the root, at each node on the move that maximises

    value + c · prior · sqrt(visits of the node) / (1 + visits of the child)

until it leaves the tree; what is proven there, or what the network says (`leaves.py`), is averaged
into every node of the walk. (Silver et al., "Mastering the game of Go without human knowledge",
2017.) A child that was never visited counts as its parent's evaluation less `urgency`.

Proofs go up: one move that wins wins; when all moves are proven the best of them is the truth.
Nothing is searched below a proven node, and lost moves are never selected.

A draw counts 0, or, where a player has contempt for it, a little less for him and as much more for
the other.
"""

import math
from typing import NamedTuple

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.zero.leaves import MOST_MOVES, open_leaf, open_root
from noughts.kernels.zero.mini_boards import LOSS, STATE, TURN, UNKNOWN, play
from noughts.kernels.zero.nodes import LEAF, proof_from_children, set_proof


class Budget(NamedTuple):
    """How a search goes, and when it ends."""

    exploration: float
    urgency: float
    visits: int  # of the root
    most: int  # simulations


@kernel(allocates=False, inlined=True)
def _select(tree, node, exploration):
    weight = np.float32(exploration * math.sqrt(tree.visits[node]))
    first = tree.first[node]
    best = first
    most = tree.value[first] + weight * tree.share[first]
    for child in range(first + 1, first + tree.n_children[node]):
        score = tree.value[child] + weight * tree.share[child]
        if score > most:
            most = score
            best = child
    return best


@kernel(allocates=False)
def simulate(tree, net, tables, root, root_state, scratch, exploration, urgency):
    """One walk from an expanded root that is not proven."""
    state = scratch.state
    for i in range(STATE):
        state[i] = root_state[i]
    path = scratch.path
    path[0] = root
    depth = 0
    node = root
    while tree.first[node] != LEAF:
        node = _select(tree, node, exploration)
        depth += 1
        path[depth] = node
        if tree.proof[node] != UNKNOWN:
            break
        result = play(tables, state, tree.move[node])
        if result != UNKNOWN:
            set_proof(tree, node, result, 1 - state[TURN])
            break
    depth, value, draw = open_leaf(tree, net, tables, path, depth, state, scratch, urgency)
    tree.size[2] = max(tree.size[2], depth)
    _back_up(tree, path, depth, value, draw, root_state[TURN])


@kernel(allocates=False)
def _back_up(tree, path, depth, value, draw, turn):
    """Average a value into the nodes of a walk, from the last to the root; carry proofs along.

    `turn` is who moves at the root.
    """
    has_proof = tree.proof[path[depth]] != UNKNOWN
    for step in range(depth, -1, -1):
        node = path[step]
        tree.visits[node] += 1
        n = tree.visits[node]
        if has_proof and step < depth and tree.proof[node] == UNKNOWN:
            proof = proof_from_children(tree, node)
            if proof == UNKNOWN:
                has_proof = False
            else:
                set_proof(tree, node, proof, (turn + step + 1) % 2)
                value, draw = tree.value[node], tree.draws[node]
        if tree.proof[node] == UNKNOWN:
            weight = np.float32(1.0) / np.float32(n)
            if n == 1:  # what stood there was its urgency
                tree.value[node] = value
                tree.draws[node] = draw
            else:
                tree.value[node] += (value - tree.value[node]) * weight
                tree.draws[node] += (draw - tree.draws[node]) * weight
        if tree.proof[node] != LOSS:
            tree.share[node] = tree.prior[node] / np.float32(1 + n)
        value = -value


@kernel(allocates=False)
def search(tree, net, tables, root, root_state, scratch, budget):
    """Simulate until the root has so many visits, is proven, or the pool is full.

    At most `budget.most` simulations; how many there were.
    """
    open_root(tree, net, tables, root, root_state, scratch, budget.urgency)
    room = tree.visits.size - MOST_MOVES
    done = 0
    while (
        done < budget.most
        and tree.visits[root] < budget.visits
        and tree.proof[root] == UNKNOWN
        and tree.size[0] <= room
    ):
        simulate(tree, net, tables, root, root_state, scratch, budget.exploration, budget.urgency)
        done += 1
    return done
