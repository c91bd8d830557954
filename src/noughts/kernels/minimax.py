"""Plain minimax for line games, the baseline: every move of every position, nothing cut off.

value(position) = max over moves of -value(after the move),   WIN - n for a win in n moves.
"""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.lines import fill_counts, place, unplace
from noughts.kernels.rules.codes import EMPTY
from noughts.kernels.rules.protocol import WIN


@kernel()
def minimax(rules, board, turn, depth, out_values):
    """Score every move of a running position `depth` moves deep; how many positions were made.

    Positions at the depth limit count as drawn. `out_values` [cells] is filled for empty cells.
    """
    counts = np.empty((2, rules.line_length.size), np.uint8)
    fill_counts(rules, board, counts)
    n_empty = np.int64(0)
    for cell in range(board.size):
        n_empty += board[cell] == EMPTY
    path = np.full(n_empty + 1, -1, np.int64)  # the cell played at each ply, -1 before the first
    best = np.full(n_empty + 1, -WIN, np.int64)
    nodes = np.int64(0)
    ply = np.int64(0)
    while True:
        cell = path[ply] + 1
        while cell < board.size and board[cell] != EMPTY:
            cell += 1
        path[ply] = cell
        if cell < board.size:
            nodes += 1
            mark = turn if ply % 2 == 0 else 3 - turn
            completed = place(rules, board, counts, cell, mark)
            if not completed and ply + 1 < min(n_empty, depth):
                ply += 1
                path[ply] = -1
                best[ply] = -WIN
                continue
            value = np.int64(0)
            if completed:
                value = -(WIN - (ply + 1)) if rules.is_misere else WIN - (ply + 1)
        else:
            if ply == 0:
                return nodes
            value = -best[ply]
            ply -= 1
        unplace(rules, board, counts, path[ply])
        best[ply] = max(best[ply], value)
        if ply == 0:
            out_values[path[0]] = value
