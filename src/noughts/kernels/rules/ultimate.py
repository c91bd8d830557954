"""Ultimate tic-tac-toe: a board of nine mini boards. See `protocol`.

A mini board's cells are nine bits. The cell that is played names the mini board of the next move,
or, where that one takes no mark, ANYWHERE. Marks in a won mini board never fade, so the owners of
mini boards only grow. A move is 9 · mini board + cell, and + 81 · (ticks to wait) with a clock.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import DRAW, EMPTY, NO_MOVE, NO_ZONE, RUNNING
from noughts.kernels.rules.protocol import WIN, Facts, Whole, family, hot_verb, stacked, verb
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
from noughts.kernels.rules.ultimate_seen import PLANES, encode, observe

ANYWHERE: Final = 9
FULL: Final = 511
CELLS: Final = 81

# Where things stand in a row, behind the mini boards of X and of O.
OWNERS: Final = 18
FORCED: Final = 20
TURN: Final = 21
TICK: Final = 22
ROW_SIZE: Final = 23


class UltimateRules(NamedTuple):
    """A board of nine mini boards; the tables read a mini board's nine cells as bits."""

    is_won: NDArray[np.bool_]  # [512] does this set of cells hold a line
    # Small types keep both in the fastest cache; read them with `count_of` and `nth_of`.
    cell_count: NDArray[np.uint8]  # [512] how many cells are in the set
    nth_cell: NDArray[np.uint8]  # [512, 9] the n-th cell of the set, ascending
    plays_on: bool  # won mini boards take marks until they are full
    counts_boards: bool  # a full board goes to whoever won more mini boards
    risk: RiskRules


class UltimateState(NamedTuple):
    """One moment of Ultimate."""

    marks: NDArray[np.int64]  # [2, 9] the cells of X and of O in each mini board, as bits
    owners: NDArray[np.int64]  # [2] the mini boards that each has won, as bits
    forced: Whole  # a mini board, or ANYWHERE
    sent: Whole  # the mini board that the last move named, for marks that fade; or ANYWHERE
    turn: Whole
    tick: Whole
    result: Whole


def new(rules: UltimateRules) -> UltimateState:
    """Room for a state."""
    marks, owners = np.zeros((2, 9), np.int64), np.zeros(2, np.int64)
    return UltimateState(marks, owners, ANYWHERE, ANYWHERE, 1, 0, RUNNING)


def facts(rules: UltimateRules) -> Facts:
    """The sizes of Ultimate."""
    risk = rules.risk
    moves = CELLS * (risk.longest_wait + 1 if risk.has_clock else 1)
    can_fizzle = bool(risk.is_risky and risk.fizzle.any())
    return Facts(
        seats=2,
        moves=moves,
        most_open=moves,
        most_outcomes=3 if risk.is_risky else 1,
        row_size=ROW_SIZE,
        undo_size=6,
        settles=risk.fades,
        repeats=risk.fades or can_fizzle,
        longest=0 if risk.fades or can_fizzle else CELLS,
        key_is_exact=False,
        images=1,
        places=CELLS,
        planes=PLANES + risk.has_clock,
    )


@hot_verb
def count_of(rules, cells):
    """How many cells are in a set of nine bits."""
    return np.int64(rules.cell_count[cells])


@hot_verb
def nth_of(rules, cells, n):
    """The n-th cell of a set of nine bits, ascending."""
    return np.int64(rules.nth_cell[cells, n])


@hot_verb
def free_cells(rules, marks, owners, mini):
    """The cells of a mini board that take a mark, as nine bits."""
    if (not rules.plays_on) and ((owners[0] | owners[1]) >> mini) & 1:
        return np.int64(0)
    return np.int64(FULL & ~(marks[0, mini] | marks[1, mini]))


@verb
def is_stuck(rules, marks, owners):
    """True when no mini board takes a mark any more."""
    for mini in range(9):
        if free_cells(rules, marks, owners, mini):
            return False
    return True


@verb
def final_result(rules, owners):
    """The result when no move is left."""
    if rules.counts_boards:
        lead = count_of(rules, owners[0]) - count_of(rules, owners[1])
        if lead > 0:
            return np.int64(1)
        if lead < 0:
            return np.int64(2)
    return np.int64(DRAW)


# ---- The one place where marks land, and leave -----------------------------------------------


@hot_verb
def place(rules, marks, owners, mini, cell, mark):
    """Put a mark on a free cell; True when it wins the whole game."""
    side = mark - 1
    marks[side, mini] |= 1 << cell
    if rules.is_won[marks[side, mini]] and not ((owners[0] | owners[1]) >> mini) & 1:
        owners[side] |= 1 << mini
        return rules.is_won[owners[side]]
    return False


@hot_verb
def forced_by(rules, marks, owners, cell):
    """Where a move on `cell` sends the opponent."""
    return np.int64(cell) if free_cells(rules, marks, owners, cell) else np.int64(ANYWHERE)


@verb
def fade(rules, marks, owners, rng):
    """Let marks fade in the mini boards that nobody has won; how many did."""
    n_faded = np.int64(0)
    for mini in range(9):
        if ((owners[0] | owners[1]) >> mini) & 1:
            continue
        filled = marks[0, mini] | marks[1, mini]
        for cell in range(9):
            chance = rules.risk.fade[9 * mini + cell]
            if (filled >> cell) & 1 and chance > 0.0 and uniform(rng) < chance:
                marks[0, mini] &= ~(1 << cell)
                marks[1, mini] &= ~(1 << cell)
                n_faded += 1
    return n_faded


# ---- States ----------------------------------------------------------------------------------


@verb
def find_result(rules, marks, owners):
    """RUNNING, X, O or DRAW."""
    for side in range(2):
        if rules.is_won[owners[side]]:
            return np.int64(side + 1)
    return final_result(rules, owners) if is_stuck(rules, marks, owners) else np.int64(RUNNING)


@verb
def load(rules, row, state):
    """A row: X's cells in nine mini boards, O's; both owners; the forced mini, turn and tick."""
    marks, owners = state.marks, state.owners
    for side in range(2):
        owners[side] = row[OWNERS + side]
        for mini in range(9):
            marks[side, mini] = row[9 * side + mini]
    return UltimateState(
        marks,
        owners,
        np.int64(row[FORCED]),
        np.int64(ANYWHERE),
        np.int64(row[TURN]),
        np.int64(row[TICK]),
        find_result(rules, marks, owners),
    )


@verb
def save(rules, state, row):
    marks, owners = state.marks, state.owners
    for side in range(2):
        row[OWNERS + side] = owners[side]
        for mini in range(9):
            row[9 * side + mini] = marks[side, mini]
    row[FORCED] = state.forced
    row[TURN] = state.turn
    row[TICK] = state.tick


@hot_verb
def copy(rules, source, state, row):
    marks, owners = state.marks, state.owners
    for side in range(2):
        owners[side] = source.owners[side]
        for mini in range(9):
            marks[side, mini] = source.marks[side, mini]
    return UltimateState(
        marks, owners, source.forced, source.sent, source.turn, source.tick, source.result
    )


def new_batch(rules: UltimateRules, size: int) -> UltimateState:
    """Room for many states: each field has one dimension more."""
    return stacked(new(rules), size)


@hot_verb
def at(rules, batch, i):
    return UltimateState(
        batch.marks[i],
        batch.owners[i],
        batch.forced[i],
        batch.sent[i],
        batch.turn[i],
        batch.tick[i],
        batch.result[i],
    )


@hot_verb
def keep(rules, batch, i, state):
    batch.forced[i], batch.sent[i] = state.forced, state.sent
    batch.turn[i], batch.tick[i], batch.result[i] = state.turn, state.tick, state.result


@verb
def most_left(rules, state):
    left = np.int64(0)
    for mini in range(9):
        left += count_of(rules, free_cells(rules, state.marks, state.owners, mini))
    return left


# ---- Moves -----------------------------------------------------------------------------------


@hot_verb
def open_cells(rules, state, mini):
    """The cells of a mini board that the player on turn may choose, as nine bits."""
    if state.result != RUNNING or (state.forced != ANYWHERE and state.forced != mini):
        return np.int64(0)
    return free_cells(rules, state.marks, state.owners, mini)


@verb
def open_moves(rules, state, moves):
    first, last = np.int64(0), np.int64(8)
    if state.forced != ANYWHERE:
        first = last = np.int64(state.forced)
    n = np.int64(0)
    for wait in range(waits(rules.risk, state.tick) + 1):
        for mini in range(first, last + 1):
            free = open_cells(rules, state, mini)
            for i in range(count_of(rules, free)):
                moves[n] = 9 * mini + nth_of(rules, free, i) + CELLS * wait
                n += 1
    return n


@hot_verb
def n_targets(rules, state):
    """How many cells the player on turn may choose."""
    if state.forced != ANYWHERE:
        return count_of(rules, open_cells(rules, state, state.forced))
    n = np.int64(0)
    for mini in range(9):
        n += count_of(rules, open_cells(rules, state, mini))
    return n


@hot_verb
def n_open(rules, state, scratch):
    return n_targets(rules, state) * (waits(rules.risk, state.tick) + 1)


@hot_verb
def is_open(rules, state, move, scratch):
    if move < 0 or move // CELLS > waits(rules.risk, state.tick):
        return False
    return (open_cells(rules, state, move % CELLS // 9) >> (move % 9)) & 1 == 1


@verb
def random_move(rules, state, scratch, rng):
    n = below(rng, n_targets(rules, state))
    mini = np.int64(0 if state.forced == ANYWHERE else state.forced)
    free = open_cells(rules, state, mini)
    while n >= count_of(rules, free):
        n -= count_of(rules, free)
        mini += 1
        free = open_cells(rules, state, mini)
    move = 9 * mini + nth_of(rules, free, n)
    if rules.risk.has_clock:
        return move + CELLS * sample_wait(rules.risk, state.tick, rng)
    return move


@verb
def outcomes(rules, state, move, chances):
    if not rules.risk.is_risky:
        chances[0] = 1.0
        return np.int64(1)
    return list_outcomes(rules.risk, move % CELLS, state.tick + move // CELLS, 2, chances)


@hot_verb
def land(rules, state, move, outcome):
    """A fizzled move still names the mini board of the next one: the choice was made."""
    marks, owners = state.marks, state.owners
    place_of = move % CELLS
    mini, cell = place_of // 9, place_of % 9
    forced, ended = np.int64(ANYWHERE), np.int64(RUNNING)
    if outcome < 2:
        mark = seat_after(state.turn, outcome, 2)
        if place(rules, marks, owners, mini, cell, mark):
            ended = np.int64(mark)
    if ended == RUNNING:
        forced = forced_by(rules, marks, owners, cell)
        if forced == ANYWHERE and is_stuck(rules, marks, owners):
            ended = final_result(rules, owners)
    return UltimateState(
        marks,
        owners,
        forced,
        np.int64(cell),
        np.int64(3 - state.turn),
        np.int64(state.tick + move // CELLS),
        ended,
    )


@verb
def settle(rules, state, rng):
    """After fading, a mini board that was full may take marks again."""
    marks, owners, forced = state.marks, state.owners, state.forced
    if rules.risk.fades:
        fade(rules, marks, owners, rng)
        forced = forced_by(rules, marks, owners, state.sent)
    return UltimateState(marks, owners, forced, state.sent, state.turn, state.tick, state.result)


@hot_verb
def sample(rules, state, move, scratch, rng):
    outcome = np.int64(0)
    if rules.risk.is_risky:
        tick = state.tick + move // CELLS
        outcome = sample_outcome(rules.risk, move % CELLS, tick, 2, rng)
    state = land(rules, state, move, outcome)
    if rules.risk.fades and state.result == RUNNING:
        return settle(rules, state, rng)
    return state


@hot_verb
def note(rules, state, move, undo):
    undo[0], undo[1] = state.owners[0], state.owners[1]
    undo[2], undo[3], undo[4], undo[5] = state.forced, state.sent, state.turn, state.tick


@hot_verb
def take_back(rules, state, move, undo):
    marks, owners = state.marks, state.owners
    place_of = move % CELLS
    kept = ~(1 << (place_of % 9))
    marks[0, place_of // 9] &= kept
    marks[1, place_of // 9] &= kept
    owners[0], owners[1] = undo[0], undo[1]
    return UltimateState(marks, owners, undo[2], undo[3], undo[4], undo[5], np.int64(RUNNING))


# ---- What is seen at once --------------------------------------------------------------------


@hot_verb
def wins(rules, marks, owners, side, mini, cell):
    """Would a mark of `side` on this free cell win the game?"""
    return (
        not ((owners[0] | owners[1]) >> mini) & 1
        and rules.is_won[owners[side] | (1 << mini)]
        and rules.is_won[marks[side, mini] | (1 << cell)]
    )


@verb
def ends(rules, state, move, scratch):
    """Wins are seen, other ends are not: whether no move is left takes longer to see."""
    if rules.risk.is_risky:
        return np.int64(RUNNING)
    is_win = wins(rules, state.marks, state.owners, state.turn - 1, move // 9, move % 9)
    return np.int64(state.turn if is_win else RUNNING)


@verb
def judge(rules, state):
    """Whoever can win with this move does."""
    marks, owners, side = state.marks, state.owners, state.turn - 1
    if rules.risk.is_risky:
        return -WIN, WIN, NO_MOVE
    for mini in range(9):
        if not rules.is_won[owners[side] | (1 << mini)]:
            continue
        free = open_cells(rules, state, mini)
        for i in range(count_of(rules, free)):
            cell = nth_of(rules, free, i)
            if wins(rules, marks, owners, side, mini, cell):
                return WIN - 1, WIN - 1, 9 * mini + cell
    return -WIN, WIN - 3, NO_MOVE


# ---- Random games ----------------------------------------------------------------------------


@hot_verb
def _empty_cells(marks, mini):
    """Where closed mini boards are full these are the free cells."""
    return FULL & ~(marks[0, mini] | marks[1, mini])


@hot_verb
def _random_cell(rules, marks, forced, n_empty, rng):
    """(mini board, cell), uniform among the empty cells of the forced mini board or of all."""
    if forced != ANYWHERE:
        empty = _empty_cells(marks, forced)
        return forced, nth_of(rules, empty, below(rng, count_of(rules, empty)))
    n = below(rng, n_empty)
    mini = np.int64(0)
    before = np.int64(0)
    seen = np.int64(0)
    for i in range(9):  # always nine: a loop that may end early is mispredicted
        seen += count_of(rules, _empty_cells(marks, i))
        if seen <= n:
            mini = np.int64(i + 1)
            before = seen
    return mini, nth_of(rules, _empty_cells(marks, mini), n - before)


@verb
def _close(rules, marks, owners):
    """Fill the closed mini boards, so that empty cells are free; how many are empty."""
    n_empty = np.int64(0)
    for mini in range(9):
        if (not rules.plays_on) and ((owners[0] | owners[1]) >> mini) & 1:
            marks[0, mini] = FULL
        n_empty += count_of(rules, _empty_cells(marks, mini))
    return n_empty


@verb
def playout(rules, state, most, scratch, rng):
    """Closed mini boards are filled, so that an empty cell is a free one and nothing is guessed."""
    marks, owners, forced, seat, tick = (
        state.marks, state.owners, state.forced, state.turn, state.tick,
    )  # fmt: skip
    risk = rules.risk
    n_empty = _close(rules, marks, owners)
    for turns in range(1, most + 1):
        mini, cell = _random_cell(rules, marks, forced, n_empty, rng)
        mark = seat
        if risk.is_risky:
            if risk.has_clock:
                tick += sample_wait(risk, tick, rng)
            mark = sample_mark(risk, 9 * mini + cell, tick, seat, 2, rng)
        seat = 3 - seat
        if mark != EMPTY:
            n_empty -= 1
            if place(rules, marks, owners, mini, cell, mark):
                return mark, turns
            if (not rules.plays_on) and ((owners[0] | owners[1]) >> mini) & 1:
                n_empty -= count_of(rules, _empty_cells(marks, mini))
                marks[0, mini] = FULL
            if n_empty == 0:
                return final_result(rules, owners), turns
        if risk.fades:
            n_empty += fade(rules, marks, owners, rng)
        forced = np.int64(cell) if _empty_cells(marks, cell) else np.int64(ANYWHERE)
    return np.int64(DRAW), most


@verb
def sites(rules, state, out):
    """The cells, then the mini boards by their owners."""
    marks, owners = state.marks, state.owners
    for mini in range(9):
        out[CELLS + mini] = ((owners[0] >> mini) & 1) + 2 * ((owners[1] >> mini) & 1)
        for cell in range(9):
            out[9 * mini + cell] = ((marks[0, mini] >> cell) & 1) + 2 * (
                (marks[1, mini] >> cell) & 1
            )
    zone = np.int64(NO_ZONE) if state.forced == ANYWHERE else np.int64(state.forced)
    return zone, state.tick


family(
    UltimateRules, facts=facts, new=new, calm=without_risk, load=load, save=save, copy=copy,
    new_batch=new_batch, at=at, keep=keep, observe=observe, encode=encode, most_left=most_left,
    open_moves=open_moves, n_open=n_open, is_open=is_open, random_move=random_move,
    outcomes=outcomes, land=land, settle=settle, sample=sample, note=note, take_back=take_back,
    ends=ends, judge=judge, playout=playout, sites=sites,
)  # fmt: skip
