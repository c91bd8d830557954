"""Lockstep search on Ultimate.

A state: the marks of X, then of O, in nine mini boards each (as nine bits); the mini boards that
each has won; the forced mini board; the clock.
"""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import DRAW, EMPTY, RUNNING
from noughts.kernels.rules.risk import landing_odds, sample_mark, waits
from noughts.kernels.ultimate import ANYWHERE, FULL, count_of, nth_of
from noughts.kernels.zero.lockstep import (
    NOTHING,
    ROOT,
    add_edge,
    back_up,
    count_walk,
    move_into,
    next_leaf,
    set_chances,
    set_ended,
    value_of,
)

OWNERS = 18  # in a state: X's, then O's
FORCED = 20
TICK = 21
NUMBERS = 22


@kernel(allocates=False, inlined=True)
def _free_cells(rules, state, mini):
    if (not rules.plays_on) and ((state[OWNERS] | state[OWNERS + 1]) >> mini) & 1:
        return np.int64(0)
    return np.int64(FULL & ~(state[mini] | state[9 + mini]))


@kernel(allocates=False)
def _final_result(rules, state):
    if rules.counts_boards:
        lead = count_of(rules, state[OWNERS]) - count_of(rules, state[OWNERS + 1])
        if lead > 0:
            return 1
        if lead < 0:
            return 2
    return DRAW


@kernel(allocates=False)
def _fade(rules, state, rng):
    """Let marks fade in the mini boards that nobody has won."""
    for mini in range(9):
        if ((state[OWNERS] | state[OWNERS + 1]) >> mini) & 1:
            continue
        for cell in range(9):
            chance = rules.risk.fade[9 * mini + cell]
            is_filled = ((state[mini] | state[9 + mini]) >> cell) & 1
            if is_filled and chance > 0.0 and uniform(rng) < chance:
                state[mini] &= ~(1 << cell)
                state[9 + mini] &= ~(1 << cell)


@kernel(allocates=False)
def _land(rules, state, move, mark, rng):
    """Let a mark land, and marks fade; the result."""
    mini, cell = (move % 81) // 9, move % 9
    state[TICK] += move // 81
    if mark != EMPTY:
        side = mark - 1
        state[9 * side + mini] |= 1 << cell
        is_open = not ((state[OWNERS] | state[OWNERS + 1]) >> mini) & 1
        if is_open and rules.is_won[state[9 * side + mini]]:
            state[OWNERS + side] |= 1 << mini
            if rules.is_won[state[OWNERS + side]]:
                return mark
        is_stuck = True
        for i in range(9):
            if _free_cells(rules, state, i) != 0:
                is_stuck = False
        if is_stuck:
            return _final_result(rules, state)
    if rules.risk.fades:
        _fade(rules, state, rng)
    state[FORCED] = cell if _free_cells(rules, state, cell) != 0 else ANYWHERE
    return RUNNING


@kernel(allocates=False)
def _add_moves(rules, forest, game, node):
    state = forest.state[game, node]
    tick, forced = state[TICK], state[FORCED]
    for wait in range(waits(rules.risk, tick) + 1):
        for mini in range(9):
            if forced != ANYWHERE and forced != mini:
                continue
            free = _free_cells(rules, state, mini)
            for i in range(count_of(rules, free)):
                cell = 9 * mini + nth_of(rules, free, i)
                edge = add_edge(forest, game, node, cell + 81 * wait)
                if rules.risk.is_risky:
                    own, other = landing_odds(rules.risk, cell, tick + wait)
                    set_chances(forest, game, edge, own, other)


@kernel(allocates=False)
def encode(rules, symmetry, state, turn, out):
    """The board as 1 (own), -1 and 0, then a one-hot of the forced mini board; by a symmetry."""
    out[:] = 0.0
    own = 9 * (turn - 1)
    other = 9 - own
    for mini in range(9):
        for cell in range(9):
            if (state[own + mini] >> cell) & 1:
                out[symmetry[9 * mini + cell]] = 1.0
            elif (state[other + mini] >> cell) & 1:
                out[symmetry[9 * mini + cell]] = -1.0
    if state[FORCED] != ANYWHERE:
        out[81 + symmetry[9 * state[FORCED]] // 9] = 1.0


@kernel(allocates=False)
def encode_all(rules, symmetries, states, turns, choices, out):
    """Encode many states, each seen by the symmetry that was chosen for it."""
    for k in range(states.shape[0]):
        encode(rules, symmetries[choices[k]], states[k], turns[k], out[k])


@kernel(allocates=False)
def gather(
    rules, symmetries, rule, forest, games, done, target, rng,
    out_game, out_node, out_symmetry, out_features,
):  # fmt: skip
    """Walk in every game until it has its leaves for a batch, as in `lockstep_lines.gather`."""
    is_risky, fades = rules.risk.is_risky, rules.risk.fades
    count = 0
    for k in range(games.size):
        game = games[k]
        own_rng = rng[game : game + 1]
        leaves = 0
        while leaves < rule.leaves and done[game] < target[game]:
            node = next_leaf(rule, forest, game, done, is_risky, fades)
            if node == NOTHING:
                break
            if not forest.is_exact[game, node]:
                _arrive(rules, forest, game, node, own_rng)
            count_walk(forest, game, node, is_risky)
            if forest.is_exact[game, node]:
                back_up(forest, game, node, 0.0, is_risky, fades)
                continue
            symmetry = below(own_rng, symmetries.shape[0])
            state, turn = forest.state[game, node], forest.turn[game, node]
            encode(rules, symmetries[symmetry], state, turn, out_features[count])
            out_game[count], out_node[count], out_symmetry[count] = game, node, symmetry
            count += 1
            leaves += 1
    return count


@kernel(allocates=False)
def _arrive(rules, forest, game, node, rng):
    """Give a new node its position and its moves."""
    if node != ROOT:
        move, mark = move_into(forest, game, node)
        result = _land(rules, forest.state[game, node], move, mark, rng)
        if result != RUNNING:
            set_ended(forest, game, node, value_of(result))
            return
    _add_moves(rules, forest, game, node)


@kernel(allocates=False)
def play(rules, states, turns, games, moves, rng, out_results):
    """Play one move in each of some games, by chance where there is risk; the turn passes."""
    for k in range(games.size):
        game = games[k]
        own_rng = rng[game : game + 1]
        state, move = states[game], np.int64(moves[k])
        mark = np.int64(turns[game])
        if rules.risk.is_risky:
            tick = state[TICK] + move // 81
            mark = np.int64(sample_mark(rules.risk, move % 81, tick, mark, own_rng))
        out_results[k] = _land(rules, state, move, mark, own_rng)
        turns[game] = 3 - turns[game]
