"""UCT: the walk through a tree, for every family of games. See `tree`."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rng import uniform
from noughts.kernels.rules import protocol
from noughts.kernels.rules.codes import RUNNING
from noughts.kernels.rules.protocol import (
    Facts,
    Scratch,
    children,
    copy,
    family,
    go_on,
    hook,
    hot_verb,
    judge,
    key,
    load,
    new_scratch,
    outcomes,
    playout,
    result,
    settle,
    turn,
)
from noughts.kernels.search.tree import (
    CHANCE,
    FULL,
    LONGEST_WALK,
    ROOT,
    SETTLING,
    UNEXPANDED,
    add_ended,
    add_outcomes,
    back_up,
    back_up_for_many,
    carry_node,
    carry_result,
    find_probe,
    find_settled,
    is_finished,
    make_children,
    select,
    select_outcome,
    set_exact,
    try_proof,
    view_of,
)


class Budget(NamedTuple):
    """How long a search goes on, and how it explores."""

    simulations: int
    exploration: float
    most_turns: int  # of a playout
    every_move: bool  # go on until each move of the root is exact
    can_grow: bool  # stop when the pool has no room for one more expansion


class Room(NamedTuple):
    """What a walk needs besides the tree."""

    start: Any  # a state
    state: Any
    scratch: Scratch
    path: NDArray[np.int64]  # [steps] its nodes
    kinds: NDArray[np.int64]  # [steps] what stands there: a seat, CHANCE or SETTLING


class RoomForMany(NamedTuple):
    """The same for more than two seats; its class picks what only they need."""

    start: Any
    state: Any
    scratch: Scratch
    path: NDArray[np.int64]
    kinds: NDArray[np.int64]
    instead: NDArray[np.int64]  # [steps] the child that counts where another is probed, or FULL


def new_room(rules: Any, facts: Facts) -> Room | RoomForMany:
    """Room for the walks of one search."""
    steps = LONGEST_WALK + 4
    states = protocol.new(rules), protocol.new(rules)
    path, kinds = np.zeros(steps, np.int64), np.zeros(steps, np.int64)
    room = (*states, new_scratch(facts), path, kinds)
    return Room(*room) if facts.seats == 2 else RoomForMany(*room, np.full(steps, FULL))


@hot_verb
def _as_chosen(room, tree, node, chosen, seat, exploration, step):
    return chosen


@hot_verb
def _probed(room, tree, node, chosen, seat, exploration, step):
    probe = find_probe(tree, node, chosen, seat, exploration)
    room.instead[step] = FULL if probe == chosen else chosen
    return probe


@hot_verb
def _back_up(room, tree, length, is_proof):
    back_up(tree, room.path, room.kinds, length, is_proof)


@hot_verb
def _back_up_for_many(room, tree, length, is_proof):
    back_up_for_many(tree, room.path, room.kinds, room.instead, length, is_proof)


# What two seats have no use for is not even compiled for them: their walk was slower with it.
probed = hook("probed", _as_chosen)  # the child to visit in place of the one that was chosen
count_walk = hook("count_walk", _back_up)
family(RoomForMany, probed=_probed, count_walk=_back_up_for_many)


@kernel(allocates=False, inlined=True)
def _expand(rules, tree, node, state, scratch):
    """Make a child for each move worth trying; those that end the game are exact at once."""
    n = children(rules, state, node != ROOT, scratch)
    first = make_children(tree, node, n)
    if first == FULL:
        return False
    moves, ends = scratch.moves, scratch.ends
    for i in range(n):
        tree.move[first + i] = moves[i]
        if ends[i] != RUNNING:
            add_ended(tree, node, i, ends[i])
    return True


@kernel(allocates=False)
def _choose_outcome(rules, tree, node, state, move, scratch, rng):
    """(child, outcome) of a chance node; (FULL, a random one) when the pool has no room."""
    if tree.first_child[node] == UNEXPANDED:
        chances = scratch.chances
        n = outcomes(rules, state, move, chances)
        if not add_outcomes(tree, node, chances, n):
            draw, drawn, reached = uniform(rng), np.int64(0), chances[0]
            while drawn < n - 1 and draw >= reached:
                drawn += 1
                reached += chances[drawn]
            return FULL, drawn
    outcome = select_outcome(tree, node)
    return np.int64(tree.first_child[node] + outcome), outcome


@kernel(allocates=False, inlined=True)
def _is_judged(rules, tree, state, seat):
    """Whether the position is decided within two moves; then its value is carried."""
    low, high, _ = judge(rules, state)
    if low != high:
        return False
    sign, _ = view_of(tree, seat)
    carry_result(tree, seat)
    if low <= 0:  # of two seats the other wins, or nobody
        tree.carried[0] = 0.0 if low == 0 else -sign
    return True


@kernel(allocates=False, inlined=True)
def _simulate(rules, facts, tree, state, room, budget, rng):
    """One walk from the root, its score, and the backup. The state is scratch."""
    scratch, path, kinds = room.scratch, room.path, room.kinds
    node = ROOT
    length = moves = 0
    is_proof = False
    is_open = False  # did the walk end in the middle of the game
    while True:
        if node == FULL:
            is_open = True
            break
        seat = turn(rules, state)
        path[length] = node
        kinds[length] = seat
        length += 1
        if tree.first_child[node] == UNEXPANDED:
            is_new = tree.visits[node] == 0 and node != ROOT
            if is_new and _is_judged(rules, tree, state, seat):
                set_exact(tree, node)
                is_proof = True
                break
            if is_new or length > LONGEST_WALK or not _expand(rules, tree, node, state, scratch):
                is_open = True
                break
            if tree.n_tried[node] > 0 and try_proof(tree, node, seat):
                is_proof = True
                break
        evenly = budget.every_move and node == ROOT
        chosen = select(tree, node, seat, budget.exploration, evenly, rng)
        node = probed(room, tree, node, chosen, seat, budget.exploration, length - 1)
        moves += 1
        move = np.int64(tree.move[node])
        outcome = np.int64(0)
        if facts.most_outcomes > 1:
            path[length] = node
            kinds[length] = CHANCE
            length += 1
            node, outcome = _choose_outcome(rules, tree, node, state, move, scratch, rng)
        if node != FULL and not facts.settles and tree.is_exact[node]:
            carry_node(tree, node)
            path[length] = node
            length += 1
            break
        state = go_on(rules, state, move, outcome)
        ended = result(rules, state)
        if ended != RUNNING:
            carry_result(tree, ended)
            if node != FULL:
                path[length] = node
                length += 1
                is_proof = not tree.is_exact[node]
                set_exact(tree, node)
            break
        if facts.settles:
            state = settle(rules, state, rng)
            if node != FULL:
                path[length] = node
                kinds[length] = SETTLING
                length += 1
                node = find_settled(tree, node, key(rules, state, scratch.row))
                if node != FULL and tree.is_exact[node]:
                    carry_node(tree, node)
                    path[length] = node
                    length += 1
                    break
    if is_open:
        ended, _ = playout(rules, state, budget.most_turns, scratch, rng)
        carry_result(tree, ended)
    count_walk(room, tree, length, is_proof)
    tree.size[1] = max(tree.size[1], moves)


@kernel(allocates=False)
def search(rules, facts, tree, row, room, budget, rng):
    """Run simulations from a running position; how many were run.

    They stop early when nothing is left to learn, and when the pool has no room for one more
    expansion although it `can_grow`.
    """
    start = load(rules, row, room.start)
    wanted = facts.most_open + facts.most_outcomes + 1
    for done in range(budget.simulations):
        is_full = budget.can_grow and tree.size[0] + wanted > tree.visits.size
        if is_full or is_finished(tree, budget.every_move):
            return done
        state = copy(rules, start, room.state, room.scratch.row)
        _simulate(rules, facts, tree, state, room, budget, rng)
    return budget.simulations
