"""A family that is unlike ours, for the tests: what kernels may assume of ours does not hold here.

A strip of five cells; three neighbours alike win. Who begins is tossed. A mark on the middle cell
gives its player another turn. A player may also lift one of his marks, so positions come again, and
moves are not cells: 0 to 4 put a mark, 5 to 9 lift it. Two seats or three. Only what must be said
is said here; all else is a default.
"""

from typing import Any, NamedTuple

import numpy as np

from noughts.kernels.rules.codes import DRAW, NOBODY, RUNNING
from noughts.kernels.rules.protocol import Facts, family, verb

CELLS, BONUS = 5, 2


class ToyRules(NamedTuple):
    seats: int
    can_lift: bool


class ToyState(NamedTuple):
    board: Any  # [CELLS] 0 or a seat
    turn: Any
    result: Any


def new(rules: ToyRules) -> ToyState:
    return ToyState(np.zeros(CELLS, np.int64), NOBODY, RUNNING)


def facts(rules: ToyRules) -> Facts:
    longest = 0 if rules.can_lift else CELLS + 1
    return Facts(
        rules.seats, 2 * CELLS, CELLS, rules.seats, CELLS + 1, CELLS + 1,
        settles=False, repeats=rules.can_lift, longest=longest, key_is_exact=False, images=1,
    )  # fmt: skip


@verb
def _ended(board):
    for i in range(CELLS - 2):
        if board[i] != 0 and board[i] == board[i + 1] and board[i] == board[i + 2]:
            return np.int64(board[i])
    for i in range(CELLS):
        if board[i] == 0:
            return np.int64(RUNNING)
    return np.int64(DRAW)


@verb
def load(rules, row, state):
    board = state.board
    for i in range(CELLS):
        board[i] = row[i]
    return ToyState(board, np.int64(row[CELLS]), _ended(board))


@verb
def save(rules, state, row):
    for i in range(CELLS):
        row[i] = state.board[i]
    row[CELLS] = state.turn


@verb
def turn(rules, state):
    return state.turn


@verb
def result(rules, state):
    return state.result


@verb
def most_left(rules, state):
    return np.int64(CELLS + 1)


@verb
def open_moves(rules, state, moves):
    if state.turn == NOBODY:
        moves[0] = 0
        return np.int64(1)
    n = np.int64(0)
    for i in range(CELLS):
        if state.board[i] == 0:
            moves[n] = i
            n += 1
    for i in range(CELLS):
        if rules.can_lift and state.board[i] == state.turn:
            moves[n] = CELLS + i
            n += 1
    return n


@verb
def outcomes(rules, state, move, chances):
    chances[0] = 1.0
    if state.turn != NOBODY:
        return np.int64(1)
    for seat in range(rules.seats):
        chances[seat] = 1.0 / rules.seats
    return np.int64(rules.seats)


@verb
def land(rules, state, move, outcome):
    board, seat = state.board, state.turn
    if seat == NOBODY:
        return ToyState(board, np.int64(outcome + 1), np.int64(RUNNING))
    then = np.int64(seat + 1 if seat < rules.seats else 1)
    if move >= CELLS:
        board[move - CELLS] = 0
        return ToyState(board, then, np.int64(RUNNING))
    board[move] = seat
    if move == BONUS:
        then = np.int64(seat)
    return ToyState(board, then, _ended(board))


@verb
def number(rules, state, seat):
    found = np.int64(0)
    for i in range(CELLS):
        digit = 0 if state.board[i] == 0 else 1 + (state.board[i] - seat) % rules.seats
        found = (rules.seats + 1) * found + digit
    return found


family(
    ToyRules, facts=facts, new=new, load=load, save=save, turn=turn, result=result,
    most_left=most_left, open_moves=open_moves, outcomes=outcomes, land=land, number=number,
)  # fmt: skip


# ---- The same game once more, plainly, to compare with ---------------------------------------

Plain = tuple[tuple[int, ...], int]  # the board, and whose turn it is

START: Plain = ((0,) * CELLS, NOBODY)


def plain_result(position: Plain) -> int:
    board = position[0]
    runs = [board[i : i + 3] for i in range(CELLS - 2)]
    won = [run[0] for run in runs if len(set(run)) == 1 and run[0]]
    return won[0] if won else DRAW if 0 not in board else RUNNING


def plain_moves(rules: ToyRules, position: Plain) -> list[int]:
    board, seat = position
    if seat == NOBODY:
        return [0]
    lifted = [CELLS + i for i in range(CELLS) if rules.can_lift and board[i] == seat]
    return [i for i in range(CELLS) if not board[i]] + lifted


def plain_after(rules: ToyRules, position: Plain, move: int) -> list[tuple[float, Plain]]:
    board, seat = position
    if seat == NOBODY:
        return [(1 / rules.seats, (board, first)) for first in range(1, rules.seats + 1)]
    cell, mark = move % CELLS, seat if move < CELLS else 0
    after = (*board[:cell], mark, *board[cell + 1 :])
    return [(1.0, (after, seat if move == BONUS else seat % rules.seats + 1))]


def plain_worth(rules: ToyRules, position: Plain) -> tuple[float, ...]:
    """What the position is worth to each seat, where positions do not come again; ties alike."""
    ended = plain_result(position)
    if ended != RUNNING:
        loss = 0.0 if ended == DRAW else -1 / (rules.seats - 1)
        return tuple(1.0 if ended == seat + 1 else loss for seat in range(rules.seats))
    seat, found = position[1], []
    for move in plain_moves(rules, position):
        worths = [(p, plain_worth(rules, after)) for p, after in plain_after(rules, position, move)]
        found.append([sum(p * worth[i] for p, worth in worths) for i in range(rules.seats)])
    best = max(worth[seat - 1] for worth in found)
    tied = [worth for worth in found if seat == NOBODY or worth[seat - 1] >= best - 1e-12]
    return tuple(sum(column) / len(tied) for column in zip(*tied, strict=True))
