"""Risky tic-tac-toe by value iteration, written twice as one would write it without this package.

Both take the flip probability of each of the nine cells, go through synchronous sweeps from v = 0
until nothing changes, and give the value for X of the empty board with X to move. Nothing is
prepared beforehand, and nothing is shared with the package.

`solve_with_dicts` is the textbook: states are tuples, values live in a dict. `solve_with_numpy`
holds a table of all 2·3^9 states and does each of the nine moves for all boards at once, with the
successors of every board looked up once and kept between sweeps.
"""

import itertools
from collections.abc import Sequence

import numpy as np

LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
)
CELLS = 9
TOLERANCE = 1e-12

Board = tuple[str, ...]
State = tuple[Board, str]


def solve_with_dicts(flip: Sequence[float]) -> float:
    """Value iteration over a dict of states."""
    boards = [b for b in itertools.product(".XO", repeat=CELLS) if is_running(b)]
    values: dict[State, float] = {(board, turn): 0.0 for board in boards for turn in "XO"}
    while True:
        following = {state: bellman(state, flip, values) for state in values}
        difference = max(abs(following[state] - values[state]) for state in values)
        values = following
        if difference < TOLERANCE:
            return values[tuple("." * CELLS), "X"]


def is_running(board: Board) -> bool:
    return "." in board and not has_line(board, "X") and not has_line(board, "O")


def has_line(board: Board, mark: str) -> bool:
    return any(board[a] == board[b] == board[c] == mark for a, b, c in LINES)


def bellman(state: State, flip: Sequence[float], values: dict[State, float]) -> float:
    board, turn = state
    opponent = "O" if turn == "X" else "X"
    worths = []
    for cell in range(CELLS):
        if board[cell] == ".":
            worth = 0.0
            for mark, chance in ((opponent, flip[cell]), (turn, 1.0 - flip[cell])):
                after = (*board[:cell], mark, *board[cell + 1 :])
                if has_line(after, mark):
                    worth += chance if mark == "X" else -chance
                elif "." in after:
                    worth += chance * values[after, opponent]
            worths.append(worth)
    return max(worths) if turn == "X" else min(worths)


def solve_with_numpy(flip: Sequence[float]) -> float:
    """Value iteration over arrays: row 0 of `values` is X's turn, row 1 is O's."""
    power = 3 ** np.arange(CELLS)
    digits = np.arange(3**CELLS)[:, None] // power % 3
    x_line, o_line = (
        np.any([np.all(digits[:, line] == mark, axis=1) for line in LINES], axis=0)
        for mark in (1, 2)
    )
    is_over = x_line | o_line | np.all(digits > 0, axis=1)
    reward = x_line.astype(float) - o_line
    moves = []
    for cell in range(CELLS):
        boards = np.flatnonzero(~is_over & (digits[:, cell] == 0))
        moves.append((boards, boards + power[cell], boards + 2 * power[cell]))
    values = np.zeros((2, 3**CELLS))
    while True:
        total = reward + values
        best_x, best_o = np.full(3**CELLS, -np.inf), np.full(3**CELLS, np.inf)
        for cell, (boards, with_x, with_o) in enumerate(moves):
            p = flip[cell]
            after_x = p * total[1, with_o] + (1.0 - p) * total[1, with_x]
            after_o = p * total[0, with_x] + (1.0 - p) * total[0, with_o]
            best_x[boards] = np.maximum(best_x[boards], after_x)
            best_o[boards] = np.minimum(best_o[boards], after_o)
        following = np.where(is_over, 0.0, np.stack([best_x, best_o]))
        difference = np.max(np.abs(following - values))
        values = following
        if difference < TOLERANCE:
            return float(values[0, 0])
