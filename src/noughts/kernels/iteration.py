"""Value iteration on the table of all boards: what the sweep does in one pass, step by step.

Needed where boards depend on each other in circles (fading), and to watch convergence. The tables
and their numbering are those of `sweep.py`.
"""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.sweep import over_value, split_board


@kernel()
def fill_over(rules, first, last, out_table):
    """Write the result of every board on which the game is over (0 on illegal ones).

    The number of running boards is returned.
    """
    free = np.empty(rules.cells, np.int64)
    running = 0
    for index in range(first, last):
        own, other, n_free, _ = split_board(rules, index, free)
        is_over, value = over_value(rules, own, other, n_free)
        if is_over:
            out_table[index] = value
        else:
            running += 1
    return running


@kernel()
def backup(rules, odds, first, last, waits, arrivals, out_table, out_report):
    """One step of value iteration for boards first..last-1.

    arrivals: [3^cells] what each board is worth to the player who finds it before his turn.
    out_report: [largest difference, where, sum of differences].
    """
    free = np.empty(rules.cells, np.int64)
    largest, where, total = -1.0, -1, 0.0
    for index in range(first, last):
        own, other, n_free, swapped = split_board(rules, index, free)
        is_over, _ = over_value(rules, own, other, n_free)
        if is_over:
            continue
        best = waits[index] if rules.has_wait else -2.0
        stay = arrivals[swapped]
        for i in range(n_free):
            a = free[i]
            child = swapped + rules.power[a]
            value = (
                -odds.own[a] * arrivals[child + rules.power[a]]
                - odds.flip[a] * arrivals[child]
                - odds.fizzle[a] * stay
            )
            best = max(best, value)
        difference = abs(best - out_table[index])
        total += difference
        if difference > largest:
            largest, where = difference, index
        out_table[index] = best
    out_report[0] = largest
    out_report[1] = where
    out_report[2] = total


@kernel()
def fade_cell(stride, chance, first, last, table):
    """Let one cell fade: its boards become (1-chance)·themselves + chance·the board without it.

    Blocks first..last-1 of 3·stride entries each. Applied cell by cell this is the expectation
    over every set of emptied cells, at 3^cells steps a cell.
    """
    stay = 1.0 - chance
    for block in range(first, last):
        start = 3 * stride * block
        for i in range(start, start + stride):
            empty = chance * table[i]
            table[i + stride] = stay * table[i + stride] + empty
            table[i + 2 * stride] = stay * table[i + 2 * stride] + empty
