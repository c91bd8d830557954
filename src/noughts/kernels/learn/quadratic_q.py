"""Q-learning with a quadratic function of the board for every move, on any board of lines.

    Q(s, a) ← Q(s, a) + rate · (r + best over a' of Q(s', a') - Q(s, a)) · ∂Q/∂weights

Q is the value for X, so the best is the largest when X is on turn in s' and the smallest when O is.
s' is where the learner moves next: after one move in self-play, else after the opponent's reply.
"""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.learn.features import list_inputs, sign_of
from noughts.kernels.learn.quadratic import evaluate, learn_step
from noughts.kernels.learn.quadratic_td import (
    best_move,
    epsilon_in,
    fade,
    land,
    learns_turn,
    random_move,
    rate_in,
    read_board,
    reward_of,
)
from noughts.kernels.lines import fill_counts
from noughts.kernels.rng import uniform
from noughts.kernels.rules.codes import DRAW, EMPTY, RUNNING, X
from noughts.kernels.rules.risk import waits


@kernel(allocates=False)
def fill_move_values(
    inputs, terms, weights, board, longest_wait, turn, index, value, size, out_values
):
    """Q for X of every move that is allowed."""
    sign = sign_of(inputs, turn)
    for move in range(board.size * (longest_wait + 1)):
        if board[move % board.size] == EMPTY:
            out_values[move] = sign * evaluate(terms, move, weights, index, value, size)


@kernel()
def q_games(rules, inputs, terms, course, weights, cells, first, games, rng, out_tally):
    """Play and learn from games number first, first + 1, …; the tally is that of `td_games`."""
    board = np.zeros(cells, np.int8)
    counts = np.zeros((2, rules.line_length.size), np.uint8)
    empties = np.empty(cells, np.int64)
    room = inputs.size + 2
    index, last_index = np.empty(room, np.int64), np.empty(room, np.int64)
    value, last_value = np.empty(room), np.empty(room)
    gradient, touched = np.zeros(weights.size), np.empty(weights.size + 1, np.int64)
    values = np.empty(cells * (rules.risk.longest_wait + 1))
    for game in range(first, first + games):
        board[:] = EMPTY
        counts[:] = 0
        turn, tick, result = X, 0, RUNNING
        rate, epsilon = rate_in(course, game), epsilon_in(course, game)
        last_move, last_size, last_sign = -1, 0, 1.0  # the move whose worth is yet to be seen
        ply = 0
        while True:
            is_over = result != RUNNING or ply == course.longest
            learns = (not is_over) and learns_turn(course, game, turn)
            size, best, target = 0, -1, reward_of(result)
            if not is_over and ply > 0 and rules.risk.fades:
                fade(rules, board, counts, rng)
            longest = waits(rules.risk, tick)
            if learns:
                size = list_inputs(inputs, board, counts, turn, 9, tick, index, value)
                fill_move_values(
                    inputs, terms, weights, board, longest, turn, index, value, size, values
                )
                best = best_move(board, longest, turn, values)
                target = values[best]
            if last_move >= 0 and (learns or is_over):
                guess = last_sign * evaluate(
                    terms, last_move, weights, last_index, last_value, last_size
                )
                learn_step(
                    terms, last_move, weights, last_index, last_value, last_size,
                    last_sign * (target - guess), rate, course.scales, gradient, touched,
                )  # fmt: skip
                out_tally[4] += abs(target - guess)
                out_tally[5] += 1
            if is_over:
                break
            move = best
            if (not learns) or uniform(rng) < epsilon:
                move = random_move(board, longest, empties, rng)
            if learns:
                last_move, last_size, last_sign = move, size, sign_of(inputs, turn)
                index, last_index = last_index, index
                value, last_value = last_value, value
            tick += move // cells
            result = land(rules, board, counts, empties, move % cells, tick, turn, rng)
            turn = 3 - turn
            out_tally[3] += 1
            ply += 1
        out_tally[2 if result in (RUNNING, DRAW) else result - 1] += 1


@kernel()
def q_choices(rules, inputs, terms, weights, cells, numbers, turn, out_moves):
    """The move of the greedy player on many boards, without a clock."""
    board = np.empty(cells, np.int8)
    counts = np.empty((2, rules.line_length.size), np.uint8)
    index, value = np.empty(inputs.size + 2, np.int64), np.empty(inputs.size + 2)
    values = np.empty(cells)
    for i in range(numbers.size):
        read_board(numbers[i], turn, board)
        fill_counts(rules, board, counts)
        size = list_inputs(inputs, board, counts, turn, 9, 0, index, value)
        fill_move_values(inputs, terms, weights, board, 0, turn, index, value, size, values)
        out_moves[i] = best_move(board, 0, turn, values)
