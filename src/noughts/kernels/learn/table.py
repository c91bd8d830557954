"""Tables that learn by playing: a value for every board, or for every board and move.

A board is a number, as a seat sees it (`protocol.number`): on lines base 3, where digit 1 is the
seat's own mark, whoever is on turn. `values[seat - 1, number]` is what the seat expects of a board
right after its own move, from 0 (lost) to 1 (won).

A game leaves a path for each seat: the boards after its own moves, and which of these moves were
probing. Lessons read paths, so games of kernels and games of agents teach alike.

`entries[number]` is where the table keeps a board: its own number, or one number for all images
under the symmetries of the game, which then learn together.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import DRAW, NOBODY, RUNNING
from noughts.kernels.rules.protocol import (
    Row,
    Scratch,
    facts,
    land,
    load,
    new,
    new_scratch,
    number,
    number_after,
    open_moves,
    outcomes,
    pick_outcome,
    result,
    settle,
    turn,
)

MOST_STEPS = 256  # where positions may come again a longer game is called a draw

SELF, RANDOM = 0, 1  # who plays the other seats
IN_TURNS = 0  # the table takes one seat after the other

_NEVER = 1e-12  # what rounding may leave of a chance that is none


class Table(NamedTuple):
    """What every seat expects."""

    values: NDArray[np.float64]  # [seats, boards]
    entries: NDArray[np.int64]  # [boards]


class Start(NamedTuple):
    """Where games begin, and room for one."""

    row: Row
    state: Any
    scratch: Scratch


def new_start(rules: Any, row: Row) -> Start:
    """Games that begin with a row."""
    return Start(row, new(rules), new_scratch(facts(rules)))


class Contest(NamedTuple):
    """Which games are played."""

    opponent: int  # SELF or RANDOM
    seat: int  # of the table against an opponent; or IN_TURNS
    first: int  # the number of the first game
    games: int


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

    boards: NDArray[np.int64]  # [seats, MOST_STEPS]
    is_probe: NDArray[np.bool_]  # [seats, MOST_STEPS]
    length: NDArray[np.int64]  # [seats]


def new_path(seats: int = 2) -> Path:
    """Room for one game."""
    shape = (seats, MOST_STEPS)
    return Path(np.zeros(shape, np.int64), np.zeros(shape, np.bool_), np.zeros(seats, np.int64))


@kernel(allocates=False)
def _expected(rules, start, table, state, number_now, move):
    """What the seat on turn expects of a move: the mean of its table over the outcomes."""
    chances, seat = start.scratch.chances, turn(rules, state)
    total = 0.0
    for k in range(outcomes(rules, state, move, chances)):
        if chances[k] > _NEVER:
            after = number_after(rules, state, number_now, move, k, seat, start.scratch.undo)
            total += chances[k] * table.values[seat - 1, table.entries[after]]
    return total


@kernel(allocates=False)
def _greedy(rules, start, table, state, rng):
    """A move of the highest expectation; equals are drawn alike."""
    moves, number_now = start.scratch.moves, number(rules, state, turn(rules, state))
    best, chosen, equals = -1.0, np.int64(0), 0
    for i in range(open_moves(rules, state, moves)):
        value = _expected(rules, start, table, state, number_now, moves[i])
        if value > best:
            best, chosen, equals = value, moves[i], 1
        elif value == best:
            equals += 1
            if below(rng, equals) == 0:
                chosen = moves[i]
    return chosen


@kernel(allocates=False)
def greedy_moves(rules, start, table, rows, out_moves):
    """The lowest move of the highest expectation in each position."""
    state, moves = start.state, start.scratch.moves
    for i in range(rows.shape[0]):
        state = load(rules, rows[i], state)
        number_now = number(rules, state, turn(rules, state))
        best = -1.0
        for j in range(open_moves(rules, state, moves)):
            value = _expected(rules, start, table, state, number_now, moves[j])
            if value > best:
                best = value
                out_moves[i] = moves[j]


@kernel(allocates=False)
def _play(rules, start, table, probe, opponent, seat, rng, out_path):
    """Play one game; its result. Paths are written for the seats that the table plays."""
    state, moves, chances = start.state, start.scratch.moves, start.scratch.chances
    state = load(rules, start.row, state)
    boards, is_probe, length = out_path
    length[:] = 0
    for _ in range(MOST_STEPS):
        mover = turn(rules, state)
        is_table = mover != NOBODY and (opponent == SELF or mover == seat)
        probes = not is_table or uniform(rng) < probe
        if probes:
            move = moves[below(rng, open_moves(rules, state, moves))]
        else:
            move = _greedy(rules, start, table, state, rng)
        n = outcomes(rules, state, move, chances)
        state = land(rules, state, move, pick_outcome(chances, n, rng))
        if is_table:
            step = length[mover - 1]
            boards[mover - 1, step] = table.entries[number(rules, state, mover)]
            is_probe[mover - 1, step] = probes
            length[mover - 1] = step + 1
        if result(rules, state) != RUNNING:
            return np.int64(result(rules, state))
        state = settle(rules, state, rng)
    return np.int64(DRAW)


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
def teach(lessons, game, ended, path, values):
    """Let every seat learn from a game's paths and its result. The sum of all changes."""
    step = max(lessons.step - lessons.shrink * game, 0.0)
    change = 0.0
    for side in range(values.shape[0]):
        length = path.length[side]
        target = 1.0 if ended == side + 1 else 0.0
        if ended in (RUNNING, DRAW):
            target = lessons.draw
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


@kernel(allocates=False)
def learn_table(rules, start, table, lessons, contest, rng, path, out_tally):
    """Play games and learn from each; adds to tally[wins of each seat, draws, changes, boards]."""
    values = table.values
    seats = values.shape[0]
    for game in range(contest.first, contest.first + contest.games):
        seat = contest.seat if contest.seat != IN_TURNS else 1 + game % seats
        ended = _play(rules, start, table, lessons.probe, contest.opponent, seat, rng, path)
        out_tally[seats if ended == DRAW else ended - 1] += 1
        out_tally[seats + 1] += teach(lessons, game, ended, path, values)
        for side in range(seats):
            out_tally[seats + 2] += path.length[side]
