"""Games between two folded networks, for rating one against the other.

Openings of random moves are played twice, each network having both seats. Searches have no noise
and begin anew at every move.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rng import below
from noughts.kernels.zero.mini_boards import LOSS, STATE, TURN, UNKNOWN, WIN, moves_of, play
from noughts.kernels.zero.nodes import clear_node
from noughts.kernels.zero.puct import search
from noughts.kernels.zero.selfplay import best_child, start_state


class Openings(NamedTuple):
    """Random ones."""

    plies: int
    start: NDArray[np.int32]  # [STATE] room for the position after one
    streams: NDArray[np.uint64]  # [pairs, 1]


@kernel(allocates=False)
def _search_move(tree, net, tables, scratch, budget):
    tree.size[0] = 1
    clear_node(tree, 0)
    search(tree, net, tables, 0, scratch.game, scratch, budget)
    return tree.move[best_child(tree, 0)]


@kernel(allocates=False)
def duel(tree, x_net, o_net, tables, budget, scratch, start):
    """One game; WIN when the first network, X, has won. `start` keeps the opening's state."""
    state = scratch.game
    for i in range(STATE):
        state[i] = start[i]
    result = UNKNOWN
    while result == UNKNOWN:
        if state[TURN] == 0:
            move = _search_move(tree, x_net, tables, scratch, budget)
            result = play(tables, state, move)
        else:
            move = _search_move(tree, o_net, tables, scratch, budget)
            result = play(tables, state, move)
            if result != UNKNOWN:
                result = WIN + LOSS - result
    return result


@kernel(allocates=False)
def duels(tree, net, rival, tables, budget, openings, scratch, out_tally):
    """Two games for each stream; out_tally [4] counts by the result for `net`."""
    start, streams = openings.start, openings.streams
    for pair in range(streams.shape[0]):
        start_state(start)
        for _ in range(openings.plies):
            play(tables, start, scratch.moves[below(streams[pair], moves_of(start, scratch.moves))])
        result = duel(tree, net, rival, tables, budget, scratch, start)
        out_tally[result] += 1
        result = duel(tree, rival, net, tables, budget, scratch, start)
        out_tally[WIN + LOSS - result] += 1
