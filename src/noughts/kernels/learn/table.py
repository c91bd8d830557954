"""Tables that learn by playing: a value for every board, or for every board and move.

A board is a base-3 number: absolutely (digit 1 is X) while a game is followed, and *own* (digit 1
is the owner's mark, whoever is on turn) in the table of a seat. `values[side, own]` is what the
seat expects of a board right after its own move, from 0 (lost) to 1 (won).

A game leaves two paths, one for each seat: the boards after its own moves, and which of these moves
were probing. Lessons read paths, so games of kernels and games of agents teach alike.

`entries[own]` is where the table keeps a board: its own number, or one number for all images under
the symmetries of the game, which then learn together.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import EMPTY
from noughts.kernels.rules.risk import sample_mark
from noughts.kernels.sweep import over_value, split_board

MOST_STEPS = 256  # of one seat; where marks fade or fizzle a longer game is called a draw

SELF, RANDOM = 0, 1  # who plays the other seat
X_SEAT, O_SEAT, BOTH_SEATS = 0, 1, 2


class Lessons(NamedTuple):
    """How a table of boards learns."""

    step: float  # of the first game
    shrink: float  # is taken off the step after every game
    probe: float  # the share of probing moves
    draw: float  # what a draw is worth
    only_after_probe: bool  # boards before the last probing move learn nothing
    is_td: bool  # learn from the next board, not from the result
    trace: float  # how much of a lesson each earlier board gets; TD only


class Path(NamedTuple):
    """The entries of the boards after the own moves of each seat."""

    boards: NDArray[np.int64]  # [2, MOST_STEPS]
    is_probe: NDArray[np.bool_]  # [2, MOST_STEPS]
    length: NDArray[np.int64]  # [2]


@kernel()
def first_values(rules, draw, out_values):
    """What a table says before the first game: 1 for an own line, 0 for the other's, else ½."""
    free = np.empty(rules.cells, np.int64)
    for index in range(out_values.shape[1]):
        ones, twos, n_free, _ = split_board(rules, index, free)
        is_over, value = over_value(rules, ones, twos, n_free)
        start = 0.5
        if is_over:
            start = draw if value == 0.0 else 0.5 + 0.5 * value
        out_values[0, index] = start
        out_values[1, index] = start


@kernel(allocates=False)
def _expected(rules, odds, entries, values, own, cell):
    """What a seat expects of playing a cell: the mean of its table over the landings."""
    meant = own + rules.power[cell]
    return (
        odds.own[cell] * values[entries[meant]]
        + odds.flip[cell] * values[entries[meant + rules.power[cell]]]
        + odds.fizzle[cell] * values[entries[own]]
    )


@kernel(allocates=False)
def _greedy(rules, odds, entries, values, own, free, n_free, rng):
    """A cell of the highest expectation; equals are drawn alike."""
    best, chosen, equals = -1.0, free[0], 0
    for i in range(n_free):
        value = _expected(rules, odds, entries, values, own, free[i])
        if value > best:
            best, chosen, equals = value, free[i], 1
        elif value == best:
            equals += 1
            if below(rng, equals) == 0:
                chosen = free[i]
    return chosen


@kernel()
def greedy_cells(rules, odds, entries, values, boards, out_cells):
    """The lowest cell of the highest expectation on each board; values: [3^cells] of one seat."""
    free = np.empty(rules.cells, np.int64)
    for i in range(boards.size):
        _, _, n_free, _ = split_board(rules, boards[i], free)
        best = -1.0
        for j in range(n_free):
            value = _expected(rules, odds, entries, values, boards[i], free[j])
            if value > best:
                best = value
                out_cells[i] = free[j]


@kernel(allocates=False)
def fade_board(rules, risk, index, rng):
    """The board at the start of a turn, after some marks have faded."""
    for cell in range(rules.cells):
        digit = (index // rules.power[cell]) % 3
        if digit != 0 and risk.fade[cell] > 0.0 and uniform(rng) < risk.fade[cell]:
            index -= digit * rules.power[cell]
    return index


@kernel(allocates=False)
def _play(rules, risk, odds, entries, values, probe, opponent, seat, rng, free, out_path):
    """Play one game; its value for X. Paths are written for the seats that the table plays."""
    out_path.length[0] = 0
    out_path.length[1] = 0
    index, side = 0, 0
    for _ in range(MOST_STEPS):
        _, _, n_free, swapped = split_board(rules, index, free)
        own = index if side == 0 else swapped
        is_table = opponent == SELF or side == seat
        is_probe = not is_table or uniform(rng) < probe
        if is_probe:
            cell = free[below(rng, n_free)]
        else:
            cell = _greedy(rules, odds, entries, values[side], own, free, n_free, rng)
        mark = sample_mark(risk, cell, 0, 1 + side, rng) if risk.is_risky else 1 + side
        index += mark * rules.power[cell]
        x, o, n_free, swapped = split_board(rules, index, free)
        if is_table:
            step = out_path.length[side]
            out_path.boards[side, step] = entries[index if side == 0 else swapped]
            out_path.is_probe[side, step] = is_probe
            out_path.length[side] = step + 1
        if mark != EMPTY:
            is_over, value = over_value(rules, x, o, n_free)
            if is_over:
                return value
        if risk.fades:
            index = fade_board(rules, risk, index, rng)
        side = 1 - side
    return 0.0


@kernel(allocates=False)
def _move_toward(values, board, target, step):
    change = step * (target - values[board])
    values[board] += change
    return abs(change)


@kernel(allocates=False)
def _result_lesson(values, boards, is_probe, length, result, step, only_after_probe):
    """V(s) += step · (result - V(s)) for the boards of one seat; the sum of all changes."""
    first = 0
    if only_after_probe:
        for k in range(length):
            if is_probe[k]:
                first = k
    change = 0.0
    for k in range(first, length):
        change += _move_toward(values, boards[k], result, step)
    return change


@kernel(allocates=False)
def _td_lesson(values, boards, is_probe, length, result, step, trace):
    """V(s_j) += step · trace^(k-j) · (V(s_k+1) - V(s_k)) for all j ≤ k since the last probing move.

    The last board's next value is the result. A probing move says nothing about what was before it.
    """
    first = 0
    change = 0.0
    for k in range(length):
        target = result
        if k + 1 < length:
            if is_probe[k + 1]:
                first = k + 1
                continue
            target = values[boards[k + 1]]
        error = step * (target - values[boards[k]])
        for j in range(k, first - 1, -1):
            values[boards[j]] += error
            change += abs(error)
            error *= trace
    return change


@kernel(allocates=False)
def teach(lessons, game, result, path, values):
    """Let both seats learn from a game's paths; `result` is for X. The sum of all changes."""
    step = max(lessons.step - lessons.shrink * game, 0.0)
    change = 0.0
    for side in range(2):
        length = path.length[side]
        own = result if side == 0 else -result
        target = lessons.draw if own == 0.0 else 0.5 + 0.5 * own
        boards, is_probe = path.boards[side], path.is_probe[side]
        if lessons.is_td:
            change += _td_lesson(
                values[side], boards, is_probe, length, target, step, lessons.trace
            )
        else:
            change += _result_lesson(
                values[side], boards, is_probe, length, target, step, lessons.only_after_probe
            )
    return change


@kernel()
def learn_table(rules, risk, odds, entries, lessons, opponent, seats, first_game, games, rng,
                values, path, out_tally):  # fmt: skip
    """Play games and learn from each; adds to tally[X wins, draws, O wins, changes, boards]."""
    free = np.empty(rules.cells, np.int64)
    for game in range(first_game, first_game + games):
        seat = game % 2 if seats == BOTH_SEATS else seats
        result = _play(
            rules, risk, odds, entries, values, lessons.probe, opponent, seat, rng, free, path
        )
        out_tally[3] += teach(lessons, game, result, path, values)
        out_tally[1 - int(result)] += 1
        out_tally[4] += path.length[0] + path.length[1]
