"""Negamax with alpha-beta for Ultimate, to a depth or to the end.

As in the search of line games, WIN - n is a win in n moves, and a score is sure when no evaluation
had a part in it. A player can still win while some line of three mini boards holds none that is the
opponent's or beyond his reach; once he cannot, the score is bounded by 0 on his side (unless the
number of mini boards breaks ties).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.transposition import (
    ENDLESS,
    EXACT,
    LOWER,
    SURE,
    UNSURE,
    UPPER,
    WIN,
    pick,
    probe,
    settles,
    store,
    sureness,
    unpack,
)
from noughts.kernels.ultimate import ANYWHERE, final_result, forced_by, free_cells, is_stuck, place
from noughts.kernels.wrapping import plus


class UltimateTables(NamedTuple):
    """What the search knows besides the rules."""

    promise: NDArray[
        np.int64
    ]  # [512, 512] of a mini board by own and the opponent's cells; 0: dead
    lines: NDArray[np.int64]  # [8, 3] the lines of three
    cell_keys: NDArray[np.uint64]  # [2, 81]
    owner_keys: NDArray[np.uint64]  # [2, 9]
    forced_keys: NDArray[np.uint64]  # [10]
    turn_key: np.uint64


@kernel(allocates=False)
def lines_left(rules, tables, marks, owners, side):
    """(evaluation for `side`, can he still win): over lines, the product of their mini boards."""
    total = np.int64(0)
    for i in range(8):
        product = np.int64(1)
        for j in range(3):
            mini = tables.lines[i, j]
            if (owners[side] >> mini) & 1:
                product *= 16
            elif (owners[1 - side] >> mini) & 1:
                product = np.int64(0)
            else:
                product *= tables.promise[marks[side, mini], marks[1 - side, mini]]
        total += product
    return total, total > 0


@kernel(allocates=False)
def _list_moves(rules, tables, marks, owners, forced, side, first, quiet, out_moves, out_scores):
    n = 0
    for mini in range(9):
        if forced != ANYWHERE and mini != forced:
            continue
        free = free_cells(rules, marks, owners, mini)
        is_open = not ((owners[0] | owners[1]) >> mini) & 1
        for cell in range(9):
            if not (free >> cell) & 1:
                continue
            move = 9 * mini + cell
            score = min(quiet[side, move], 4000)
            if is_open and rules.is_won[marks[side, mini] | (1 << cell)]:
                score += 40_000
            if is_open and rules.is_won[marks[1 - side, mini] | (1 << cell)]:
                score += 10_000
            if free_cells(rules, marks, owners, cell) == 0:
                score -= 20_000
            out_moves[n] = move
            out_scores[n] = 1 << 40 if move == first else score
            n += 1
    return n


@kernel(allocates=False)
def negamax(
    rules,
    tables,
    table,
    marks,
    owners,
    forced,
    side,
    ply,
    key,
    depth,
    alpha,
    beta,
    quiet,
    lists,
    stop,
    facts,
):
    """(score for `side`, how sure) of a running position, at least within (alpha, beta).

    `lists` [2, plies, 81] is room for moves and their scores. `facts` [4]: nodes, the deepest ply,
    the best move at the root, whether it was stopped.
    """
    facts[0] += 1
    facts[1] = max(facts[1], ply)
    if facts[0] & 1023 == 0 and stop[0] != 0:
        facts[3] = 1
    if facts[3] != 0:
        return np.int64(0), np.int64(UNSURE)
    table_keys, table_data = table
    own_value, can_win = lines_left(rules, tables, marks, owners, side)
    their_value, can_lose = lines_left(rules, tables, marks, owners, 1 - side)
    floor, ceiling = -(WIN - (ply + 2)), WIN - (ply + 1)
    if rules.counts_boards:
        floor = -(WIN - (ply + 1))  # the last mark may lose for the one who makes it
    else:
        if not can_win:
            ceiling = 0
        if not can_lose:
            floor = 0
    if ply > 0:
        if floor >= beta or floor == ceiling:
            return np.int64(floor), np.int64(SURE)
        if ceiling <= alpha:
            return np.int64(ceiling), np.int64(SURE)
    if depth <= 0:
        guess = 4 * (own_value - their_value) + 1
        return np.int64(min(max(guess, floor), ceiling)), np.int64(UNSURE)
    own_key = plus(key, plus(tables.forced_keys[forced], tables.turn_key * np.uint64(side)))
    entry = probe(table_keys, table_data, own_key)
    first = np.int64(-1)
    if entry != 0:
        score, first, kept_depth, bound = unpack(entry, ply)
        if ply > 0 and settles(score, kept_depth, bound, depth, alpha, beta):
            return score, np.int64(SURE if kept_depth == ENDLESS else UNSURE)
    start_alpha = alpha
    best, best_move, doubt = np.int64(-WIN), np.int64(-1), np.int64(SURE)
    moves, scores = lists[0, ply], lists[1, ply]
    n = _list_moves(rules, tables, marks, owners, forced, side, first, quiet, moves, scores)
    x_owners, o_owners = owners[0], owners[1]
    for i in range(n):
        move = pick(moves, scores, i, n)
        mini, cell = move // 9, move % 9
        after = plus(key, tables.cell_keys[side, move])
        if place(rules, marks, owners, mini, cell, side + 1):
            score, sure = np.int64(WIN - (ply + 1)), np.int64(SURE)
        else:
            if owners[side] != (x_owners if side == 0 else o_owners):
                after += tables.owner_keys[side, mini]
            sent = forced_by(rules, marks, owners, cell)
            if sent == ANYWHERE and is_stuck(rules, marks, owners):
                result = final_result(rules, owners)
                score, sure = np.int64(0), np.int64(SURE)
                if result < 3:
                    score += WIN - (ply + 1) if result == side + 1 else -(WIN - (ply + 1))
            else:
                score, sure = negamax(
                    rules,
                    tables,
                    table,
                    marks,
                    owners,
                    sent,
                    1 - side,
                    ply + 1,
                    after,
                    depth - 1,
                    -beta if i == 0 else -alpha - 1,
                    -alpha,
                    quiet,
                    lists,
                    stop,
                    facts,
                )
                if i > 0 and alpha < -score < beta and facts[3] == 0:
                    score, sure = negamax(
                        rules,
                        tables,
                        table,
                        marks,
                        owners,
                        sent,
                        1 - side,
                        ply + 1,
                        after,
                        depth - 1,
                        -beta,
                        -alpha,
                        quiet,
                        lists,
                        stop,
                        facts,
                    )
                score = -score
        marks[side, mini] &= ~(1 << cell)
        owners[0], owners[1] = x_owners, o_owners
        if facts[3] != 0:
            break
        doubt = max(doubt, sureness(score, sure))
        if score > best:
            best, best_move = score, move
        alpha = max(alpha, score)
        if alpha >= beta:
            quiet[side, move] += depth * depth
            break
    if ply == 0 and best_move >= 0:
        facts[2] = best_move
    if facts[3] != 0:
        return best, np.int64(UNSURE)
    doubt = sureness(best, doubt)
    bound = EXACT if best > start_alpha else UPPER
    if best >= beta:
        bound = LOWER
    kept = ENDLESS if doubt == SURE else depth
    store(table_keys, table_data, own_key, best, ply, kept, bound, best_move)
    return best, np.int64(doubt)
