"""The roots of a forest: a new one, the next one when the game goes on, and what is known there."""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.search.forest import NONE, ROOT, begin_node, for_seat, mean_value


@kernel(allocates=False)
def plant(forest, game, row):
    """Forget a game's tree; its root is a running position that was not looked at yet."""
    forest.size[game, 0] = 1
    forest.size[game, 1] = 0
    for i in range(row.size):
        forest.row[game, ROOT, i] = row[i]
    begin_node(forest, game, ROOT, NONE, NONE, 0)
    forest.next_outcome[game, ROOT] = NONE


@kernel(allocates=False)
def _is_row(forest, game, node, row):
    for i in range(row.size):
        if forest.row[game, node, i] != row[i]:
            return False
    return True


@kernel(allocates=False)
def find_after(forest, game, node, move, row):
    """The node with this row that a move of `node` leads to, or NONE."""
    first = forest.first_edge[game, node]
    for edge in range(first, first + forest.n_edges[game, node]):
        if forest.move[game, edge] != move:
            continue
        for i in range(forest.outcome.shape[2]):
            child = np.int64(forest.outcome[game, edge, i])
            while child != NONE:
                if _is_row(forest, game, child, row):
                    return child
                child = np.int64(forest.next_outcome[game, child])
    return NONE


@kernel(allocates=False)
def _move_node(forest, game, old, new, renamed):
    for i in range(forest.row.shape[2]):
        forest.row[game, new, i] = forest.row[game, old, i]
    forest.turn[game, new] = forest.turn[game, old]
    forest.visits[game, new] = forest.visits[game, old]
    for k in range(forest.value.size):
        forest.total[game, new, k] = forest.total[game, old, k]
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
def _move_edges(forest, game, old_first, new_first, n):
    for i in range(n):
        old, new = old_first + i, new_first + i
        forest.move[game, new] = forest.move[game, old]
        forest.prior[game, new] = forest.prior[game, old]
        forest.edge_visits[game, new] = forest.edge_visits[game, old]
        for k in range(forest.value.size):
            forest.edge_total[game, new, k] = forest.edge_total[game, old, k]
            forest.edge_value[game, new, k] = forest.edge_value[game, old, k]
        forest.edge_exact[game, new] = forest.edge_exact[game, old]
        for j in range(forest.outcome.shape[2]):
            forest.outcome[game, new, j] = NONE
            if forest.outcome.shape[2] > 1:
                forest.chance[game, new, j] = forest.chance[game, old, j]
                forest.landing_visits[game, new, j] = forest.landing_visits[game, old, j]
                for k in range(forest.value.size):
                    forest.landing_total[game, new, j, k] = forest.landing_total[game, old, j, k]


@kernel()
def keep_subtree(forest, game, root):
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
        _move_edges(forest, game, forest.first_edge[game, old], edges, n)
        forest.first_edge[game, nodes] = edges
        nodes += 1
        edges += n
    forest.size[game, 0] = nodes
    forest.size[game, 1] = edges


@kernel(allocates=False)
def read_roots(forest, games, out_moves, out_visits, out_values, out_exact, out_priors, out_root):
    """The moves of some games' roots, padded with NONE; values for whoever is on turn there.

    `out_root` [games, 3]: the value of the root, whether it is exact, how many moves it has.
    """
    for k in range(games.size):
        game = games[k]
        first, n = forest.first_edge[game, ROOT], forest.n_edges[game, ROOT]
        seat = np.int64(forest.turn[game, ROOT])
        for i in range(n):
            edge = first + i
            out_moves[k, i] = forest.move[game, edge]
            out_visits[k, i] = forest.edge_visits[game, edge]
            out_values[k, i] = for_seat(forest.edge_value, game, edge, seat)
            out_exact[k, i] = forest.edge_exact[game, edge]
            out_priors[k, i] = forest.prior[game, edge]
        out_root[k, 0] = mean_value(forest, game, ROOT, seat)
        out_root[k, 1] = forest.is_exact[game, ROOT]
        out_root[k, 2] = n
