"""Trees of many games that grow in step: selection by PUCT, proofs and backup. It knows no game.

A simulation walks from the root, at each node to the move that maximises, for the player on turn,

    Q + c · P · sqrt(ΣN) / (1 + N)

(Q mean value, P the network's prior, N visits of the move), until it meets a position that is new.
One such leaf of every game makes a batch for the network; its values are added to every node of the
walks. (Silver et al., "Mastering the game of Go without human knowledge", Nature 2017.)

A node holds the row of its position, so walking touches no rules. A move has *outcomes*. Without
risk it is one. Else the one that lags furthest behind its probability is visited next; Q is the
mean of their values, weighted by these probabilities: an average over outcomes, not over samples of
them. Where chance is too large to list, an outcome has samples: a k-th one is drawn after (k-1)²
visits, and they are visited in turn, so that each counts alike.

Values are one number for two seats, what the first of them may expect, or one for every seat.

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
from noughts.kernels.rules.codes import DRAW

ROOT: Final = np.int64(0)
NONE: Final = np.int64(-1)  # no node, no edge
NOTHING: Final = np.int64(-2)  # can be done, for now or for good
CERTAIN: Final = 1.0 - 1e-12  # probabilities may sum to a little less than one
UNSEEN: Final = 1e9  # the total of a node whose value has not come yet
SURE_LOSS: Final = -1e30  # the score of a move that is not to be selected


class Forest(NamedTuple):
    """One tree per game. Nodes are positions, edges are moves; ids ascend from parent to child.

    The edges of a node are first_edge .. first_edge + n_edges - 1. `width` is 1 for two seats, else
    their number.
    """

    size: NDArray[np.int64]  # [games, 2] nodes and edges in use
    row: NDArray[np.int32]  # [games, nodes, row_size]
    turn: NDArray[np.int8]  # [games, nodes] a seat or NOBODY
    visits: NDArray[np.int32]  # [games, nodes] walks that came here, those under way included
    total: NDArray[np.float64]  # [games, nodes, width] sum of values; when exact, the value itself
    is_exact: NDArray[np.bool_]  # [games, nodes]
    first_edge: NDArray[np.int32]  # [games, nodes]
    n_edges: NDArray[np.int32]  # [games, nodes] 0: the game is over, or not looked at yet
    parent: NDArray[np.int32]  # [games, nodes] NONE for the root
    parent_edge: NDArray[np.int32]  # [games, nodes]
    landing: NDArray[np.int16]  # [games, nodes] which outcome of the parent's edge
    next_outcome: NDArray[np.int32]  # [games, nodes] another sample of the same outcome, or NONE
    move: NDArray[np.int32]  # [games, edges]
    prior: NDArray[np.float32]  # [games, edges]
    edge_visits: NDArray[np.int32]  # [games, edges]
    edge_total: NDArray[np.float64]  # [games, edges, width]
    edge_value: NDArray[np.float64]  # [games, edges, width] mean, weighted by odds of outcomes
    edge_exact: NDArray[np.bool_]  # [games, edges]
    outcome: NDArray[np.int32]  # [games, edges, outcomes] first node, or NONE
    chance: NDArray[np.float64]  # [games, edges, outcomes]; [1, 1, 1] without chance
    landing_visits: NDArray[np.int32]  # the same
    landing_total: NDArray[np.float64]  # [games, edges, outcomes, width]; [1, 1, 1, width]
    value: NDArray[np.float64]  # [width] on its way to the root


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


@kernel(allocates=False, inlined=True)
def for_seat(values, game, index, seat):
    """A value [games, …, width] as a seat sees it; chance sees it as the first seat does."""
    if values.shape[2] == 1:
        return -values[game, index, 0] if seat == 2 else values[game, index, 0]
    return values[game, index, max(0, seat - 1)]


@kernel(allocates=False, inlined=True)
def _share(forest, seat, k, amount):
    """What number k of a value gains when a seat gains an amount, and nobody else is looked at."""
    if forest.value.size == 1:
        return -amount if seat == 2 else amount
    return amount if k == max(0, seat - 1) else 0.0


@kernel(allocates=False, inlined=True)
def mean_value(forest, game, node, seat):
    """The value of a node for a seat."""
    total = for_seat(forest.total, game, node, seat)
    if forest.is_exact[game, node]:
        return total
    return total / max(1, forest.visits[game, node])


@kernel(allocates=False)
def _select_puct(rule, forest, game, node):
    first = forest.first_edge[game, node]
    seat = np.int64(forest.turn[game, node])
    # The node's own evaluation is a visit of no move. Before the first, priors alone decide.
    root = rule.exploration * math.sqrt(max(1, forest.visits[game, node] - 1))
    unvisited = rule.parent_share * mean_value(forest, game, node, seat) - rule.reduction
    best = np.int64(first)
    best_score = -np.inf
    for edge in range(first, first + forest.n_edges[game, node]):
        visits = forest.edge_visits[game, edge]
        q = for_seat(forest.edge_value, game, edge, seat) if visits > 0 else unvisited
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
    seat = np.int64(forest.turn[game, ROOT])
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
        q = for_seat(forest.edge_value, game, edge, seat) if visits > 0 else 0.0
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
    """The outcome that lags furthest behind its probability."""
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
    """The sample of an outcome that was visited least, or NONE when a new one is due."""
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


@kernel(allocates=False, inlined=True)
def is_unseen(forest, game, node):
    """Has the value of a node not come yet?"""
    return forest.total[game, node, 0] == UNSEEN


@kernel(allocates=False)
def _walk(rule, forest, game, simulation, settles):
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
        if forest.outcome.shape[2] > 1:
            landing = _select_landing(forest, game, edge)
        if settles:
            child = _select_sample(forest, game, edge, landing)
        else:
            child = np.int64(forest.outcome[game, edge, landing])
        if child == NONE or forest.is_exact[game, child] or is_unseen(forest, game, child):
            return node, edge, landing, child
        node = child


@kernel(allocates=False, inlined=True)
def begin_node(forest, game, node, parent, edge, landing):
    """A node of which nothing is known but how it came about."""
    forest.visits[game, node] = 0
    forest.total[game, node, 0] = UNSEEN
    forest.is_exact[game, node] = False
    forest.n_edges[game, node] = 0
    forest.first_edge[game, node] = 0
    forest.parent[game, node] = parent
    forest.parent_edge[game, node] = edge
    forest.landing[game, node] = landing


@kernel(allocates=False)
def _make_child(forest, game, parent, edge, landing):
    """A new leaf, still without its row and its turn; there must be room."""
    node = forest.size[game, 0]
    forest.size[game, 0] = node + 1
    begin_node(forest, game, node, parent, edge, landing)
    forest.next_outcome[game, node] = forest.outcome[game, edge, landing]
    forest.outcome[game, edge, landing] = node
    return node


@kernel(allocates=False)
def next_leaf(rule, forest, game, done, settles):
    """The node at the end of the next walk: an exact one, or a new one that is to get its position.

    NOTHING when the root is proven, or a walk would meet a leaf of this very batch.
    """
    if forest.is_exact[game, ROOT]:
        return NOTHING
    if is_unseen(forest, game, ROOT):
        return ROOT if forest.n_edges[game, ROOT] == 0 else NOTHING
    parent, edge, landing, node = _walk(rule, forest, game, done[game], settles)
    if node == NONE:
        node = _make_child(forest, game, parent, edge, landing)
    elif not forest.is_exact[game, node]:
        return NOTHING
    done[game] += 1
    return node


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
    for k in range(forest.value.size):
        forest.edge_total[game, edge, k] = 0.0
        forest.edge_value[game, edge, k] = 0.0
    forest.edge_exact[game, edge] = False
    for i in range(forest.outcome.shape[2]):
        forest.outcome[game, edge, i] = NONE
    return edge


@kernel(allocates=False)
def set_chances(forest, game, edge, chances, n):
    """The odds of the outcomes of a new edge."""
    for i in range(forest.outcome.shape[2]):
        forest.chance[game, edge, i] = chances[i] if i < n else 0.0
        forest.landing_visits[game, edge, i] = 0
        for k in range(forest.value.size):
            forest.landing_total[game, edge, i, k] = 0.0


@kernel(allocates=False)
def _refresh(forest, game, edge):
    """The value of an edge that is not exact, after its totals changed."""
    for k in range(forest.value.size):
        if forest.outcome.shape[2] == 1:
            visits = forest.edge_visits[game, edge]
            forest.edge_value[game, edge, k] = forest.edge_total[game, edge, k] / visits
            continue
        weight = 0.0
        value = 0.0
        for i in range(forest.outcome.shape[2]):
            visits = forest.landing_visits[game, edge, i]
            if visits > 0:
                weight += forest.chance[game, edge, i]
                mean = forest.landing_total[game, edge, i, k] / visits
                value += forest.chance[game, edge, i] * mean
        forest.edge_value[game, edge, k] = value / weight


@kernel(allocates=False)
def count_walk(forest, game, leaf):
    """A walk came to this node: a visit everywhere on its way, and a loss until its value comes."""
    node = np.int64(leaf)
    forest.visits[game, node] += 1
    while forest.parent[game, node] != NONE:
        edge, landing = forest.parent_edge[game, node], forest.landing[game, node]
        node = np.int64(forest.parent[game, node])
        forest.visits[game, node] += 1
        forest.edge_visits[game, edge] += 1
        if forest.outcome.shape[2] > 1:
            forest.landing_visits[game, edge, landing] += 1
        seat = np.int64(forest.turn[game, node])
        for k in range(forest.value.size):
            loss = _share(forest, seat, k, -1.0)
            forest.edge_total[game, edge, k] += loss
            if forest.outcome.shape[2] > 1:
                forest.landing_total[game, edge, landing, k] += loss
        if not forest.edge_exact[game, edge]:
            _refresh(forest, game, edge)


@kernel(allocates=False)
def _prove_edge(forest, game, edge, settles):
    """Make an edge exact if all of its outcomes are; True when they are."""
    if settles:
        return False
    has_chance = forest.outcome.shape[2] > 1
    for i in range(forest.outcome.shape[2]):
        if has_chance and forest.chance[game, edge, i] <= 1e-12:
            continue
        child = forest.outcome[game, edge, i]
        if child == NONE or not forest.is_exact[game, child]:
            return False
    for k in range(forest.value.size):
        value = 0.0
        for i in range(forest.outcome.shape[2]):
            weight = forest.chance[game, edge, i] if has_chance else 1.0
            if weight > 1e-12:
                value += weight * forest.total[game, forest.outcome[game, edge, i], k]
        forest.edge_value[game, edge, k] = value
    forest.edge_exact[game, edge] = True
    return True


@kernel(allocates=False)
def _prove_node(forest, game, node):
    """Make a node exact if its moves prove it; True when they do.

    With three seats or more a move that is as good for its player may be worth something else to
    the others; then nothing is proven.
    """
    seat = np.int64(forest.turn[game, node])
    first = np.int64(forest.first_edge[game, node])
    are_all_exact = True
    best = -2.0
    chosen = first
    for edge in range(first, first + forest.n_edges[game, node]):
        if forest.edge_exact[game, edge]:
            value = for_seat(forest.edge_value, game, edge, seat)
            if value > best:
                best = value
                chosen = np.int64(edge)
        else:
            are_all_exact = False
    if best < CERTAIN and not are_all_exact:
        return False
    for edge in range(first, first + forest.n_edges[game, node]):
        if forest.edge_exact[game, edge] and forest.value.size > 1 and best < CERTAIN:
            if for_seat(forest.edge_value, game, edge, seat) > best - 1e-12:
                for k in range(forest.value.size):
                    gap = forest.edge_value[game, edge, k] - forest.edge_value[game, chosen, k]
                    if abs(gap) > 1e-12:
                        return False
    forest.is_exact[game, node] = True
    for k in range(forest.value.size):
        forest.total[game, node, k] = forest.edge_value[game, chosen, k]
    return True


@kernel(allocates=False)
def _take_value(forest, game, node):
    """Add the value on its way to a node, or take that of the node if it is exact."""
    for k in range(forest.value.size):
        if forest.is_exact[game, node]:
            forest.value[k] = forest.total[game, node, k]
        else:
            forest.total[game, node, k] += forest.value[k]


@kernel(allocates=False)
def back_up(forest, game, leaf, settles):
    """The value of a walk has come: take the losses back and add it on all of its way."""
    node = np.int64(leaf)
    is_proof = forest.is_exact[game, node]
    if is_unseen(forest, game, node):
        for k in range(forest.value.size):
            forest.total[game, node, k] = 0.0
    _take_value(forest, game, node)
    while forest.parent[game, node] != NONE:
        edge, landing = forest.parent_edge[game, node], forest.landing[game, node]
        node = np.int64(forest.parent[game, node])
        seat = np.int64(forest.turn[game, node])
        for k in range(forest.value.size):
            gain = forest.value[k] + _share(forest, seat, k, 1.0)
            forest.edge_total[game, edge, k] += gain
            if forest.outcome.shape[2] > 1:
                forest.landing_total[game, edge, landing, k] += gain
        if is_proof:
            is_proof = _prove_edge(forest, game, edge, settles)
        if not forest.edge_exact[game, edge]:
            _refresh(forest, game, edge)
        if is_proof:
            is_proof = _prove_node(forest, game, node)
        _take_value(forest, game, node)


@kernel(allocates=False)
def set_ended(forest, game, node, result, seats):
    """The game is over at this node: 1 to the winner, -1/(n-1) to each of the others."""
    forest.is_exact[game, node] = True
    for k in range(forest.value.size):
        if result == DRAW:
            forest.total[game, node, k] = 0.0
        else:
            forest.total[game, node, k] = 1.0 if result == k + 1 else -1.0 / (seats - 1)
