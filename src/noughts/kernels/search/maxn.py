"""Maxⁿ over verbs: every player maximises his own worth; one search for every family.

A position is worth a vector, one number for each seat (Luckhardt and Irani, "An algorithmic
solution of n-person games", AAAI 1986). For the seat s on turn,

    worth(position) = worth of the move m that has the greatest  worth_s(m),
    worth(m)        = sum over what m may turn into of  p · (worth of the result, or worth after).

Moves within TIED of the best are tied: the lowest of them counts, or all alike. What a move may
turn into is listed as `expectimax` does it, the marks that fade included.

**What may be cut off.** Worths sum to 0 and none is below -1/(n - 1). So where player j, on turn
after a move of player i, is sure of v, player i gets no more there than

    (n - 2)/(n - 1) - v,

and j's other moves need not be looked at once that is less than what i has elsewhere (Korf,
"Multi-player alpha-beta pruning", Artificial Intelligence 48, 1991). With chance in between, the
other terms of the sum count as 1 for i, as in Star1. This holds between a player and the next; what
a player further up has says nothing, because those between may prefer another move whatever it
brings him: cuts are *shallow*. A cut is strict, so that no tied move is lost. And who has 1 looks
no further: then all others have -1/(n - 1), whichever move it is.

At the depth limit a position is worth the mean of some random games, whose stream its key seeds, or
as much as a draw. What rests on that is a guess, and is never called exact.

A table keeps vectors that are whole: they are right for every window. Positions that repeat are
followed to the depth limit like any other; a toss (nobody is on turn) costs no depth.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rules import protocol
from noughts.kernels.rules.codes import NO_MOVE, NOBODY, RUNNING
from noughts.kernels.rules.protocol import (
    Facts,
    Row,
    Scratch,
    copy,
    key,
    land,
    load,
    new_scratch,
    note,
    open_moves,
    outcomes,
    playout,
    result,
    take_back,
    turn,
    worth,
)
from noughts.kernels.search.expectimax import (
    GUESS,
    NUMBERS,
    WAY,
    WAYS,
    is_kept,
    keep_row,
    list_ways,
    slot_of,
    take_way,
    undo_ways,
)
from noughts.kernels.search.tree import TIED
from noughts.kernels.transposition import ENDLESS

MARGIN: Final = 1e-9  # more than rounding and TIED: by so much a cut must be sure

# How a visit ended.
WHOLE: Final = 0  # the worth is known, as far as the depth goes
CUT: Final = 1  # the player before will not come here
STOPPED: Final = 2  # the clock ran out

_NEVER = 1e-12  # what rounding may leave of a chance that is none


class Task(NamedTuple):
    """What is asked, and what the search may rely on."""

    depth: int
    is_full: bool  # the worth of every move of the root, not only of the best
    is_uniform: bool  # tied moves count alike; else the lowest does
    playouts: int  # random games at the depth limit; 0: a draw
    most_turns: int  # of one of them
    checks_rows: bool  # keys are not exact


class Memory(NamedTuple):
    """Worths of positions by key."""

    keys: NDArray[np.uint64]  # [entries]
    worths: NDArray[np.float64]  # [entries, seats]
    depths: NDArray[np.int64]  # 0: nothing is kept here
    moves: NDArray[np.int64]
    rows: Row  # [entries, row_size], or [1, 0] where keys are exact


class Room(NamedTuple):
    """One row per ply of everything that a search remembers; what `expectimax` lists, too."""

    numbers: NDArray[np.int64]  # [plies, NUMBERS]
    tried: NDArray[np.int64]  # [plies] moves that are done
    values: NDArray[np.float64]  # [plies, seats] what the position is worth
    found: NDArray[np.float64]  # [plies, most_open, seats] what each move is worth
    is_cut: NDArray[np.bool_]  # [plies, most_open]
    moves: NDArray[np.int64]  # [plies, most_open]
    undo: NDArray[np.int64]  # [plies, undo_size]
    chances: NDArray[np.float64]  # [plies, most_outcomes]
    events: NDArray[np.int64]  # [plies, most_events]
    event_chances: NDArray[np.float64]  # [plies, most_events]
    happened: NDArray[np.int64]  # [plies, most_events]
    keys: NDArray[np.uint64]  # [plies]
    rows: Row  # [plies, row_size]
    rngs: NDArray[np.uint64]  # [plies, 1]
    random: Any  # a state, for random games
    scratch: Scratch


def new_room(rules: Any, facts: Facts, plies: int) -> Room:
    """Room for a search of at most so many plies."""
    many = facts.most_events if facts.settles else 0
    return Room(
        np.zeros((plies, NUMBERS), np.int64),
        np.zeros(plies, np.int64),
        np.zeros((plies, facts.seats)),
        np.zeros((plies, facts.most_open, facts.seats)),
        np.zeros((plies, facts.most_open), np.bool_),
        np.zeros((plies, facts.most_open), np.int64),
        np.zeros((plies, facts.undo_size), np.int64),
        np.zeros((plies, facts.most_outcomes)),
        np.zeros((plies, many), np.int64),
        np.zeros((plies, many)),
        np.zeros((plies, many), np.int64),
        np.zeros(plies, np.uint64),
        np.zeros((plies, facts.row_size), np.int32),
        np.zeros((plies, 1), np.uint64),
        protocol.new(rules),
        new_scratch(facts),
    )


@kernel(allocates=False)
def _estimate(rules, task, room, state, ply):
    """What a position at the depth limit is worth."""
    values, rng, scratch = room.values[ply], room.rngs[ply], room.scratch
    seats = values.size
    values[:] = 0.0
    rng[0] = key(rules, state, room.rows[ply])
    for _ in range(task.playouts):
        random = copy(rules, state, room.random, scratch.row)
        ended, _ = playout(rules, random, task.most_turns, scratch, rng)
        for column in range(seats):
            values[column] += worth(ended, column + 1, seats) / task.playouts


@kernel(allocates=False)
def _keep(task, memory, room, slot, ply, depth, move):
    """Keep what a finished visit found."""
    memory.keys[slot], memory.moves[slot] = room.keys[ply], move
    memory.depths[slot] = depth if room.numbers[ply, GUESS] else np.int64(ENDLESS)
    for column in range(room.values.shape[1]):
        memory.worths[slot, column] = room.values[ply, column]
    keep_row(task, memory, room, slot, ply)


@kernel(allocates=False)
def _choose(task, room, ply, column):
    """Write the worth of a position whose moves are done; the lowest of its best moves."""
    n = room.tried[ply]
    moves, found, values = room.moves[ply], room.found[ply], room.values[ply]
    best = -2.0
    for i in range(n):
        if not room.is_cut[ply, i]:
            best = max(best, found[i, column])
    chosen, tied = np.int64(NO_MOVE), 0
    values[:] = 0.0
    for i in range(n):
        if room.is_cut[ply, i] or found[i, column] < best - TIED:
            continue
        tied += 1
        is_lower = chosen == NO_MOVE or moves[i] < chosen
        if is_lower:
            chosen = moves[i]
        for other in range(values.size):
            if task.is_uniform:
                values[other] += found[i, other]
            elif is_lower:
                values[other] = found[i, other]
    if task.is_uniform:
        for other in range(values.size):
            values[other] /= max(tied, 1)
    return chosen


@kernel(allocates=False)
def _add_result(room, ply, i, ended, chance):
    seats = room.values.shape[1]
    for column in range(seats):
        room.found[ply, i, column] += chance * worth(ended, column + 1, seats)


@kernel(allocates=False)
def _visit(rules, task, memory, room, state, ply, depth, above, limit, stop, out_facts):
    """Find what a position is worth, into `room.values[ply]`: WHOLE, CUT or STOPPED.

    Its GUESS says whether an estimate had a part in it. The seat `above` made the last move, and
    does not care for a position in which it gets less than `limit`.
    """
    out_facts[0] += 1
    if out_facts[0] & 1023 == 0 and stop[0] != 0:
        return STOPPED
    seat, n, moves = turn(rules, state), room.numbers[ply], room.moves[ply]
    seats = room.values.shape[1]
    column = max(seat - 1, 0)
    n[GUESS] = 0
    room.tried[ply] = 0
    if depth <= 0 and seat != NOBODY:
        n[GUESS] = 1
        _estimate(rules, task, room, state, ply)
        return WHOLE
    slot, first = np.int64(0), np.int64(NO_MOVE)
    if seat != NOBODY:
        room.keys[ply] = key(rules, state, room.rows[ply])
        slot = slot_of(memory, room.keys[ply])
        if is_kept(task, memory, room, slot, ply):
            first = memory.moves[slot]
            if ply > 0 and memory.depths[slot] >= depth:
                n[GUESS] = memory.depths[slot] < ENDLESS
                for other in range(seats):
                    room.values[ply, other] = memory.worths[slot, other]
                return WHOLE
    count = open_moves(rules, state, moves)
    for i in range(1, count):  # what was best before comes first
        if moves[i] == first:
            moves[0], moves[i] = moves[i], moves[0]
    spare = (seats - 2.0) / (seats - 1.0)
    best, guess = -2.0, np.int64(0)
    for i in range(count):
        move = moves[i]
        room.is_cut[ply, i] = False
        for other in range(seats):
            room.found[ply, i, other] = 0.0
        n[GUESS] = 0
        rest = 1.0
        for outcome in range(outcomes(rules, state, move, room.chances[ply])):
            chance = room.chances[ply, outcome]
            if chance <= _NEVER or room.is_cut[ply, i]:
                continue
            rest -= chance
            note(rules, state, move, room.undo[ply])
            after = land(rules, state, move, outcome)
            ended = result(rules, after)
            if ended != RUNNING:
                _add_result(room, ply, i, ended, chance)
                state = take_back(rules, after, move, room.undo[ply])
                continue
            list_ways(rules, room, after, ply)
            left = chance
            while n[WAY] < n[WAYS] and not room.is_cut[ply, i]:
                after, share = take_way(rules, room, after, ply)
                part = chance * share
                left -= part
                low = -np.inf
                if best > -2.0 and part > _NEVER and not (task.is_full and ply == 0):
                    others = room.found[ply, i, column] + rest + max(left, 0.0)
                    low = (best - MARGIN - others) / part
                status = _visit(
                    rules, task, memory, room, after, ply + 1, depth - (seat != NOBODY),
                    seat, low, stop, out_facts,
                )  # fmt: skip
                if status == STOPPED:
                    return STOPPED
                n[GUESS] |= room.numbers[ply + 1, GUESS]
                room.is_cut[ply, i] = status == CUT
                for other in range(seats):
                    room.found[ply, i, other] += part * room.values[ply + 1, other]
                n[WAY] += 1
            after = undo_ways(rules, room, after, ply)
            state = take_back(rules, after, move, room.undo[ply])
        room.tried[ply] = i + 1
        guess |= n[GUESS]
        if room.is_cut[ply, i]:
            continue
        best = max(best, room.found[ply, i, column])
        if ply == 0 or seat == NOBODY:
            continue
        if best >= 1.0 - TIED:
            guess = n[GUESS] if room.found[ply, i, column] >= 1.0 - TIED else guess
            break
        if seat != above and above != NOBODY and spare - best < limit:
            n[GUESS] = guess
            return CUT
    n[GUESS] = guess
    chosen = _choose(task, room, ply, column)
    if seat != NOBODY:
        _keep(task, memory, room, slot, ply, depth, chosen)
    return WHOLE


@kernel(allocates=False)
def search(rules, task, memory, room, state, row, stop, out_facts, out_worths):
    """Search a running position; (the lowest of the best moves, was it finished, was it guessed).

    `out_worths` [moves, seats] takes what every move is worth that is not worse than the best: of
    all with `is_full`. `out_facts` takes nodes.
    """
    state = load(rules, row, state)
    ply, above = np.int64(0), np.int64(NOBODY)  # typed: a literal would be compiled for itself
    status = _visit(
        rules, task, memory, room, state, ply, task.depth, above, -np.inf, stop, out_facts
    )
    chosen = np.int64(NO_MOVE)
    if room.tried[0] > 0:
        chosen = _choose(task, room, 0, max(turn(rules, load(rules, row, state)) - 1, 0))
    for i in range(room.tried[0]):
        if not room.is_cut[0, i]:
            for column in range(out_worths.shape[1]):
                out_worths[room.moves[0, i], column] = room.found[0, i, column]
    return chosen, status == WHOLE, room.numbers[0, GUESS] != 0
