"""Games of lines as searches of the alpha-beta kind see them, with two seats. See `protocol`.

A line is *alive* for a player while the opponent has no mark on it, and a *threat* when it also
lacks just one mark. `totals` [2, 5] sums over the alive lines of each player. Marks land where
`lines.place` puts them; it calls `tally`, which keeps the totals, for every line it touches.

What is sure without a search, in normal play:

- With no line alive for anybody the game is drawn. Cells on no such line are all alike, and one of
  them stands for all.
- Who has a threat on his turn wins; who faces two loses; who faces one has a single reply.
- Erdős and Selfridge (1973): give each line alive for a player the weight 2^-(marks it lacks).
  While the weights sum to less than 1/2 on his own turn, or to less than 1 on the opponent's, the
  opponent can stop all of them; so the value is bounded by 0 on that side.

In misère play completing a line loses; there are no threats and none of these bounds.

The key of a board of at most 39 cells is the board itself. Above, it is a sum of random numbers of
64 bits, and taken for the position: two positions of one search share it once in 2^64 pairs.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.rules import lines
from noughts.kernels.rules.codes import ANY_MOVE, DRAW, EMPTY, NO_MOVE, RUNNING
from noughts.kernels.rules.lines import LineRules, events, faded, landed, place, unplace
from noughts.kernels.rules.protocol import LAST, WIN, Facts, Whole, family, hot_verb, verb
from noughts.kernels.rules.risk import landing_odds, seat_after
from noughts.kernels.wrapping import minus, plus, times

# The columns of `totals`; the last belongs to the board as a whole and stands in row 0.
BOUND, STRENGTH, ALIVE, THREATS, ROLES = 0, 1, 2, 3, 4
COLUMNS = 5

ONE = 1 << 40  # the weight 1 of the Erdős-Selfridge bound
MOST = 1 << 28  # evaluations stay below this


class LineTables(NamedTuple):
    """What a search knows besides the rules. Tables of lines are indexed by length and marks.

    *Roles* are lines of an evaluation that are not the lines that win, such as whole rows.
    """

    bound: NDArray[np.int64]  # [length, marks] weights of the Erdős-Selfridge bound, ONE = 1
    strength: NDArray[np.int64]  # [length, marks] what an alive line is worth
    keys: NDArray[np.uint64]  # [2, cells] a board's key is the sum over its marks
    turn_key: np.uint64  # added when O is on turn
    tick_key: np.uint64  # added for every tick of the clock
    images: NDArray[np.int64]  # [symmetries, cells] where each cell goes; the identity is first
    inverses: NDArray[np.int64]
    canonical_marks: int  # boards with at most so many marks are looked up in all images
    width: int  # how many moves are tried in one position
    scale: float  # the evaluation that is nearly a win
    is_plain: bool  # every move, exactly `depth` moves deep, then the evaluation
    viewer: int  # the player (0 for X) whose evaluation the roles are
    roles: int
    role_start: NDArray[np.int32]  # through cell c go role_of[role_start[c] : role_start[c+1]]
    role_of: NDArray[np.int32]
    role_value: NDArray[np.int64]  # [marks of X, marks of O], for the viewer
    cell_value: NDArray[np.int64]  # [2, cells] of a mark, for the viewer


class LineSearch(NamedTuple):
    """The rules and the tables."""

    lines: LineRules
    tables: LineTables


class LineSearchState(NamedTuple):
    """One moment of a game of lines, with its totals."""

    board: NDArray[np.int8]  # [cells] EMPTY or a seat
    counts: NDArray[np.uint8]  # [2, lines] marks of each seat on each line
    roles: NDArray[np.uint8]  # [2, roles] the same for the lines of an evaluation
    totals: NDArray[np.int64]  # [2, COLUMNS]
    turn: Whole
    left: Whole  # empty cells
    tick: Whole
    result: Whole
    key: np.uint64  # of the marks


def new(rules: LineSearch) -> LineSearchState:
    """Room for a state."""
    cells = len(rules.lines.line_start) - 1
    return LineSearchState(
        np.zeros(cells, np.int8),
        np.zeros((2, len(rules.lines.line_length)), np.uint8),
        np.zeros((2, rules.tables.roles), np.uint8),
        np.zeros((2, COLUMNS), np.int64),
        1,
        cells,
        0,
        RUNNING,
        np.uint64(0),
    )


def facts(rules: LineSearch) -> Facts:
    """The sizes of the game, and what a search may rely on."""
    tables = rules.tables
    return lines.facts(rules.lines)._replace(
        undo_size=2 * COLUMNS + 2,
        most_events=len(rules.lines.line_start) - 1,
        key_is_exact=True,
        images=len(tables.images),
        scale=tables.scale,
        width=tables.width,
        forces=not (rules.lines.is_misere or tables.is_plain),
    )


# ---- Totals ----------------------------------------------------------------------------------


@hot_verb
def shift(rules, state, side, line, own, sign):
    """Change the totals as the next mark after `own` marks of `side` on a line does, or back."""
    tables, totals = rules.tables, state.totals
    length, other = rules.lines.line_length[line], 1 - side
    theirs = state.counts[other, line]
    if theirs == 0:
        totals[side, BOUND] += sign * (tables.bound[length, own + 1] - tables.bound[length, own])
        totals[side, STRENGTH] += sign * (
            tables.strength[length, own + 1] - tables.strength[length, own]
        )
        if own + 2 == length:
            totals[side, THREATS] += sign
    if own == 0:
        totals[other, BOUND] -= sign * tables.bound[length, theirs]
        totals[other, STRENGTH] -= sign * tables.strength[length, theirs]
        totals[other, ALIVE] -= sign
        if theirs + 1 == length:
            totals[other, THREATS] -= sign


@hot_verb
def tally(rules, state, side, line, own):
    shift(rules, state, side, line, own, 1)


@hot_verb
def add_roles(rules, state, cell, mark):
    """Count a mark that has landed for the evaluation that has lines of its own."""
    tables, roles, totals = rules.tables, state.roles, state.totals
    side = mark - 1
    for j in range(tables.role_start[cell], tables.role_start[cell + 1]):
        role = tables.role_of[j]
        totals[0, ROLES] -= tables.role_value[roles[0, role], roles[1, role]]
        roles[side, role] += 1
        totals[0, ROLES] += tables.role_value[roles[0, role], roles[1, role]]
    totals[0, ROLES] += tables.cell_value[side, cell]


@hot_verb
def lines_of(rules):
    return rules.lines


# ---- States ----------------------------------------------------------------------------------


@verb
def load(rules, row, state):
    board, counts, roles, totals = state.board, state.counts, state.roles, state.totals
    tables, line_length = rules.tables, rules.lines.line_length
    board[:] = EMPTY
    counts[:] = 0
    roles[:] = 0
    totals[:] = 0
    for line in range(line_length.size):
        length = line_length[line]
        for side in range(2):
            totals[side, BOUND] += tables.bound[length, 0]
            totals[side, STRENGTH] += tables.strength[length, 0]
            totals[side, ALIVE] += 1
            totals[side, THREATS] += length == 1
    totals[0, ROLES] = tables.role_value[0, 0] * tables.roles
    left, key = np.int64(0), np.uint64(0)
    for cell in range(board.size):
        mark = np.int64(row[cell])
        if mark == EMPTY:
            left += 1
        else:
            place(rules, state, cell, mark)
            add_roles(rules, state, cell, mark)
            key = plus(key, tables.keys[mark - 1, cell])
    return LineSearchState(
        board,
        counts,
        roles,
        totals,
        np.int64(row[board.size]),
        left,
        np.int64(row[board.size + 1]),
        lines.find_result(rules.lines, counts, left),
        key,
    )


# ---- Moves -----------------------------------------------------------------------------------


@verb
def open_moves(rules, state, moves):
    return lines.open_moves(rules.lines, state, moves)


@verb
def outcomes(rules, state, move, chances):
    return lines.outcomes(rules.lines, state, move, chances)


@hot_verb
def land(rules, state, move, outcome):
    mark, left, ended = landed(rules, state, move, outcome)
    key, cell = state.key, lines.cell_of(rules.lines, move)
    if mark != EMPTY:
        add_roles(rules, state, cell, mark)
        key = plus(key, rules.tables.keys[mark - 1, cell])
    return LineSearchState(
        state.board,
        state.counts,
        state.roles,
        state.totals,
        3 - state.turn,
        left,
        state.tick + lines.wait_of(rules.lines, move),
        ended,
        key,
    )


@hot_verb
def note(rules, state, move, undo):
    totals = state.totals
    for i in range(COLUMNS):
        undo[i] = totals[0, i]
        undo[COLUMNS + i] = totals[1, i]
    undo[2 * COLUMNS] = state.turn
    undo[2 * COLUMNS + 1] = state.tick


@hot_verb
def take_back(rules, state, move, undo):
    board, counts, roles, totals = state.board, state.counts, state.roles, state.totals
    tables, cell, left, key = rules.tables, lines.cell_of(rules.lines, move), state.left, state.key
    mark = np.int64(board[cell])
    if mark != EMPTY:  # else it had fizzled
        unplace(rules.lines, board, counts, cell)
        for j in range(tables.role_start[cell], tables.role_start[cell + 1]):
            roles[mark - 1, tables.role_of[j]] -= 1
        left += 1
        key = minus(key, tables.keys[mark - 1, cell])
    for i in range(COLUMNS):
        totals[0, i] = undo[i]
        totals[1, i] = undo[COLUMNS + i]
    return LineSearchState(
        board,
        counts,
        roles,
        totals,
        undo[2 * COLUMNS],
        left,
        undo[2 * COLUMNS + 1],
        np.int64(RUNNING),
        key,
    )


@verb
def _with_marks(state, left, key):
    return LineSearchState(
        state.board,
        state.counts,
        state.roles,
        state.totals,
        state.turn,
        left,
        state.tick,
        state.result,
        key,
    )


@verb
def occur(rules, state, event):
    table, counts = rules.lines, state.counts
    cell, mark = faded(table, event)
    unplace(table, state.board, counts, cell)
    for j in range(table.line_start[cell], table.line_start[cell + 1]):
        line = table.line_of[j]
        shift(rules, state, mark - 1, line, counts[mark - 1, line], -1)
    return _with_marks(state, state.left + 1, minus(state.key, rules.tables.keys[mark - 1, cell]))


@verb
def revert(rules, state, event):
    cell, mark = faded(rules.lines, event)
    place(rules, state, cell, mark)
    return _with_marks(state, state.left - 1, plus(state.key, rules.tables.keys[mark - 1, cell]))


# ---- What is seen at once --------------------------------------------------------------------


@verb
def ends_as(rules, state, move, outcome, undo):
    table = rules.lines
    if outcome == 2:
        return np.int64(RUNNING)
    mark = seat_after(state.turn, outcome, 2)
    if lines.completes(table, state.counts, lines.cell_of(table, move), mark):
        return np.int64(3 - mark if table.is_misere else mark)
    return np.int64(DRAW if state.left == 1 else RUNNING)


@verb
def winning_cells(rules, state, side):
    """(how many cells complete a line of `side`: 0, 1 or 2 for more, the first such cell)."""
    board, counts, table = state.board, state.counts, rules.lines
    first = np.int64(NO_MOVE)
    for line in range(table.line_length.size):
        if counts[side, line] + 1 == table.line_length[line] and counts[1 - side, line] == 0:
            for i in range(table.line_length[line]):
                cell = np.int64(table.line_cells[line, i])
                if board[cell] == EMPTY and cell != first:
                    if first >= 0:
                        return 2, first
                    first = cell
    return (0 if first < 0 else 1), first


@verb
def judge(rules, state):
    totals, side, is_plain = state.totals, state.turn - 1, rules.tables.is_plain
    is_dead = totals[0, ALIVE] + totals[1, ALIVE] == 0
    if is_dead and not (is_plain or rules.lines.risk.fades):
        return 0, 0, np.int64(ANY_MOVE)
    if rules.lines.is_misere or is_plain or rules.lines.risk.is_risky:
        return -WIN, WIN, np.int64(NO_MOVE)
    if totals[side, THREATS] > 0:
        _, cell = winning_cells(rules, state, side)
        return WIN - 1, WIN - 1, cell
    floor, ceiling, reply = -(WIN - 2), WIN - 3, np.int64(NO_MOVE)
    if totals[1 - side, THREATS] > 0:
        n, reply = winning_cells(rules, state, 1 - side)
        if n > 1:
            return floor, floor, reply
    if totals[side, BOUND] < ONE // 2:
        ceiling = 0
    if totals[1 - side, BOUND] < ONE:
        floor = 0
    return floor, ceiling, reply


@verb
def weigh(rules, state):
    tables, totals, side = rules.tables, state.totals, state.turn - 1
    own, theirs = totals[side, STRENGTH], totals[1 - side, STRENGTH]
    if tables.roles > 0:
        value = totals[0, ROLES] if side == tables.viewer else -totals[0, ROLES]
    elif rules.lines.is_misere:
        value = theirs - own
    elif rules.lines.risk.is_risky:
        value = own - theirs
    else:
        value = own + own // 4 - theirs  # a quarter more for being on turn
    return min(max(value, -MOST), MOST)


@hot_verb
def rank(rules, state, move):
    """What the cell's lines are worth, and how likely it is that the own mark lands on it."""
    table, counts, side = rules.lines, state.counts, state.turn - 1
    cell, strength = lines.cell_of(table, move), rules.tables.strength
    score = 0
    for j in range(table.line_start[cell], table.line_start[cell + 1]):
        line = table.line_of[j]
        own, theirs = counts[side, line], counts[1 - side, line]
        if own == 0 and theirs == 0:
            score += strength[table.line_length[line], 1]
        elif own == 0 or theirs == 0:
            score += 4 * strength[table.line_length[line], own + theirs]
    landing, other = landing_odds(table.risk, cell, state.tick + lines.wait_of(table, move))
    gain = score * 64.0 * (landing - other)
    return np.int64(-gain if table.is_misere else gain)


@verb
def candidates(rules, state, only_forcing, moves, ranks):
    """Cells by what their lines are worth to both; one stands for all that are on no line alive."""
    board, counts, side, tables = state.board, state.counts, state.turn - 1, rules.tables
    table = rules.lines
    n, dead = 0, -1
    for cell in range(board.size):
        if board[cell] != EMPTY:
            continue
        score, is_alive, is_threat = 0, False, False
        for j in range(table.line_start[cell], table.line_start[cell + 1]):
            line = table.line_of[j]
            length = table.line_length[line]
            own, theirs = counts[side, line], counts[1 - side, line]
            if theirs == 0:
                is_alive = True
                score += tables.strength[length, own + 1]
                is_threat |= own + 2 == length
            if own == 0:
                is_alive = True
                score += tables.strength[length, theirs + 1]
        if only_forcing and not is_threat:
            continue
        if not is_alive and not tables.is_plain:
            dead = cell
            continue
        moves[n] = cell
        ranks[n] = (-score if table.is_misere else score) * 64
        n += 1
    if dead >= 0 and not only_forcing:
        moves[n] = dead
        ranks[n] = LAST
        n += 1
    return n


# ---- Keys and symmetries ---------------------------------------------------------------------


@hot_verb
def _besides(rules, state):
    """The part of a key that is not the marks."""
    found = rules.tables.turn_key * np.uint64(state.turn - 1)
    if rules.lines.risk.has_clock:
        found = plus(found, times(rules.tables.tick_key, np.uint64(state.tick)))
    return found


@verb
def key(rules, state, row):
    return plus(state.key, _besides(rules, state))


@verb
def _image_key(tables, board, k):
    """The key of a board as one symmetry shows it."""
    found = np.uint64(0)
    for cell in range(board.size):
        if board[cell] != EMPTY:
            found = plus(found, tables.keys[board[cell] - 1, tables.images[k, cell]])
    return found


@verb
def fold(rules, state, row):
    """The smallest of the keys of all images, on boards with few marks."""
    smallest, chosen = state.key, 0
    if state.board.size - state.left <= rules.tables.canonical_marks:
        for k in range(1, rules.tables.images.shape[0]):
            found = _image_key(rules.tables, state.board, k)
            if found < smallest:
                smallest, chosen = found, k
    return plus(smallest, _besides(rules, state)), chosen


@verb
def image(rules, k, row, out):
    images = rules.tables.images
    cells = images.shape[1]
    for cell in range(cells):
        out[images[k, cell]] = row[cell]
    out[cells], out[cells + 1] = row[cells], row[cells + 1]


@verb
def move_image(rules, k, move):
    cell = lines.cell_of(rules.lines, move)
    return rules.tables.images[k, cell] + move - cell


@verb
def move_back(rules, k, move):
    cell = lines.cell_of(rules.lines, move)
    return rules.tables.inverses[k, cell] + move - cell


family(
    LineSearch, facts=facts, new=new, lines_of=lines_of, tally=tally, load=load, save=lines.save,
    most_left=lines.most_left, open_moves=open_moves, outcomes=outcomes, events=events, occur=occur,
    revert=revert, land=land, note=note, take_back=take_back, ends_as=ends_as, judge=judge,
    weigh=weigh, rank=rank, candidates=candidates, key=key, fold=fold, image=image,
    move_image=move_image, move_back=move_back,
)  # fmt: skip
