"""Ultimate as searches of the alpha-beta kind see it. See `protocol`.

What each mini board *promises* to each side is kept up move by move: 16 if it is his, 0 if it is
the opponent's or no line in it can be completed any more. Over the lines of three mini boards the
products of their promises are summed: the *worth* of a side, which is its evaluation, and 0 once it
cannot win; then the score is bounded by 0 on that side (unless the number of mini boards breaks
ties).

A key is a sum of random numbers of 64 bits and taken for the position: two positions of one search
share it once in 2^64 pairs.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.rules import ultimate
from noughts.kernels.rules.codes import NO_MOVE, RUNNING
from noughts.kernels.rules.protocol import WIN, Facts, Whole, family, hot_verb, verb
from noughts.kernels.rules.risk import landing_odds, seat_after
from noughts.kernels.rules.ultimate import (
    ANYWHERE,
    CELLS,
    UltimateRules,
    count_of,
    forced_by,
    free_cells,
    nth_of,
    open_cells,
)
from noughts.kernels.wrapping import minus, plus, times

OWNED: Final = 16  # what a mini board that is won promises


class UltimateTables(NamedTuple):
    """What a search knows besides the rules."""

    promise: NDArray[np.int64]  # [512, 512] by own and the opponent's cells; 0: no line is left
    cell_keys: NDArray[np.uint64]  # [2, 81]
    owner_keys: NDArray[np.uint64]  # [2, 9]
    forced_keys: NDArray[np.uint64]  # [10]
    turn_key: np.uint64
    tick_key: np.uint64


class UltimateSearch(NamedTuple):
    """The rules and the tables."""

    game: UltimateRules
    tables: UltimateTables


class UltimateSearchState(NamedTuple):
    """One moment of Ultimate, with what its mini boards promise."""

    marks: NDArray[np.int64]  # [2, 9] the cells of X and of O in each mini board, as bits
    owners: NDArray[np.int64]  # [2] the mini boards that each has won, as bits
    promise: NDArray[np.int64]  # [2, 9] of each mini board to each side
    worth: NDArray[np.int64]  # [2] sums over lines
    forced: Whole  # a mini board, or ANYWHERE
    sent: Whole  # the mini board that the last move named, for marks that fade
    turn: Whole
    tick: Whole
    result: Whole
    key: np.uint64  # of marks and owners


def new(rules: UltimateSearch) -> UltimateSearchState:
    """Room for a state."""
    return UltimateSearchState(
        np.zeros((2, 9), np.int64),
        np.zeros(2, np.int64),
        np.zeros((2, 9), np.int64),
        np.zeros(2, np.int64),
        ANYWHERE,
        ANYWHERE,
        1,
        0,
        RUNNING,
        np.uint64(0),
    )


def facts(rules: UltimateSearch) -> Facts:
    """The sizes of Ultimate, and what a search may rely on."""
    return ultimate.facts(rules.game)._replace(
        undo_size=11, most_events=CELLS, key_is_exact=True, scale=8192.0
    )


# ---- Promises --------------------------------------------------------------------------------


@hot_verb
def fill_promise(rules, state, mini):
    """What a mini board promises to both."""
    marks, owners, promise = state.marks, state.owners, state.promise
    for side in range(2):
        if (owners[side] >> mini) & 1:
            promise[side, mini] = OWNED
        elif (owners[1 - side] >> mini) & 1:
            promise[side, mini] = 0
        else:
            promise[side, mini] = rules.tables.promise[marks[side, mini], marks[1 - side, mini]]


@hot_verb
def fill_worth(state):
    """Over the eight lines of three, the product of what their mini boards promise."""
    promise, worth = state.promise, state.worth
    for s in range(2):
        a, b, c = promise[s, 0], promise[s, 1], promise[s, 2]
        d, e, f = promise[s, 3], promise[s, 4], promise[s, 5]
        g, h, i = promise[s, 6], promise[s, 7], promise[s, 8]
        rows = a * b * c + d * e * f + g * h * i
        columns = a * d * g + b * e * h + c * f * i
        worth[s] = rows + columns + a * e * i + c * e * g


# ---- States ----------------------------------------------------------------------------------


@verb
def _marks_key(rules, marks, owners):
    tables = rules.tables
    found = np.uint64(0)
    for side in range(2):
        for mini in range(9):
            if (owners[side] >> mini) & 1:
                found = plus(found, tables.owner_keys[side, mini])
            cells = marks[side, mini]
            for i in range(count_of(rules.game, cells)):
                cell = 9 * mini + nth_of(rules.game, cells, i)
                found = plus(found, tables.cell_keys[side, cell])
    return found


@verb
def load(rules, row, state):
    loaded = ultimate.load(rules.game, row, state)
    for mini in range(9):
        fill_promise(rules, state, mini)
    fill_worth(state)
    return with_totals(state, loaded, _marks_key(rules, loaded.marks, loaded.owners))


@hot_verb
def with_totals(state, plain, key):
    """The state that has the totals of one and all else of another."""
    return UltimateSearchState(
        plain.marks,
        plain.owners,
        state.promise,
        state.worth,
        plain.forced,
        plain.sent,
        plain.turn,
        plain.tick,
        plain.result,
        key,
    )


@verb
def most_left(rules, state):
    return ultimate.most_left(rules.game, state)


# ---- Moves -----------------------------------------------------------------------------------


@verb
def open_moves(rules, state, moves):
    return ultimate.open_moves(rules.game, state, moves)


@verb
def outcomes(rules, state, move, chances):
    return ultimate.outcomes(rules.game, state, move, chances)


@hot_verb
def land(rules, state, move, outcome):
    owners, tables, key = state.owners, rules.tables, state.key
    cell, before = move % CELLS, owners[0] | owners[1]
    after = ultimate.land(rules.game, state, move, outcome)
    if outcome < 2:
        side = seat_after(state.turn, outcome, 2) - 1
        key = plus(key, tables.cell_keys[side, cell])
        if owners[0] | owners[1] != before:
            key = plus(key, tables.owner_keys[side, cell // 9])
        fill_promise(rules, state, cell // 9)
        fill_worth(state)
    return with_totals(state, after, key)


@hot_verb
def note(rules, state, move, undo):
    mini = move % CELLS // 9
    ultimate.note(rules.game, state, move, undo)
    undo[6], undo[7] = state.promise[0, mini], state.promise[1, mini]
    undo[8], undo[9] = state.worth[0], state.worth[1]
    undo[10] = np.int64(state.key)


@hot_verb
def take_back(rules, state, move, undo):
    promise, worth = state.promise, state.worth
    mini = move % CELLS // 9
    promise[0, mini], promise[1, mini] = undo[6], undo[7]
    worth[0], worth[1] = undo[8], undo[9]
    before = ultimate.take_back(rules.game, state, move, undo)
    return with_totals(state, before, np.uint64(undo[10]))


@verb
def events(rules, state, found, chances):
    """Cells that may fade, with the marks on them: those of mini boards that nobody has won."""
    n = np.int64(0)
    if rules.game.risk.fades:
        owned = state.owners[0] | state.owners[1]
        for cell in range(CELLS):
            mini, chance = cell // 9, rules.game.risk.fade[cell]
            filled = state.marks[0, mini] | state.marks[1, mini]
            if chance > 0.0 and (filled >> (cell % 9)) & 1 and not (owned >> mini) & 1:
                found[n] = 2 * cell + ((state.marks[1, mini] >> (cell % 9)) & 1)
                chances[n] = chance
                n += 1
    return n


@verb
def _turned(rules, state, event, key):
    """Set or clear a mark of an event; what follows from the marks follows."""
    marks, side, cell = state.marks, event % 2, event // 2
    marks[side, cell // 9] ^= 1 << (cell % 9)
    fill_promise(rules, state, cell // 9)
    fill_worth(state)
    return UltimateSearchState(
        marks,
        state.owners,
        state.promise,
        state.worth,
        forced_by(rules.game, marks, state.owners, state.sent),
        state.sent,
        state.turn,
        state.tick,
        state.result,
        key,
    )


@verb
def occur(rules, state, event):
    key = minus(state.key, rules.tables.cell_keys[event % 2, event // 2])
    return _turned(rules, state, event, key)


@verb
def revert(rules, state, event):
    key = plus(state.key, rules.tables.cell_keys[event % 2, event // 2])
    return _turned(rules, state, event, key)


# ---- What is seen at once --------------------------------------------------------------------


@verb
def judge(rules, state):
    worth, side = state.worth, state.turn - 1
    floor, ceiling = -(WIN - 2), WIN - 1
    if rules.game.risk.is_risky:
        floor, ceiling = -WIN, WIN
    if rules.game.counts_boards:
        floor = -(WIN - 1)  # the last mark may lose for the one who makes it
    elif not rules.game.risk.fades:
        if worth[side] == 0:
            ceiling = 0
        if worth[1 - side] == 0:
            floor = 0
    return floor, ceiling, NO_MOVE


@verb
def weigh(rules, state):
    worth, side = state.worth, state.turn - 1
    return 4 * (worth[side] - worth[1 - side]) + 1


@hot_verb
def _promise_of_move(rules, state, mini, cell):
    """First what wins a mini board, then what stops one; last what sends the other anywhere."""
    marks, owners, game, side = state.marks, state.owners, rules.game, state.turn - 1
    score = 0
    if not ((owners[0] | owners[1]) >> mini) & 1:
        if game.is_won[marks[side, mini] | (1 << cell)]:
            score += 40_000
        if game.is_won[marks[1 - side, mini] | (1 << cell)]:
            score += 10_000
    if free_cells(game, marks, owners, cell) == 0:
        score -= 20_000
    return score


@verb
def rank(rules, state, move):
    """The same where marks may land otherwise: the less likely as meant, the later."""
    risk, cell = rules.game.risk, move % CELLS
    own, other = landing_odds(risk, cell, state.tick + move // CELLS)
    return np.int64((_promise_of_move(rules, state, cell // 9, cell % 9) + 100_000) * (own - other))


@verb
def candidates(rules, state, only_forcing, moves, ranks):
    if only_forcing:
        return 0
    n = 0
    for mini in range(9):
        free = open_cells(rules.game, state, mini)
        for cell in range(9):
            if (free >> cell) & 1:
                moves[n] = 9 * mini + cell
                ranks[n] = _promise_of_move(rules, state, mini, cell)
                n += 1
    return n


@verb
def key(rules, state, row):
    tables = rules.tables
    besides = tables.turn_key * np.uint64(state.turn - 1)
    if rules.game.risk.has_clock:
        besides = plus(besides, times(tables.tick_key, np.uint64(state.tick)))
    return plus(state.key, plus(tables.forced_keys[state.forced], besides))


family(
    UltimateSearch, facts=facts, new=new, load=load, save=ultimate.save, most_left=most_left,
    open_moves=open_moves, outcomes=outcomes, events=events, occur=occur, revert=revert, land=land,
    note=note, take_back=take_back, judge=judge, weigh=weigh, rank=rank, candidates=candidates,
    key=key,
)  # fmt: skip
