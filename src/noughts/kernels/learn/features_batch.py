"""Many games in step: what a network sees of them, and how all of them go on by one move.

A game is a row of whole numbers: its sites (EMPTY, X, O), then the forced mini board (9: anywhere),
the turn and the tick. In Ultimate the sites are 81 cells and nine mini boards.
"""

import numpy as np

from noughts.kernels import ultimate
from noughts.kernels.jit import kernel
from noughts.kernels.learn.features import list_inputs
from noughts.kernels.learn.quadratic_td import reward_of
from noughts.kernels.lines import fill_counts, result_of
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import EMPTY, RUNNING, X
from noughts.kernels.rules.risk import landing_odds, waits

ANYWHERE = 9
ULTIMATE_SITES = 90


@kernel()
def encode_rows(inputs, rows, out_x):
    """The inputs of every game, [games, inputs]."""
    sites = rows.shape[1] - 3
    counts = np.empty((2, inputs.line_length.size), np.uint8)
    index, value = np.empty(inputs.size + 2, np.int64), np.empty(inputs.size + 2)
    out_x[:] = 0.0
    for game in range(rows.shape[0]):
        row = rows[game]
        fill_counts(inputs, row[:sites], counts)
        forced, turn, tick = row[sites], row[sites + 1], row[sites + 2]
        size = list_inputs(inputs, row[:sites], counts, turn, forced, tick, index, value)
        for k in range(size):
            out_x[game, index[k]] = value[k]


@kernel(allocates=False)
def is_open(row, cell, is_ultimate, plays_on):
    """May the player on turn play this cell?"""
    if row[cell] != EMPTY:
        return False
    if not is_ultimate:
        return True
    forced = row[ULTIMATE_SITES]
    if forced != ANYWHERE and forced != cell // 9:
        return False
    return plays_on or row[81 + cell // 9] == EMPTY


@kernel()
def mask_rows(risk, rows, cells, is_ultimate, plays_on, out_mask):
    """Which moves (cell + cells · wait) are allowed in every game, [games, moves]."""
    tick = rows.shape[1] - 1
    for game in range(rows.shape[0]):
        row = rows[game]
        longest = waits(risk, row[tick])
        for move in range(out_mask.shape[1]):
            out_mask[game, move] = move // cells <= longest and is_open(
                row, move % cells, is_ultimate, plays_on
            )


@kernel()
def random_moves(mask, rng, out_moves):
    """A move of every game, uniform among those that are allowed."""
    for game in range(mask.shape[0]):
        n = 0
        for move in range(mask.shape[1]):
            n += mask[game, move]
        left = below(rng, n)
        for move in range(mask.shape[1]):
            if mask[game, move]:
                if left == 0:
                    out_moves[game] = move
                    break
                left -= 1


@kernel()
def line_result(rules, row, cells):
    """RUNNING, X, O or DRAW of a row of a board of lines."""
    counts = np.empty((2, rules.line_length.size), np.uint8)
    fill_counts(rules, row[:cells], counts)
    return result_of(rules, row[:cells], counts)


@kernel(allocates=False)
def ultimate_takes(rules, row, mini):
    """Does the mini board take a mark?"""
    if (not rules.plays_on) and row[81 + mini] != EMPTY:
        return False
    for cell in range(9):
        if row[9 * mini + cell] == EMPTY:
            return True
    return False


@kernel(allocates=False)
def _mini_mask(row, first, mark):
    found = 0
    for i in range(9):
        found |= (row[first + i] == mark) << i
    return found


@kernel()
def ultimate_result(rules, row, cell):
    """Update the owner of the mini board that was played in; RUNNING, X, O or DRAW."""
    mini = cell // 9
    if row[81 + mini] == EMPTY and row[cell] != EMPTY:
        if rules.is_won[_mini_mask(row, 9 * mini, row[cell])]:
            row[81 + mini] = row[cell]
    owners = np.array([_mini_mask(row, 81, 1), _mini_mask(row, 81, 2)])
    for side in range(2):
        if rules.is_won[owners[side]]:
            return side + 1
    for other in range(9):
        if ultimate_takes(rules, row, other):
            return RUNNING
    return ultimate.final_result(rules, owners)


@kernel(allocates=False)
def fade_row(fade, row, cells, is_ultimate, rng):
    """Empty filled cells by chance; marks in a won mini board stay."""
    for cell in range(cells):
        if row[cell] != EMPTY and fade[cell] > 0.0:
            if not (is_ultimate and row[81 + cell // 9] != EMPTY):
                if uniform(rng) < fade[cell]:
                    row[cell] = EMPTY


@kernel(allocates=False)
def _odds_of(risk, cell, tick, samples, rng, out_chance):
    """The chances of the own mark, the opponent's, nothing; which of them is drawn.

    With `samples` only what was drawn has a chance, and it stands first.
    """
    own, other = 1.0, 0.0
    drawn = 0
    if risk.is_risky:
        own, other = landing_odds(risk, cell, tick)
        draw = uniform(rng)
        drawn = 0 if draw < own else 1 if draw < own + other else 2
    if samples:
        out_chance[0] = 1.0
        return drawn
    out_chance[0], out_chance[1], out_chance[2] = own, other, max(0.0, 1.0 - own - other)
    return drawn


@kernel(allocates=False)
def _played(row, cell, tick, kind, forced, out_row):
    """The row after a move whose mark landed as `kind` says; the turn has passed."""
    sites = row.size - 3
    for i in range(row.size):
        out_row[i] = row[i]
    turn = row[sites + 1]
    if kind < 2:
        out_row[cell] = turn if kind == 0 else 3 - turn
    out_row[sites], out_row[sites + 1], out_row[sites + 2] = forced, 3 - turn, tick


@kernel()
def land_lines(rules, rows, moves, samples, rng, out_after, out_chance, out_reward, out_over):
    """Play a move in every game of lines; which landing each game drew.

    `after` [games, landings, row] holds what the move may turn into, `chance` how likely that is,
    `reward` what the player who moved has won by it, `over` whether it ends the game.
    """
    games, cells = rows.shape[0], rows.shape[1] - 3
    drawn = np.zeros(games, np.int64)
    for game in range(games):
        row = rows[game]
        turn, cell = row[cells + 1], moves[game] % cells
        tick = row[cells + 2] + moves[game] // cells
        happened = _odds_of(rules.risk, cell, tick, samples, rng, out_chance[game])
        drawn[game] = 0 if samples else happened
        for k in range(out_chance.shape[1]):
            after = out_after[game, k]
            _played(row, cell, tick, happened if samples else k, ANYWHERE, after)
            result = line_result(rules, after, cells)
            out_over[game, k] = result != RUNNING
            out_reward[game, k] = reward_of(result) * (1.0 if turn == X else -1.0)
            if result == RUNNING and rules.risk.fades:
                fade_row(rules.risk.fade, after, cells, False, rng)
    return drawn


@kernel()
def land_ultimate(rules, rows, moves, samples, rng, out_after, out_chance, out_reward, out_over):
    """Play a move in every game of Ultimate; as `land_lines` does."""
    games = rows.shape[0]
    drawn = np.zeros(games, np.int64)
    for game in range(games):
        row = rows[game]
        turn, cell = row[ULTIMATE_SITES + 1], moves[game] % 81
        tick = row[ULTIMATE_SITES + 2] + moves[game] // 81
        happened = _odds_of(rules.risk, cell, tick, samples, rng, out_chance[game])
        drawn[game] = 0 if samples else happened
        for k in range(out_chance.shape[1]):
            after = out_after[game, k]
            _played(row, cell, tick, happened if samples else k, ANYWHERE, after)
            result = ultimate_result(rules, after, cell)
            out_over[game, k] = result != RUNNING
            out_reward[game, k] = reward_of(result) * (1.0 if turn == X else -1.0)
            if result == RUNNING:
                if rules.risk.fades:
                    fade_row(rules.risk.fade, after, 81, True, rng)
                if ultimate_takes(rules, after, cell % 9):
                    after[ULTIMATE_SITES] = cell % 9
    return drawn


@kernel()
def explore(mask, epsilon, rng, out_moves):
    """Replace moves by random ones, each with probability `epsilon`."""
    drawn = np.empty_like(out_moves)
    random_moves(mask, rng, drawn)
    for game in range(out_moves.size):
        if uniform(rng) < epsilon:
            out_moves[game] = drawn[game]
