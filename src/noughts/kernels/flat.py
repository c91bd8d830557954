"""Flat Monte Carlo: the same number of random playouts after each move, and a short exact look.

Random playouts cannot see that a reply is forced. However many are played on 3×3, their mean picks
a wrong move in 222 of the 3,191 positions in which some move is wrong: it misses 120 blocks. So
before the playouts a few plies are searched for forced wins. `forced_*` gives 1 when the player on
turn wins by force within so many plies, -1 when he loses, and 0 when it does not know.
"""

from typing import Final

import numpy as np

from noughts.kernels import lines, ultimate
from noughts.kernels.jit import kernel
from noughts.kernels.rules.codes import EMPTY, RUNNING
from noughts.kernels.rules.risk import sample_mark
from noughts.kernels.uct import value_of
from noughts.kernels.uct_lines import completes, fade, find_threats, land
from noughts.kernels.uct_ultimate import fade as fade_ultimate
from noughts.kernels.uct_ultimate import land as land_ultimate
from noughts.kernels.ultimate import ANYWHERE

AT_ONCE: Final = 64  # more than any depth that is searched


@kernel(allocates=False)
def outcome_for(turn, result):
    """1, 0 or -1: what a result is worth to a player."""
    if result == turn:
        return 1
    return -1 if result == 3 - turn else 0


@kernel(allocates=False)
def forced_lines(rules, board, counts, n_empty, turn, depth, budget):
    """Who wins by force; `budget` [1] counts down the positions that may be looked at."""
    budget[0] -= 1
    threat = np.int64(-1)
    if not rules.is_misere:
        if find_threats(rules, board, counts, turn)[0] > 0:
            return 1
        n_threats, threat = find_threats(rules, board, counts, 3 - turn)
        if n_threats > 1:
            return -1
    if depth == 0 or budget[0] <= 0:
        return 0
    best = -1
    for cell in range(board.size):
        if board[cell] != EMPTY or (threat >= 0 and cell != threat):
            continue
        if completes(rules, counts, cell, turn):
            continue  # only in misère, and there it loses
        if n_empty == 1:
            return 0
        lines.place(rules, board, counts, cell, turn)
        found = forced_lines(rules, board, counts, n_empty - 1, 3 - turn, depth - 1, budget)
        lines.unplace(rules, board, counts, cell)
        best = max(best, -found)
        if best == 1:
            break
    return best


@kernel(allocates=False)
def forced_ultimate(rules, marks, owners, forced, turn, depth, budget):
    """Who wins by force; `budget` [1] counts down the positions that may be looked at."""
    budget[0] -= 1
    best = -1
    own, other = owners[0], owners[1]
    for move in range(81):
        mini, bit = move // 9, 1 << (move % 9)
        if forced not in (ANYWHERE, mini):
            continue
        if not ultimate.free_cells(rules, marks, owners, mini) & bit:
            continue
        result, sent_to = land_ultimate(rules, marks, owners, move, turn)
        found = 0
        if result != RUNNING:
            found = outcome_for(3 - turn, result)
        elif depth > 0 and budget[0] > 0:
            found = forced_ultimate(rules, marks, owners, sent_to, 3 - turn, depth - 1, budget)
        marks[turn - 1, mini] &= ~bit
        owners[0], owners[1] = own, other
        best = max(best, -found)
        if best == 1:
            break
    return best


@kernel()
def look_lines(rules, start, turn, depth, budget, out_verdicts):
    """For each cell: does playing it win (+) or lose (-) within `depth` plies? 0 if neither.

    A verdict is the larger the sooner it comes: AT_ONCE for a move that ends the game.
    """
    board = start.copy()
    counts = np.empty((2, rules.line_length.size), np.uint8)
    lines.fill_counts(rules, board, counts)
    empties = np.empty(board.size, np.int64)
    n_empty = lines.list_empties(board, empties)
    for cell in empties[:n_empty]:
        if completes(rules, counts, cell, turn):
            out_verdicts[cell] = -AT_ONCE if rules.is_misere else AT_ONCE
    for reach in range(depth):
        for cell in empties[:n_empty]:
            if out_verdicts[cell] == 0 and n_empty > 1 and budget[0] > 0:
                lines.place(rules, board, counts, cell, turn)
                found = forced_lines(rules, board, counts, n_empty - 1, 3 - turn, reach, budget)
                lines.unplace(rules, board, counts, cell)
                out_verdicts[cell] = -found * (AT_ONCE - 1 - reach)


@kernel()
def look_ultimate(rules, marks, owners, forced, turn, depth, budget, out_verdicts):
    """For each move a verdict, as `look_lines`."""
    own, other = owners[0], owners[1]
    for reach in range(-1, depth):
        for move in range(81):
            mini, bit = move // 9, 1 << (move % 9)
            if out_verdicts[move] != 0 or budget[0] <= 0 or forced not in (ANYWHERE, mini):
                continue
            if not ultimate.free_cells(rules, marks, owners, mini) & bit:
                continue
            result, sent_to = land_ultimate(rules, marks, owners, move, turn)
            if result != RUNNING:
                out_verdicts[move] = -AT_ONCE * outcome_for(3 - turn, result)
            elif reach >= 0:
                found = forced_ultimate(rules, marks, owners, sent_to, 3 - turn, reach, budget)
                out_verdicts[move] = -found * (AT_ONCE - 1 - reach)
            marks[turn - 1, mini] &= ~bit
            owners[0], owners[1] = own, other


@kernel()
def play_lines(rules, start, turn, tick, moves, games, max_turns, rng, out_totals):
    """Random games after each move; adds their results for X to `out_totals` [moves]."""
    cells = start.size
    start_counts = np.empty((2, rules.line_length.size), np.uint8)
    lines.fill_counts(rules, start, start_counts)
    board, counts = np.empty_like(start), np.empty_like(start_counts)
    empties = np.empty(cells, np.int64)
    start_empty = lines.list_empties(start, empties)
    for i in range(moves.size):
        cell = moves[i] % cells
        clock = tick + moves[i] // cells
        for _ in range(games):
            board[:] = start
            counts[:] = start_counts
            mark = turn
            if rules.risk.is_risky:
                mark = sample_mark(rules.risk, cell, clock, mark, rng)
            result, n_empty = land(rules, board, counts, start_empty, cell, mark)
            if result == RUNNING:
                if rules.risk.fades:
                    fade(rules, board, counts, n_empty, rng)
                n_empty = lines.list_empties(board, empties)
                result, _ = lines.playout(
                    rules, board, counts, empties, n_empty, 3 - turn, clock, max_turns, rng
                )
            out_totals[i] += value_of(result)


@kernel()
def play_ultimate(
    rules, start_marks, start_owners, turn, tick, moves, games, max_turns, rng, out_totals
):
    """Random games after each move; adds their results for X to `out_totals` [moves]."""
    marks, owners = np.empty_like(start_marks), np.empty_like(start_owners)
    for i in range(moves.size):
        move = moves[i] % 81
        clock = tick + moves[i] // 81
        for _ in range(games):
            marks[:] = start_marks
            owners[:] = start_owners
            mark = turn
            if rules.risk.is_risky:
                mark = sample_mark(rules.risk, move, clock, mark, rng)
            result, sent_to = land_ultimate(rules, marks, owners, move, mark)
            if result == RUNNING:
                if rules.risk.fades:
                    fade_ultimate(rules, marks, owners, rng)
                    sent_to = ultimate.forced_by(rules, marks, owners, move % 9)
                result, _ = ultimate.playout(
                    rules, marks, owners, sent_to, 3 - turn, clock, max_turns, rng
                )
            out_totals[i] += value_of(result)
