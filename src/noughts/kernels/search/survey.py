"""Everything that the verbs of a family tell of one position: to be held against plain rules."""

from typing import Any, NamedTuple

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.rules import protocol
from noughts.kernels.rules.codes import RUNNING
from noughts.kernels.rules.protocol import (
    copy,
    key,
    land,
    load,
    n_open,
    note,
    open_moves,
    outcomes,
    result,
    save,
    take_back,
    turn,
)

NONE = -1.0  # in place of a chance, where a move has fewer outcomes


class Survey(NamedTuple):
    """What is told of a row."""

    turn: int
    result: int
    moves: tuple[int, ...]
    after: dict[int, list[tuple[float, list[int], int]]]  # of each move: chance, row, result
    key: int
    n_open: int
    is_taken_back: bool  # taking the moves back leads to where they were made


def survey(rules: Any, row: Any) -> Survey:
    """What the verbs say of a row, every outcome of every move included."""
    facts = protocol.facts(rules)
    moves = np.zeros(facts.most_open, np.int64)
    chances = np.full((facts.most_open, facts.most_outcomes), NONE)
    rows = np.zeros((facts.most_open, facts.most_outcomes, facts.row_size), np.int32)
    ends = np.zeros((facts.most_open, facts.most_outcomes), np.int64)
    told = np.zeros(5, np.int64)
    states = protocol.new(rules), protocol.new(rules)
    hashed = _survey(
        rules, np.array(row, np.int32), *states, protocol.new_scratch(facts),
        moves, chances, rows, ends, told,
    )  # fmt: skip
    seat, ended, n, left, is_taken_back = told.tolist()
    after = {
        int(moves[i]): [
            (float(chances[i, k]), rows[i, k].tolist(), int(ends[i, k]))
            for k in range(facts.most_outcomes)
            if chances[i, k] != NONE
        ]
        for i in range(n)
    }
    listed = tuple(moves[:n].tolist())
    return Survey(seat, ended, listed, after, int(hashed), left, bool(is_taken_back))


@kernel(allocates=False)
def _survey(rules, row, start, state, scratch, moves, chances, rows, ends, told):
    start = load(rules, row, start)
    is_taken_back = 1
    n = np.int64(0)
    if result(rules, start) == RUNNING:
        n = open_moves(rules, start, moves)
    for i in range(n):
        found = outcomes(rules, start, moves[i], scratch.chances)
        for k in range(found):
            chances[i, k] = scratch.chances[k]
            state = copy(rules, start, state, scratch.row)
            note(rules, state, moves[i], scratch.undo)
            state = land(rules, state, moves[i], k)
            save(rules, state, rows[i, k])
            ends[i, k] = result(rules, state)
            if k == 0:
                state = take_back(rules, state, moves[i], scratch.undo)
                save(rules, state, scratch.row)
                for j in range(row.size):
                    if scratch.row[j] != row[j]:
                        is_taken_back = 0
    told[0], told[1], told[2] = turn(rules, start), result(rules, start), n
    told[3] = n_open(rules, start, scratch) if n > 0 else 0
    told[4] = is_taken_back
    return key(rules, start, scratch.row)
