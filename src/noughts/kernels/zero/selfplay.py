"""Games of a folded network against itself, and what is to be learned from them.

A game begins with 0..4 random moves. Every move is searched with Dirichlet noise on the root's
priors; the first `warm_plies` moves are drawn in proportion to visits, the others are the most
visited. The search goes on in the part of the tree that the last one left. A game ends when its
root is proven, except for every fifth, which is played to the end.

Each game draws from its own stream, so a game is the same in any batch and on any thread.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rng import below, uniform
from noughts.kernels.zero.leaves import open_root
from noughts.kernels.zero.mini_boards import (
    ANYWHERE,
    DRAW,
    FORCED,
    FREE,
    LOSS,
    STATE,
    TURN,
    UNKNOWN,
    WIN,
    moves_of,
    play,
)
from noughts.kernels.zero.nodes import clear_node
from noughts.kernels.zero.puct import Budget, search

MOST_PLIES = 81


class PlaySettings(NamedTuple):
    """How self-play searches and explores."""

    visits: int  # of the root before a move is chosen
    fresh: int  # simulations at least, however many visits are left from before
    exploration: float
    urgency: float
    noise: float  # the weight of the Dirichlet noise
    noise_alpha: float
    warm_plies: int
    opening_plies: int  # random ones at most
    result_weight: float  # of the game's result in the target; the rest is the search's value


class Samples(NamedTuple):
    """Positions and their targets, one row each; the player on turn is `own`."""

    boards: NDArray[np.int16]  # [N, 9] configurations
    forced: NDArray[np.int8]  # [N]
    policy: NDArray[np.uint8]  # [N, 81] visits, the largest as 255; all 0 where there is no target
    odds: NDArray[np.float32]  # [N, 3] win, draw, loss


@kernel(allocates=False)
def _normal(rng):
    # Box and Muller, one of the pair
    u = 1.0 - uniform(rng)
    return math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * uniform(rng))


@kernel(allocates=False)
def _gamma(rng, alpha):
    """Marsaglia and Tsang 2000; alpha below one through alpha + 1."""
    shape = alpha + 1.0 if alpha < 1.0 else alpha
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    drawn = d
    for _ in range(64):
        x = _normal(rng)
        v = (1.0 + c * x) ** 3
        if v > 0.0 and math.log(1.0 - uniform(rng)) < 0.5 * x * x + d - d * v + d * math.log(v):
            drawn = d * v
            break
    if alpha < 1.0:
        drawn *= (1.0 - uniform(rng)) ** (1.0 / alpha)
    return drawn


@kernel(allocates=False)
def add_noise(tree, root, weight, alpha, rng, scratch):
    """Mix Dirichlet noise into the priors of the root's children."""
    first, n = tree.first[root], tree.n_children[root]
    total = 0.0
    for k in range(n):
        scratch.priors[k] = _gamma(rng, alpha)
        total += scratch.priors[k]
    for k in range(n):
        child = first + k
        mixed = (1.0 - weight) * tree.prior[child] + weight * scratch.priors[k] / total
        tree.prior[child] = mixed
        if tree.proof[child] != LOSS:
            tree.share[child] = mixed / (1 + tree.visits[child])


@kernel(allocates=False, inlined=True)
def _worth(tree, root, child):
    """The visits that count towards a choice: none for lost moves, nor beside a winning one."""
    proof = tree.proof[child]
    if tree.proof[root] == LOSS:  # the mover wins
        return tree.visits[child] + 1 if proof == WIN else 0
    if proof == LOSS and tree.proof[root] != WIN:
        return 0
    if tree.proof[root] == DRAW:
        return tree.visits[child] + 1 if proof == DRAW else 0
    return tree.visits[child]


@kernel(allocates=False)
def best_child(tree, root):
    """The child to play: by worth, then value, then prior."""
    first = tree.first[root]
    best = first
    for child in range(first + 1, first + tree.n_children[root]):
        a = (_worth(tree, root, child), tree.value[child], tree.prior[child])
        b = (_worth(tree, root, best), tree.value[best], tree.prior[best])
        if a > b:
            best = child
    return best


@kernel(allocates=False)
def _drawn_child(tree, root, rng):
    """A child with a chance in proportion to its worth."""
    first, n = tree.first[root], tree.n_children[root]
    total = 0
    for child in range(first, first + n):
        total += _worth(tree, root, child)
    if total == 0:
        return best_child(tree, root)
    left = below(rng, total)
    for child in range(first, first + n):
        left -= _worth(tree, root, child)
        if left < 0:
            return child
    return first


@kernel(allocates=False)
def _record(tree, root, state, samples, at, result_weight):
    """Write one position, its policy and the search's share of its odds."""
    side = 9 * state[TURN]
    for mini in range(9):
        samples.boards[at, mini] = state[side + mini]
    samples.forced[at] = state[FORCED]
    first, n = tree.first[root], tree.n_children[root]
    most = 0
    for child in range(first, first + n):
        most = max(most, _worth(tree, root, child))
    for move in range(81):
        samples.policy[at, move] = 0
    if most and tree.proof[root] != WIN:
        for child in range(first, first + n):
            share = 255.0 * _worth(tree, root, child) / most
            samples.policy[at, tree.move[child]] = np.uint8(share + 0.5)
    value, draw = -tree.value[root], tree.draws[root]
    weight = 1.0 if tree.proof[root] != UNKNOWN else 1.0 - result_weight
    samples.odds[at, 0] = weight * (1.0 - draw + value) / 2.0
    samples.odds[at, 1] = weight * draw
    samples.odds[at, 2] = weight * (1.0 - draw - value) / 2.0


@kernel(allocates=False)
def start_state(state):
    """The empty board."""
    for i in range(STATE):
        state[i] = 0
    for i in range(18):
        state[i] = 3
    for mini in range(9):
        state[FREE + mini] = 511
    state[FORCED] = ANYWHERE


@kernel(allocates=False)
def play_game(tree, net, tables, settings, scratch, rng, samples, first):
    """One game; (samples written, result: WIN when X won)."""
    state = scratch.game
    start_state(state)
    plies = below(rng, settings.opening_plies + 1)
    for _ in range(plies):
        play(tables, state, scratch.moves[below(rng, moves_of(state, scratch.moves))])
    to_the_end = below(rng, 5) == 0
    opening = plies
    root = 0
    tree.size[0] = 1
    clear_node(tree, root)
    at = first
    for_x = UNKNOWN
    while for_x == UNKNOWN:
        if tree.size[0] > tree.visits.size // 2:
            root = 0
            tree.size[0] = 1
            clear_node(tree, root)
        open_root(tree, net, tables, root, state, scratch, settings.urgency)
        add_noise(tree, root, settings.noise, settings.noise_alpha, rng, scratch)
        wanted = max(settings.visits, tree.visits[root] + settings.fresh)
        budget = Budget(settings.exploration, settings.urgency, wanted, settings.visits)
        search(tree, net, tables, root, state, scratch, budget)
        _record(tree, root, state, samples, at, settings.result_weight)
        at += 1
        if tree.proof[root] != UNKNOWN and not to_the_end:
            moved_into = tree.proof[root]
            for_x = moved_into if state[TURN] == 1 else WIN + LOSS - moved_into
            break
        if plies < settings.warm_plies:
            root = _drawn_child(tree, root, rng)
        else:
            root = best_child(tree, root)
        is_x = state[TURN] == 0
        result = play(tables, state, tree.move[root])
        if result != UNKNOWN:
            for_x = result if is_x else WIN + LOSS - result
        plies += 1
    for i in range(first, at):
        is_x = (opening + i - first) % 2 == 0
        mine = for_x if is_x else WIN + LOSS - for_x
        rest = 1.0 - (samples.odds[i, 0] + samples.odds[i, 1] + samples.odds[i, 2])
        samples.odds[i, mine - 1] += rest
    return at - first, for_x


@kernel(allocates=False)
def play_games(tree, net, tables, settings, scratch, streams, samples, out_games):
    """One game for each stream [games, 1]; samples one after another.

    out_games [games, 2] gets the number of samples and the result for X. Returns all samples.
    """
    written = 0
    for game in range(streams.shape[0]):
        n, result = play_game(tree, net, tables, settings, scratch, streams[game], samples, written)
        out_games[game, 0] = n
        out_games[game, 1] = result
        written += n
    return written


class Augmentation(NamedTuple):
    """The eight symmetries of the square."""

    cells: NDArray[np.int8]  # [8, 9] where a cell, or a mini board, goes
    boards: NDArray[np.int16]  # [8, C] the configuration turned that way
    empty: NDArray[np.int16]  # [C] the cells that take a mark


class Batch(NamedTuple):
    """Positions and targets as a step of training takes them."""

    boards: NDArray[np.int32]  # [B, 9]
    forced: NDArray[np.int32]  # [B]
    legal: NDArray[np.bool_]  # [B, 81]
    policy: NDArray[np.float32]  # [B, 81]
    odds: NDArray[np.float32]  # [B, 3]


@kernel(allocates=False)
def fill_batch(samples, augmentation, rows, turns, out):
    """Copy rows [B] of the memory, each turned by one of the symmetries `turns` [B]."""
    out_boards, out_forced, out_legal = out.boards, out.forced, out.legal
    out_policy, out_odds = out.policy, out.odds
    for b in range(rows.size):
        row, turn = rows[b], turns[b]
        to = augmentation.cells[turn]
        forced = samples.forced[row]
        out_forced[b] = forced if forced == ANYWHERE else to[forced]
        total = 0
        for move in range(81):
            total += samples.policy[row, move]
        scale = np.float32(1.0 / max(1, total))
        for mini in range(9):
            board = samples.boards[row, mini]
            out_boards[b, to[mini]] = augmentation.boards[turn, board]
            empty = augmentation.empty[board] if forced in (ANYWHERE, mini) else 0
            for cell in range(9):
                move = 9 * to[mini] + to[cell]
                out_legal[b, move] = (empty >> cell) & 1
                out_policy[b, move] = scale * samples.policy[row, 9 * mini + cell]
        for i in range(3):
            out_odds[b, i] = samples.odds[row, i]
