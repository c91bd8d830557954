"""TD(0) with a quadratic value: games played and learned from in one loop, on any board of lines.

    v(s) ← v(s) + rate · (r + v(s') - v(s)) · ∂v/∂weights

s is the board as the last player left it, before anything fades, and whose turn it is; v is the
value for X. `backs_up_best` puts max over moves of E[r + v(s')] (min for O) in place of the one
outcome that happened: the target then carries no luck and no exploration.
"""

from typing import NamedTuple

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.learn.features import clock_value, list_changes, list_inputs, sign_of
from noughts.kernels.learn.quadratic import difference, evaluate, fill_slopes, learn_step
from noughts.kernels.lines import fill_counts, list_empties, place, unplace
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import DRAW, EMPTY, RUNNING, X
from noughts.kernels.rules.risk import landing_odds, sample_mark, waits

_NEVER = 1e-12  # what rounding may leave of a chance that is none

TIE = 1e-9  # values that are closer than this are equal

SELF = 0
RANDOM = 1


class Course(NamedTuple):
    """How a learner goes about learning."""

    rate: float
    scales: bool  # the step is divided by the gradient's square
    halving: float  # the rate halves after so many games; 0: never
    epsilon: float  # share of random moves in the first game
    epsilon_decay: float  # per game
    epsilon_floor: float
    samples: bool  # looking ahead draws one landing; else it takes the expectation
    backs_up_best: bool
    opponent: int
    seat: int  # of the learner against an opponent: 0 in turns, or X, or O
    longest: int  # turns, where marks fade or fizzle


@kernel(allocates=False)
def rate_in(course, game):
    """The learning rate in the game of this number, from 0."""
    if course.halving > 0.0:
        return course.rate * course.halving / (course.halving + game)
    return course.rate


@kernel(allocates=False)
def epsilon_in(course, game):
    """The share of random moves in the game of this number, from 0."""
    return max(course.epsilon_floor, course.epsilon * course.epsilon_decay**game)


@kernel(allocates=False)
def learns_turn(course, game, turn):
    """Is this the learner's turn in the game of this number?"""
    if course.opponent == SELF:
        return True
    seat = course.seat if course.seat != 0 else 1 + game % 2
    return turn == seat


@kernel(allocates=False)
def result_after(rules, counts, n_empty, cell, mark):
    """RUNNING, X, O or DRAW once the mark is on the cell, which is empty still."""
    side = mark - 1
    for j in range(rules.line_start[cell], rules.line_start[cell + 1]):
        line = rules.line_of[j]
        if counts[side, line] + 1 == rules.line_length[line]:
            return 3 - mark if rules.is_misere else mark
    return DRAW if n_empty == 1 else RUNNING


@kernel(allocates=False)
def reward_of(result):
    """+1 when X has won, -1 when O has, else 0."""
    if result in (DRAW, RUNNING):
        return 0.0
    return 1.0 if result == X else -1.0


@kernel(allocates=False)
def _landed_value(
    rules, inputs, terms, weights, board, counts, n_empty, cell, mark, turn, base, slopes, pairs
):
    """r + v(s') for X, when this mark lands (EMPTY: nothing) and `turn` moves next.

    `pairs` holds the change of the clock's input, if any, in its last place.
    """
    index, value, clock_change = pairs
    n = 0
    if mark != EMPTY:
        result = result_after(rules, counts, n_empty, cell, mark)
        if result != RUNNING:
            return reward_of(result)
        n = list_changes(inputs, board.size, counts, cell, mark, turn, index, value)
    if clock_change != 0.0:
        index[n], value[n] = inputs.clock, clock_change
        n += 1
    after = base + difference(terms, 0, weights, slopes, index, value, n)
    return sign_of(inputs, turn) * after


@kernel(allocates=False)
def look_ahead(
    rules, inputs, terms, weights, board, counts, turn, tick, samples, rng, index, value, slopes,
    out_values,
):  # fmt: skip
    """The value for X of every move (cell + cells · wait), over its landings; how many moves."""
    cells = board.size
    risk = rules.risk
    n_empty = 0
    for cell in range(cells):
        n_empty += board[cell] == EMPTY
    size = list_inputs(inputs, board, counts, 3 - turn, 9, tick, index, value)
    base = evaluate(terms, 0, weights, index, value, size)
    fill_slopes(terms, 0, weights, index, value, size, slopes)
    longest = waits(risk, tick)
    for wait in range(longest + 1):
        clock_change = 0.0
        if wait > 0:
            clock_change = clock_value(inputs, tick + wait) - clock_value(inputs, tick)
        pairs = (index, value, clock_change)
        for cell in range(cells):
            if board[cell] != EMPTY:
                continue
            own, other = 1.0, 0.0
            if risk.is_risky:
                own, other = landing_odds(risk, cell, tick + wait)
                if samples:
                    drawn = sample_mark(risk, cell, tick + wait, turn, rng)
                    own = 1.0 if drawn == turn else 0.0
                    other = 1.0 if drawn == 3 - turn else 0.0
            total = 0.0
            for kind in range(3):  # the own mark, the opponent's, nothing
                chance, mark = own, turn
                if kind == 1:
                    chance, mark = other, 3 - turn
                elif kind == 2:
                    chance, mark = 1.0 - own - other, EMPTY
                if chance > _NEVER:
                    total += chance * _landed_value(
                        rules, inputs, terms, weights, board, counts, n_empty, cell, mark,
                        3 - turn, base, slopes, pairs,
                    )  # fmt: skip
            out_values[cell + cells * wait] = total
    return (longest + 1) * n_empty


@kernel(allocates=False)
def best_move(board, longest_wait, turn, values):
    """The first of the best moves for the player on turn; rounding makes none better."""
    best = -1
    sign = 1.0 if turn == X else -1.0
    for wait in range(longest_wait + 1):
        for cell in range(board.size):
            if board[cell] == EMPTY:
                move = cell + board.size * wait
                if best < 0 or sign * (values[move] - values[best]) > TIE:
                    best = move
    return best


@kernel(allocates=False)
def random_move(board, longest_wait, empties, rng):
    """A move that is uniform among all cells and waits."""
    n_empty = list_empties(board, empties)
    r = below(rng, n_empty * (longest_wait + 1))
    return empties[r % n_empty] + board.size * (r // n_empty)


@kernel(allocates=False)
def fade(rules, board, counts, rng):
    """Empty filled cells by chance, in ascending order."""
    for cell in range(board.size):
        chance = rules.risk.fade[cell]
        if chance > 0.0 and board[cell] != EMPTY and uniform(rng) < chance:
            unplace(rules, board, counts, cell)


@kernel(allocates=False)
def land(rules, board, counts, empties, cell, tick, turn, rng):
    """Play a cell and let the mark land; the result."""
    mark = turn
    if rules.risk.is_risky:
        mark = sample_mark(rules.risk, cell, tick, turn, rng)
    if mark == EMPTY:
        return RUNNING
    if place(rules, board, counts, cell, mark):
        return 3 - mark if rules.is_misere else mark
    return DRAW if list_empties(board, empties) == 0 else RUNNING


@kernel()
def td_games(rules, inputs, terms, course, weights, cells, first, games, rng, out_tally):
    """Play and learn from games number first, first + 1, …

    Adds to tally[0: result X, O, draw; 3: turns; 4: sum of |error|; 5: updates].
    """
    lines = rules.line_length.size
    board = np.zeros(cells, np.int8)
    counts = np.zeros((2, lines), np.uint8)
    empties = np.empty(cells, np.int64)
    room = inputs.size + 2
    index, next_index = np.empty(room, np.int64), np.empty(room, np.int64)
    value, next_value = np.empty(room), np.empty(room)
    slopes = np.empty(inputs.size)
    gradient, touched = np.zeros(weights.size), np.empty(weights.size + 1, np.int64)
    values = np.empty(cells * (rules.risk.longest_wait + 1))
    for game in range(first, first + games):
        board[:] = EMPTY
        counts[:] = 0
        turn, tick, result = X, 0, RUNNING
        rate, epsilon = rate_in(course, game), epsilon_in(course, game)
        size = list_inputs(inputs, board, counts, turn, 9, tick, index, value)
        for ply in range(course.longest):
            if ply > 0 and rules.risk.fades:
                fade(rules, board, counts, rng)
            longest = waits(rules.risk, tick)
            learns = learns_turn(course, game, turn)
            explores = (not learns) or uniform(rng) < epsilon
            backs_up = learns and course.backs_up_best
            target, move = 0.0, -1
            if backs_up or not explores:
                look_ahead(
                    rules, inputs, terms, weights, board, counts, turn, tick, course.samples, rng,
                    next_index, next_value, slopes, values,
                )  # fmt: skip
                move = best_move(board, longest, turn, values)
                target = float(values[move])
            if explores:
                move = random_move(board, longest, empties, rng)
            sign = sign_of(inputs, turn)
            tick += move // cells
            result = land(rules, board, counts, empties, move % cells, tick, turn, rng)
            turn = 3 - turn
            next_size = 0
            if result == RUNNING:
                next_size = list_inputs(
                    inputs, board, counts, turn, 9, tick, next_index, next_value
                )
            if not backs_up:
                target = reward_of(result)
                if result == RUNNING:
                    target = sign_of(inputs, turn) * evaluate(
                        terms, 0, weights, next_index, next_value, next_size
                    )
            error = target - sign * evaluate(terms, 0, weights, index, value, size)
            learn_step(
                terms, 0, weights, index, value, size, sign * error, rate, course.scales, gradient,
                touched,
            )  # fmt: skip
            out_tally[3] += 1
            out_tally[4] += abs(error)
            out_tally[5] += 1
            if result != RUNNING:
                break
            index, next_index = next_index, index
            value, next_value = next_value, value
            size = next_size
        out_tally[2 if result in (RUNNING, DRAW) else result - 1] += 1


@kernel()
def move_values(rules, inputs, terms, weights, board, turn, tick, samples, rng):
    """The value for X of every move of one position."""
    counts = np.empty((2, rules.line_length.size), np.uint8)
    fill_counts(rules, board, counts)
    index, value = np.empty(inputs.size + 2, np.int64), np.empty(inputs.size + 2)
    found = np.zeros(board.size * (waits(rules.risk, tick) + 1))
    look_ahead(
        rules, inputs, terms, weights, board, counts, turn, tick, samples, rng, index, value,
        np.empty(inputs.size), found,
    )  # fmt: skip
    return found


@kernel(allocates=False)
def read_board(number, turn, out_board):
    """The board of a number: its digits are 1 for the player on turn and 2 for the other."""
    for cell in range(out_board.size):
        digit = number % 3
        number //= 3
        out_board[cell] = digit if digit == EMPTY or turn == X else 3 - digit


@kernel()
def td_choices(rules, inputs, terms, weights, cells, numbers, turn, out_moves):
    """The move of the greedy player on many boards, without a clock."""
    board = np.empty(cells, np.int8)
    counts = np.empty((2, rules.line_length.size), np.uint8)
    index, value = np.empty(inputs.size + 2, np.int64), np.empty(inputs.size + 2)
    slopes, values, rng = np.empty(inputs.size), np.empty(cells), np.zeros(1, np.uint64)
    for i in range(numbers.size):
        read_board(numbers[i], turn, board)
        fill_counts(rules, board, counts)
        look_ahead(
            rules, inputs, terms, weights, board, counts, turn, 0, False, rng, index, value, slopes,
            values,
        )  # fmt: skip
        out_moves[i] = best_move(board, 0, turn, values)
