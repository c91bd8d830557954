"""What choices lose on the exact table of a line game, and which boards a game can lead to.

Boards are base-3 numbers. They are numbered from the player on turn (see `kernels/sweep.py`) where
choices are judged, and absolutely (digit 1 is X) where play is followed forward: a landing only
makes that number larger, so one ascending pass meets every board after all that lead to it.
"""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.sweep import over_value, split_board


@kernel()
def mark_running(rules, out_marks):
    """Mark every running board for both turns; out_marks: [2, 3^cells]."""
    free = np.empty(rules.cells, np.int64)
    for index in range(out_marks.shape[1]):
        ones, twos, n_free, _ = split_board(rules, index, free)
        is_over, _ = over_value(rules, ones, twos, n_free)
        out_marks[0, index] = not is_over
        out_marks[1, index] = not is_over


@kernel()
def mark_reachable(rules, odds, out_marks):
    """Mark the running boards that play without fading leads to; out_marks: [2, 3^cells], zeros."""
    free = np.empty(rules.cells, np.int64)
    out_marks[0, 0] = True
    for index in range(out_marks.shape[1]):
        if not (out_marks[0, index] or out_marks[1, index]):
            continue
        ones, twos, n_free, _ = split_board(rules, index, free)
        is_over, _ = over_value(rules, ones, twos, n_free)
        if is_over:
            out_marks[0, index] = False
            out_marks[1, index] = False
            continue
        for i in range(n_free):
            if odds.fizzle[free[i]] > 0.0:  # the same board, and the other's turn
                out_marks[0, index] = True
                out_marks[1, index] = True
        for side in range(2):
            if not out_marks[side, index]:
                continue
            for i in range(n_free):
                cell = free[i]
                if odds.own[cell] > 0.0:
                    out_marks[1 - side, index + (1 + side) * rules.power[cell]] = True
                if odds.flip[cell] > 0.0:
                    out_marks[1 - side, index + (2 - side) * rules.power[cell]] = True


@kernel()
def swap_numbers(rules, numbers):
    """The numbers of the same boards seen from the other side."""
    free = np.empty(rules.cells, np.int64)
    out = np.empty_like(numbers)
    for i in range(numbers.size):
        out[i] = split_board(rules, numbers[i], free)[3]
    return out


@kernel(allocates=False)
def _value_of(rules, odds, arrivals, swapped, cell):
    child = swapped + rules.power[cell]
    return (
        -odds.own[cell] * arrivals[child + rules.power[cell]]
        - odds.flip[cell] * arrivals[child]
        - odds.fizzle[cell] * arrivals[swapped]
    )


@kernel()
def choice_losses(rules, odds, arrivals, tie, numbers, moves, out_losses, out_best):
    """What each choice loses against the best, and the lowest best cell; -1 for a closed cell."""
    free = np.empty(rules.cells, np.int64)
    for i in range(numbers.size):
        _, _, n_free, swapped = split_board(rules, numbers[i], free)
        best, chosen = -2.0, -2.0
        for j in range(n_free):
            value = _value_of(rules, odds, arrivals, swapped, free[j])
            if value > best + tie:
                out_best[i] = free[j]
            best = max(best, value)
            if free[j] == moves[i]:
                chosen = value
        if chosen == -2.0:
            out_losses[i] = -1.0
        else:
            out_losses[i] = best - chosen if best - chosen > tie else 0.0


@kernel()
def results_of(rules, numbers, out_values):
    """The value for the player on turn of boards that are over; 2 where the game runs."""
    free = np.empty(rules.cells, np.int64)
    for i in range(numbers.size):
        ones, twos, n_free, _ = split_board(rules, numbers[i], free)
        is_over, value = over_value(rules, ones, twos, n_free)
        out_values[i] = value if is_over else 2.0
