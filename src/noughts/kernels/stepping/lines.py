"""Many line games, one step of each: begin or play, let a random opponent answer, observe.

Game i is row i of a `LineBatch`. A step that is not legal changes nothing and is reported, so the
caller decides what it means. Observations are [cells, planes] numbers in [0, 1], seen from a side:

    0  its own marks        1  the other side's marks       2  the cells open to whoever is on turn
    3  how much of the clock has run, in games with one
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.lines import place, unplace
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import DRAW, EMPTY, RUNNING, X
from noughts.kernels.rules.risk import sample_mark, waits


class LineBatch(NamedTuple):
    """The state of `size` games."""

    boards: NDArray[np.int8]  # [size, cells]
    counts: NDArray[np.uint8]  # [size, 2, lines] the marks of each side on each line
    empties: NDArray[np.int64]  # [size] how many cells are empty
    turns: NDArray[np.int8]  # [size] X or O
    ticks: NDArray[np.int64]  # [size]
    results: NDArray[np.int8]  # [size] RUNNING, X, O or DRAW
    rngs: NDArray[np.uint64]  # [size, 1]


@kernel(allocates=False, inlined=True)
def _begin(batch, i):
    batch.boards[i, :] = EMPTY
    batch.counts[i, :, :] = 0
    batch.empties[i] = batch.boards.shape[1]
    batch.turns[i] = X
    batch.ticks[i] = 0
    batch.results[i] = RUNNING


@kernel(allocates=False)
def _fade(rules, batch, i):
    for cell in range(batch.boards.shape[1]):
        chance = rules.risk.fade[cell]
        if chance > 0.0 and batch.boards[i, cell] != EMPTY and uniform(batch.rngs[i]) < chance:
            unplace(rules, batch.boards[i], batch.counts[i], cell)
            batch.empties[i] += 1


@kernel(allocates=False, inlined=True)
def _play(rules, batch, i, cell):
    """Land a mark on an open cell of game i and pass the turn."""
    mark = np.int64(batch.turns[i])
    batch.turns[i] = 3 - mark
    if rules.risk.is_risky:
        mark = sample_mark(rules.risk, cell, batch.ticks[i], mark, batch.rngs[i])
    if mark != EMPTY:
        batch.empties[i] -= 1
        if place(rules, batch.boards[i], batch.counts[i], cell, mark):
            batch.results[i] = 3 - mark if rules.is_misere else mark
            return
        if batch.empties[i] == 0:
            batch.results[i] = DRAW
            return
    if rules.risk.is_risky and rules.risk.fades:
        _fade(rules, batch, i)


@kernel(allocates=False, inlined=True)
def _try(rules, batch, i, move):
    """Play a move in game i if it is legal; whether it was."""
    cells = batch.boards.shape[1]
    cell, wait = move, 0
    if move >= cells:  # a division takes longer than the rest of a move
        cell, wait = move % cells, move // cells
    if (
        move < 0
        or batch.results[i] != RUNNING
        or batch.boards[i, cell] != EMPTY
        or wait > waits(rules.risk, batch.ticks[i])
    ):
        return False
    batch.ticks[i] += wait
    _play(rules, batch, i, cell)
    return True


@kernel(allocates=False)
def _choose(rules, batch, i):
    """A move of game i, each legal one equally likely."""
    n = below(batch.rngs[i], batch.empties[i])
    cell = 0
    while True:
        if batch.boards[i, cell] == EMPTY:
            if n == 0:
                break
            n -= 1
        cell += 1
    if rules.risk.has_clock:
        longest = waits(rules.risk, batch.ticks[i])
        return cell + batch.boards.shape[1] * below(batch.rngs[i], longest + 1)
    return cell


@kernel(allocates=False, inlined=True)
def _observe(rules, batch, i, side, clock_end, seen, mask):
    """Write what a side sees of game i, and the legal moves of whoever is on turn."""
    cells = batch.boards.shape[1]
    is_running = batch.results[i] == RUNNING
    for cell in range(cells):
        mark = batch.boards[i, cell]
        is_open = is_running and mark == EMPTY
        seen[cell, 0] = mark == side
        seen[cell, 1] = mark == 3 - side
        seen[cell, 2] = is_open
        mask[cell] = is_open
    if rules.risk.has_clock:
        ran = min(1.0, batch.ticks[i] / clock_end)
        longest = waits(rules.risk, batch.ticks[i])
        for cell in range(cells):
            seen[cell, 3] = ran
        for move in range(cells, mask.size):
            mask[move] = mask[move % cells] if move // cells <= longest else 0


@kernel(allocates=False)
def step(
    rules, batch, answers, restarts, moves, sides, clock_end, out_is_legal, out_seen, out_masks
):
    """One step of every game: begin anew where `restarts` holds, else play the move.

    `sides` is the seat of each game's player, or 0 where he plays both. With `answers` the other
    seat moves at random, also first where it has X. An illegal move changes nothing. Then what the
    player sees is written: his seat's view, or that of whoever is on turn.
    """
    for i in range(moves.size):
        side = np.int64(sides[i])
        out_is_legal[i] = True
        if restarts[i]:
            _begin(batch, i)
        else:
            out_is_legal[i] = _try(rules, batch, i, moves[i])
        if answers and batch.results[i] == RUNNING and batch.turns[i] != side:
            _try(rules, batch, i, _choose(rules, batch, i))
        if side == 0:
            side = np.int64(batch.turns[i])
        _observe(rules, batch, i, side, clock_end, out_seen[i], out_masks[i])


@kernel(allocates=False)
def choose(rules, batch, out_moves):
    """A move for every running game, each legal one equally likely."""
    for i in range(out_moves.size):
        if batch.results[i] == RUNNING:
            out_moves[i] = _choose(rules, batch, i)


@kernel(allocates=False)
def observe(rules, batch, sides, clock_end, out_seen, out_masks):
    """Write what each side (X or O) sees, and the legal moves of whoever is on turn."""
    for i in range(sides.size):
        _observe(rules, batch, i, np.int64(sides[i]), clock_end, out_seen[i], out_masks[i])
