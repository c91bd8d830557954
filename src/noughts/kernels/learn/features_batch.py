"""Many games in step: what a network sees of them, and how all of them go on by one move.

A game is a row of its family; `room` is a state and scratch for one of them at a time.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.learn.features import eyes_of, list_state
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import RUNNING
from noughts.kernels.rules.protocol import (
    Facts,
    Row,
    Scratch,
    land,
    load,
    new,
    new_scratch,
    open_moves,
    outcomes,
    pick_outcome,
    result,
    save,
    settle,
    turn,
    worth,
)


class Room(NamedTuple):
    """Where one game at a time is played."""

    state: Any
    scratch: Scratch


def new_room(rules: Any, facts: Facts) -> Room:
    """Room for one game."""
    return Room(new(rules), new_scratch(facts))


class Landed(NamedTuple):
    """What the moves of a batch may turn into; the second axis runs over outcomes."""

    rows: Row  # [games, outcomes, row]
    chance: NDArray[np.float32]
    reward: NDArray[np.float32]  # of the player who moved
    is_over: NDArray[np.bool_]
    drawn: NDArray[np.int64]  # [games] which one happened


@kernel(allocates=False)
def encode_rows(rules, room, inputs, rows, seen, out_x):
    """The inputs of every game, [games, inputs]."""
    state = room.state
    out_x[:] = 0.0
    for game in range(rows.shape[0]):
        state = load(rules, rows[game], state)
        for k in range(list_state(rules, inputs, state, seen)):
            out_x[game, seen.which[k]] = seen.value[k]


@kernel(allocates=False)
def mask_rows(rules, room, rows, out_mask):
    """Which moves are allowed in every game, [games, moves]."""
    state, moves = room.state, room.scratch.moves
    out_mask[:] = False
    for game in range(rows.shape[0]):
        state = load(rules, rows[game], state)
        for i in range(open_moves(rules, state, moves)):
            out_mask[game, moves[i]] = True


@kernel(allocates=False)
def turn_rows(rules, room, rows, out_seats):
    """Whose turn it is in every game."""
    state = room.state
    for game in range(rows.shape[0]):
        state = load(rules, rows[game], state)
        out_seats[game] = turn(rules, state)


@kernel(allocates=False)
def land_rows(rules, room, seats, rows, moves, rng, out):
    """Play a move in every game.

    With room for one outcome each game has the one that it drew; else it has all of them, whichever
    it drew, and those that cannot be are over and have no chance.
    """
    state, chances = room.state, room.scratch.chances
    is_drawn = out.chance.shape[1] == 1
    out_rows, chance, reward, is_over, drawn = out
    for game in range(rows.shape[0]):
        state = load(rules, rows[game], state)
        seat, move = eyes_of(turn(rules, state)), moves[game]
        n = outcomes(rules, state, move, chances)
        happened = pick_outcome(chances, n, rng)
        drawn[game] = 0 if is_drawn else happened
        for k in range(chance.shape[1]):
            if k > 0:
                state = load(rules, rows[game], state)
            chance[game, k] = 1.0 if is_drawn else chances[k] if k < n else 0.0
            reward[game, k] = 0.0
            is_over[game, k] = True
            if is_drawn or k < n:
                state = land(rules, state, move, happened if is_drawn else k)
                ended = result(rules, state)
                is_over[game, k] = ended != RUNNING
                reward[game, k] = worth(ended, seat, seats)
                if ended == RUNNING:
                    state = settle(rules, state, rng)
            save(rules, state, out_rows[game, k])


@kernel(allocates=False)
def random_moves(mask, rng, out_moves):
    """A move of every game, uniform among those that are allowed."""
    for game in range(mask.shape[0]):
        n = 0
        for move in range(mask.shape[1]):
            n += mask[game, move]
        left = below(rng, n)
        for move in range(mask.shape[1]):
            if mask[game, move]:
                if left == 0:
                    out_moves[game] = move
                    break
                left -= 1


@kernel(allocates=False)
def explore(mask, epsilon, rng, drawn, out_moves):
    """Replace moves by random ones, each with probability `epsilon`; `drawn` is room for these."""
    random_moves(mask, rng, drawn)
    for game in range(out_moves.size):
        if uniform(rng) < epsilon:
            out_moves[game] = drawn[game]
