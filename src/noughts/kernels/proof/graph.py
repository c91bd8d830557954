"""The graph of a proof: canonical positions, their proof and disproof numbers, and their children.

A node is a position with X or O on turn and no open three, stored once for all images under the
symmetries of the board. Node 0 stands for every position that a forced win settles. The arrays
have a fixed size: a search that fills them stops.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.proof.bits import ZERO, lowest, number_of
from noughts.kernels.proof.forced import row_of

INFINITE = np.int64(1 << 30)  # fits the arrays, and sums of it fit a word
WON = 0  # the node of all positions that are won by force
REFUTED = -1  # in place of the number of links: O has a reply that X cannot answer
X_TURN, O_TURN = 0, 1
NODE_COUNT, LINK_COUNT, DEPTH, EXPANDED, IS_FULL = 0, 1, 2, 3, 4


class Graph(NamedTuple):
    """Nodes by number, the links to their children, and a table that finds nodes."""

    x: NDArray[np.uint64]
    o: NDArray[np.uint64]
    turn: NDArray[np.int8]
    proof: NDArray[np.int32]
    disproof: NDArray[np.int32]
    first: NDArray[np.int64]  # where its links begin; -1 before it is expanded
    links: NDArray[np.int32]  # how many there are
    child: NDArray[np.int32]  # of each link
    move: NDArray[np.int8]  # the cell that each link plays first
    slots: NDArray[np.int32]  # node numbers by the hash of their positions; 0 is free
    facts: NDArray[np.int64]  # NODE_COUNT, LINK_COUNT, DEPTH, EXPANDED, IS_FULL
    path: NDArray[np.int64]  # node, proof limit and disproof limit, from the root down


@kernel(allocates=False)
def fill_images(bits, cells, images):
    """All images of a set of cells; `bits[cell, map]` is the bit that a cell moves to."""
    for i in range(images.size):
        images[i] = ZERO
    while cells != ZERO:
        bit = lowest(cells)
        cells ^= bit
        row = bits[number_of(bit)]
        for i in range(images.size):
            images[i] |= row[i]


@kernel(allocates=False)
def smallest_image(x_images, o_images, x_more, o_more):
    """The smallest pair of images when one cell, given by its images, joins each side."""
    best_x = x_images[0] | x_more[0]
    best_o = o_images[0] | o_more[0]
    for i in range(1, x_images.size):
        x = x_images[i] | x_more[i]
        if x <= best_x:
            o = o_images[i] | o_more[i]
            if x < best_x or o < best_o:
                best_x, best_o = x, o
    return best_x, best_o


@kernel(allocates=False)
def find(graph, x, o, turn):
    """(the number of a canonical position or 0, the slot where it is or belongs)."""
    mask = graph.slots.size - 1
    slot = row_of(x, o ^ np.uint64(turn), mask)
    while True:
        node = graph.slots[slot]
        if node == 0 or (graph.x[node] == x and graph.o[node] == o and graph.turn[node] == turn):
            return np.int64(node), slot
        slot = (slot + 1) & mask


@kernel(allocates=False)
def add(graph, slot, x, o, turn, proof, disproof):
    """The number of a new node, or 0 when there is no room for it."""
    node = graph.facts[NODE_COUNT]
    if node >= graph.x.size or 5 * node > 4 * graph.slots.size:  # fuller slots would be slow
        graph.facts[IS_FULL] = 1
        return 0
    graph.facts[NODE_COUNT] = node + 1
    graph.x[node], graph.o[node], graph.turn[node] = x, o, turn
    graph.proof[node], graph.disproof[node] = proof, disproof
    graph.first[node] = -1
    graph.slots[slot] = node
    return node


@kernel(allocates=False)
def link(graph, parent, child, move):
    """Add a child, unless the parent has it already."""
    first, n = graph.first[parent], graph.links[parent]
    for i in range(first, first + n):
        if graph.child[i] == child:
            return
    if first + n >= graph.child.size:
        graph.facts[IS_FULL] = 1
        return
    graph.child[first + n] = child
    graph.move[first + n] = move
    graph.links[parent] = n + 1
    graph.facts[LINK_COUNT] = first + n + 1


@kernel(allocates=False)
def index(graph):
    """Fill the slots from the nodes, after these have been read from a file."""
    for node in range(1, graph.facts[NODE_COUNT]):
        _, slot = find(graph, graph.x[node], graph.o[node], graph.turn[node])
        graph.slots[slot] = node
