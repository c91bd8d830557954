"""Expectiminimax for line games where marks flip or fizzle, with Star1 and Star2 pruning.

For the player on turn, in [-1, 1],

    value(b) = max over empty a of  sum over landings l of  p(l) · (reward, or -value(b after l)).

The windows of alpha-beta reach through the sum (Ballard 1983). *Star1*: with all other landings at
their extremes, the one that is searched must still bring the sum into (alpha, beta). *Star2*: first
only one reply is tried after each landing; that bounds each term from above, and may show that the
whole sum stays below alpha. Bounds are kept in a table by position.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.lines import fill_counts, place, unplace
from noughts.kernels.rules.codes import EMPTY
from noughts.kernels.transposition import ENDLESS
from noughts.kernels.wrapping import plus, times

ALL, FIRST = -1, -2  # which moves to try, where it is not a certain cell
HIGHEST = 1.0

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Scratch(NamedTuple):
    """Room for the moves and landings of each depth, and whether any cell fizzles."""

    cells: NDArray[np.int64]  # [depths, cells]
    scores: NDArray[np.float64]  # [cells]
    chances: NDArray[np.float64]  # [depths, 3] of the landings own, opponent's, nothing
    uppers: NDArray[np.float64]  # [depths, 3] the most that each can bring
    fizzles: bool


@kernel(allocates=False)
def estimate(rules, counts, side):
    """A guess at the value for `side`: what is left of the lines of both, 4^-(marks missing)."""
    total = 0.0
    for line in range(rules.line_length.size):
        own, theirs = counts[side, line], counts[1 - side, line]
        if theirs == 0 and own > 0:
            total += 0.25 ** (rules.line_length[line] - own)
        elif own == 0 and theirs > 0:
            total -= 0.25 ** (rules.line_length[line] - theirs)
    if rules.is_misere:
        total = -total
    return total / (1.0 + abs(total))


@kernel(allocates=False)
def _is_dead(rules, counts):
    """True when no line can be completed by anybody."""
    for line in range(rules.line_length.size):
        if counts[0, line] == 0 or counts[1, line] == 0:
            return False
    return True


@kernel(allocates=False)
def _list_cells(rules, board, counts, side, first, scores, out_cells):
    """The empty cells, the most promising first; how many there are."""
    n = 0
    for cell in range(board.size):
        if board[cell] != EMPTY:
            continue
        score = 100.0 if cell == first else 0.0
        for j in range(rules.line_start[cell], rules.line_start[cell + 1]):
            line = rules.line_of[j]
            own, theirs = counts[side, line], counts[1 - side, line]
            if own == 0 or theirs == 0:
                score += 0.25 ** (rules.line_length[line] - own - theirs)
        # A flipped mark helps the opponent, and misère turns everything round.
        score *= 1.0 - 2.0 * rules.risk.flip[cell] - rules.risk.fizzle[cell]
        if rules.is_misere:
            score = -score
        if cell == first:
            score = 1000.0
        i = n
        while i > 0 and scores[i - 1] < score:
            scores[i] = scores[i - 1]
            out_cells[i] = out_cells[i - 1]
            i -= 1
        scores[i] = score
        out_cells[i] = cell
        n += 1
    return n


@kernel(allocates=False)
def value(
    rules,
    keys,
    table,
    board,
    counts,
    side,
    n_empty,
    key,
    depth,
    alpha,
    beta,
    only,
    scratch,
    stop,
    facts,
):
    """The value for `side`, at least within (alpha, beta); a bound outside it.

    `only` is ALL, FIRST for the most promising move, or one cell. `keys` [3, cells] are the key of
    an X and an O in each cell and of the turn; `table` is the arrays key, low, high, depth, move.
    `facts` counts nodes in [0]; [3] says that it was stopped, [4] that a guess was used.
    """
    table_key, table_low, table_high, table_depth, table_move = table
    facts[0] += 1
    if facts[0] & 1023 == 0 and stop[0] != 0:
        facts[3] = 1
    if facts[3] != 0 or n_empty == 0 or _is_dead(rules, counts):
        return 0.0
    if depth <= 0:
        facts[4] = 1
        return estimate(rules, counts, side)
    # Where nothing fizzles every turn fills a cell, and a search that reaches the end is exact.
    kept_depth = ENDLESS if depth >= n_empty and not scratch.fizzles else depth
    own_key = plus(key, keys[2, 0] * np.uint64(side))
    slot = np.int64(times(own_key, _GOLDEN) >> np.uint64(20)) & (table_key.size - 1)
    first = -1
    if table_key[slot] == own_key and table_depth[slot] > 0:
        first = table_move[slot]
        if only == ALL and table_depth[slot] >= depth:
            if table_depth[slot] < ENDLESS:
                facts[4] = 1
            low, high = table_low[slot], table_high[slot]
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
    cells = scratch.cells[depth]
    n = 1
    cells[0] = only
    if only < 0:
        n = _list_cells(rules, board, counts, side, first, scratch.scores, cells)
        if only == FIRST:
            n = 1
    start_alpha = alpha
    best = -2.0
    best_move = cells[0]
    chances, uppers = scratch.chances[depth], scratch.uppers[depth]
    for i in range(n):
        cell = cells[i]
        chances[1] = rules.risk.flip[cell]
        chances[2] = rules.risk.fizzle[cell]
        chances[0] = 1.0 - (chances[1] + chances[2])
        total = 0.0  # of the landings that are known
        upper = 0.0  # of those that are not
        for landing in range(3):
            uppers[landing] = HIGHEST
            if chances[landing] <= 0.0:
                chances[landing] = 0.0
                continue
            if landing < 2:
                mover = side ^ landing
                completed = place(rules, board, counts, cell, mover + 1)
                unplace(rules, board, counts, cell)
                if completed or n_empty == 1:
                    if completed:
                        won = 1.0 if (mover == side) != rules.is_misere else -1.0
                        total += chances[landing] * won
                    chances[landing] = 0.0
            upper += chances[landing]
        is_cut = total + upper <= alpha
        for phase in range(2):
            if is_cut or (phase == 0 and depth < 3):
                continue
            for landing in range(3):
                chance = chances[landing]
                if chance == 0.0 or is_cut:
                    continue
                upper -= chance * uppers[landing]
                lower = 0.0
                for later in range(landing + 1, 3):
                    lower -= chances[later]
                if phase == 0:
                    for earlier in range(landing):
                        lower -= chances[earlier]
                low_end = (alpha - total - upper) / chance
                high_end = (beta - total - lower) / chance
                after = key
                left = n_empty
                if landing < 2:
                    place(rules, board, counts, cell, (side ^ landing) + 1)
                    after = plus(key, keys[side ^ landing, cell])
                    left = n_empty - 1
                found = -value(
                    rules,
                    keys,
                    table,
                    board,
                    counts,
                    1 - side,
                    left,
                    after,
                    depth - 1,
                    -high_end,
                    -low_end,
                    FIRST if phase == 0 else ALL,
                    scratch,
                    stop,
                    facts,
                )
                if landing < 2:
                    unplace(rules, board, counts, cell)
                if facts[3] != 0:
                    return 0.0
                if phase == 0:
                    # Beyond its window a probe bounds nothing.
                    uppers[landing] = found if found < min(high_end, HIGHEST) else HIGHEST
                    upper += chance * uppers[landing]
                    is_cut = total + upper <= alpha
                else:
                    total += chance * found
                    if found <= low_end:
                        is_cut = True
                    elif found >= high_end:
                        is_cut = True
                        upper = lower  # the others at their worst still reach beta
        score = total + upper if is_cut else total
        if score > best:
            best = score
            best_move = cell
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    if facts[4] != 0 and kept_depth == ENDLESS:
        kept_depth = depth
    if only == ALL:
        if table_key[slot] != own_key or table_depth[slot] != kept_depth:
            table_low[slot], table_high[slot] = -HIGHEST, HIGHEST
        table_key[slot], table_depth[slot], table_move[slot] = own_key, kept_depth, best_move
        if best > start_alpha:
            table_low[slot] = max(table_low[slot], best)
        if best < beta:
            table_high[slot] = min(table_high[slot], best)
    return best


@kernel()
def score_moves(rules, keys, table, board, turn, key, depth, is_full, stop, facts, out_values):
    """The value of every move for the player on turn, or of the best with bounds for the rest.

    `facts` [5]: nodes, unused, the best move, whether it was stopped, whether a guess was used.
    """
    counts = np.empty((2, rules.line_length.size), np.uint8)
    fill_counts(rules, board, counts)
    side = turn - 1
    scratch = Scratch(
        np.empty((depth + 2, board.size), np.int64),
        np.empty(board.size),
        np.empty((depth + 1, 3)),
        np.empty((depth + 1, 3)),
        rules.risk.fizzle.any(),
    )
    cells = scratch.cells[depth + 1]
    n = _list_cells(rules, board, counts, side, facts[2], scratch.scores, cells)
    best = -2.0
    best_move = cells[0]
    for i in range(n):
        alpha = -2.0 if is_full else best
        score = value(
            rules,
            keys,
            table,
            board,
            counts,
            side,
            n,
            key,
            depth,
            alpha,
            2.0,
            cells[i],
            scratch,
            stop,
            facts,
        )
        if facts[3] != 0:
            break
        out_values[cells[i]] = score
        if score > best:
            best = score
            best_move = cells[i]
    facts[2] = best_move
    return best
