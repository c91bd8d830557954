"""Plain minimax for two seats without chance, the baseline: every move, nothing cut off.

value(position) = max over moves of ±value(after the move),   WIN - n for a win in n moves,

with - where the turn passes and + where the same player moves again.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rules.codes import DRAW, RUNNING
from noughts.kernels.rules.protocol import (
    WIN,
    Facts,
    land,
    load,
    note,
    open_moves,
    result,
    take_back,
    turn,
)

# What a frame holds: how many moves there are, how many were tried, the best value, and the sign
# of the values that come back from below.
COUNT: Final = 0
TRIED: Final = 1
BEST: Final = 2
SIGN: Final = 3


class Stack(NamedTuple):
    """One row per ply."""

    moves: NDArray[np.int64]  # [plies, most_open]
    undo: NDArray[np.int64]  # [plies, undo_size]
    frames: NDArray[np.int64]  # [plies, 4]


def new_stack(facts: Facts, depth: int) -> Stack:
    """Room for a search so many moves deep."""
    moves = np.zeros((depth, facts.most_open), np.int64)
    undo = np.zeros((depth, facts.undo_size), np.int64)
    return Stack(moves, undo, np.zeros((depth, 4), np.int64))


@kernel(allocates=False)
def minimax(rules, row, state, stack, out_values):
    """Score every move of a running position as deep as the stack; how many positions were made.

    Positions at the depth limit count as drawn. `out_values` is in the order of the open moves.
    """
    moves, undo, frames = stack
    state = load(rules, row, state)
    nodes = np.int64(0)
    ply = np.int64(0)
    is_entering = True
    while True:
        frame = frames[ply]
        if is_entering:
            frame[COUNT] = open_moves(rules, state, moves[ply])
            frame[TRIED], frame[BEST] = 0, -WIN
            is_entering = False
        if frame[TRIED] < frame[COUNT]:
            move = moves[ply, frame[TRIED]]
            frame[TRIED] += 1
            nodes += 1
            seat = turn(rules, state)
            note(rules, state, move, undo[ply])
            state = land(rules, state, move, 0)
            ended = result(rules, state)
            if ended == RUNNING and ply + 1 < frames.shape[0]:
                frame[SIGN] = 1 if turn(rules, state) == seat else -1
                ply += 1
                is_entering = True
                continue
            value = np.int64(0)
            if ended not in (RUNNING, DRAW):
                value = np.int64(WIN - (ply + 1) if ended == seat else ply + 1 - WIN)
        else:
            if ply == 0:
                return nodes
            value = frame[BEST]
            ply -= 1
            frame = frames[ply]
            value *= frame[SIGN]
        state = take_back(rules, state, moves[ply, frame[TRIED] - 1], undo[ply])
        frame[BEST] = max(frame[BEST], value)
        if ply == 0:
            out_values[frame[TRIED] - 1] = value
