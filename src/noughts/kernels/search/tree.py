"""The tree of UCT, as arrays: selection, outcomes, proofs and backup. It knows no game.

A simulation walks from the root, at each node on the move that maximises

    value/visits + C · sqrt(ln(visits of the node) / visits of the child)

for the player on turn, until it meets a node that was never visited. A random playout scores that
one, and the result is added to every node of the walk. (Kocsis and Szepesvári, "Bandit based
Monte-Carlo planning", ECML 2006.)

Nodes alternate with chance. Without risk the children of a node are positions, one per move. With
risk they are chance nodes, and the children of a chance node are the outcomes of the move: as it
was meant, as another's mark, not at all. The outcome visited next is the one that lags furthest
behind its probability, so that a chance node of n visits has seen each outcome p·n ± 1 times: its
mean is the expected value without the noise of sampling. Where marks fade, each outcome is followed
by one more chance node, whose children are drawn at random and found again by the key of the
position; it has as many children as positions were met. Every child is one position, never a
mixture, so the means tend to the exact expectimax values.

With two seats a node keeps one value, that of the first. With more it keeps one for each, every
player maximises his own, and a proof carries all of them up (maxⁿ: Luckhardt and Irani, "An
algorithmic solution of n-person games", AAAI 1986); moves that are equally good count alike. There
no walk is spent on what is proven: where the choice is exact, the best of the others is *probed*,
and what counts above is the choice; a chance node is worth the mean of its outcomes as they stand,
weighted by their probabilities, so that any outcome may be visited that is not exact.

A node is exact when its value is proven (Winands, Björnsson and Saito, "Monte-Carlo tree search
solver", CG 2008, here for any expected value): the game is over; or a move wins for certain; or all
moves are exact; or all outcomes are exact. An exact node is never searched again, and a move that
loses for certain is never selected. A new node is judged before it is played out: a player who can
win at once does, and one who must stop two wins at once has lost; whoever must stop one has a
single child. (Teytaud and Teytaud, "On the huge benefit of decisive moves", CIG 2010.)

The walk through it is `uct`.
"""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rng import below
from noughts.kernels.rules.codes import DRAW
from noughts.kernels.rules.protocol import family, hook, hot_verb
from noughts.kernels.wrapping import times

# Typed, because numba compiles a kernel anew for each literal that it is called with.
ROOT: Final = np.int64(0)
FULL: Final = np.int64(-1)  # no node could be made
UNEXPANDED: Final = 0  # in `first_child`: the root is nobody's child
LONGEST_WALK: Final = 1024  # a longer one is cut off by a playout
CERTAIN: Final = 1.0 - 1e-12  # probabilities may sum to a little less than one

TIED: Final = 1e-12  # moves that differ by no more are equally good

# What stands at each step of a walk: the seat that decides, or one of these.
CHANCE: Final = -1  # one of the listed outcomes
SETTLING: Final = -2  # chance that is sampled

_ROOT_LOG = np.sqrt(np.log(np.maximum(1, np.arange(1024))))


class Tree(NamedTuple):
    """A pool of nodes. The children of a node are first_child .. first_child + n_children - 1.

    The children that were visited stand first; `n_tried` says how many they are.
    """

    size: NDArray[np.int64]  # [2] nodes in use; the longest walk in moves
    visits: NDArray[np.int32]  # [nodes]
    value: NDArray[np.float64]  # [nodes · columns] mean worth, see `columns`
    carried: NDArray[np.float64]  # [columns] what is being backed up
    spread: NDArray[np.float64]  # [nodes] 1 / sqrt(visits), what the bound needs; 0 when exact
    is_exact: NDArray[np.bool_]  # [nodes] the value is proven
    first_child: NDArray[np.int32]  # [nodes]
    n_children: NDArray[np.int32]  # [nodes]
    n_tried: NDArray[np.int32]  # [nodes]
    move: NDArray[np.int32]  # [nodes] that led here from a decision
    chance: NDArray[np.float64]  # [nodes] that an outcome leads here; [1] without risk
    fade_key: NDArray[np.uint64]  # [slots] of a sampled position and its parent; [1] without any
    fade_node: NDArray[np.int32]  # [slots] the node of that key, or UNEXPANDED


class TreeForMany(Tree):
    """The same for more than two seats; its class picks what only they need."""

    __slots__ = ()


@hot_verb
def _one_column(tree):
    return 1


@hot_verb
def _columns_for_many(tree):
    return tree.carried.size


# The values of a node: that of the first of two seats, or one for each. Known while a kernel is
# compiled, so that two seats have no loop over one column.
columns = hook("columns", _one_column)
family(TreeForMany, columns=_columns_for_many)


@kernel(allocates=False, inlined=True)
def value_at(tree, node, column):
    """Where the value of a node stands."""
    return node * columns(tree) + column


@kernel(allocates=False)
def carry_result(tree, result):
    """Carry the worth of a result: 1 to the winner, -1/(n-1) to each of the others, 0 of a draw."""
    width = columns(tree)
    loss = 0.0 if result == DRAW else -1.0 / max(1, width - 1)
    for column in range(width):
        tree.carried[column] = 1.0 if result == column + 1 else loss


@kernel(allocates=False)
def carry_node(tree, node):
    """Carry the value of a node."""
    for column in range(columns(tree)):
        tree.carried[column] = tree.value[value_at(tree, node, column)]


@kernel(allocates=False, inlined=True)
def view_of(tree, seat):
    """(sign, column): how a seat reads the value of a node."""
    if columns(tree) > 1:
        return 1.0, max(np.int64(seat) - 1, 0)
    return (-1.0 if seat == 2 else 1.0), np.int64(0)


@kernel(allocates=False, inlined=True)
def root_log(visits):
    """sqrt(ln(visits))."""
    if visits < _ROOT_LOG.size:
        return _ROOT_LOG[visits]
    return math.sqrt(math.log(visits))


@kernel(allocates=False, inlined=True)
def make_children(tree, node, n):
    """Reserve n nodes as children; their first, or FULL."""
    first = tree.size[0]
    if first + n > tree.visits.size:
        return FULL
    tree.size[0] = first + n
    tree.first_child[node] = first
    tree.n_children[node] = n
    return first


@kernel(allocates=False)
def set_exact(tree, node):
    """Remember what is carried as proven."""
    tree.is_exact[node] = True
    tree.spread[node] = 0.0
    for column in range(columns(tree)):
        tree.value[value_at(tree, node, column)] = tree.carried[column]


@kernel(allocates=False)
def add_ended(tree, node, index, result):
    """Make child `index` a game that has ended, and put it before those that were never tried."""
    first = tree.first_child[node]
    tried = first + tree.n_tried[node]
    child = first + index
    tree.move[child], tree.move[tried] = tree.move[tried], tree.move[child]
    tree.n_tried[node] += 1
    tree.visits[tried] = 1
    carry_result(tree, result)
    set_exact(tree, tried)


@kernel(allocates=False, inlined=True)
def select(tree, node, seat, exploration, evenly, rng):
    """The child to visit: one never tried, at random; else the highest upper confidence bound.

    An exact child has no spread, so its bound is its value: there is nothing to explore, and one
    that loses for certain is passed over while there is any other. With `evenly` the child is the
    one that is not exact and was visited least.
    """
    first = tree.first_child[node]
    n = tree.n_children[node]
    tried = tree.n_tried[node]
    if tried < n:
        child = first + tried
        other = child + below(rng, n - tried)
        tree.move[child], tree.move[other] = tree.move[other], tree.move[child]
        tree.n_tried[node] = tried + 1
        return child
    if evenly:
        return _least_visited(tree, first, n)
    sign, column = view_of(tree, seat)
    weight = exploration * root_log(tree.visits[node])
    best = first
    best_bound = -np.inf
    for child in range(first, first + n):
        bound = sign * tree.value[value_at(tree, child, column)] + weight * tree.spread[child]
        if bound > best_bound:
            best_bound = bound
            best = child
    return best


@kernel(allocates=False)
def _least_visited(tree, first, n):
    """The child that is not exact and was visited least."""
    best = first
    fewest = np.iinfo(np.int32).max
    for child in range(first, first + n):
        if not tree.is_exact[child] and tree.visits[child] < fewest:
            fewest = tree.visits[child]
            best = child
    return best


@kernel(allocates=False)
def add_outcomes(tree, node, chances, n):
    """The outcomes of a move as children of a chance node; False when the pool is full."""
    first = make_children(tree, node, n)
    if first == FULL:
        return False
    tree.n_tried[node] = n
    for i in range(n):
        tree.chance[first + i] = chances[i]
    return True


@kernel(allocates=False)
def select_outcome(tree, node):
    """Which outcome to visit: the one that lags furthest behind its probability."""
    first = tree.first_child[node]
    turns = tree.visits[node] + 1
    best = np.int64(0)
    best_lag = -np.inf
    for i in range(tree.n_children[node]):
        chance = tree.chance[first + i]
        lag = chance * turns - tree.visits[first + i]
        if chance > 1e-12 and lag > best_lag:
            best_lag = lag
            best = np.int64(i)
    if columns(tree) > 1 and tree.is_exact[first + best]:
        return _open_outcome(tree, node, best)
    return best


@kernel(allocates=False)
def _open_outcome(tree, node, otherwise):
    """The likeliest outcome that is not exact."""
    first = tree.first_child[node]
    best = np.int64(otherwise)
    likeliest = 0.0
    for i in range(tree.n_children[node]):
        if not tree.is_exact[first + i] and tree.chance[first + i] > likeliest:
            likeliest = tree.chance[first + i]
            best = np.int64(i)
    return best


@kernel(allocates=False)
def find_probe(tree, node, chosen, seat, exploration):
    """The child to visit in place of a choice that is exact: the highest bound of the others."""
    best, best_bound = np.int64(chosen), -np.inf
    if not tree.is_exact[chosen]:
        return best
    sign, column = view_of(tree, seat)
    weight = exploration * root_log(tree.visits[node])
    first = tree.first_child[node]
    for child in range(first, first + tree.n_children[node]):
        if not tree.is_exact[child]:
            bound = sign * tree.value[value_at(tree, child, column)] + weight * tree.spread[child]
            if bound > best_bound:
                best, best_bound = np.int64(child), bound
    return best


@kernel(allocates=False)
def _carry_mean(tree, node):
    """Let a chance node be worth the mean of the outcomes that were met, and carry that."""
    first = tree.first_child[node]
    for column in range(columns(tree)):
        total = met = 0.0
        for child in range(first, first + tree.n_children[node]):
            if tree.visits[child] > 0:
                total += tree.chance[child] * tree.value[value_at(tree, child, column)]
                met += tree.chance[child]
        tree.carried[column] = tree.value[value_at(tree, node, column)] = total / met


@kernel(allocates=False)
def find_slot(tree, key):
    """Where a key stands in the table of sampled positions, or the free slot where it belongs."""
    last = np.uint64(tree.fade_key.size - 1)  # the size is a power of two
    slot = (key ^ (key >> np.uint64(29))) & last
    while tree.fade_node[slot] != UNEXPANDED and tree.fade_key[slot] != key:
        slot = (slot + np.uint64(1)) & last
    return slot


@kernel(allocates=False)
def find_settled(tree, node, position_key):
    """The child of a node that settles, for this position; made if it is new; or FULL."""
    key = position_key ^ times(np.uint64(node + 1), np.uint64(0x9E3779B97F4A7C15))
    slot = find_slot(tree, key)
    if tree.fade_node[slot] == UNEXPANDED:
        if tree.size[0] >= tree.visits.size:
            return FULL
        tree.fade_key[slot] = key
        tree.fade_node[slot] = tree.size[0]
        tree.size[0] += 1
    return np.int64(tree.fade_node[slot])


@kernel(allocates=False)
def _prove_chance(tree, node):
    """Make a chance node exact if all its outcomes are; True when they are."""
    first = tree.first_child[node]
    last = first + tree.n_children[node]
    for child in range(first, last):
        if tree.chance[child] > 1e-12 and not tree.is_exact[child]:
            return False
    for column in range(columns(tree)):
        expected = 0.0
        for child in range(first, last):
            if tree.chance[child] > 1e-12:
                expected += tree.chance[child] * tree.value[value_at(tree, child, column)]
        tree.carried[column] = expected
    set_exact(tree, node)
    return True


@kernel(allocates=False)
def try_proof(tree, node, kind):
    """Make a node exact if its children prove it, and carry that; True when they do."""
    if kind == SETTLING:
        return False
    if kind == CHANCE:
        return _prove_chance(tree, node)
    sign, column = view_of(tree, kind)
    first = tree.first_child[node]
    tried = first + tree.n_tried[node]
    are_all_exact = tree.n_tried[node] == tree.n_children[node]
    best = -2.0
    for child in range(first, tried):
        if tree.is_exact[child]:
            best = max(best, sign * tree.value[value_at(tree, child, column)])
        else:
            are_all_exact = False
    if best < CERTAIN and not are_all_exact:
        return False
    if columns(tree) == 1:
        tree.carried[0] = sign * best
    else:
        _carry_ties(tree, first, tried, column, best)
    set_exact(tree, node)
    return True


@kernel(allocates=False)
def _carry_ties(tree, first, last, column, best):
    """Carry the mean of the moves that are as good as the best for the seat of this column."""
    for other in range(columns(tree)):
        total, n = 0.0, 0
        for child in range(first, last):
            if tree.is_exact[child] and tree.value[value_at(tree, child, column)] >= best - TIED:
                total += tree.value[value_at(tree, child, other)]
                n += 1
        tree.carried[other] = total / n


@kernel(allocates=False, inlined=True)
def back_up(tree, path, kinds, length, is_proof):
    """Add what is carried to all nodes of a walk; `is_proof`: its last has just become exact."""
    for step in range(length - 1, -1, -1):
        node = path[step]
        visits = tree.visits[node] + 1
        tree.visits[node] = visits
        if step < length - 1:
            is_proof = is_proof and try_proof(tree, node, kinds[step])
        if tree.is_exact[node]:
            carry_node(tree, node)
        else:
            _count_in(tree, node, visits)


@kernel(allocates=False, inlined=True)
def _count_in(tree, node, visits):
    """Take what is carried into the mean of a node that has so many visits by now."""
    for column in range(columns(tree)):
        at = value_at(tree, node, column)
        tree.value[at] += (tree.carried[column] - tree.value[at]) / visits
    tree.spread[node] = 1.0 / math.sqrt(visits)


@kernel(allocates=False)
def back_up_for_many(tree, path, kinds, instead, length, is_proof):
    """The same with more than two seats, in a kernel of its own: two need none of it.

    `instead` holds the child that counts where another was probed, or FULL.
    """
    for step in range(length - 1, -1, -1):
        node = path[step]
        visits = tree.visits[node] + 1
        tree.visits[node] = visits
        if step < length - 1:
            is_proof = is_proof and try_proof(tree, node, kinds[step])
        if tree.is_exact[node]:
            carry_node(tree, node)
            continue
        if step < length - 1 and kinds[step] == CHANCE:
            _carry_mean(tree, node)
        elif step < length - 1 and instead[step] != FULL:
            carry_node(tree, instead[step])
        _count_in(tree, node, visits)


@kernel(allocates=False, inlined=True)
def is_finished(tree, every_move):
    """True when more simulations teach nothing: the root is exact, or every move of it is."""
    if not tree.is_exact[ROOT] or tree.first_child[ROOT] == UNEXPANDED:
        return False
    if not every_move:
        return True
    first = tree.first_child[ROOT]
    for child in range(first, first + tree.n_children[ROOT]):
        if not tree.is_exact[child]:
            return False
    return True


@kernel(allocates=False, inlined=True)
def _copy_node(old, node, out_tree, new):
    """All that is known of a node, but for its children."""
    out_tree.visits[new] = old.visits[node]
    for column in range(columns(old)):
        value = old.value[value_at(old, node, column)]
        out_tree.value[value_at(out_tree, new, column)] = value
    out_tree.spread[new] = old.spread[node]
    out_tree.is_exact[new] = old.is_exact[node]
    out_tree.n_tried[new] = old.n_tried[node]
    out_tree.move[new] = old.move[node]
    if out_tree.chance.size > 1:
        out_tree.chance[new] = old.chance[node]


@kernel()
def keep_subtree(old, node, out_tree):
    """Copy the subtree below `node` into an empty tree that has room for it, as its root."""
    old_of = np.empty(out_tree.visits.size, np.int32)
    old_of[ROOT] = node
    out_tree.size[0] = 1
    new = 0
    while new < out_tree.size[0]:
        source = old_of[new]
        _copy_node(old, source, out_tree, new)
        n = old.n_children[source]
        if n > 0:
            first = make_children(out_tree, new, n)
            for i in range(n):
                old_of[first + i] = old.first_child[source] + i
        new += 1


@kernel(allocates=False)
def copy_tree(old, out_tree):
    """Copy a tree into one with more room, node by node."""
    out_tree.size[0] = old.size[0]
    out_tree.size[1] = old.size[1]
    for node in range(old.size[0]):
        _copy_node(old, node, out_tree, node)
        out_tree.first_child[node] = old.first_child[node]
        out_tree.n_children[node] = old.n_children[node]
    for slot in range(old.fade_key.size):
        if old.fade_node[slot] != UNEXPANDED:
            free = find_slot(out_tree, old.fade_key[slot])
            out_tree.fade_key[free] = old.fade_key[slot]
            out_tree.fade_node[free] = old.fade_node[slot]
