"""Games of lines, of any size: cells, sets of cells that win, and a risk. See `protocol`.

A state is the board and, for every line, the marks of each seat on it; a mark touches only the
lines through its cell. A move is a cell, or cell + cells · (ticks to wait) in games with a clock.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import DRAW, EMPTY, NO_MOVE, NO_ZONE, RUNNING
from noughts.kernels.rules.lines_seen import PLANES, encode, observe
from noughts.kernels.rules.protocol import (
    WIN,
    Facts,
    Whole,
    family,
    hook,
    hot_verb,
    stacked,
    verb,
)
from noughts.kernels.rules.risk import (
    RiskRules,
    list_outcomes,
    sample_mark,
    sample_outcome,
    sample_wait,
    seat_after,
    waits,
    without_risk,
)


class LineRules(NamedTuple):
    """Cells and lines. Through cell c go the lines line_of[line_start[c] : line_start[c+1]]."""

    line_start: NDArray[np.uint32]  # [cells + 1]; unsigned, so numba expects no negative index
    line_of: NDArray[np.uint32]
    line_length: NDArray[np.uint8]  # [lines]
    line_cells: NDArray[np.int32]  # [lines, longest line], padded with -1
    line_masks: NDArray[np.uint64]  # [cells, most lines through a cell], see `tables.line_masks`
    seats: int
    is_misere: bool  # completing a line loses; two seats only
    risk: RiskRules


class LineState(NamedTuple):
    """One moment of a game of lines."""

    board: NDArray[np.int8]  # [cells] EMPTY or a seat
    counts: NDArray[np.uint8]  # [seats, lines] marks of each seat on each line
    empties: NDArray[np.int64]  # [cells] room for random games
    turn: Whole
    left: Whole  # empty cells
    tick: Whole
    result: Whole


def new(rules: LineRules) -> LineState:
    """Room for a state."""
    cells = len(rules.line_start) - 1
    return LineState(
        np.zeros(cells, np.int8),
        np.zeros((rules.seats, len(rules.line_length)), np.uint8),
        np.zeros(cells, np.int64),
        1,
        cells,
        0,
        RUNNING,
    )


def facts(rules: LineRules) -> Facts:
    """The sizes of a game of lines."""
    cells, risk = len(rules.line_start) - 1, rules.risk
    moves = cells * (risk.longest_wait + 1 if risk.has_clock else 1)
    can_fizzle = bool(risk.is_risky and risk.fizzle.any())
    return Facts(
        seats=rules.seats,
        moves=moves,
        most_open=moves,
        most_outcomes=rules.seats + 1 if risk.is_risky else 1,
        row_size=cells + 2,
        undo_size=2,
        settles=risk.fades,
        repeats=risk.fades or can_fizzle,
        longest=0 if risk.fades or can_fizzle else cells,
        key_is_exact=False,
        images=1,
        places=cells,
        planes=PLANES + risk.has_clock,
        most_events=cells,
    )


# ---- The one place where marks land on lines, and leave them ---------------------------------


@hot_verb
def _lines_of(rules):
    return rules


@hot_verb
def _tally(rules, state, side, line, own):
    return None


lines_of = hook("lines_of", _lines_of)  # rules -> LineRules, whatever stands beside them
tally = hook("tally", _tally)  # state, side, line, marks before: what is kept besides the counts


@hot_verb
def place(rules, state, cell, mark):
    """Put a mark on an empty cell; True when it completes a line."""
    lines, board, counts = lines_of(rules), state.board, state.counts
    board[cell] = mark
    side = mark - 1
    completed = False
    for j in range(lines.line_start[cell], lines.line_start[cell + 1]):
        line = lines.line_of[j]
        own = counts[side, line]
        counts[side, line] = own + 1
        completed |= own + 1 == lines.line_length[line]
        tally(rules, state, side, line, own)
    return completed


@hot_verb
def unplace(rules, board, counts, cell):
    """Take the mark off a cell."""
    side = board[cell] - 1
    board[cell] = EMPTY
    for j in range(rules.line_start[cell], rules.line_start[cell + 1]):
        counts[side, rules.line_of[j]] -= 1


@verb
def fade(rules, board, counts, empties, left, rng):
    """Empty filled cells by chance, noting them behind the empty ones; how many are empty then."""
    for cell in range(board.size):
        chance = rules.risk.fade[cell]
        if chance > 0.0 and board[cell] != EMPTY and uniform(rng) < chance:
            unplace(rules, board, counts, cell)
            empties[left] = cell
            left += 1
    return left


# ---- States ----------------------------------------------------------------------------------


@verb
def fill_counts(rules, board, out_counts):
    """Count the marks on every line of a board."""
    out_counts[:] = 0
    for cell in range(board.size):
        if board[cell] != EMPTY:
            side = board[cell] - 1
            for j in range(rules.line_start[cell], rules.line_start[cell + 1]):
                out_counts[side, rules.line_of[j]] += 1


@verb
def find_result(rules, counts, left):
    """RUNNING, a seat or DRAW, from the counts of a whole board and its empty cells."""
    for side in range(counts.shape[0]):
        for line in range(rules.line_length.size):
            if counts[side, line] == rules.line_length[line]:
                return np.int64(2 - side if rules.is_misere else side + 1)
    return np.int64(RUNNING if left > 0 else DRAW)


@verb
def load(rules, row, state):
    """A row: the marks, whose turn it is, the clock."""
    board, counts = state.board, state.counts
    left = np.int64(0)
    for cell in range(board.size):
        board[cell] = row[cell]
        left += row[cell] == EMPTY
    fill_counts(rules, board, counts)
    return LineState(
        board,
        counts,
        state.empties,
        np.int64(row[board.size]),
        left,
        np.int64(row[board.size + 1]),
        find_result(rules, counts, left),
    )


@verb
def save(rules, state, row):
    board = state.board
    for cell in range(board.size):
        row[cell] = board[cell]
    row[board.size] = state.turn
    row[board.size + 1] = state.tick


@hot_verb
def copy(rules, source, state, row):
    board, counts = state.board, state.counts
    for cell in range(board.size):
        board[cell] = source.board[cell]
    for side in range(counts.shape[0]):
        for line in range(rules.line_length.size):
            counts[side, line] = source.counts[side, line]
    return LineState(
        board, counts, state.empties, source.turn, source.left, source.tick, source.result
    )


def new_batch(rules: LineRules, size: int) -> LineState:
    """Room for many states: each field has one dimension more."""
    return stacked(new(rules), size)


@hot_verb
def at(rules, batch, i):
    return LineState(
        batch.board[i],
        batch.counts[i],
        batch.empties[i],
        batch.turn[i],
        batch.left[i],
        batch.tick[i],
        batch.result[i],
    )


@hot_verb
def keep(rules, batch, i, state):
    batch.turn[i], batch.left[i] = state.turn, state.left
    batch.tick[i], batch.result[i] = state.tick, state.result


@verb
def most_left(rules, state):
    return state.left


# ---- Moves -----------------------------------------------------------------------------------


@verb
def open_moves(rules, state, moves):
    cells = state.board.size
    n = np.int64(0)
    for wait in range(waits(rules.risk, state.tick) + 1):
        for cell in range(cells):
            if state.board[cell] == EMPTY:
                moves[n] = cell + cells * wait
                n += 1
    return n


@hot_verb
def n_open(rules, state, scratch):
    return state.left * (waits(rules.risk, state.tick) + 1)


@hot_verb
def is_open(rules, state, move, scratch):
    return (
        move >= 0
        and state.result == RUNNING
        and state.board[cell_of(rules, move)] == EMPTY
        and wait_of(rules, move) <= waits(rules.risk, state.tick)
    )


@verb
def random_move(rules, state, scratch, rng):
    board = state.board
    n = below(rng, state.left)
    cell = np.int64(0)
    while True:
        if board[cell] == EMPTY:
            if n == 0:
                break
            n -= 1
        cell += 1
    if rules.risk.has_clock:
        return cell + board.size * sample_wait(rules.risk, state.tick, rng)
    return cell


@hot_verb
def cell_of(rules, move):
    """The cell that a move plays; a division takes longer than the rest of a move."""
    cells = rules.line_start.size - 1
    return move % cells if move >= cells else move


@hot_verb
def wait_of(rules, move):
    """How many ticks a move waits."""
    cells = rules.line_start.size - 1
    return move // cells if move >= cells else np.int64(0)


@verb
def outcomes(rules, state, move, chances):
    if not rules.risk.is_risky:
        chances[0] = 1.0
        return np.int64(1)
    tick = state.tick + wait_of(rules, move)
    return list_outcomes(rules.risk, cell_of(rules, move), tick, rules.seats, chances)


@hot_verb
def landed(rules, state, move, outcome):
    """Let a mark land: (the mark or EMPTY, empty cells, the result)."""
    lines = lines_of(rules)
    mark, left, ended = np.int64(EMPTY), state.left, np.int64(RUNNING)
    if outcome < lines.seats:
        mark = np.int64(seat_after(state.turn, outcome, lines.seats))
        left -= 1
        if place(rules, state, cell_of(lines, move), mark):
            ended = np.int64(3 - mark if lines.is_misere else mark)
        elif left == 0:
            ended = np.int64(DRAW)
    return mark, left, ended


@hot_verb
def land(rules, state, move, outcome):
    _, left, ended = landed(rules, state, move, outcome)
    return LineState(
        state.board,
        state.counts,
        state.empties,
        seat_after(state.turn, 1, rules.seats),
        left,
        state.tick + wait_of(rules, move),
        ended,
    )


@verb
def settle(rules, state, rng):
    board, counts, empties, left = state.board, state.counts, state.empties, state.left
    if rules.risk.fades:
        left = fade(rules, board, counts, empties, left, rng)
    return LineState(board, counts, empties, state.turn, left, state.tick, state.result)


@verb
def events(rules, state, found, chances):
    """Cells that may fade, with the marks on them."""
    lines = lines_of(rules)
    n = np.int64(0)
    if lines.risk.fades:
        for cell in range(state.board.size):
            chance = lines.risk.fade[cell]
            if chance > 0.0 and state.board[cell] != EMPTY:
                found[n] = (lines.seats + 1) * cell + state.board[cell]
                chances[n] = chance
                n += 1
    return n


@hot_verb
def faded(lines, event):
    """(cell, mark) of an event."""
    return event // (lines.seats + 1), event % (lines.seats + 1)


@hot_verb
def _with_left(state, left):
    return LineState(
        state.board, state.counts, state.empties, state.turn, left, state.tick, state.result
    )


@verb
def occur(rules, state, event):
    cell, _ = faded(rules, event)
    unplace(rules, state.board, state.counts, cell)
    return _with_left(state, state.left + 1)


@verb
def revert(rules, state, event):
    cell, mark = faded(rules, event)
    place(rules, state, cell, mark)
    return _with_left(state, state.left - 1)


@hot_verb
def sample(rules, state, move, scratch, rng):
    outcome = np.int64(0)
    if rules.risk.is_risky:
        tick = state.tick + wait_of(rules, move)
        outcome = sample_outcome(rules.risk, cell_of(rules, move), tick, rules.seats, rng)
    state = land(rules, state, move, outcome)
    if rules.risk.fades and state.result == RUNNING:
        return settle(rules, state, rng)
    return state


@hot_verb
def note(rules, state, move, undo):
    undo[0] = state.turn
    undo[1] = state.tick


@hot_verb
def take_back(rules, state, move, undo):
    board, counts, left = state.board, state.counts, state.left
    cell = cell_of(rules, move)
    if board[cell] != EMPTY:  # else the mark had fizzled
        unplace(rules, board, counts, cell)
        left += 1
    return LineState(board, counts, state.empties, undo[0], left, undo[1], np.int64(RUNNING))


# ---- What is seen at once --------------------------------------------------------------------


@verb
def completes(rules, counts, cell, mark):
    """Would this mark complete a line?"""
    for j in range(rules.line_start[cell], rules.line_start[cell + 1]):
        line = rules.line_of[j]
        if counts[mark - 1, line] + 1 == rules.line_length[line]:
            return True
    return False


@verb
def find_threats(rules, board, counts, mark):
    """(0, 1 or 2, cell): on how many cells, two at most, this mark would complete a line."""
    side = mark - 1
    found = 0
    threat = np.int64(NO_MOVE)
    for line in range(rules.line_length.size):
        if counts[side, line] + 1 != rules.line_length[line]:
            continue
        for j in range(rules.line_cells.shape[1]):
            cell = np.int64(rules.line_cells[line, j])
            if cell >= 0 and board[cell] == EMPTY and cell != threat:
                if found == 1:
                    return 2, cell
                found = 1
                threat = cell
    return found, threat


@hot_verb
def is_plain(rules):
    """Two seats, normal play, no risk: threats decide."""
    return rules.seats == 2 and not (rules.risk.is_risky or rules.is_misere)


@verb
def judge(rules, state):
    """A threat of one's own wins; two of the opponent's lose; one of his names the reply."""
    if not is_plain(rules):
        return -WIN, WIN, np.int64(NO_MOVE)
    n, cell = find_threats(rules, state.board, state.counts, state.turn)
    if n > 0:
        return WIN - 1, WIN - 1, cell
    n, cell = find_threats(rules, state.board, state.counts, 3 - state.turn)
    if n > 1:
        return -(WIN - 2), -(WIN - 2), cell
    return -(WIN - 2), WIN - 3, cell


@verb
def ends(rules, state, move, scratch):
    if rules.risk.is_risky:
        return np.int64(RUNNING)
    if completes(rules, state.counts, move, state.turn):
        return np.int64(3 - state.turn if rules.is_misere else state.turn)
    return np.int64(DRAW if state.left == 1 else RUNNING)


@hot_verb
def children(rules, state, is_pruned, scratch):
    """All open moves, or the one that stops a threat: the others lose at once."""
    moves, how = scratch.moves, scratch.ends
    if is_pruned and is_plain(rules):
        n, threat = find_threats(rules, state.board, state.counts, 3 - state.turn)
        if n > 0:
            moves[0] = threat
            how[0] = DRAW if state.left == 1 else RUNNING
            return np.int64(1)
    found = open_moves(rules, state, moves)
    for i in range(found):
        how[i] = ends(rules, state, moves[i], scratch)
    return found


@verb
def playout(rules, state, most, scratch, rng):
    """Random games draw from a list of empty cells that shrinks and grows with the board."""
    board, counts, empties = state.board, state.counts, state.empties
    risk, seats = rules.risk, rules.seats
    seat, tick, left = state.turn, state.tick, np.int64(0)
    for cell in range(board.size):
        if board[cell] == EMPTY:
            empties[left] = cell
            left += 1
    for turns in range(1, most + 1):
        r = below(rng, left)
        cell = empties[r]
        mark = seat
        if risk.is_risky:
            if risk.has_clock:
                tick += sample_wait(risk, tick, rng)
            mark = sample_mark(risk, cell, tick, seat, seats, rng)
        seat = seat_after(seat, 1, seats)
        if mark != EMPTY:
            left -= 1
            empties[r] = empties[left]
            if place(rules, state, cell, mark):
                return np.int64(3 - mark if rules.is_misere else mark), turns
            if left == 0:
                return np.int64(DRAW), turns
        if risk.fades:
            left = fade(rules, board, counts, empties, left, rng)
    return np.int64(DRAW), most


# ---- What learners see -----------------------------------------------------------------------

_POWERS = np.array([[(seats + 1) ** cell for cell in range(20)] for seats in range(5)], np.int64)


@hot_verb
def _digit(rules, mark, seat):
    """1 for a mark of the seat, 2 for one of the seat after it, …"""
    if mark == EMPTY:
        return np.int64(0)
    return np.int64(1 + mark - seat if mark >= seat else 1 + mark - seat + rules.seats)


@verb
def number(rules, state, seat):
    """Base seats + 1, a digit for each cell; for boards of at most twenty."""
    found = np.int64(0)
    for cell in range(state.board.size):
        found += _digit(rules, np.int64(state.board[cell]), seat) * _POWERS[rules.seats, cell]
    return found


@hot_verb
def number_after(rules, state, number_now, move, outcome, seat, undo):
    if outcome == rules.seats:  # it fizzled
        return np.int64(number_now)
    mark = seat_after(state.turn, outcome, rules.seats)
    power = _POWERS[rules.seats, cell_of(rules, move)]
    return np.int64(number_now + _digit(rules, mark, seat) * power)


@hot_verb
def sites(rules, state, out):
    board = state.board
    for cell in range(board.size):
        out[cell] = board[cell]
    return np.int64(NO_ZONE), state.tick


family(
    LineRules, facts=facts, new=new, calm=without_risk, load=load, save=save, copy=copy,
    new_batch=new_batch, at=at, keep=keep, observe=observe, encode=encode, most_left=most_left,
    open_moves=open_moves, n_open=n_open, is_open=is_open, random_move=random_move,
    outcomes=outcomes, land=land, settle=settle, events=events, occur=occur, revert=revert,
    sample=sample, note=note, take_back=take_back, judge=judge, ends=ends, children=children,
    playout=playout, sites=sites, number=number, number_after=number_after,
)  # fmt: skip
