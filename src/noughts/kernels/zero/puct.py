"""PUCT over trees in arrays, for Ultimate with a folded network.

A simulation walks from the root, at each node on the move that maximises

    value + c · prior · sqrt(visits of the node) / (1 + visits of the child)

until it meets a position that was not evaluated yet; the network scores that one, and its value is
averaged into every node of the walk. (Silver et al., "Mastering the game of Go without human
knowledge", 2017.) A child that was never visited counts as its parent's evaluation less `urgency`.

A node's value and proof are those of the player who *moved into* it, so a parent compares its
children as they stand. Proofs go up: one move that wins wins; when all moves are proven the best
of them is the truth. Proven nodes are never searched again, lost moves never selected, and a
player who can win at once is not evaluated at all.
"""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.zero.boards import (
    DRAW,
    LOSS,
    STATE,
    TURN,
    UNKNOWN,
    WIN,
    can_win_now,
    is_answered_by_a_win,
    moves_of,
    play,
    standing,
    winning_minis,
)
from noughts.kernels.zero.folded import hidden_layer, policy_head, value_head

LEAF: Final = 0  # in `first`: not expanded; the pool's node 0 is never a child
DEEPEST: Final = 96  # no game has more moves
WORST: Final = np.float32(-0.999)  # what a move may seem before its visit: better than a sure loss


class PuctTree(NamedTuple):
    """A pool of nodes. The children of a node are first .. first + n_children - 1."""

    size: NDArray[np.int64]  # [3] nodes in use; evaluations; deepest walk
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

    state: NDArray[np.int32]  # [STATE]
    sums: NDArray[np.int16]  # [H]
    hidden: NDArray[np.float32]  # [H]
    middle: NDArray[np.float32]  # [K]
    moves: NDArray[np.int16]  # [81]
    priors: NDArray[np.float32]  # [81]
    path: NDArray[np.int64]  # [DEEPEST]


@kernel(inline="always", allocates=False)
def clear_node(tree, node):
    """A node that nothing is known about."""
    tree.visits[node] = 0
    tree.value[node] = 0.0
    tree.draws[node] = 0.0
    tree.first[node] = LEAF
    tree.n_children[node] = 0
    tree.proof[node] = UNKNOWN


@kernel(allocates=False)
def _expand(tree, net, tables, node, state, scratch, urgency):
    """Evaluate the position of a node and give it children; (value for the mover, draw)."""
    hidden_layer(net, state, scratch.sums, scratch.hidden)
    value, draw = value_head(net, scratch.hidden, scratch.middle)
    tree.size[1] += 1
    n = moves_of(state, scratch.moves)
    policy_head(net, state, scratch.hidden, scratch.moves, n, scratch.priors)
    first = tree.size[0]
    tree.size[0] = first + n
    tree.first[node] = first
    tree.n_children[node] = n
    unseen = max(WORST, value - urgency)
    for k in range(n):
        child = first + k
        tree.visits[child] = 0
        tree.value[child] = unseen
        tree.draws[child] = 0.0
        tree.prior[child] = scratch.priors[k]
        tree.share[child] = scratch.priors[k]
        tree.first[child] = LEAF
        tree.n_children[child] = 0
        tree.move[child] = scratch.moves[k]
        tree.proof[child] = UNKNOWN
    return value, draw


@kernel(allocates=False)
def _mark_lost(tree, tables, node, state):
    """Prove the moves lost that let the opponent win at once; their chances go to the others.

    A move that decides its mini board is left alone: the game may be over before the answer.
    """
    me = state[TURN]
    threats = winning_minis(tables, state, 1 - me)
    if threats == 0:
        return False
    first = tree.first[node]
    lost = np.float32(0.0)
    for child in range(first, first + tree.n_children[node]):
        if is_answered_by_a_win(tables, state, tree.move[child], threats):
            lost += tree.prior[child]
            _set_proof(tree, child, LOSS)
    if lost == 0.0:
        return False
    scale = np.float32(1.0) / max(np.float32(1e-6), np.float32(1.0) - lost)
    for child in range(first, first + tree.n_children[node]):
        if tree.proof[child] == UNKNOWN:
            tree.prior[child] *= scale
            tree.share[child] = tree.prior[child]
    return True


@kernel(inline="always", allocates=False)
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


@kernel(inline="always", allocates=False)
def _set_proof(tree, node, proof):
    tree.proof[node] = proof
    tree.draws[node] = 0.0
    if proof == WIN:
        tree.value[node] = 1.0
    elif proof == DRAW:
        tree.value[node] = 0.0
        tree.draws[node] = 1.0
    else:
        tree.value[node] = -1.0
        tree.share[node] = 0.0


@kernel(allocates=False)
def _proof_from_children(tree, node):
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
def open_root(tree, net, tables, node, root_state, scratch, urgency):
    """Expand the root, whatever is known about it, and mark its moves that win at once."""
    if tree.first[node] != LEAF:
        return
    value, draw = _expand(tree, net, tables, node, root_state, scratch, urgency)
    tree.visits[node] = 1
    tree.value[node] = -value
    tree.draws[node] = draw
    _mark_lost(tree, tables, node, root_state)
    known = standing(tables, root_state, root_state[TURN])  # a draw that is still to be played out
    first = tree.first[node]
    for child in range(first, first + tree.n_children[node]):
        for i in range(STATE):
            scratch.state[i] = root_state[i]
        result = max(play(tables, scratch.state, tree.move[child]), known)
        if result != UNKNOWN:
            _set_proof(tree, child, result)
    proof = _proof_from_children(tree, node)
    if proof != UNKNOWN:
        _set_proof(tree, node, proof)


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
    while tree.first[node] != LEAF and (tree.proof[node] == UNKNOWN or depth == 0):
        node = _select(tree, node, exploration)
        depth += 1
        path[depth] = node
        if tree.proof[node] != UNKNOWN:
            break
        result = play(tables, state, tree.move[node])
        if result != UNKNOWN:
            _set_proof(tree, node, result)
            break
    tree.size[2] = max(tree.size[2], depth)
    value = np.float32(0.0)
    draw = np.float32(0.0)
    is_new_proof = False
    if tree.proof[node] == UNKNOWN:
        if can_win_now(tables, state):
            _set_proof(tree, node, LOSS)
        else:
            value, draw = _expand(tree, net, tables, node, state, scratch, urgency)
            value = -value
            if _mark_lost(tree, tables, node, state):
                proof = _proof_from_children(tree, node)
                if proof != UNKNOWN:
                    _set_proof(tree, node, proof)
    if tree.proof[node] != UNKNOWN:
        value, draw = tree.value[node], tree.draws[node]
        is_new_proof = True
    _back_up(tree, path, depth, value, draw, is_new_proof)


@kernel(allocates=False)
def _back_up(tree, path, depth, value, draw, has_proof):
    """Average a value into the nodes of a walk, from the last to the root; carry proofs along."""
    for step in range(depth, -1, -1):
        node = path[step]
        tree.visits[node] += 1
        n = tree.visits[node]
        if has_proof and step < depth and tree.proof[node] == UNKNOWN:
            proof = _proof_from_children(tree, node)
            if proof == UNKNOWN:
                has_proof = False
            else:
                _set_proof(tree, node, proof)
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
def search(tree, net, tables, root, root_state, scratch, exploration, urgency, visits, most):
    """Simulate until the root has so many visits, is proven, or the pool is full.

    At most `most` simulations; how many there were.
    """
    open_root(tree, net, tables, root, root_state, scratch, urgency)
    room = tree.visits.size - 81
    done = 0
    while (
        done < most
        and tree.visits[root] < visits
        and tree.proof[root] == UNKNOWN
        and tree.size[0] <= room
    ):
        simulate(tree, net, tables, root, root_state, scratch, exploration, urgency)
        done += 1
    return done


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


@kernel(inline="always", allocates=False)
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
