"""The roots of a forest: a new one, the next one when the game goes on, and what is known there."""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.zero.lockstep import NONE, ROOT, UNSEEN, mean_value


@kernel(allocates=False)
def plant(forest, game, state, turn):
    """Forget a game's tree; its root is a running position that was not looked at yet."""
    forest.size[game, 0] = 1
    forest.size[game, 1] = 0
    for i in range(state.size):
        forest.state[game, ROOT, i] = state[i]
    forest.turn[game, ROOT] = turn
    forest.visits[game, ROOT] = 0
    forest.total[game, ROOT] = UNSEEN
    forest.is_exact[game, ROOT] = False
    forest.n_edges[game, ROOT] = 0
    forest.first_edge[game, ROOT] = 0
    forest.parent[game, ROOT] = NONE
    forest.parent_edge[game, ROOT] = NONE
    forest.landing[game, ROOT] = 0
    forest.next_outcome[game, ROOT] = NONE


@kernel(allocates=False)
def _is_state(forest, game, node, state):
    for i in range(state.size):
        if forest.state[game, node, i] != state[i]:
            return False
    return True


@kernel(allocates=False)
def find_after(forest, game, node, move, state, turn):
    """The node with this state that a move of `node` leads to, or NONE."""
    first = forest.first_edge[game, node]
    for edge in range(first, first + forest.n_edges[game, node]):
        if forest.move[game, edge] != move:
            continue
        for i in range(forest.outcome.shape[2]):
            child = np.int64(forest.outcome[game, edge, i])
            while child != NONE:
                if forest.turn[game, child] == turn and _is_state(forest, game, child, state):
                    return child
                child = np.int64(forest.next_outcome[game, child])
    return NONE


@kernel(allocates=False)
def _move_node(forest, game, old, new, renamed):
    for i in range(forest.state.shape[2]):
        forest.state[game, new, i] = forest.state[game, old, i]
    forest.turn[game, new] = forest.turn[game, old]
    forest.visits[game, new] = forest.visits[game, old]
    forest.total[game, new] = forest.total[game, old]
    forest.is_exact[game, new] = forest.is_exact[game, old]
    forest.landing[game, new] = forest.landing[game, old]
    forest.n_edges[game, new] = forest.n_edges[game, old]
    forest.next_outcome[game, new] = NONE
    if new == ROOT:
        forest.parent[game, ROOT] = NONE
        forest.parent_edge[game, ROOT] = NONE
        return
    parent = renamed[forest.parent[game, old]]
    # Edges keep their order, so that this one's number among its node's still counts.
    forest.parent[game, new] = parent
    edge = forest.first_edge[game, parent] + forest.parent_edge[game, old]
    landing = forest.landing[game, new]
    forest.parent_edge[game, new] = edge
    forest.next_outcome[game, new] = forest.outcome[game, edge, landing]
    forest.outcome[game, edge, landing] = new


@kernel(allocates=False)
def _move_edges(forest, game, old_first, new_first, n, is_risky):
    for i in range(n):
        old, new = old_first + i, new_first + i
        forest.move[game, new] = forest.move[game, old]
        forest.prior[game, new] = forest.prior[game, old]
        forest.edge_visits[game, new] = forest.edge_visits[game, old]
        forest.edge_total[game, new] = forest.edge_total[game, old]
        forest.edge_value[game, new] = forest.edge_value[game, old]
        forest.edge_exact[game, new] = forest.edge_exact[game, old]
        for j in range(forest.outcome.shape[2]):
            forest.outcome[game, new, j] = NONE
            if is_risky:
                forest.chance[game, new, j] = forest.chance[game, old, j]
                forest.landing_visits[game, new, j] = forest.landing_visits[game, old, j]
                forest.landing_total[game, new, j] = forest.landing_total[game, old, j]


@kernel()
def keep_subtree(forest, game, root, is_risky):
    """Make a node the root and drop all that is not below it, in place.

    Ids ascend from parent to child, so every node and edge moves to a place that is free by then.
    """
    size = forest.size[game, 0]
    renamed = np.full(size, NONE)
    for node in range(root + 1, size):  # an edge by its number among its node's
        parent = forest.parent[game, node]
        forest.parent_edge[game, node] -= forest.first_edge[game, parent]
    nodes = edges = 0
    for old in range(root, size):
        if old != root and renamed[forest.parent[game, old]] == NONE:
            continue
        renamed[old] = nodes
        _move_node(forest, game, old, nodes, renamed)
        n = forest.n_edges[game, nodes]
        _move_edges(forest, game, forest.first_edge[game, old], edges, n, is_risky)
        forest.first_edge[game, nodes] = edges
        nodes += 1
        edges += n
    forest.size[game, 0] = nodes
    forest.size[game, 1] = edges


@kernel(allocates=False)
def read_roots(forest, games, out_moves, out_visits, out_values, out_exact, out_priors, out_root):
    """The moves of some games' roots, padded with NONE; values for X.

    `out_root` [games, 3]: the value of the root for X, whether it is exact, how many moves it has.
    """
    for k in range(games.size):
        game = games[k]
        first, n = forest.first_edge[game, ROOT], forest.n_edges[game, ROOT]
        for i in range(n):
            edge = first + i
            out_moves[k, i] = forest.move[game, edge]
            out_visits[k, i] = forest.edge_visits[game, edge]
            out_values[k, i] = forest.edge_value[game, edge]
            out_exact[k, i] = forest.edge_exact[game, edge]
            out_priors[k, i] = forest.prior[game, edge]
        out_root[k, 0] = mean_value(forest, game, ROOT)
        out_root[k, 1] = forest.is_exact[game, ROOT]
        out_root[k, 2] = n
