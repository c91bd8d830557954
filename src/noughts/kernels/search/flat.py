"""Flat Monte Carlo: the same number of random playouts after each move, and a short exact look.

Random playouts cannot see that a reply is forced. However many are played on 3×3, their mean picks
a wrong move in 222 of the 3,191 positions in which some move is wrong: it misses 120 blocks. So
before the playouts a few plies are searched for forced wins, in games of two without chance.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rules import protocol
from noughts.kernels.rules.codes import DRAW, RUNNING
from noughts.kernels.rules.protocol import (
    Facts,
    Scratch,
    copy,
    judge,
    land,
    load,
    new_scratch,
    note,
    open_moves,
    playout,
    result,
    sample,
    take_back,
    turn,
)

AT_ONCE: Final = 64  # more than any depth that is searched


class Room(NamedTuple):
    """What a look and its random games need."""

    start: Any  # a state
    state: Any
    scratch: Scratch
    moves: NDArray[np.int64]  # [plies, most_open]
    undo: NDArray[np.int64]  # [plies, undo_size]


def new_room(rules: Any, facts: Facts, depth: int) -> Room:
    """Room for a look `depth` plies deep."""
    states = protocol.new(rules), protocol.new(rules)
    moves = np.zeros((depth + 2, facts.most_open), np.int64)
    undo = np.zeros((depth + 2, facts.undo_size), np.int64)
    return Room(*states, new_scratch(facts), moves, undo)


@kernel(allocates=False)
def _verdict(seat, ended):
    """1, 0 or -1: what a result is worth to a player."""
    if ended in (RUNNING, DRAW):
        return 0
    return 1 if ended == seat else -1


@kernel(allocates=False)
def _forced(rules, state, room, depth, budget):
    """Who wins by force within so many plies: 1 the player on turn, -1 the other, 0 unknown.

    `budget` [1] counts down the positions that may be looked at.
    """
    budget[0] -= 1
    low, high, reply = judge(rules, state)
    if low == high:
        return 1 if low > 0 else -1 if low < 0 else 0
    if depth == 0 or budget[0] <= 0:
        return 0
    seat = turn(rules, state)
    moves, undo = room.moves[depth], room.undo[depth]
    n = 1
    moves[0] = reply
    if reply < 0:
        n = open_moves(rules, state, moves)
    best = -1
    for i in range(n):
        move = moves[i]
        note(rules, state, move, undo)
        after = land(rules, state, move, 0)
        ended = result(rules, after)
        if ended != RUNNING:
            found = _verdict(seat, ended)
        else:
            found = _forced(rules, after, room, depth - 1, budget)
            if turn(rules, after) != seat:
                found = -found
        take_back(rules, after, move, undo)
        best = max(best, found)
        if best == 1:
            break
    return best


@kernel(allocates=False)
def look(rules, row, room, depth, budget, moves, out_verdicts):
    """For each of `moves`: does it win (+) or lose (-) within `depth` plies? 0 if neither.

    A verdict is the larger the sooner it comes: AT_ONCE for a move that ends the game.
    """
    state = load(rules, row, room.start)
    seat = turn(rules, state)
    undo = room.undo[depth + 1]
    for reach in range(-1, depth):
        for i in range(moves.size):
            if out_verdicts[i] != 0 or budget[0] <= 0:
                continue
            note(rules, state, moves[i], undo)
            after = land(rules, state, moves[i], 0)
            ended = result(rules, after)
            if ended != RUNNING:
                out_verdicts[i] = AT_ONCE * _verdict(seat, ended)
            elif reach >= 0:
                found = _forced(rules, after, room, reach, budget)
                if turn(rules, after) != seat:
                    found = -found
                out_verdicts[i] = found * (AT_ONCE - 1 - reach)
            state = take_back(rules, after, moves[i], undo)


@kernel(allocates=False)
def play(rules, row, room, moves, games, most_turns, rng, out_totals):
    """Random games after each move; adds what they are worth to `out_totals` [moves, seats]."""
    start, scratch = load(rules, row, room.start), room.scratch
    seats = out_totals.shape[1]
    for i in range(moves.size):
        for _ in range(games):
            state = copy(rules, start, room.state, scratch.row)
            state = sample(rules, state, moves[i], scratch, rng)
            ended = np.int64(result(rules, state))
            if ended == RUNNING:
                ended, _ = playout(rules, state, most_turns, scratch, rng)
            if ended != DRAW:
                for seat in range(seats):
                    out_totals[i, seat] += 1.0 if ended == seat + 1 else -1.0 / (seats - 1)
