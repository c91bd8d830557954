"""Q-learning with a quadratic function of the board for every move, of two seats.

    Q(s, a) ← Q(s, a) + rate · (r + best over a' of Q(s', a') - Q(s, a)) · ∂Q/∂weights

Q is the value for X, so the best is the largest when X is on turn in s' and the smallest when O is.
s' is where the learner moves next: after one move in self-play, else after the opponent's reply.
"""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.learn.features import eyes_of, list_state, sign_of
from noughts.kernels.learn.quadratic import Step, evaluate, learn_step
from noughts.kernels.learn.quadratic_td import (
    SEATS,
    best_of,
    epsilon_in,
    learns_turn,
    rate_in,
)
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import DRAW, RUNNING, X
from noughts.kernels.rules.protocol import (
    land,
    load,
    open_moves,
    outcomes,
    pick_outcome,
    result,
    settle,
    turn,
    worth,
)


@kernel(allocates=False)
def best_by_q(rules, inputs, form, desk, state, seen):
    """(size of what is seen, best move, its value for X); values of all open moves are written."""
    moves, values = desk.scratch.moves, desk.values
    eyes, n = eyes_of(turn(rules, state)), open_moves(rules, state, moves)
    size = list_state(rules, inputs, state, seen)
    for i in range(n):
        found = evaluate(form, moves[i], seen.which, seen.value, size)
        values[i] = sign_of(inputs, eyes) * found
    best = best_of(values, n, eyes)
    return size, moves[best], values[best]


@kernel(allocates=False)
def q_games(rules, inputs, form, course, desk, span, rng, out_tally):
    """Play and learn from games number span[0], …; the tally is that of `td_games`."""
    state, scratch = desk.state, desk.scratch
    seen, last = desk.seen, desk.later
    for game in range(span[0], span[0] + span[1]):
        state = load(rules, desk.row, state)
        epsilon = epsilon_in(course, game)
        step = Step(rate_in(course, game), course.scales, desk.gradient, desk.touched)
        last_move, last_size, last_sign = np.int64(-1), 0, 1.0  # whose worth is yet to be seen
        ply = 0
        while True:
            ended = np.int64(result(rules, state))
            is_over = ended != RUNNING or ply == course.longest
            if ply > 0 and not is_over:
                state = settle(rules, state, rng)
            seat = turn(rules, state)
            learns = (not is_over) and learns_turn(course, game, seat)
            size, move, target = 0, np.int64(0), worth(ended, X, SEATS)
            if learns:
                size, move, target = best_by_q(rules, inputs, form, desk, state, seen)
            if last_move >= 0 and (learns or is_over):
                guess = last_sign * evaluate(form, last_move, last.which, last.value, last_size)
                error = last_sign * (target - guess)
                learn_step(form, last_move, last.which, last.value, last_size, error, step)
                out_tally[4] += abs(target - guess)
                out_tally[5] += 1
            if is_over:
                break
            if (not learns) or uniform(rng) < epsilon:
                move = scratch.moves[below(rng, open_moves(rules, state, scratch.moves))]
            if learns:
                last_move, last_size, last_sign = move, size, sign_of(inputs, eyes_of(seat))
                seen, last = last, seen
            n = outcomes(rules, state, move, scratch.chances)
            state = land(rules, state, move, pick_outcome(scratch.chances, n, rng))
            out_tally[3] += 1
            ply += 1
        out_tally[2 if ended in (RUNNING, DRAW) else ended - 1] += 1


@kernel(allocates=False)
def q_choices(rules, inputs, form, desk, rows, out_moves):
    """The move of the greedy player in many positions."""
    state = desk.state
    for i in range(rows.shape[0]):
        state = load(rules, rows[i], state)
        out_moves[i] = best_by_q(rules, inputs, form, desk, state, desk.seen)[1]
