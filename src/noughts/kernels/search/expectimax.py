"""Expectimax over verbs, with Star1 and Star2 pruning: one search for every family with chance.

For the seat on turn, in [-1, 1],

    value(s) = max over moves m of  sum over what m may turn into of  p · (result, or value after),

minus the value where the other seat is on turn then. What a move turns into are its outcomes, and
after each that goes on, the events that `settle` would draw (marks that fade): up to MOST_LISTED of
them all their subsets are listed; above, SAMPLES of them are drawn by a stream that the position's
key seeds, and what rests on them is never called exact.

The windows of alpha-beta reach through the sum (Ballard 1983). *Star1*: with all other terms at
their extremes, the one that is searched must still bring the sum into (alpha, beta). *Star2*: first
only one reply is tried after each outcome; that bounds each term from above, and may show that the
whole sum stays below alpha. Bounds are kept in a table by position.

It is written without recursion: a frame per ply holds the window, the move that is tried and the
sum so far. A toss (nobody is on turn) costs no depth. Positions that repeat are followed to the
depth limit like any other.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rng import uniform
from noughts.kernels.rules.codes import DRAW, NO_MOVE, NOBODY, RUNNING
from noughts.kernels.rules.protocol import (
    Facts,
    Row,
    ends_as,
    events,
    judge,
    key,
    land,
    load,
    note,
    occur,
    open_moves,
    outcomes,
    rank,
    revert,
    take_back,
    turn,
    weigh,
)
from noughts.kernels.transposition import ENDLESS, LOOK, pick
from noughts.kernels.wrapping import times

MOST_LISTED = 12  # events whose subsets are all listed
SAMPLES = 16
STAR2_DEPTH = 3  # from here on one reply is tried first
HIGHEST = 1.0

# The whole numbers of a frame. PHASE 0 tries one reply after each outcome, phase 1 searches; a way
# is a subset of events; GUESS says that an estimate or samples had a part in the value.
SEAT, DEPTH, ONLY_FIRST, COUNT, TRIED, MOVE, BEST_MOVE, GUESS = 0, 1, 2, 3, 4, 5, 6, 7
PHASE, OUTCOME, OUTCOMES, WAY, WAYS, EVENTS, SIGN, IS_CUT, SLOT = 8, 9, 10, 11, 12, 13, 14, 15, 16
NUMBERS = 17

# Its floats: the window; the sum so far; what the terms that are left bring at most, and their
# probability; the term that is searched, with its window.
ALPHA, BETA, START_ALPHA, BEST, TOTAL, UPPER, MASS, CHANCE, LOW, HIGH = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
FLOATS = 10

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = 1 << 60

# What the loop does next.
_ENTER, _BACK, _NEXT_TERM, _NEXT_MOVE = 0, 1, 2, 3


class Task(NamedTuple):
    """What is asked, and what the search may rely on."""

    depth: int
    first: int  # the move to try first, or NO_MOVE
    is_full: bool  # the value of every move, not only of the best
    weighs: bool  # at the depth limit positions are weighed; else they count as drawn
    scale: float
    settles: bool
    checks_rows: bool  # keys are not exact
    second: float = 1.0  # what a win of the second seat is worth; less where it stands for several


class Memory(NamedTuple):
    """Bounds of positions by key."""

    keys: NDArray[np.uint64]  # [entries]
    lows: NDArray[np.float64]
    highs: NDArray[np.float64]
    depths: NDArray[np.int64]  # 0: nothing is kept here
    moves: NDArray[np.int64]
    rows: Row  # [entries, row_size], or [1, 0] where keys are exact


class Room(NamedTuple):
    """One row per ply of everything that a search remembers."""

    numbers: NDArray[np.int64]  # [plies, NUMBERS]
    floats: NDArray[np.float64]  # [plies, FLOATS]
    undo: NDArray[np.int64]  # [plies, undo_size]
    moves: NDArray[np.int64]  # [plies, most_open]
    ranks: NDArray[np.int64]  # [plies, most_open]
    chances: NDArray[np.float64]  # [plies, most_outcomes] of outcomes that go on, else 0
    uppers: NDArray[np.float64]  # [plies, most_outcomes] the most that each can bring
    events: NDArray[np.int64]  # [plies, most_events]
    event_chances: NDArray[np.float64]  # [plies, most_events]
    happened: NDArray[np.int64]  # [plies, most_events]
    keys: NDArray[np.uint64]  # [plies]
    rows: Row  # [plies, row_size]
    rngs: NDArray[np.uint64]  # [plies, 1]


def new_room(facts: Facts, plies: int) -> Room:
    """Room for a search of at most so many plies."""
    many = facts.most_events if facts.settles else 0
    return Room(
        np.zeros((plies, NUMBERS), np.int64),
        np.zeros((plies, FLOATS)),
        np.zeros((plies, facts.undo_size), np.int64),
        np.zeros((plies, facts.most_open), np.int64),
        np.zeros((plies, facts.most_open), np.int64),
        np.zeros((plies, facts.most_outcomes)),
        np.zeros((plies, facts.most_outcomes)),
        np.zeros((plies, many), np.int64),
        np.zeros((plies, many)),
        np.zeros((plies, many), np.int64),
        np.zeros(plies, np.uint64),
        np.zeros((plies, facts.row_size), np.int32),
        np.zeros((plies, 1), np.uint64),
    )


@kernel(allocates=False, inlined=True)
def _sign_of(score):
    """A bound of `judge` as an expected result."""
    return 1.0 if score > 0 else -1.0 if score < 0 else 0.0


@kernel(allocates=False, inlined=True)
def slot_of(memory, key):
    """Where the table keeps a position."""
    return np.int64(times(key, _GOLDEN) >> np.uint64(20)) & (memory.keys.size - 1)


@kernel(allocates=False, inlined=True)
def is_kept(task, memory, room, slot, ply):
    """Whether the table has the position of this ply."""
    if memory.keys[slot] != room.keys[ply] or memory.depths[slot] == 0:
        return False
    if task.checks_rows:
        for i in range(room.rows.shape[1]):
            if memory.rows[slot, i] != room.rows[ply, i]:
                return False
    return True


@kernel(allocates=False, inlined=True)
def keep_row(task, memory, room, slot, ply):
    """Note whose entry it is, where keys do not tell."""
    if task.checks_rows:
        for i in range(room.rows.shape[1]):
            memory.rows[slot, i] = room.rows[ply, i]


@kernel(allocates=False, inlined=True)
def _look_up(task, memory, room, ply):
    """(does the table answer, the value); the move that it would try stands in BEST_MOVE."""
    n, f = room.numbers[ply], room.floats[ply]
    slot = n[SLOT] = slot_of(memory, room.keys[ply])
    if not is_kept(task, memory, room, slot, ply):
        return False, 0.0
    n[BEST_MOVE] = memory.moves[slot]
    low, high = memory.lows[slot], memory.highs[slot]
    if n[ONLY_FIRST] or ply == 0 or memory.depths[slot] < n[DEPTH]:
        return False, 0.0
    n[GUESS] = memory.depths[slot] < ENDLESS
    if low >= f[BETA] or low == high:
        return True, low
    if high <= f[ALPHA]:
        return True, high
    n[GUESS] = 0
    return False, 0.0


@kernel(allocates=False, inlined=True)
def _enter(rules, task, memory, room, state, ply):
    """Open a frame whose window, depth and ONLY_FIRST are set: (is it answered, the value)."""
    n, f = room.numbers[ply], room.floats[ply]
    n[SEAT] = turn(rules, state)
    n[GUESS] = 0
    n[TRIED] = -1
    n[BEST_MOVE] = task.first if ply == 0 else NO_MOVE
    f[BEST], f[START_ALPHA] = -2.0, f[ALPHA]
    if n[SEAT] != NOBODY:
        if ply > 0:
            floor, ceiling, _ = judge(rules, state)
            low, high = _sign_of(floor), _sign_of(ceiling)
            if low == high or low >= f[BETA]:
                return True, low
            if high <= f[ALPHA]:
                return True, high
            if n[DEPTH] <= 0:
                n[GUESS] = 1
                if not task.weighs:
                    return True, 0.0
                weight = weigh(rules, state) / task.scale
                return True, weight / (1.0 + abs(weight))
        room.keys[ply] = key(rules, state, room.rows[ply])
        is_known, value = _look_up(task, memory, room, ply)
        if is_known:
            return True, value
    _list_moves(rules, room, state, ply)
    return False, 0.0


@kernel(allocates=False, inlined=True)
def _list_moves(rules, room, state, ply):
    """The moves of a frame, the one that was best before in front."""
    n, moves, ranks = room.numbers[ply], room.moves[ply], room.ranks[ply]
    n[COUNT] = open_moves(rules, state, moves)
    if n[SEAT] == NOBODY:
        return
    for i in range(n[COUNT]):
        ranks[i] = _FIRST if moves[i] == n[BEST_MOVE] else rank(rules, state, moves[i])
    if n[ONLY_FIRST]:
        pick(moves, ranks, 0, n[COUNT])
        n[COUNT] = 1


@kernel(allocates=False, inlined=True)
def _begin_move(rules, task, room, state, ply):
    """List the outcomes of the next move; those that end the game are summed up at once."""
    n, f, chances, uppers = room.numbers[ply], room.floats[ply], room.chances[ply], room.uppers[ply]
    if n[SEAT] != NOBODY:
        pick(room.moves[ply], room.ranks[ply], n[TRIED], n[COUNT])
    n[MOVE] = room.moves[ply, n[TRIED]]
    n[OUTCOMES] = outcomes(rules, state, n[MOVE], chances)
    n[OUTCOME] = -1
    f[TOTAL] = f[UPPER] = 0.0
    for i in range(n[OUTCOMES]):
        uppers[i] = HIGHEST
        if chances[i] <= 0.0:
            chances[i] = 0.0
            continue
        ended = ends_as(rules, state, n[MOVE], i, room.undo[ply])
        if ended != RUNNING:
            if ended != DRAW:
                won = chances[i] if ended == 1 else chances[i] * task.second
                f[TOTAL] += won if ended == max(n[SEAT], 1) else -won
            chances[i] = 0.0
        f[UPPER] += chances[i]
    f[MASS] = f[UPPER]
    n[IS_CUT] = f[TOTAL] + f[UPPER] <= f[ALPHA]
    n[PHASE] = 0 if n[DEPTH] >= STAR2_DEPTH and not task.settles and n[OUTCOMES] > 1 else 1


@kernel(allocates=False, inlined=True)
def _next_outcome(n, chances):
    """Is there another outcome to search, in this phase or the next?"""
    if n[IS_CUT]:
        return False
    n[OUTCOME] += 1
    while True:
        while n[OUTCOME] < n[OUTCOMES] and chances[n[OUTCOME]] == 0.0:
            n[OUTCOME] += 1
        if n[OUTCOME] < n[OUTCOMES]:
            return True
        if n[PHASE] == 1:
            return False
        n[PHASE], n[OUTCOME] = 1, 0


@kernel(allocates=False, inlined=True)
def list_ways(rules, room, state, ply):
    """After an outcome: which events may follow, and how many ways of them are looked at."""
    n, happened = room.numbers[ply], room.happened[ply]
    n[EVENTS] = events(rules, state, room.events[ply], room.event_chances[ply])
    n[WAY] = 0
    n[WAYS] = 1 << n[EVENTS]
    if n[EVENTS] > MOST_LISTED:
        n[WAYS] = SAMPLES
        n[GUESS] = 1
        room.rngs[ply, 0] = key(rules, state, room.rows[ply + 1])
    for i in range(n[EVENTS]):
        happened[i] = 0


@kernel(allocates=False, inlined=True)
def take_way(rules, room, state, ply):
    """Let the events of the next way happen, and no others; the state and how likely it is.

    Ways are counted by Gray's code, so that from one to the next a single event changes.
    """
    n, happened, rng = room.numbers[ply], room.happened[ply], room.rngs[ply]
    is_listed = n[EVENTS] <= MOST_LISTED
    code = n[WAY] ^ (n[WAY] >> 1)
    share = 1.0 if is_listed else 1.0 / SAMPLES
    for i in range(n[EVENTS]):
        chance = room.event_chances[ply, i]
        if is_listed:
            is_due = (code >> i) & 1
            share *= chance if is_due else 1.0 - chance
        else:
            is_due = np.int64(uniform(rng) < chance)
        if is_due != happened[i]:
            happened[i] = is_due
            if is_due:
                state = occur(rules, state, room.events[ply, i])
            else:
                state = revert(rules, state, room.events[ply, i])
    return state, share


@kernel(allocates=False, inlined=True)
def undo_ways(rules, room, state, ply):
    happened = room.happened[ply]
    for i in range(room.numbers[ply, EVENTS]):
        if happened[i]:
            state = revert(rules, state, room.events[ply, i])
    return state


@kernel(allocates=False, inlined=True)
def _aim(room, ply, seat, share):
    """Set window and depth of the child: the term that is searched must matter to the sum."""
    n, f, child, window = (
        room.numbers[ply], room.floats[ply], room.numbers[ply + 1], room.floats[ply + 1],
    )  # fmt: skip
    chance = room.chances[ply, n[OUTCOME]] * share
    f[CHANCE] = chance
    f[UPPER] -= chance * room.uppers[ply, n[OUTCOME]]
    f[MASS] -= chance
    f[LOW], f[HIGH] = -2.0, 2.0
    if chance > 0.0:
        f[LOW] = (f[ALPHA] - f[TOTAL] - f[UPPER]) / chance
        f[HIGH] = (f[BETA] - f[TOTAL] + f[MASS]) / chance
    is_same_seat = max(n[SEAT], 1) == max(seat, 1)
    n[SIGN] = 1 if is_same_seat else -1
    window[ALPHA] = f[LOW] if is_same_seat else -f[HIGH]
    window[BETA] = f[HIGH] if is_same_seat else -f[LOW]
    child[DEPTH] = n[DEPTH] - (n[SEAT] != NOBODY)
    child[ONLY_FIRST] = n[PHASE] == 0


@kernel(allocates=False, inlined=True)
def _add(room, ply, found):
    """Add what a term was found to be, for this frame's seat, to the sum."""
    n, f, uppers = room.numbers[ply], room.floats[ply], room.uppers[ply]
    chance = f[CHANCE]
    n[GUESS] |= room.numbers[ply + 1, GUESS]
    if n[PHASE] == 0:
        # Beyond its window a probe bounds nothing, nor does a move of one's own.
        is_bound = n[SIGN] < 0 and found < min(f[HIGH], HIGHEST)
        upper = found if is_bound else HIGHEST
        uppers[n[OUTCOME]] = upper
        f[UPPER] += chance * upper
        f[MASS] += chance
        n[IS_CUT] = f[TOTAL] + f[UPPER] <= f[ALPHA]
        return
    f[TOTAL] += chance * found
    if found <= f[LOW]:
        n[IS_CUT] = 1
    elif found >= f[HIGH]:
        n[IS_CUT] = 1
        f[UPPER] = -f[MASS]  # the others at their worst still reach beta


@kernel(allocates=False, inlined=True)
def _end_move(task, room, ply, out_values):
    """The sum of a move is known, or bounded well enough."""
    n, f = room.numbers[ply], room.floats[ply]
    score = f[TOTAL] + f[UPPER] if n[IS_CUT] else f[TOTAL]
    if score > f[BEST]:
        f[BEST] = score
        n[BEST_MOVE] = n[MOVE]
    if ply == 0:
        out_values[n[MOVE]] = score
    if ply > 0 or not task.is_full:
        f[ALPHA] = max(f[ALPHA], score)


@kernel(allocates=False, inlined=True)
def _close(task, memory, room, ply):
    """Keep what a finished frame found."""
    n, f, slot = room.numbers[ply], room.floats[ply], room.numbers[ply, SLOT]
    if n[SEAT] == NOBODY or n[ONLY_FIRST] or ply == 0:
        return
    depth = n[DEPTH] if n[GUESS] else np.int64(ENDLESS)
    if memory.keys[slot] != room.keys[ply] or memory.depths[slot] != depth:
        memory.lows[slot], memory.highs[slot] = -HIGHEST, HIGHEST
    memory.keys[slot], memory.depths[slot] = room.keys[ply], depth
    memory.moves[slot] = n[BEST_MOVE]
    if f[BEST] > f[START_ALPHA]:
        memory.lows[slot] = max(memory.lows[slot], f[BEST])
    if f[BEST] < f[BETA]:
        memory.highs[slot] = min(memory.highs[slot], f[BEST])
    keep_row(task, memory, room, slot, ply)


@kernel(allocates=False)
def search(rules, task, memory, room, state, row, stop, out_facts, out_values):
    """Search a running position; (value for the seat on turn, best move, was it finished, guessed).

    `out_values` [moves] takes the value of every move that was searched: exact to the depth with
    `is_full`, else of the best, and bounds of the rest. `out_facts` takes nodes.
    """
    state = load(rules, row, state)
    numbers, floats = room.numbers, room.floats
    floats[0, ALPHA], floats[0, BETA] = -2.0, 2.0
    numbers[0, DEPTH], numbers[0, ONLY_FIRST] = task.depth, 0
    ply, step, value = np.int64(0), _ENTER, 0.0
    while True:
        n, f = numbers[ply], floats[ply]
        if step == _ENTER:
            out_facts[0] += 1
            if out_facts[0] & LOOK == 0 and stop[0] != 0:
                return floats[0, BEST], numbers[0, BEST_MOVE], False, True
            is_answered, value = _enter(rules, task, memory, room, state, ply)
            step = _NEXT_MOVE
            if is_answered:
                ply, step = ply - 1, _BACK
        elif step == _BACK:
            _add(room, ply, value * n[SIGN])
            n[WAY] += 1
            if n[WAY] < n[WAYS] and not n[IS_CUT]:
                state, share = take_way(rules, room, state, ply)
                _aim(room, ply, turn(rules, state), share)
                ply, step = ply + 1, _ENTER
            else:
                state = undo_ways(rules, room, state, ply)
                state = take_back(rules, state, n[MOVE], room.undo[ply])
                step = _NEXT_TERM
        elif step == _NEXT_TERM:
            if _next_outcome(n, room.chances[ply]):
                note(rules, state, n[MOVE], room.undo[ply])
                state = land(rules, state, n[MOVE], n[OUTCOME])
                list_ways(rules, room, state, ply)
                state, share = take_way(rules, room, state, ply)
                _aim(room, ply, turn(rules, state), share)
                ply, step = ply + 1, _ENTER
            else:
                _end_move(task, room, ply, out_values)
                step = _NEXT_MOVE
        else:
            n[TRIED] += 1
            if n[TRIED] < n[COUNT] and f[ALPHA] < f[BETA]:
                _begin_move(rules, task, room, state, ply)
                step = _NEXT_TERM
            else:
                _close(task, memory, room, ply)
                value = f[BEST]
                if ply == 0:
                    return value, n[BEST_MOVE], True, n[GUESS] != 0
                ply, step = ply - 1, _BACK
