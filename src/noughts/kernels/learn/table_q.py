"""Tabular Q-learning of a two-player game: one table for both, seen from the player on turn.

    Q(b, a) += step · (target - Q(b, a)),   target = the result when the game is over,
                                            else -max over a' of Q(b', a')

b' is the board that follows, seen from the opponent, who is then on turn: the minus sign turns his
best into what it means for the player. Boards are numbered as in `kernels/sweep.py`.
"""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.learn.table import MOST_STEPS, SELF, fade_board
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import EMPTY
from noughts.kernels.rules.risk import sample_mark
from noughts.kernels.sweep import over_value, split_board


@kernel(allocates=False)
def _highest(values, board, free, n_free):
    best = -2.0
    for i in range(n_free):
        best = max(best, values[board, free[i]])
    return best


@kernel(allocates=False)
def _greedy(values, board, free, n_free, rng):
    """A cell of the highest value; equals are drawn alike."""
    best, chosen, equals = -2.0, free[0], 0
    for i in range(n_free):
        value = values[board, free[i]]
        if value > best:
            best, chosen, equals = value, free[i], 1
        elif value == best:
            equals += 1
            if below(rng, equals) == 0:
                chosen = free[i]
    return chosen


@kernel(allocates=False)
def q_update(rules, values, board, cell, after, step, free):
    """Learn from one move; `after` is seen from the next player. (is it over, result, change)."""
    ones, twos, n_free, _ = split_board(rules, after, free)
    is_over, value = over_value(rules, ones, twos, n_free)
    target = -value if is_over else -_highest(values, after, free, n_free)
    change = step * (target - values[board, cell])
    values[board, cell] += change
    return is_over, -value, abs(change)


@kernel()
def greedy_q_cells(rules, values, boards, out_cells):
    """The lowest cell of the highest value on each board."""
    free = np.empty(rules.cells, np.int64)
    for i in range(boards.size):
        _, _, n_free, _ = split_board(rules, boards[i], free)
        best = -2.0
        for j in range(n_free):
            if values[boards[i], free[j]] > best:
                best = values[boards[i], free[j]]
                out_cells[i] = free[j]


@kernel()
def learn_q(rules, risk, step, probe, opponent, first_game, games, rng, values, out_tally):
    """Play games and learn from every move; adds to tally[X wins, draws, O wins, changes, moves].

    values: [3^cells, cells]. Against `random` the seats change from game to game.
    """
    free = np.empty(rules.cells, np.int64)
    for game in range(first_game, first_game + games):
        board, side, result = 0, 0, 0.0
        for _ in range(MOST_STEPS):
            _, _, n_free, _ = split_board(rules, board, free)
            is_table = opponent == SELF or side == game % 2
            if not is_table or uniform(rng) < probe:
                cell = free[below(rng, n_free)]
            else:
                cell = _greedy(values, board, free, n_free, rng)
            mark = sample_mark(risk, cell, 0, 1, rng) if risk.is_risky else 1
            landed = board + mark * rules.power[cell] if mark != EMPTY else board
            after = split_board(rules, landed, free)[3]
            if risk.fades and not _is_over(rules, after, free):
                after = fade_board(rules, risk, after, rng)
            is_over, value, change = q_update(rules, values, board, cell, after, step, free)
            out_tally[3] += change
            out_tally[4] += 1
            if is_over:
                result = value if side == 0 else -value
                break
            board = after
            side = 1 - side
        out_tally[1 - int(result)] += 1


@kernel(allocates=False)
def _is_over(rules, board, free):
    ones, twos, n_free, _ = split_board(rules, board, free)
    return over_value(rules, ones, twos, n_free)[0]
