"""Line games as a search sees them: what each player's lines are worth, kept up move by move.

A line is *alive* for a player while the opponent has no mark on it, and a *threat* when it also
lacks just one mark. `totals` [2, 5] sums over the alive lines of each player; marking a cell
touches only the lines through it, and who takes the mark back restores the totals he saved.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rules.codes import EMPTY

# The columns of `totals`; the last belongs to the board as a whole and stands in row 0.
BOUND, STRENGTH, ALIVE, THREATS, ROLES = 0, 1, 2, 3, 4

ONE = 1 << 40  # the weight 1 of the Erdős-Selfridge bound
MOST = 1 << 28  # evaluations stay below this


class SearchTables(NamedTuple):
    """What a search knows besides the rules. Tables of lines are indexed by length and marks.

    *Roles* are lines of an evaluation that are not the lines that win, such as whole rows.
    """

    bound: NDArray[np.int64]  # [length, marks] weights of the Erdős-Selfridge bound, ONE = 1
    strength: NDArray[np.int64]  # [length, marks] what an alive line is worth
    keys: NDArray[np.uint64]  # [2, cells] a board's key is the sum over its marks
    turn_key: np.uint64  # added when O is on turn
    images: NDArray[np.int64]  # [symmetries, cells] where each cell goes; the identity is first
    inverses: NDArray[np.int64]
    canonical_marks: int  # boards with at most so many marks are looked up in all images
    threat_depth: int  # how many threats in a row are tried past the depth limit
    width: int  # how many moves are tried in one position
    is_plain: bool  # every move, exactly `depth` moves deep, then the evaluation
    viewer: int  # the player (0 for X) whose evaluation the roles are
    roles: int
    role_start: NDArray[np.int32]  # through cell c go role_of[role_start[c] : role_start[c+1]]
    role_of: NDArray[np.int32]
    role_value: NDArray[np.int64]  # [marks of X, marks of O], for the viewer
    cell_value: NDArray[np.int64]  # [2, cells] of a mark, for the viewer


@kernel(allocates=False)
def mark_cell(rules, tables, board, counts, totals, roles, cell, side):
    """Put a mark of `side` on a cell and update all totals; True when it completes a line."""
    other = 1 - side
    board[cell] = side + 1
    completed = False
    for j in range(rules.line_start[cell], rules.line_start[cell + 1]):
        line = rules.line_of[j]
        length = rules.line_length[line]
        own, theirs = counts[side, line], counts[other, line]
        counts[side, line] = own + 1
        if theirs == 0:
            totals[side, BOUND] += tables.bound[length, own + 1] - tables.bound[length, own]
            totals[side, STRENGTH] += (
                tables.strength[length, own + 1] - tables.strength[length, own]
            )
            if own + 2 == length:
                totals[side, THREATS] += 1
            elif own + 1 == length:
                completed = True
        if own == 0:
            totals[other, BOUND] -= tables.bound[length, theirs]
            totals[other, STRENGTH] -= tables.strength[length, theirs]
            totals[other, ALIVE] -= 1
            if theirs + 1 == length:
                totals[other, THREATS] -= 1
    for j in range(tables.role_start[cell], tables.role_start[cell + 1]):
        role = tables.role_of[j]
        totals[0, ROLES] -= tables.role_value[roles[0, role], roles[1, role]]
        roles[side, role] += 1
        totals[0, ROLES] += tables.role_value[roles[0, role], roles[1, role]]
    totals[0, ROLES] += tables.cell_value[side, cell]
    return completed


@kernel(allocates=False)
def unmark_cell(rules, tables, board, counts, roles, cell):
    """Take a mark off; the caller restores the totals."""
    side = board[cell] - 1
    board[cell] = EMPTY
    for j in range(rules.line_start[cell], rules.line_start[cell + 1]):
        counts[side, rules.line_of[j]] -= 1
    for j in range(tables.role_start[cell], tables.role_start[cell + 1]):
        roles[side, tables.role_of[j]] -= 1


@kernel(allocates=False)
def copy_totals(source, out_totals):
    """Save or restore all totals."""
    for side in range(2):
        for column in range(5):
            out_totals[side, column] = source[side, column]


@kernel(allocates=False)
def fill_totals(rules, tables, marks, out_board, out_counts, out_totals, out_roles):
    """The board that holds these marks with its counts, totals and roles, which come in as 0."""
    for line in range(rules.line_length.size):
        length = rules.line_length[line]
        for side in range(2):
            out_totals[side, BOUND] += tables.bound[length, 0]
            out_totals[side, STRENGTH] += tables.strength[length, 0]
            out_totals[side, ALIVE] += 1
            out_totals[side, THREATS] += length == 1
    out_totals[0, ROLES] = tables.role_value[0, 0] * tables.roles
    for cell in range(marks.size):
        if marks[cell] != EMPTY:
            side = marks[cell] - 1
            mark_cell(rules, tables, out_board, out_counts, out_totals, out_roles, cell, side)


@kernel(allocates=False)
def winning_cells(rules, board, counts, side):
    """(how many cells complete a line of `side`: 0, 1 or 2 for more, the first such cell)."""
    first = -1
    for line in range(rules.line_length.size):
        if counts[side, line] + 1 == rules.line_length[line] and counts[1 - side, line] == 0:
            for i in range(rules.line_length[line]):
                cell = rules.line_cells[line, i]
                if board[cell] == EMPTY and cell != first:
                    if first >= 0:
                        return 2, first
                    first = cell
    return (0 if first < 0 else 1), first


@kernel(allocates=False)
def evaluate(rules, tables, totals, side):
    """The score of standing still, for the player on turn."""
    if tables.roles > 0:
        value = totals[0, ROLES] if side == tables.viewer else -totals[0, ROLES]
    elif rules.is_misere:
        value = totals[1 - side, STRENGTH] - totals[side, STRENGTH]
    else:
        # A quarter more for being on turn.
        value = totals[side, STRENGTH] + totals[side, STRENGTH] // 4 - totals[1 - side, STRENGTH]
    return min(max(value, -MOST), MOST)


@kernel(allocates=False, wraps=True)
def board_key(tables, board, image):
    """The key of a board as one symmetry shows it; keys of ≤ 39 cells never collide."""
    key = np.uint64(0)
    for cell in range(board.size):
        if board[cell] != EMPTY:
            key += tables.keys[board[cell] - 1, tables.images[image, cell]]
    return key


@kernel(allocates=False)
def canonical_key(tables, board):
    """(the smallest key of all symmetric images, the symmetry that gives it)."""
    smallest = board_key(tables, board, 0)
    chosen = 0
    for image in range(1, tables.images.shape[0]):
        key = board_key(tables, board, image)
        if key < smallest:
            smallest = key
            chosen = image
    return smallest, chosen
