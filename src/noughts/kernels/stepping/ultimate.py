"""Many games of Ultimate, one step of each; the same kernels as in `lines.py`.

Observations are [81, planes] numbers in [0, 1], seen from a side:

    0  its own marks        1  the other side's marks       2  the cells open to whoever is on turn
    3  the mini boards it has won       4  those that the other side has won
    5  how much of the clock has run, in games with one
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import EMPTY, RUNNING, X
from noughts.kernels.rules.risk import sample_mark, waits
from noughts.kernels.ultimate import (
    ANYWHERE,
    count_of,
    final_result,
    forced_by,
    free_cells,
    is_stuck,
    nth_of,
    place,
)


class UltimateBatch(NamedTuple):
    """The state of `size` games."""

    marks: NDArray[np.int64]  # [size, 2, 9] the cells of each side in each mini board, as bits
    owners: NDArray[np.int64]  # [size, 2] the mini boards of each side, as bits
    forced: NDArray[np.int64]  # [size] a mini board, or ANYWHERE
    turns: NDArray[np.int8]  # [size] X or O
    ticks: NDArray[np.int64]  # [size]
    results: NDArray[np.int8]  # [size] RUNNING, X, O or DRAW
    rngs: NDArray[np.uint64]  # [size, 1]


@kernel(allocates=False, inlined=True)
def _begin(batch, i):
    batch.marks[i, :, :] = 0
    batch.owners[i, :] = 0
    batch.forced[i] = ANYWHERE
    batch.turns[i] = X
    batch.ticks[i] = 0
    batch.results[i] = RUNNING


@kernel(allocates=False)
def _fade(rules, batch, i):
    decided = batch.owners[i, 0] | batch.owners[i, 1]
    for cell in range(81):
        mini, bit = cell // 9, 1 << (cell % 9)
        filled = (batch.marks[i, 0, mini] | batch.marks[i, 1, mini]) & bit
        chance = rules.risk.fade[cell]
        if filled and chance > 0.0 and not (decided >> mini) & 1:
            if uniform(batch.rngs[i]) < chance:
                batch.marks[i, 0, mini] &= ~bit
                batch.marks[i, 1, mini] &= ~bit


@kernel(allocates=False, inlined=True)
def _play(rules, batch, i, mini, cell):
    """Land a mark on an open cell of game i and pass the turn."""
    mark = np.int64(batch.turns[i])
    batch.turns[i] = 3 - mark
    marks, owners = batch.marks[i], batch.owners[i]
    if rules.risk.is_risky:
        mark = sample_mark(rules.risk, 9 * mini + cell, batch.ticks[i], mark, batch.rngs[i])
    if mark != EMPTY:
        if place(rules, marks, owners, mini, cell, mark):
            batch.results[i] = mark
        elif is_stuck(rules, marks, owners):
            batch.results[i] = final_result(rules, owners)
    if batch.results[i] != RUNNING:
        batch.forced[i] = ANYWHERE
        return
    if rules.risk.is_risky and rules.risk.fades:
        _fade(rules, batch, i)
    batch.forced[i] = forced_by(rules, marks, owners, cell)


@kernel(allocates=False, inlined=True)
def _open_cells(rules, batch, i, mini):
    """The cells of a mini board that the player on turn may choose, as nine bits."""
    if batch.results[i] != RUNNING or (batch.forced[i] != ANYWHERE and batch.forced[i] != mini):
        return 0
    return free_cells(rules, batch.marks[i], batch.owners[i], mini)


@kernel(allocates=False, inlined=True)
def _try(rules, batch, i, move):
    """Play a move in game i if it is legal; whether it was."""
    mini, cell, wait = move % 81 // 9, move % 9, move // 81
    if (
        move < 0
        or (_open_cells(rules, batch, i, mini) >> cell) & 1 == 0
        or wait > waits(rules.risk, batch.ticks[i])
    ):
        return False
    batch.ticks[i] += wait
    _play(rules, batch, i, mini, cell)
    return True


@kernel(allocates=False)
def _choose(rules, batch, i):
    """A move of game i, each legal one equally likely."""
    total = 0
    for mini in range(9):
        total += count_of(rules, _open_cells(rules, batch, i, mini))
    n = below(batch.rngs[i], total)
    mini = 0
    while n >= count_of(rules, _open_cells(rules, batch, i, mini)):
        n -= count_of(rules, _open_cells(rules, batch, i, mini))
        mini += 1
    move = 9 * mini + nth_of(rules, _open_cells(rules, batch, i, mini), n)
    if rules.risk.has_clock:
        return move + 81 * below(batch.rngs[i], waits(rules.risk, batch.ticks[i]) + 1)
    return move


@kernel(allocates=False, inlined=True)
def _observe(rules, batch, i, side, clock_end, seen, mask):
    """Write what a side sees of game i, and the legal moves of whoever is on turn."""
    own = side - 1
    for cell in range(81):
        mini, bit = cell // 9, cell % 9
        is_open = (_open_cells(rules, batch, i, mini) >> bit) & 1
        seen[cell, 0] = (batch.marks[i, own, mini] >> bit) & 1
        seen[cell, 1] = (batch.marks[i, 1 - own, mini] >> bit) & 1
        seen[cell, 2] = is_open
        seen[cell, 3] = (batch.owners[i, own] >> mini) & 1
        seen[cell, 4] = (batch.owners[i, 1 - own] >> mini) & 1
        mask[cell] = is_open
    if rules.risk.has_clock:
        ran = min(1.0, batch.ticks[i] / clock_end)
        longest = waits(rules.risk, batch.ticks[i])
        for cell in range(81):
            seen[cell, 5] = ran
        for move in range(81, mask.size):
            mask[move] = mask[move % 81] if move // 81 <= longest else 0


@kernel(allocates=False)
def step(
    rules, batch, answers, restarts, moves, sides, clock_end, out_is_legal, out_seen, out_masks
):
    """One step of every game, as in `lines.step`."""
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
