"""Tabular Q-learning of a two-player game: one table for both, seen from the player on turn.

    Q(b, a) += step · (target - Q(b, a)),   target = the result when the game is over,
                                            else ± max over a' of Q(b', a')

b' is the board of the next choice, seen from whoever then has it: where that is the opponent, the
minus sign turns his best into what it means for the player. Boards are numbered as in `table`.
"""

from typing import NamedTuple

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.learn.table import MOST_STEPS, SELF
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import DRAW, NOBODY, RUNNING
from noughts.kernels.rules.protocol import (
    load,
    number,
    open_moves,
    result,
    sample,
    turn,
    worth,
)

SEATS = 2  # what is good for one is bad for the other


class QLessons(NamedTuple):
    """How a table of moves learns, and who plays the other seat."""

    step: float
    probe: float  # the share of probing moves
    opponent: int  # against RANDOM the seats change from game to game


@kernel(allocates=False)
def _highest(values, board, moves, n):
    best = -2.0
    for i in range(n):
        best = max(best, values[board, moves[i]])
    return best


@kernel(allocates=False)
def _greedy(values, board, moves, n, rng):
    """A move of the highest value; equals are drawn alike."""
    best, chosen, equals = -2.0, moves[0], 0
    for i in range(n):
        value = values[board, moves[i]]
        if value > best:
            best, chosen, equals = value, moves[i], 1
        elif value == best:
            equals += 1
            if below(rng, equals) == 0:
                chosen = moves[i]
    return chosen


@kernel(allocates=False)
def q_update(values, board, move, target, step):
    """Learn from one move; by how much its value changed."""
    change = step * (target - values[board, move])
    values[board, move] += change
    return abs(change)


@kernel(allocates=False)
def greedy_q_moves(rules, start, values, rows, out_moves):
    """The lowest move of the highest value in each position."""
    state, moves = start.state, start.scratch.moves
    for i in range(rows.shape[0]):
        state = load(rules, rows[i], state)
        board, best = number(rules, state, turn(rules, state)), -2.0
        for j in range(open_moves(rules, state, moves)):
            if values[board, moves[j]] > best:
                best = values[board, moves[j]]
                out_moves[i] = moves[j]


@kernel(allocates=False)
def _q_game(rules, start, lessons, seat, rng, values, out_tally):
    """Play one game and learn from every move; its result."""
    state, scratch = start.state, start.scratch
    state = load(rules, start.row, state)
    moves, board, move, mover = scratch.moves, np.int64(0), np.int64(0), np.int64(NOBODY)
    for step in range(MOST_STEPS + 1):
        ended, following = np.int64(result(rules, state)), np.int64(turn(rules, state))
        n = open_moves(rules, state, moves)
        if ended == RUNNING and following == NOBODY:  # chance has nothing to learn
            state = sample(rules, state, moves[0], scratch, rng)
            continue
        after = number(rules, state, following)
        if mover != NOBODY:
            target = worth(ended, mover, SEATS)
            if ended == RUNNING:
                sign = 1.0 if following == mover else -1.0
                target = sign * _highest(values, after, moves, n)
            out_tally[SEATS + 1] += q_update(values, board, move, target, lessons.step)
            out_tally[SEATS + 2] += 1
        if ended != RUNNING or step == MOST_STEPS:
            return ended
        board, mover = after, following
        if not (lessons.opponent == SELF or mover == seat) or uniform(rng) < lessons.probe:
            move = moves[below(rng, n)]
        else:
            move = _greedy(values, board, moves, n, rng)
        state = sample(rules, state, move, scratch, rng)
    return np.int64(RUNNING)


@kernel(allocates=False)
def learn_q(rules, start, lessons, span, rng, values, out_tally):
    """Play games number span[0], …, span[1] of them; the tally is that of `learn_table`.

    values: [boards, moves].
    """
    for game in range(span[0], span[0] + span[1]):
        ended = _q_game(rules, start, lessons, 1 + game % SEATS, rng, values, out_tally)
        out_tally[SEATS if ended in (RUNNING, DRAW) else ended - 1] += 1
