"""Searches of many games in step, for every family: positions into the trees of a `forest`.

`gather` walks in every game and collects the leaves of a batch as a network sees them;
`add_answers` takes what it says. A leaf is seen as one of the symmetries of its game shows it,
chosen at random; the tables of `Images` say where its places and its moves are then.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rng import below
from noughts.kernels.rules import protocol
from noughts.kernels.rules.codes import NOBODY, RUNNING
from noughts.kernels.rules.protocol import (
    Facts,
    Scratch,
    encode,
    land,
    load,
    open_moves,
    outcomes,
    result,
    sample,
    save,
    settle,
    turn,
)
from noughts.kernels.search.forest import (
    NOTHING,
    ROOT,
    add_edge,
    back_up,
    count_walk,
    next_leaf,
    set_chances,
    set_ended,
)


class Images(NamedTuple):
    """What symmetries do; the identity is first."""

    places: NDArray[np.int64]  # [images, places] where each place of an observation goes
    moves: NDArray[np.int64]  # [images, moves]


class Room(NamedTuple):
    """Room for the verbs of a search, and what they must know."""

    state: Any
    scratch: Scratch
    seats: int
    settles: bool


class Work(NamedTuple):
    """Which games are searched, and how far."""

    games: NDArray[np.int64]
    done: NDArray[np.int64]  # [all games] simulations
    target: NDArray[np.int64]  # [all games]
    rng: NDArray[np.uint64]  # [all games]


class Leaves(NamedTuple):
    """A batch for the network."""

    game: NDArray[np.int64]
    node: NDArray[np.int64]
    image: NDArray[np.int64]
    features: NDArray[np.float32]  # [leaves, inputs]


def new_room(rules: Any, facts: Facts) -> Room:
    """Room for one search at a time."""
    return Room(protocol.new(rules), protocol.new_scratch(facts), facts.seats, bool(facts.settles))


@kernel(allocates=False)
def _arrive(rules, room, forest, game, node, rng):
    """Give a new node its position, its turn and its moves."""
    scratch, state = room.scratch, room.state
    if node == ROOT:
        state = load(rules, forest.row[game, ROOT], state)
    else:
        state = load(rules, forest.row[game, forest.parent[game, node]], state)
        move = np.int64(forest.move[game, forest.parent_edge[game, node]])
        state = land(rules, state, move, np.int64(forest.landing[game, node]))
        if room.settles and result(rules, state) == RUNNING:
            state = settle(rules, state, rng)
        save(rules, state, forest.row[game, node])
    forest.turn[game, node] = turn(rules, state)
    if result(rules, state) != RUNNING:
        set_ended(forest, game, node, result(rules, state), room.seats)
        return
    moves = scratch.moves
    for i in range(open_moves(rules, state, moves)):
        edge = add_edge(forest, game, node, moves[i])
        if forest.outcome.shape[2] > 1:
            n = outcomes(rules, state, moves[i], scratch.chances)
            set_chances(forest, game, edge, scratch.chances, n)


@kernel(allocates=False)
def gather(rules, room, images, rule, forest, work, out):
    """Walk in every game until it has its leaves for a batch; how many there are in all.

    Walks that end where the game is over, or where the value is proven, need no network and are
    backed up at once.
    """
    done, count = work.done, 0
    for k in range(work.games.size):
        game = work.games[k]
        rng = work.rng[game : game + 1]
        leaves = 0
        while leaves < rule.leaves and done[game] < work.target[game]:
            node = next_leaf(rule, forest, game, done, room.settles)
            if node == NOTHING:
                break
            if not forest.is_exact[game, node]:
                _arrive(rules, room, forest, game, node, rng)
            count_walk(forest, game, node)
            if forest.is_exact[game, node]:
                back_up(forest, game, node, room.settles)
                continue
            image = below(rng, images.places.shape[0])
            state = load(rules, forest.row[game, node], room.state)
            encode(rules, state, images.places[image], room.scratch, out.features[count])
            out.game[count], out.node[count], out.image[count] = game, node, image
            count += 1
            leaves += 1
    return count


@kernel(allocates=False)
def add_answers(forest, images, leaves, count, logits, values, settles):
    """The network's answers for a batch of leaves: priors for their moves, values for their walks.

    `logits` [leaves, moves] are about each position as its symmetry shows it. `values` [leaves,
    width] begin with the player on turn: one number for two seats, else one for each that follows.
    """
    for i in range(count):
        game, node, image = leaves.game[i], leaves.node[i], leaves.image[i]
        first, n = forest.first_edge[game, node], forest.n_edges[game, node]
        highest = -np.inf
        for edge in range(first, first + n):
            logit = logits[i, images.moves[image, forest.move[game, edge]]]
            forest.prior[game, edge] = logit
            highest = max(highest, logit)
        weight = 0.0
        for edge in range(first, first + n):
            forest.prior[game, edge] = math.exp(forest.prior[game, edge] - highest)
            weight += forest.prior[game, edge]
        for edge in range(first, first + n):
            forest.prior[game, edge] /= weight
        seat, width = np.int64(forest.turn[game, node]), forest.value.size
        first_seat = 0 if seat == NOBODY else seat - 1
        for k in range(width):
            forest.value[(first_seat + k) % width] = np.float64(values[i, k])
        if width == 1 and seat == 2:
            forest.value[0] = -forest.value[0]
        back_up(forest, game, node, settles)


@kernel(allocates=False)
def encode_all(rules, room, images, rows, choices, out):
    """Encode many rows, each seen by the symmetry that was chosen for it."""
    for i in range(rows.shape[0]):
        state = load(rules, rows[i], room.state)
        encode(rules, state, images.places[choices[i]], room.scratch, out[i])


@kernel(allocates=False)
def play(rules, room, rows, games, moves, rng, out_results):
    """Play one move in each of some games, by chance where there is any."""
    for i in range(games.size):
        row = rows[games[i]]
        state = load(rules, row, room.state)
        stream = rng[games[i] : games[i] + 1]
        state = sample(rules, state, np.int64(moves[i]), room.scratch, stream)
        save(rules, state, row)
        out_results[i] = result(rules, state)
