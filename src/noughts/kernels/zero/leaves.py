"""Where a walk leaves the tree: what is proven there, which moves are left, what the network says.

A player who can win at once, or with the next move whatever is answered, is not evaluated, nor one
whose moves all let the opponent win. Moves that let the opponent win at once are proven lost; where
one move is left, the walk goes on with it, and the position after it is evaluated in place of this.
"""

from typing import Final

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.zero.folded import hidden_layer, policy_head, value_head
from noughts.kernels.zero.mini_boards import (
    LOSS,
    STATE,
    TURN,
    UNKNOWN,
    WIN,
    moves_of,
    play,
    standing,
)
from noughts.kernels.zero.nodes import LEAF, proof_from_children, set_proof
from noughts.kernels.zero.threats import (
    can_win_now,
    is_answered_by_a_win,
    winning_minis,
    wins_in_three,
)

WORST: Final = np.float32(-0.999)  # what a move may seem before its visit: better than a sure loss
MOST_MOVES: Final = 81


@kernel(allocates=False)
def _find_lost(tables, state, moves, n, out_is_lost):
    """Mark the moves that let the opponent win at once; how many are left."""
    threats = winning_minis(tables, state, 1 - state[TURN])
    left = n
    for k in range(n):
        out_is_lost[k] = threats != 0 and is_answered_by_a_win(tables, state, moves[k], threats)
        left -= out_is_lost[k]
    return left


@kernel(allocates=False)
def _add_children(tree, node, scratch, n, unseen, mover):
    """Children for n moves; the chances of lost ones go to the others."""
    first = tree.size[0]
    tree.size[0] = first + n
    tree.first[node] = first
    tree.n_children[node] = n
    alive = np.float32(0.0)
    for k in range(n):
        if not scratch.is_lost[k]:
            alive += scratch.priors[k]
    scale = np.float32(1.0) / max(np.float32(1e-6), alive)
    for k in range(n):
        child = first + k
        prior = scratch.priors[k] if scratch.is_lost[k] else scratch.priors[k] * scale
        tree.visits[child] = 0
        tree.value[child] = unseen
        tree.draws[child] = 0.0
        tree.prior[child] = prior
        tree.share[child] = prior
        tree.first[child] = LEAF
        tree.n_children[child] = 0
        tree.move[child] = scratch.moves[k]
        tree.proof[child] = UNKNOWN
        if scratch.is_lost[k]:
            set_proof(tree, child, LOSS, mover)


@kernel(allocates=False)
def _evaluate(tree, net, node, state, scratch, n, urgency):
    """Ask the network, and give the node its children; (value for the player on turn, draw)."""
    hidden_layer(net, state, scratch.sums, scratch.hidden)
    value, draw = value_head(net, scratch.hidden, scratch.middle)
    policy_head(net, state, scratch.hidden, scratch.moves, n, scratch.priors)
    tree.size[1] += 1
    value += draw * tree.draw_worth[state[TURN]]
    _add_children(tree, node, scratch, n, max(WORST, value - urgency), state[TURN])
    return value, draw


@kernel(allocates=False)
def _play_the_only_move(tree, tables, node, state, scratch, n):
    """Give the node its children, of which one is not lost, and play that one; its node."""
    only = 0
    for k in range(n):
        scratch.priors[k] = 0.0 if scratch.is_lost[k] else 1.0
        if not scratch.is_lost[k]:
            only = k
    mover = state[TURN]
    _add_children(tree, node, scratch, n, np.float32(0.0), mover)
    child = tree.first[node] + only
    result = play(tables, state, scratch.moves[only])
    if result != UNKNOWN:
        set_proof(tree, child, result, mover)
    return child


@kernel(allocates=False)
def open_leaf(tree, net, tables, path, depth, state, scratch, urgency):
    """Prove or evaluate the position at the end of a path, or what it must lead to.

    Moves that are the only ones are played on `state` and added to the path. Returns the path's
    depth, and value and chance of a draw for the player who moved into its last node.
    """
    node = path[depth]
    while tree.proof[node] == UNKNOWN:
        n = moves_of(state, scratch.moves)
        if (
            can_win_now(tables, state)
            or wins_in_three(tables, state, scratch.moves, n, scratch.ahead) >= 0
        ):
            set_proof(tree, node, LOSS, 1 - state[TURN])
            break
        left = _find_lost(tables, state, scratch.moves, n, scratch.is_lost)
        if left == 0:
            set_proof(tree, node, WIN, 1 - state[TURN])
        elif left == 1 and tree.size[0] + 2 * MOST_MOVES <= tree.visits.size:
            node = _play_the_only_move(tree, tables, node, state, scratch, n)
            depth += 1
            path[depth] = node
        else:
            value, draw = _evaluate(tree, net, node, state, scratch, n, urgency)
            return depth, -value, draw
    return depth, tree.value[node], tree.draws[node]


@kernel(allocates=False)
def open_root(tree, net, tables, node, root_state, scratch, urgency):
    """Expand the root, whatever is known about it, and prove its moves as far as can be seen."""
    if tree.first[node] != LEAF:
        return
    n = moves_of(root_state, scratch.moves)
    _find_lost(tables, root_state, scratch.moves, n, scratch.is_lost)
    value, draw = _evaluate(tree, net, node, root_state, scratch, n, urgency)
    tree.visits[node] = 1
    tree.value[node] = -value
    tree.draws[node] = draw
    first = tree.first[node]
    if not can_win_now(tables, root_state):  # the shorter win is to be played
        winner = wins_in_three(tables, root_state, scratch.moves, n, scratch.ahead)
        if winner >= 0:
            set_proof(tree, first + winner, WIN, root_state[TURN])
    known = standing(tables, root_state, root_state[TURN])  # a draw that is still to be played out
    for child in range(first, first + n):
        for i in range(STATE):
            scratch.state[i] = root_state[i]
        result = max(play(tables, scratch.state, tree.move[child]), known)
        if result != UNKNOWN:
            set_proof(tree, child, result, root_state[TURN])
    proof = proof_from_children(tree, node)
    if proof == UNKNOWN:
        proof = tree.proof[node]  # what was seen before stays true
    if proof != UNKNOWN:
        set_proof(tree, node, proof, 1 - root_state[TURN])
