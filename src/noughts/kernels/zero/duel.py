"""Games between two folded networks, for rating one against the other.

Openings of random moves are played twice, each network having both seats. Searches have no noise
and begin anew at every move.
"""

from noughts.kernels.jit import kernel
from noughts.kernels.rng import below
from noughts.kernels.zero.boards import LOSS, STATE, TURN, UNKNOWN, WIN, moves_of, play
from noughts.kernels.zero.nodes import clear_node
from noughts.kernels.zero.puct import search
from noughts.kernels.zero.selfplay import best_child, start_state


@kernel(allocates=False)
def _search_move(tree, net, tables, state, scratch, exploration, urgency, visits):
    tree.size[0] = 1
    clear_node(tree, 0)
    search(tree, net, tables, 0, state, scratch, exploration, urgency, visits, visits)
    return tree.move[best_child(tree, 0)]


@kernel(allocates=False)
def duel(tree, x_net, o_net, tables, visits, exploration, urgency, state, scratch, start):
    """One game; WIN when the first network, X, has won. `start` keeps the opening's state."""
    for i in range(STATE):
        state[i] = start[i]
    result = UNKNOWN
    while result == UNKNOWN:
        if state[TURN] == 0:
            move = _search_move(tree, x_net, tables, state, scratch, exploration, urgency, visits)
            result = play(tables, state, move)
        else:
            move = _search_move(tree, o_net, tables, state, scratch, exploration, urgency, visits)
            result = play(tables, state, move)
            if result != UNKNOWN:
                result = WIN + LOSS - result
    return result


@kernel(allocates=False)
def duels(
    tree, net, rival, tables, visits, exploration, urgency, plies, state, start, scratch, streams,
    out_tally,
):  # fmt: skip
    """Two games for each stream [pairs, 1]; out_tally [4] counts by the result for `net`."""
    for pair in range(streams.shape[0]):
        start_state(start)
        for _ in range(plies):
            play(tables, start, scratch.moves[below(streams[pair], moves_of(start, scratch.moves))])
        result = duel(tree, net, rival, tables, visits, exploration, urgency, state, scratch, start)
        out_tally[result] += 1
        result = duel(tree, rival, net, tables, visits, exploration, urgency, state, scratch, start)
        out_tally[WIN + LOSS - result] += 1
