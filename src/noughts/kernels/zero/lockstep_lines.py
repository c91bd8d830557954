"""Lockstep search on games of lines. A state is the board, one number per cell, and the clock."""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import DRAW, EMPTY, RUNNING
from noughts.kernels.rules.risk import landing_odds, sample_mark, waits
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


@kernel(allocates=False)
def _completes(rules, state, cell, mark):
    """Does the mark on this cell complete a line?"""
    for j in range(rules.line_start[cell], rules.line_start[cell + 1]):
        line = rules.line_of[j]
        own = 0
        for i in range(rules.line_length[line]):
            own += state[rules.line_cells[line, i]] == mark
        if own == rules.line_length[line]:
            return True
    return False


@kernel(allocates=False)
def _land(rules, state, move, mark, rng):
    """Let a mark land on a board, and marks fade; the result."""
    cells = state.size - 1
    cell = move % cells
    state[cells] += move // cells
    if mark != EMPTY:
        state[cell] = mark
        if _completes(rules, state, cell, mark):
            return 3 - mark if rules.is_misere else mark
        n_empty = 0
        for i in range(cells):
            n_empty += state[i] == EMPTY
        if n_empty == 0:
            return DRAW
    if rules.risk.fades:
        for i in range(cells):
            chance = rules.risk.fade[i]
            if chance > 0.0 and state[i] != EMPTY and uniform(rng) < chance:
                state[i] = EMPTY
    return RUNNING


@kernel(allocates=False)
def _add_moves(rules, forest, game, node):
    state = forest.state[game, node]
    cells = state.size - 1
    tick = state[cells]
    for wait in range(waits(rules.risk, tick) + 1):
        for cell in range(cells):
            if state[cell] == EMPTY:
                edge = add_edge(forest, game, node, cell + cells * wait)
                if rules.risk.is_risky:
                    own, other = landing_odds(rules.risk, cell, tick + wait)
                    set_chances(forest, game, edge, own, other)


@kernel(allocates=False)
def encode(rules, symmetry, state, turn, out):
    """Own marks, the opponent's marks and, with a clock, its share gone by; seen by a symmetry."""
    cells = symmetry.size
    out[:] = 0.0
    for cell in range(cells):
        if state[cell] == turn:
            out[symmetry[cell]] = 1.0
        elif state[cell] != EMPTY:
            out[cells + symmetry[cell]] = 1.0
    if rules.risk.has_clock:
        longest = rules.risk.last_tick if rules.risk.last_tick > 0 else rules.risk.longest_wait
        out[2 * cells] = min(1.0, state[cells] / max(1, longest))


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
    """Walk in every game until it has its leaves for a batch; how many there are in all.

    `done` and `target` [games] count simulations. Walks that end where the game is over, or where
    the value is proven, need no network and are backed up at once.
    """
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
        cells = state.size - 1
        mark = np.int64(turns[game])
        if rules.risk.is_risky:
            tick = state[cells] + move // cells
            mark = np.int64(sample_mark(rules.risk, move % cells, tick, mark, own_rng))
        out_results[k] = _land(rules, state, move, mark, own_rng)
        turns[game] = 3 - turns[game]
