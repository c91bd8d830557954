"""From a finished graph to a small proof: for each position of X the move with the least below."""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.proof.bits import count
from noughts.kernels.proof.graph import X_TURN


@kernel(allocates=False)
def count_marks(graph, out_marks):
    """How many marks each position has: children have more than their parents."""
    for node in range(out_marks.size):
        out_marks[node] = count(graph.x[node] | graph.o[node])


@kernel(allocates=False)
def choose_links(graph, order, out_size, out_link):
    """The size of the proof below each proven node, and the link that X takes there.

    `order` lists nodes so that children come before their parents. A position that several lines
    of play reach is counted each time, so sizes are too large, but they compare well.
    """
    for node in order:
        if graph.proof[node] != 0 or node == 0:
            continue
        first = graph.first[node]
        is_x = graph.turn[node] == X_TURN
        size = np.inf if is_x else 0.0
        for i in range(first, first + graph.links[node]):
            child = graph.child[i]
            if not is_x:
                size += out_size[child]
            elif graph.proof[child] == 0 and out_size[child] < size:
                size = out_size[child]
                out_link[node] = i
        out_size[node] = size + 1.0 if is_x else size
