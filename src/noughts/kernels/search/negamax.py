"""Negamax with alpha-beta over verbs: one search for every family of two seats without chance.

The value of a position for the seat on turn is max over moves of the value after the move, minus it
where the other seat is on turn then; WIN - n is a win in n moves, so that wins are quick and losses
slow. It is written without recursion: a frame per ply holds the window (alpha, beta), the best move
and what is left.

What keeps the tree small is what the family says: `judge` bounds a position before it is searched
and may name the only reply, which costs no depth; `candidates` orders moves. Past the depth limit
only forcing moves are tried, or standing still (`weigh`): what is found there is a chain of threats
with forced replies, so a win is a win.

A score is sure when no evaluation had a part in it. Where positions can repeat, one that stands on
its own path counts as drawn, and that is not sure: on another path it may be something else. Wins
and losses never rest on it. Where keys are not exact the table keeps rows as well, and what it says
of another row is not heard.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rules.codes import DRAW, NO_MOVE, RUNNING
from noughts.kernels.rules.protocol import (
    LAST,
    WIN,
    Facts,
    Row,
    candidates,
    fold,
    judge,
    key,
    land,
    load,
    move_back,
    move_image,
    note,
    result,
    save,
    take_back,
    turn,
    weigh,
)
from noughts.kernels.transposition import (
    DECIDED,
    ENDLESS,
    EXACT,
    LOOK,
    LOWER,
    SURE,
    UNSURE,
    UPPER,
    pick,
    probe,
    settles,
    store,
    sureness,
    unpack,
)

# The columns of a frame. The window narrows as moves are tried; FLOOR and CEILING are bounds that
# were known before; DOUBT is the least sure of what the best score was made from; a NULL search
# only asks whether a move beats the best so far; SIGN turns the value of the child into one of this
# position's seat; the last two are moves that refuted at this ply.
ALPHA, BETA, BEST, BEST_MOVE, DEPTH, MOVE, TRIED, COUNT = 0, 1, 2, 3, 4, 5, 6, 7
START_ALPHA, FLOOR, CEILING, DOUBT, IS_NULL, IMAGE, IS_KEPT = 8, 9, 10, 11, 12, 13, 14
SEAT, SIGN, KILLER, OTHER_KILLER = 15, 16, 17, 18
COLUMNS = 19

_FIRST = 1 << 60  # the rank of the move that the table names
_KILLER_RANK = 1 << 16
_MOST_QUIET = 4000


class Task(NamedTuple):
    """What is asked, and what the search may rely on."""

    depth: int
    alpha: int
    beta: int
    threats: int  # how many forcing moves in a row are tried past the depth; 0: none
    width: int  # how many moves are tried in one position
    checks_rows: bool  # keys are not exact
    repeats: bool  # a position may come again


class Memory(NamedTuple):
    """What one search leaves to the next: a table of positions, and moves that refuted."""

    keys: NDArray[np.uint64]  # [entries]
    data: NDArray[np.int64]  # [entries]
    rows: Row  # [entries, row_size], or [1, 0] where keys are exact
    quiet: NDArray[np.int64]  # [seats, moves]


class Room(NamedTuple):
    """One row per ply of everything that a search remembers."""

    frames: NDArray[np.int64]  # [plies, COLUMNS]
    undo: NDArray[np.int64]  # [plies, undo_size]
    moves: NDArray[np.int64]  # [plies, most_open]
    ranks: NDArray[np.int64]  # [plies, most_open]
    keys: NDArray[np.uint64]  # [plies] under which the position is kept
    rows: Row  # [plies, row_size]


def new_room(facts: Facts, plies: int) -> Room:
    """Room for a search of at most so many plies."""
    return Room(
        np.zeros((plies, COLUMNS), np.int64),
        np.zeros((plies, facts.undo_size), np.int64),
        np.zeros((plies, facts.most_open), np.int64),
        np.zeros((plies, facts.most_open), np.int64),
        np.zeros(plies, np.uint64),
        np.zeros((plies, facts.row_size), np.int32),
    )


@kernel(allocates=False)
def _from_root(score, ply):
    """A score that counts moves from a position, counted from the root `ply` moves above."""
    if score > DECIDED:
        return score - ply
    if score < -DECIDED:
        return score + ply
    return score


@kernel(allocates=False)
def _list_moves(rules, task, state, frame, quiet, moves, ranks):
    """List the moves worth trying with ranks that say how early; how many there are."""
    first, killers = frame[MOVE], (frame[KILLER], frame[OTHER_KILLER])
    n = candidates(rules, state, frame[DEPTH] <= 0, moves, ranks)
    for i in range(n):
        move = moves[i]
        if ranks[i] == LAST:
            continue
        if move == first:
            ranks[i] = _FIRST
        else:
            ranks[i] += min(quiet[move], _MOST_QUIET)
            if move in killers:
                ranks[i] += _KILLER_RANK
    if n > task.width:
        for i in range(task.width):
            pick(moves, ranks, i, n)
    return n


@kernel(allocates=False)
def _is_same(row, other):
    for i in range(row.size):
        if row[i] != other[i]:
            return False
    return True


@kernel(allocates=False)
def _is_repeated(rules, state, rows, ply):
    """Does this position stand on the path that led to it?"""
    save(rules, state, rows[ply])
    for before in range(ply):
        if _is_same(rows[before], rows[ply]):
            return True
    return False


@kernel(allocates=False)
def _bounds(rules, state, ply):
    """What the family knows of a position, counted from the root."""
    floor, ceiling, reply = judge(rules, state)
    floor, ceiling = _from_root(floor, ply), _from_root(ceiling, ply)
    if ply == 0 and (floor != ceiling or reply == NO_MOVE):
        # At the root a bound is no help, because it names no move; a distance is.
        floor = floor if floor < -DECIDED else -WIN
        ceiling = ceiling if ceiling > DECIDED else WIN
    return np.int64(floor), np.int64(ceiling), np.int64(reply)


@kernel(allocates=False)
def _look_up(rules, task, memory, state, frame, ply, row):
    """(does the table answer, the score, how sure, the key); frame[MOVE] is what it would try."""
    if frame[DEPTH] > 0:
        own_key, frame[IMAGE] = fold(rules, state, row)
    else:
        own_key = key(rules, state, row)
    slot = probe(memory.keys, memory.data, own_key)
    if slot >= 0 and not (task.checks_rows and not _is_same(memory.rows[slot], row)):
        score, move, kept_depth, bound = unpack(memory.data[slot], ply)
        depth, alpha, beta = frame[DEPTH], frame[ALPHA], frame[BETA]
        if ply > 0 and settles(score, kept_depth, bound, depth, alpha, beta):
            return True, score, np.int64(SURE if kept_depth == ENDLESS else UNSURE), own_key
        if move >= 0:
            frame[MOVE] = move_back(rules, frame[IMAGE], move)
    return False, np.int64(0), np.int64(SURE), own_key


@kernel(allocates=False)
def _enter(rules, task, memory, state, room, ply):
    """Open a frame whose window and depth are set: (is it answered, value, sureness).

    Otherwise its moves still have to be listed; frame[MOVE] is the one to try first, or none.
    """
    frame, row = room.frames[ply], room.rows[ply]
    frame[BEST_MOVE] = frame[MOVE] = NO_MOVE
    frame[TRIED] = frame[COUNT] = frame[IS_KEPT] = frame[IMAGE] = 0
    frame[DOUBT] = SURE
    if task.repeats and _is_repeated(rules, state, room.rows, ply):
        return True, np.int64(0), np.int64(UNSURE)
    floor, ceiling, reply = _bounds(rules, state, ply)
    if floor == ceiling:
        frame[BEST_MOVE] = max(reply, NO_MOVE)
        return True, floor, np.int64(SURE)
    if floor >= frame[BETA]:
        return True, floor, np.int64(SURE)
    if ceiling <= frame[ALPHA]:
        return True, ceiling, np.int64(SURE)
    depth = frame[DEPTH]
    if reply >= 0:
        frame[COUNT] = 1
        frame[MOVE] = reply
    else:
        if depth <= 0 and task.threats == 0:
            return True, min(max(np.int64(weigh(rules, state)), floor), ceiling), np.int64(UNSURE)
        frame[IS_KEPT] = 1
        is_settled, score, doubt, room.keys[ply] = _look_up(
            rules, task, memory, state, frame, ply, row
        )
        if is_settled:
            return True, score, doubt
        if depth <= 0:
            floor = min(max(np.int64(weigh(rules, state)), floor), ceiling)
            frame[DOUBT] = UNSURE
            if depth <= -task.threats or floor >= frame[BETA]:
                return True, floor, np.int64(UNSURE)
    frame[FLOOR], frame[CEILING], frame[BEST] = floor, ceiling, floor
    frame[ALPHA] = max(frame[ALPHA], floor)
    frame[BETA] = min(frame[BETA], ceiling)
    frame[START_ALPHA] = frame[ALPHA]
    return False, np.int64(0), np.int64(SURE)


@kernel(allocates=False)
def _close(rules, task, memory, state, room, ply):
    """Keep what a finished frame found; how sure its score is."""
    frame = room.frames[ply]
    value, move = frame[BEST], frame[BEST_MOVE]
    doubt = sureness(value, frame[DOUBT])
    if not frame[IS_KEPT]:
        return doubt
    bound = EXACT if value > frame[START_ALPHA] else UPPER
    if value >= frame[BETA]:
        bound = LOWER
        if frame[DEPTH] > 0 and move >= 0:
            memory.quiet[frame[SEAT] - 1, move] += frame[DEPTH] * frame[DEPTH]
            if frame[KILLER] != move:
                frame[OTHER_KILLER] = frame[KILLER]
                frame[KILLER] = move
    if value >= frame[CEILING] or value <= frame[FLOOR]:
        bound = EXACT
    if move >= 0:
        move = move_image(rules, frame[IMAGE], move)
    depth = ENDLESS if doubt == SURE else frame[DEPTH]
    slot = store(memory.keys, memory.data, room.keys[ply], value, ply, depth, bound, move)
    if task.checks_rows:
        row, rows = room.rows[ply], memory.rows
        for i in range(row.size):
            rows[slot, i] = row[i]
    return doubt


@kernel(allocates=False)
def _add(frame, value, doubt):
    """Add the answer of a child, for this frame's seat, to the frame."""
    frame[DOUBT] = max(frame[DOUBT], sureness(value, doubt))
    if frame[IS_NULL] and frame[ALPHA] < value < frame[BETA]:
        frame[IS_NULL] = 0  # it does beat the best: search it again with the whole window
        frame[TRIED] -= 1
        return
    if value > frame[BEST] or (frame[BEST_MOVE] < 0 and value == frame[BEST]):
        frame[BEST] = value
        frame[BEST_MOVE] = frame[MOVE]
    frame[ALPHA] = max(frame[ALPHA], value)
    frame[IS_NULL] = 1


@kernel(allocates=False)
def _aim(frame, child, is_same_seat):
    """Set the window and the depth of a child; signs follow the turn."""
    high = frame[ALPHA] + 1 if frame[IS_NULL] else frame[BETA]
    if is_same_seat:
        frame[SIGN] = 1
        child[ALPHA], child[BETA] = frame[ALPHA], high
    else:
        frame[SIGN] = -1
        child[ALPHA], child[BETA] = -high, -frame[ALPHA]
    # An only reply costs no depth: chains of threats are followed to their end.
    child[DEPTH] = frame[DEPTH] - frame[IS_KEPT]


@kernel(allocates=False)
def search(rules, task, memory, room, state, row, stop, out_facts):
    """Search a running position; (score, best move, how sure, was it finished).

    `state` is from `new` and `room` from `new_room`: both may be used again. `stop[0]` may be set
    by another thread; `out_facts` takes nodes and the deepest ply. NO_MOVE: all are as good.
    """
    frames, undo, moves, ranks = room.frames, room.undo, room.moves, room.ranks
    frames[:, KILLER:] = NO_MOVE
    frames[0, ALPHA], frames[0, BETA], frames[0, DEPTH] = task.alpha, task.beta, task.depth
    state = load(rules, row, state)
    ply = np.int64(0)
    is_entering = True
    value, doubt = np.int64(0), np.int64(SURE)
    while True:
        frame = frames[ply]
        if is_entering:
            is_entering = False
            out_facts[0] += 1
            out_facts[1] = max(out_facts[1], ply)
            if out_facts[0] & LOOK == 0 and stop[0] != 0:
                return frames[0, BEST], frames[0, BEST_MOVE], np.int64(UNSURE), False
            frame[SEAT] = turn(rules, state)
            is_answered = ply + 1 == frames.shape[0]  # there is no room to go on
            if is_answered:
                value, doubt = np.int64(weigh(rules, state)), np.int64(UNSURE)
            else:
                is_answered, value, doubt = _enter(rules, task, memory, state, room, ply)
            if is_answered:
                if ply == 0:
                    return value, frame[BEST_MOVE], doubt, True
                ply -= 1
                continue
            if frame[COUNT] == 1:
                moves[ply, 0] = frame[MOVE]
            else:
                quiet = memory.quiet[frame[SEAT] - 1]
                n = _list_moves(rules, task, state, frame, quiet, moves[ply], ranks[ply])
                frame[COUNT] = min(n, task.width)
                if n > task.width:
                    frame[DOUBT] = UNSURE
        else:  # back from the child that played frame[MOVE]
            state = take_back(rules, state, frame[MOVE], undo[ply])
            _add(frame, value * frame[SIGN], doubt)
        tried = frame[TRIED]
        if tried == frame[COUNT] or frame[BEST] >= frame[BETA]:
            value = frame[BEST]
            doubt = _close(rules, task, memory, state, room, ply)
            if ply == 0:
                return value, frame[BEST_MOVE], doubt, True
            ply -= 1
            continue
        if tried == 0:
            frame[IS_NULL] = 0
        if tried == 0 or frame[IS_NULL]:
            frame[MOVE] = pick(moves[ply], ranks[ply], tried, frame[COUNT])
        frame[TRIED] = tried + 1
        note(rules, state, frame[MOVE], undo[ply])
        state = land(rules, state, frame[MOVE], 0)
        ended = result(rules, state)
        if ended == RUNNING:
            _aim(frame, frames[ply + 1], turn(rules, state) == frame[SEAT])
            ply += 1
            is_entering = True
        else:
            frame[SIGN] = 1
            value, doubt = np.int64(0), np.int64(SURE)
            if ended != DRAW:
                value = WIN - (ply + 1) if ended == frame[SEAT] else -(WIN - (ply + 1))
