"""The rules of wild tic-tac-toe once more, as verbs: for searches that must be fast.

Everything here works on numbers and arrays: with the JIT it is machine code, without it plain
Python. What is not said has a default; `noughts/kernels/rules/protocol.py` lists the verbs.
"""

from typing import Any, NamedTuple

import numpy as np

from noughts.kernels.rules.codes import DRAW, RUNNING
from noughts.kernels.rules.protocol import Facts, family, hot_verb, verb


class WildRules(NamedTuple):
    """What does not change during a game; its class says which family is meant."""

    lines: Any  # [lines, k] the cells of each line
    through: Any  # [cells, most] the lines through each cell, then -1
    is_misere: bool


class WildState(NamedTuple):
    """A position at work: the array is changed in place, the numbers are given back."""

    board: Any  # [cells] 0 empty, 1 cross, 2 ring
    turn: Any
    empty: Any
    result: Any


def wild_rules(game):
    """The tables of a game; plain Python."""
    lines = np.array(game.grid.lines, np.int64)
    through = [np.flatnonzero((lines == cell).any(axis=1)) for cell in range(game.cells)]
    table = np.full((game.cells, max(map(len, through)) + 1), -1, np.int64)
    for cell, found in enumerate(through):
        table[cell, : len(found)] = found
    return WildRules(lines, table, game.is_misere)


def facts(rules):
    cells = len(rules.through)
    return Facts(
        seats=2, moves=2 * cells, most_open=2 * cells, most_outcomes=1, row_size=cells + 1,
        undo_size=1, settles=False, repeats=False, longest=cells, key_is_exact=False, images=1,
        planes=3,
    )  # fmt: skip


def new(rules):
    cells = len(rules.through)
    return WildState(np.zeros(cells, np.int64), np.int64(1), np.int64(cells), np.int64(RUNNING))


@hot_verb
def _is_line(rules, board, line):
    """Whether all marks of a line are there and alike."""
    cells = rules.lines[line]
    for i in range(1, cells.size):
        if board[cells[i]] != board[cells[0]]:
            return False
    return board[cells[0]] != 0


@verb
def load(rules, row, state):
    board, empty, is_over = state.board, 0, False
    for cell in range(board.size):
        board[cell] = row[cell]
        empty += row[cell] == 0
    for line in range(len(rules.lines)):
        is_over = is_over or _is_line(rules, board, line)
    turn = np.int64(row[board.size])
    return WildState(board, turn, np.int64(empty), _result(rules, turn, empty, is_over))


@hot_verb
def _result(rules, turn, empty, is_over):
    """The result, where this seat would move next."""
    if is_over:
        return np.int64(turn if rules.is_misere else 3 - turn)
    return np.int64(DRAW if empty == 0 else RUNNING)


@verb
def save(rules, state, row):
    board = state.board
    for cell in range(board.size):
        row[cell] = board[cell]
    row[board.size] = state.turn


@hot_verb
def turn(rules, state):
    return state.turn


@hot_verb
def result(rules, state):
    return state.result


@verb
def open_moves(rules, state, moves):
    board, n = state.board, np.int64(0)
    for cell in range(board.size):
        if board[cell] == 0:
            moves[n] = cell
            moves[state.empty + n] = board.size + cell
            n += 1
    return 2 * n


@hot_verb
def land(rules, state, move, outcome):
    board, is_over = state.board, False
    cell = move % board.size
    board[cell] = 1 + move // board.size
    through = rules.through[cell]
    for i in range(through.size):
        if through[i] < 0 or is_over:
            break
        is_over = _is_line(rules, board, through[i])
    then, empty = np.int64(3 - state.turn), np.int64(state.empty - 1)
    return WildState(board, then, empty, _result(rules, then, empty, is_over))


@verb
def note(rules, state, move, undo):
    undo[0] = 0  # the move alone says how to take it back


@hot_verb
def take_back(rules, state, move, undo):
    board = state.board
    board[move % board.size] = 0
    turn, empty = np.int64(3 - state.turn), np.int64(state.empty + 1)
    return WildState(board, turn, empty, np.int64(RUNNING))


family(
    WildRules, facts=facts, new=new, load=load, save=save, turn=turn, result=result,
    open_moves=open_moves, land=land, note=note, take_back=take_back,
)  # fmt: skip
