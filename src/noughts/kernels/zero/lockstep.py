"""Trees of many games that grow in step: selection by PUCT, proofs and backup. It knows no game.

A simulation walks from the root, at each node to the move that maximises, for the player on turn,

    Q + c · P · sqrt(ΣN) / (1 + N)

(Q mean value, P the network's prior, N visits of the move), until it meets a position that is new.
One such leaf of every game makes a batch for the network; its values are added to every node of the
walks. (Silver et al., "Mastering the game of Go without human knowledge", Nature 2017.)

A node holds the state of its position, so walking touches no rules. A move has *outcomes*. Without
risk it is one position. Where marks flip or fizzle there are three ways to land, and the one that
lags furthest behind its probability is visited next; Q is the mean of their values, weighted by
these probabilities: an average over landings, not over samples of them. Where marks fade, the
outcomes of a landing are samples: a k-th one is drawn after (k-1)² visits, and they are visited in
turn, so that each counts alike.

A node is exact when its value is proven: the game is over; a move wins for certain; or all moves
are exact. An exact move has no exploration term: its value is known. One that loses for certain is
not selected while there is another.

A leaf counts as visited, and as lost for whoever walked there (virtual loss), from the moment it is
chosen until its value comes. So several leaves of one game can be in the same batch. A walk that
meets a leaf of its own batch ends the batch of that game: no position is evaluated twice.
"""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rules.codes import EMPTY

ROOT: Final = np.int64(0)
NONE: Final = np.int64(-1)  # no node, no edge
NOTHING: Final = np.int64(-2)  # can be done, for now or for good
CERTAIN: Final = 1.0 - 1e-12  # probabilities may sum to a little less than one
UNSEEN: Final = 1e9  # the total of a node whose value has not come yet
SURE_LOSS: Final = -1e30  # the score of a move that is not to be selected


class Forest(NamedTuple):
    """One tree per game. Nodes are positions, edges are moves; ids ascend from parent to child.

    The edges of a node are first_edge .. first_edge + n_edges - 1. All values are for X. Landings
    are 1 without risk, else 3: the mark that was meant, the opponent's, nothing.
    """

    size: NDArray[np.int64]  # [games, 2] nodes and edges in use
    state: NDArray[np.int32]  # [games, nodes, numbers of a state]
    turn: NDArray[np.int8]  # [games, nodes] X or O
    visits: NDArray[np.int32]  # [games, nodes] walks that came here, those under way included
    total: NDArray[np.float64]  # [games, nodes] sum of values; when exact, the value itself
    is_exact: NDArray[np.bool_]  # [games, nodes]
    first_edge: NDArray[np.int32]  # [games, nodes]
    n_edges: NDArray[np.int32]  # [games, nodes] 0: the game is over, or not looked at yet
    parent: NDArray[np.int32]  # [games, nodes] NONE for the root
    parent_edge: NDArray[np.int32]  # [games, nodes]
    landing: NDArray[np.int8]  # [games, nodes] of the parent's edge
    next_outcome: NDArray[np.int32]  # [games, nodes] another sample of the same landing, or NONE
    move: NDArray[np.int32]  # [games, edges]
    prior: NDArray[np.float32]  # [games, edges]
    edge_visits: NDArray[np.int32]  # [games, edges]
    edge_total: NDArray[np.float64]  # [games, edges]
    edge_value: NDArray[np.float64]  # [games, edges] mean, weighted by the odds of landing
    edge_exact: NDArray[np.bool_]  # [games, edges]
    outcome: NDArray[np.int32]  # [games, edges, landings] first node, or NONE
    chance: NDArray[np.float64]  # [games, edges, landings]; [1, 1, 1] without risk
    landing_visits: NDArray[np.int32]  # the same
    landing_total: NDArray[np.float64]  # the same


class Rule(NamedTuple):
    """How moves are selected. A move that was never visited has Q = share · parent's - reduction.

    With `n_considered` of a game above 0 its root follows sequential halving: of the moves that
    were visited schedule[n_considered, simulation] times, the one with the highest
    noise + ln P + (visit_offset + most visits) · value_scale · Q.
    """

    exploration: float
    parent_share: float
    reduction: float
    leaves: int  # of one game in a batch, at most
    visit_offset: float
    value_scale: float
    schedule: NDArray[np.int32]  # [most considered + 1, simulations]
    n_considered: NDArray[np.int64]  # [games] 0: PUCT at the root too
    noise: NDArray[np.float64]  # [games, moves]


@kernel(allocates=False)
def value_of(result):
    """A result as a value for X."""
    if result == 1:
        return 1.0
    if result == 2:
        return -1.0
    return 0.0


@kernel(allocates=False, inlined=True)
def mean_value(forest, game, node):
    """The value of a node for X."""
    if forest.is_exact[game, node]:
        return forest.total[game, node]
    return forest.total[game, node] / max(1, forest.visits[game, node])


@kernel(allocates=False)
def _select_puct(rule, forest, game, node):
    first = forest.first_edge[game, node]
    sign = 1.0 if forest.turn[game, node] == 1 else -1.0
    # The node's own evaluation is a visit of no move. Before the first, priors alone decide.
    root = rule.exploration * math.sqrt(max(1, forest.visits[game, node] - 1))
    unvisited = rule.parent_share * sign * mean_value(forest, game, node) - rule.reduction
    best = np.int64(first)
    best_score = -np.inf
    for edge in range(first, first + forest.n_edges[game, node]):
        visits = forest.edge_visits[game, edge]
        q = sign * forest.edge_value[game, edge] if visits > 0 else unvisited
        score = q + root * forest.prior[game, edge] / (1 + visits)
        if forest.edge_exact[game, edge]:  # nothing is left to explore there
            score = q if q > -CERTAIN else SURE_LOSS
        if score > best_score:
            best_score = score
            best = np.int64(edge)
    return best


@kernel(allocates=False)
def _select_halving(rule, forest, game, simulation):
    """The root's move by sequential halving."""
    first = forest.first_edge[game, ROOT]
    n = forest.n_edges[game, ROOT]
    sign = 1.0 if forest.turn[game, ROOT] == 1 else -1.0
    wanted = rule.schedule[rule.n_considered[game], min(simulation, rule.schedule.shape[1] - 1)]
    most = 0
    for edge in range(first, first + n):
        most = max(most, forest.edge_visits[game, edge])
    scale = (rule.visit_offset + most) * rule.value_scale
    best = np.int64(first)
    best_score = -np.inf
    for i in range(n):
        edge = first + i
        visits = forest.edge_visits[game, edge]
        q = sign * forest.edge_value[game, edge] if visits > 0 else 0.0
        score = rule.noise[game, i] + math.log(forest.prior[game, edge] + 1e-30) + scale * q
        if visits != wanted:  # proofs may have taken a move out of the plan
            score -= 1e6 * abs(visits - wanted)
        if forest.edge_exact[game, edge] and q <= -CERTAIN:
            score = SURE_LOSS
        if score > best_score:
            best_score = score
            best = np.int64(edge)
    return best


@kernel(allocates=False)
def _select_landing(forest, game, edge):
    """The landing that lags furthest behind its probability."""
    turns = forest.edge_visits[game, edge] + 1
    best = 0
    best_lag = -np.inf
    for i in range(forest.chance.shape[2]):
        chance = forest.chance[game, edge, i]
        lag = chance * turns - forest.landing_visits[game, edge, i]
        if chance > 1e-12 and lag > best_lag:
            best_lag = lag
            best = i
    return best


@kernel(allocates=False)
def _select_sample(forest, game, edge, landing):
    """The outcome of a landing that was visited least, or NONE when a new one is due."""
    best = NONE
    fewest = np.iinfo(np.int32).max
    n = 0
    node = forest.outcome[game, edge, landing]
    while node != NONE:
        n += 1
        if forest.visits[game, node] < fewest:
            fewest = forest.visits[game, node]
            best = np.int64(node)
        node = forest.next_outcome[game, node]
    return NONE if n * n <= forest.landing_visits[game, edge, landing] else best


@kernel(allocates=False)
def _walk(rule, forest, game, simulation, is_risky, fades):
    """(parent, edge, landing, child) at the end of a walk.

    The child is NONE when it is to be made; else it is exact, or a leaf of this very batch.
    """
    node = ROOT
    while True:
        if node == ROOT and rule.n_considered[game] > 0:
            edge = _select_halving(rule, forest, game, simulation)
        else:
            edge = _select_puct(rule, forest, game, node)
        landing = 0
        if is_risky:
            landing = _select_landing(forest, game, edge)
        if fades:
            child = _select_sample(forest, game, edge, landing)
        else:
            child = np.int64(forest.outcome[game, edge, landing])
        if child == NONE or forest.is_exact[game, child] or forest.total[game, child] == UNSEEN:
            return node, edge, landing, child
        node = child


@kernel(allocates=False)
def _make_child(forest, game, parent, edge, landing):
    """A new leaf, still with the state of its parent; there must be room."""
    node = forest.size[game, 0]
    forest.size[game, 0] = node + 1
    forest.turn[game, node] = 3 - forest.turn[game, parent]
    forest.visits[game, node] = 0
    forest.total[game, node] = UNSEEN
    forest.is_exact[game, node] = False
    forest.n_edges[game, node] = 0
    forest.first_edge[game, node] = 0
    forest.parent[game, node] = parent
    forest.parent_edge[game, node] = edge
    forest.landing[game, node] = landing
    forest.next_outcome[game, node] = forest.outcome[game, edge, landing]
    forest.outcome[game, edge, landing] = node
    for i in range(forest.state.shape[2]):
        forest.state[game, node, i] = forest.state[game, parent, i]
    return node


@kernel(allocates=False)
def next_leaf(rule, forest, game, done, is_risky, fades):
    """The node at the end of the next walk: an exact one, or a new one that is to get its position.

    NOTHING when the root is proven, or a walk would meet a leaf of this very batch.
    """
    if forest.is_exact[game, ROOT]:
        return NOTHING
    if forest.total[game, ROOT] == UNSEEN:
        return ROOT if forest.n_edges[game, ROOT] == 0 else NOTHING
    parent, edge, landing, node = _walk(rule, forest, game, done[game], is_risky, fades)
    if node == NONE:
        node = _make_child(forest, game, parent, edge, landing)
    elif not forest.is_exact[game, node]:
        return NOTHING
    done[game] += 1
    return node


@kernel(allocates=False)
def move_into(forest, game, node):
    """(move, mark) that lead to a node from its parent."""
    mark = np.int64(3 - forest.turn[game, node])
    if forest.landing[game, node] == 1:
        mark = 3 - mark
    elif forest.landing[game, node] == 2:
        mark = np.int64(EMPTY)
    return np.int64(forest.move[game, forest.parent_edge[game, node]]), mark


@kernel(allocates=False)
def add_edge(forest, game, node, move):
    """One more move of the youngest node; there must be room."""
    edge = forest.size[game, 1]
    forest.size[game, 1] = edge + 1
    if forest.n_edges[game, node] == 0:
        forest.first_edge[game, node] = edge
    forest.n_edges[game, node] += 1
    forest.move[game, edge] = move
    forest.prior[game, edge] = 0.0
    forest.edge_visits[game, edge] = 0
    forest.edge_total[game, edge] = 0.0
    forest.edge_value[game, edge] = 0.0
    forest.edge_exact[game, edge] = False
    for i in range(forest.outcome.shape[2]):
        forest.outcome[game, edge, i] = NONE
    return edge


@kernel(allocates=False)
def set_chances(forest, game, edge, own, other):
    """The odds of landing of a new edge."""
    forest.chance[game, edge, 0] = own
    forest.chance[game, edge, 1] = other
    forest.chance[game, edge, 2] = max(0.0, 1.0 - own - other)
    for i in range(3):
        forest.landing_visits[game, edge, i] = 0
        forest.landing_total[game, edge, i] = 0.0


@kernel(allocates=False)
def _refresh(forest, game, edge, landing, is_risky):
    """The value of an edge that is not exact, after its totals changed."""
    if not is_risky:
        visits = forest.edge_visits[game, edge]
        forest.edge_value[game, edge] = forest.edge_total[game, edge] / visits
        return
    weight = 0.0
    value = 0.0
    for i in range(3):
        visits = forest.landing_visits[game, edge, i]
        if visits > 0:
            weight += forest.chance[game, edge, i]
            mean = forest.landing_total[game, edge, i] / visits
            value += forest.chance[game, edge, i] * mean
    forest.edge_value[game, edge] = value / weight


@kernel(allocates=False)
def count_walk(forest, game, leaf, is_risky):
    """A walk came to this node: a visit everywhere on its way, and a loss until its value comes."""
    node = np.int64(leaf)
    forest.visits[game, node] += 1
    while forest.parent[game, node] != NONE:
        edge, landing = forest.parent_edge[game, node], forest.landing[game, node]
        node = np.int64(forest.parent[game, node])
        forest.visits[game, node] += 1
        loss = -1.0 if forest.turn[game, node] == 1 else 1.0
        forest.edge_visits[game, edge] += 1
        forest.edge_total[game, edge] += loss
        if is_risky:
            forest.landing_visits[game, edge, landing] += 1
            forest.landing_total[game, edge, landing] += loss
        if not forest.edge_exact[game, edge]:
            _refresh(forest, game, edge, landing, is_risky)


@kernel(allocates=False)
def _prove_edge(forest, game, edge, is_risky, fades):
    """Make an edge exact if all of its outcomes are; True when they are."""
    if fades:
        return False
    value = 0.0
    for i in range(forest.outcome.shape[2]):
        if is_risky and forest.chance[game, edge, i] <= 1e-12:
            continue
        child = forest.outcome[game, edge, i]
        if child == NONE or not forest.is_exact[game, child]:
            return False
        weight = forest.chance[game, edge, i] if is_risky else 1.0
        value += weight * forest.total[game, child]
    forest.edge_exact[game, edge] = True
    forest.edge_value[game, edge] = value
    return True


@kernel(allocates=False)
def _prove_node(forest, game, node):
    """Make a node exact if its moves prove it; True when they do."""
    sign = 1.0 if forest.turn[game, node] == 1 else -1.0
    first = forest.first_edge[game, node]
    are_all_exact = True
    best = -2.0
    for edge in range(first, first + forest.n_edges[game, node]):
        if forest.edge_exact[game, edge]:
            best = max(best, sign * forest.edge_value[game, edge])
        else:
            are_all_exact = False
    if best >= CERTAIN or are_all_exact:
        forest.is_exact[game, node] = True
        forest.total[game, node] = sign * best
        return True
    return False


@kernel(allocates=False)
def back_up(forest, game, leaf, value, is_risky, fades):
    """The value of a walk has come: take the losses back and add it on all of its way."""
    node = np.int64(leaf)
    is_proof = forest.is_exact[game, node]
    if forest.total[game, node] == UNSEEN:
        forest.total[game, node] = 0.0
    if is_proof:
        value = forest.total[game, node]
    else:
        forest.total[game, node] += value
    while forest.parent[game, node] != NONE:
        edge, landing = forest.parent_edge[game, node], forest.landing[game, node]
        node = np.int64(forest.parent[game, node])
        gain = value + (1.0 if forest.turn[game, node] == 1 else -1.0)
        forest.edge_total[game, edge] += gain
        if is_risky:
            forest.landing_total[game, edge, landing] += gain
        if is_proof:
            is_proof = _prove_edge(forest, game, edge, is_risky, fades)
        if not forest.edge_exact[game, edge]:
            _refresh(forest, game, edge, landing, is_risky)
        if is_proof:
            is_proof = _prove_node(forest, game, node)
        if forest.is_exact[game, node]:
            value = forest.total[game, node]
        else:
            forest.total[game, node] += value


@kernel(allocates=False)
def set_ended(forest, game, node, value):
    """The game is over at this node."""
    forest.is_exact[game, node] = True
    forest.total[game, node] = value


@kernel(allocates=False)
def add_answers(
    forest, symmetries, leaf_game, leaf_node, leaf_symmetry, count, logits, values, is_risky, fades
):
    """The network's answers for a batch of leaves: priors for their moves, values for their walks.

    `logits` [leaves, moves] and `values` [leaves], for the player on turn, are about each position
    as its symmetry shows it.
    """
    cells = symmetries.shape[1]
    for k in range(count):
        game, node, symmetry = leaf_game[k], leaf_node[k], leaf_symmetry[k]
        first, n = forest.first_edge[game, node], forest.n_edges[game, node]
        highest = -np.inf
        for edge in range(first, first + n):
            move = forest.move[game, edge]
            shown = symmetries[symmetry, move % cells] + cells * (move // cells)
            forest.prior[game, edge] = logits[k, shown]
            highest = max(highest, logits[k, shown])
        weight = 0.0
        for edge in range(first, first + n):
            forest.prior[game, edge] = math.exp(forest.prior[game, edge] - highest)
            weight += forest.prior[game, edge]
        for edge in range(first, first + n):
            forest.prior[game, edge] /= weight
        sign = 1.0 if forest.turn[game, node] == 1 else -1.0
        back_up(forest, game, node, sign * np.float64(values[k]), is_risky, fades)
