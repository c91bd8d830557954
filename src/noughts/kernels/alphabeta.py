"""Negamax with alpha-beta for line games: one search for solving, playing and chains of threats.

The value of a position for the player on turn is max over moves of -value(after the move), with
WIN - n for a win in n moves, so that wins are quick and losses slow. It is written once, and
without recursion: a frame per ply holds the window (alpha, beta), the best move and what is left.

What keeps the tree small, in normal play:

- With no line alive for anybody the game is drawn. Cells on no such line are all alike, and one of
  them stands for all.
- Who has a threat on his turn wins; who faces two loses; who faces one has a single reply, which
  costs no depth.
- Erdős and Selfridge (1973): give each line alive for a player the weight 2^-(marks it lacks).
  While the weights sum to less than 1/2 on his own turn, or to less than 1 on the opponent's, the
  opponent can stop all of them; so the value is bounded by 0 on that side.
- Past the depth limit only threats are tried, or standing still (the evaluation): what is found
  there is a chain of threats with forced replies, so a win is a win.

A score is sure when no evaluation had a part in it. Positions with few marks are looked up in the
table under the smallest of the keys of all symmetric images. In misère play completing a line
loses; there are no threats and none of these bounds.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.line_totals import (
    ALIVE,
    BOUND,
    ONE,
    THREATS,
    board_key,
    canonical_key,
    copy_totals,
    evaluate,
    fill_totals,
    mark_cell,
    unmark_cell,
    winning_cells,
)
from noughts.kernels.rules.codes import EMPTY
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
from noughts.kernels.wrapping import plus

# The columns of a frame. The window narrows as moves are tried; FLOOR and CEILING are bounds that
# were known before; DOUBT is the least sure of what the best score was made from; a NULL search
# only asks whether a move beats the best so far.
ALPHA, BETA, BEST, BEST_MOVE, DEPTH, CELL, TRIED, COUNT = 0, 1, 2, 3, 4, 5, 6, 7
START_ALPHA, FLOOR, CEILING, DOUBT, IS_NULL, IMAGE, IS_KEPT = 8, 9, 10, 11, 12, 13, 14
COLUMNS = 15

_FIRST, _LAST = 1 << 60, -(1 << 60)  # scores that order moves before and after all others
_KILLER = 1 << 16


@kernel(allocates=False)
def _list_moves(
    rules, tables, board, counts, side, only_threats, quiet, first, killers, moves, scores
):
    """List the moves worth trying, with a score that says how early; how many there are."""
    n = 0
    dead = -1
    for cell in range(board.size):
        if board[cell] != EMPTY:
            continue
        score = 0
        is_alive = False
        is_threat = False
        for j in range(rules.line_start[cell], rules.line_start[cell + 1]):
            line = rules.line_of[j]
            length = rules.line_length[line]
            own, theirs = counts[side, line], counts[1 - side, line]
            if theirs == 0:
                is_alive = True
                score += tables.strength[length, own + 1]
                is_threat |= own + 2 == length
            if own == 0:
                is_alive = True
                score += tables.strength[length, theirs + 1]
        if only_threats and not is_threat:
            continue
        if not is_alive and not tables.is_plain:
            dead = cell
            continue
        score = (-score if rules.is_misere else score) * 64 + min(quiet[side, cell], 4000)
        if cell == killers[0] or cell == killers[1]:
            score += _KILLER
        moves[n] = cell
        scores[n] = _FIRST if cell == first else score
        n += 1
    if dead >= 0 and not only_threats:
        moves[n] = dead
        scores[n] = _LAST
        n += 1
    if n > tables.width:
        for i in range(tables.width):
            pick(moves, scores, i, n)
    return n


@kernel(allocates=False)
def _known_at_once(rules, tables, board, counts, totals, side, ply, left):
    """(is it decided, its value or lower bound, its upper bound, the only move or -1)."""
    if left == 0 or (not tables.is_plain and totals[0, ALIVE] + totals[1, ALIVE] == 0):
        return True, 0, 0, -1
    if rules.is_misere or tables.is_plain:
        return False, -WIN, WIN, -1
    if totals[side, THREATS] > 0:
        _, cell = winning_cells(rules, board, counts, side)
        return True, WIN - (ply + 1), WIN, cell
    floor, ceiling, reply = -(WIN - (ply + 2)), WIN - (ply + 3), -1
    if totals[1 - side, THREATS] > 0:
        n, reply = winning_cells(rules, board, counts, 1 - side)
        if n > 1:
            return True, floor, ceiling, reply
    if ply > 0:  # at the root a bound is no help, because it names no move
        if totals[side, BOUND] < ONE // 2:
            ceiling = 0
        if totals[1 - side, BOUND] < ONE:
            floor = 0
    return floor == ceiling, floor, ceiling, reply


@kernel(allocates=False)
def _enter(
    rules, tables, table, board, counts, totals, quiet, killers, frame, ply, side, left, raw_key
):
    """Open a frame whose window and depth are set: (is it answered, value, sureness, key).

    Otherwise its moves still have to be listed; frame[CELL] is the one to try first, or -1.
    """
    table_keys, table_data = table
    frame[BEST_MOVE] = frame[CELL] = -1
    frame[TRIED] = frame[COUNT] = frame[IS_KEPT] = frame[IMAGE] = 0
    frame[DOUBT] = SURE
    key = raw_key
    is_known, floor, ceiling, reply = _known_at_once(
        rules, tables, board, counts, totals, side, ply, left
    )
    if is_known:
        frame[BEST_MOVE] = reply
        return True, floor, SURE, key
    if floor >= frame[BETA]:
        return True, floor, SURE, key
    if ceiling <= frame[ALPHA]:
        return True, ceiling, SURE, key
    depth = frame[DEPTH]
    if reply >= 0:
        frame[COUNT] = 1
        frame[CELL] = reply
    else:
        frame[IS_KEPT] = 1
        if board.size - left <= tables.canonical_marks and depth > 0:
            key, frame[IMAGE] = canonical_key(tables, board)
        key = plus(key, tables.turn_key * np.uint64(side))
        entry = probe(table_keys, table_data, key)
        if entry != 0:
            score, move, kept_depth, bound = unpack(entry, ply)
            if ply > 0 and settles(score, kept_depth, bound, depth, frame[ALPHA], frame[BETA]):
                return True, score, (SURE if kept_depth == ENDLESS else UNSURE), key
            if move >= 0:
                frame[CELL] = tables.inverses[frame[IMAGE], move]
        if depth <= 0:
            floor = min(max(evaluate(rules, tables, totals, side), floor), ceiling)
            frame[DOUBT] = UNSURE
            sees_threats = not rules.is_misere and depth > -tables.threat_depth
            if not sees_threats or floor >= frame[BETA]:
                return True, floor, UNSURE, key
    frame[FLOOR], frame[CEILING], frame[BEST] = floor, ceiling, floor
    frame[ALPHA] = max(frame[ALPHA], floor)
    frame[BETA] = min(frame[BETA], ceiling)
    frame[START_ALPHA] = frame[ALPHA]
    return False, 0, SURE, key


@kernel(allocates=False)
def _close(tables, table, frame, key, ply, side, quiet, killers):
    """Keep what a finished frame found; how sure its score is."""
    table_keys, table_data = table
    value = frame[BEST]
    doubt = sureness(value, frame[DOUBT])
    if not frame[IS_KEPT]:
        return doubt
    move = frame[BEST_MOVE]
    bound = EXACT if value > frame[START_ALPHA] else UPPER
    if value >= frame[BETA]:
        bound = LOWER
        if frame[DEPTH] > 0 and move >= 0:
            quiet[side, move] += frame[DEPTH] * frame[DEPTH]
            if killers[0] != move:
                killers[1] = killers[0]
                killers[0] = move
    if value >= frame[CEILING] or value <= frame[FLOOR]:
        bound = EXACT
    if move >= 0:
        move = tables.images[frame[IMAGE], move]
    depth = ENDLESS if doubt == SURE else frame[DEPTH]
    store(table_keys, table_data, key, value, ply, depth, bound, move)
    return doubt


@kernel(allocates=False)
def _take_back(frame, value, doubt):
    """Add the answer of a child, seen from its parent, to the frame of the parent."""
    frame[DOUBT] = max(frame[DOUBT], sureness(value, doubt))
    if frame[IS_NULL] and frame[ALPHA] < value < frame[BETA]:
        frame[IS_NULL] = 0  # it does beat the best: search it again with the whole window
        frame[TRIED] -= 1
        return
    if value > frame[BEST] or (frame[BEST_MOVE] < 0 and value == frame[BEST]):
        frame[BEST] = value
        frame[BEST_MOVE] = frame[CELL]
    frame[ALPHA] = max(frame[ALPHA], value)
    frame[IS_NULL] = 1


class _Stack(NamedTuple):
    """One row per ply of everything that a search remembers."""

    frames: NDArray[np.int64]  # [plies, COLUMNS]
    saved: NDArray[np.int64]  # [plies, 2, 5] totals before the move
    keys: NDArray[np.uint64]  # under which the position is kept
    raw_keys: NDArray[np.uint64]  # as the board lies
    moves: NDArray[np.int64]  # [plies, cells]
    scores: NDArray[np.int64]  # [plies, cells]
    killers: NDArray[np.int64]  # [plies, 2]


@kernel()
def search(rules, tables, table, quiet, marks, turn, depth, alpha, beta, stop, out_facts):
    """Search a running position to `depth`; (score, best move, how sure, was it finished).

    `table` is the pair of arrays of a transposition table. `quiet` [2, cells] remembers which cells
    refuted. `stop[0]` may be set by another thread; `out_facts` takes nodes and the deepest ply.
    A move of -1 means that every move is as good.
    """
    cells = marks.size
    board = np.zeros(cells, np.int8)
    counts = np.zeros((2, rules.line_length.size), np.uint8)
    roles = np.zeros((2, tables.roles), np.uint8)
    totals = np.zeros((2, 5), np.int64)
    fill_totals(rules, tables, marks, board, counts, totals, roles)
    n_empty = np.int64(0)
    for cell in range(cells):
        n_empty += board[cell] == EMPTY
    plies = n_empty + 2
    stack = _Stack(
        np.zeros((plies, COLUMNS), np.int64),
        np.zeros((plies, 2, 5), np.int64),
        np.zeros(plies, np.uint64),
        np.zeros(plies, np.uint64),
        np.zeros((plies, cells), np.int64),
        np.zeros((plies, cells), np.int64),
        np.full((plies, 2), -1, np.int64),
    )
    stack.frames[0, ALPHA], stack.frames[0, BETA], stack.frames[0, DEPTH] = alpha, beta, depth
    stack.raw_keys[0] = board_key(tables, board, 0)
    return _run(
        rules,
        tables,
        table,
        quiet,
        board,
        counts,
        totals,
        roles,
        turn,
        n_empty,
        stack,
        stop,
        out_facts,
    )


@kernel(allocates=False)
def _run(
    rules, tables, table, quiet, board, counts, totals, roles, turn, n_empty, stack, stop, out_facts
):
    """The loop of the search, from the frame that is set up at ply 0."""
    frames, saved, keys, raw_keys, moves, scores, killers = stack
    ply = np.int64(0)
    is_entering = True
    value, doubt = np.int64(0), np.int64(SURE)
    while True:
        side = (turn - 1) ^ (ply & 1)
        frame = frames[ply]
        if is_entering:
            is_entering = False
            out_facts[0] += 1
            out_facts[1] = max(out_facts[1], ply)
            if out_facts[0] & 1023 == 0 and stop[0] != 0:
                return frames[0, BEST], frames[0, BEST_MOVE], UNSURE, False
            is_answered, value, doubt, keys[ply] = _enter(
                rules,
                tables,
                table,
                board,
                counts,
                totals,
                quiet,
                killers[ply],
                frame,
                ply,
                side,
                n_empty - ply,
                raw_keys[ply],
            )
            if is_answered:
                if ply == 0:
                    return value, frame[BEST_MOVE], doubt, True
                ply -= 1
                continue
            if frame[COUNT] == 1:
                moves[ply, 0] = frame[CELL]
            else:
                n = _list_moves(
                    rules,
                    tables,
                    board,
                    counts,
                    side,
                    frame[DEPTH] <= 0,
                    quiet,
                    frame[CELL],
                    killers[ply],
                    moves[ply],
                    scores[ply],
                )
                frame[COUNT] = min(n, tables.width)
                if n > tables.width:
                    frame[DOUBT] = UNSURE
        else:  # back from the child that played frame[CELL]
            unmark_cell(rules, tables, board, counts, roles, frame[CELL])
            copy_totals(saved[ply], totals)
            _take_back(frame, -value, doubt)
        tried = frame[TRIED]
        if tried == frame[COUNT] or frame[BEST] >= frame[BETA]:
            value = frame[BEST]
            doubt = _close(tables, table, frame, keys[ply], ply, side, quiet, killers[ply])
            if ply == 0:
                return value, frame[BEST_MOVE], doubt, True
            ply -= 1
            continue
        if tried == 0:
            frame[IS_NULL] = 0
        if tried == 0 or frame[IS_NULL]:
            frame[CELL] = pick(moves[ply], scores[ply], tried, frame[COUNT])
        frame[TRIED] = tried + 1
        copy_totals(totals, saved[ply])
        # An only reply costs no depth: chains of threats are followed to their end.
        is_forced = frame[IS_KEPT] == 0 and not tables.is_plain
        cell = frame[CELL]
        child = frames[ply + 1]
        child[ALPHA] = -frame[ALPHA] - 1 if frame[IS_NULL] else -frame[BETA]
        child[BETA] = -frame[ALPHA]
        child[DEPTH] = frame[DEPTH] - (0 if is_forced else 1)
        if mark_cell(rules, tables, board, counts, totals, roles, cell, side):
            # Misère or plain; elsewhere a win is seen before it is played.
            value, doubt = WIN - (ply + 1), np.int64(SURE)
            if not rules.is_misere:
                value = -value
            continue
        raw_keys[ply + 1] = plus(raw_keys[ply], tables.keys[side, cell])
        ply += 1
        is_entering = True
