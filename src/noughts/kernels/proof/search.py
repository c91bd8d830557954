"""Depth-first proof-number search on a stored graph.

The proof number of a position is how many leaves must still be proven, at least, to prove that X
wins; the disproof number how many must be given up to give it up. With X on turn

    proof = min over children,    disproof = sum over children,

and with O on turn the other way round. The search goes down to the child that looks easiest and
stays below it until its numbers pass the second best's (Nagai 2002; Allis 1994). The path is part
of the graph's arrays, so a search may stop anywhere and go on as if nothing had happened.
"""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.proof.expand import expand
from noughts.kernels.proof.graph import DEPTH, EXPANDED, INFINITE, IS_FULL, REFUTED, X_TURN


@kernel(allocates=False)
def _add_up(graph, node):
    """(least number, sum, child of the least, second least) with the mover's number least."""
    is_x = graph.turn[node] == X_TURN
    least_of = graph.proof if is_x else graph.disproof
    sum_of = graph.disproof if is_x else graph.proof
    least, second, total, best = INFINITE, INFINITE, np.int64(0), -1
    first = graph.first[node]
    if graph.links[node] == REFUTED:
        return np.int64(0), INFINITE, -1, INFINITE
    for i in range(first, first + graph.links[node]):
        child = graph.child[i]
        total += np.int64(sum_of[child])
        number = np.int64(least_of[child])
        if number < least:
            least, second, best = number, least, child
        elif number < second:
            second = number
    return least, min(total, INFINITE), best, second


@kernel(allocates=False)
def advance(prover, graph, expansions):
    """Go on with the search for so many expansions; True when the root is settled."""
    share = prover.settings.slack_share
    limit = graph.facts[EXPANDED] + expansions
    path = graph.path
    while graph.facts[DEPTH] >= 0:
        depth = graph.facts[DEPTH]
        node = path[depth, 0]
        if graph.first[node] < 0:
            if graph.facts[EXPANDED] >= limit:
                return False
            expand(prover, graph, node)
            if graph.facts[IS_FULL]:
                return False
        least, total, best, second = _add_up(graph, node)
        is_x = graph.turn[node] == X_TURN
        graph.proof[node] = least if is_x else total
        graph.disproof[node] = total if is_x else least
        least_limit = path[depth, 1] if is_x else path[depth, 2]
        total_limit = path[depth, 2] if is_x else path[depth, 1]
        if least >= least_limit or total >= total_limit:
            graph.facts[DEPTH] = depth - 1
            continue
        numbers = graph.disproof if is_x else graph.proof
        least_limit = min(least_limit, second + 1 + second // share)
        total_limit = total_limit - total + np.int64(numbers[best])
        path[depth + 1, 0] = best
        path[depth + 1, 1] = least_limit if is_x else total_limit
        path[depth + 1, 2] = total_limit if is_x else least_limit
        graph.facts[DEPTH] = depth + 1
    return True
