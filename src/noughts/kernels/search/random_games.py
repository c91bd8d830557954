"""Random games and counts of sequences, for every family."""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.rules.codes import DRAW, RUNNING
from noughts.kernels.rules.protocol import (
    copy,
    land,
    load,
    n_open,
    note,
    open_moves,
    playout,
    result,
    take_back,
)


@kernel(allocates=False)
def playouts(rules, row, start, state, games, most, scratch, rng, out_tally):
    """Random games from a running position; adds to tally[one per seat, draws, turns played]."""
    start = load(rules, row, start)
    last = out_tally.size - 1
    for _ in range(games):
        state = copy(rules, start, state, scratch.row)
        ended, turns = playout(rules, state, most, scratch, rng)
        out_tally[last - 1 if ended == DRAW else ended - 1] += 1
        out_tally[last] += turns


@kernel(allocates=False)
def perft(rules, row, state, scratch, moves, undo):
    """How many sequences of moves there are from a running position, each landing as it was meant.

    `moves` [depth, most_open + 2] has room for the moves of each ply, how many they are and which
    is next; `undo` [depth, undo_size] for what takes them back.
    """
    state = load(rules, row, state)
    depth, count = moves.shape[0], moves.shape[1] - 2
    following = count + 1
    if depth == 1:
        return n_open(rules, state, scratch)
    total = ply = np.int64(0)
    moves[0, count], moves[0, following] = open_moves(rules, state, moves[0]), 0
    while True:
        if moves[ply, following] < moves[ply, count]:
            move = moves[ply, moves[ply, following]]
            moves[ply, following] += 1
            note(rules, state, move, undo[ply])
            state = land(rules, state, move, 0)
            if result(rules, state) == RUNNING:
                if ply + 2 < depth:
                    ply += 1
                    moves[ply, count] = open_moves(rules, state, moves[ply])
                    moves[ply, following] = 0
                    continue
                total += n_open(rules, state, scratch)  # every open move is one leaf
        elif ply == 0:
            return total
        else:
            ply -= 1
        state = take_back(rules, state, moves[ply, moves[ply, following] - 1], undo[ply])
