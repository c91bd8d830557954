"""Fixed policies on the table of all boards: exact outcomes, best replies, and simulation.

A policy is a table of sets: `masks[b]` holds, as bits, the cells it may choose on board b (numbered
from its own side, as in `sweep.py`), and one of the empty cells among them is drawn in proportion
to `weights`. A table of length one stands for all boards.

Boards are visited in *absolute* numbers here (digit 1 is X, whoever is on turn). Landing a mark
only makes that number larger, so going down from the largest is a pass from the end back.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import DRAW, EMPTY, O, X
from noughts.kernels.rules.risk import sample_mark
from noughts.kernels.sweep import over_value, split_board


class Taste(NamedTuple):
    """Which cells count as best."""

    tie: float  # how much worse than the best one may be
    only_lowest: bool


class Clock(NamedTuple):
    """What waiting means at this tick; empty arrays where there is no clock."""

    now: NDArray[np.float64]  # the probability of playing now
    later: NDArray[np.float64]  # what waiting contributes
    waits: NDArray[np.float64]  # what waiting is worth to the side that replies


class Pass(NamedTuple):
    """One pass over all boards: what is read, and what is written."""

    in_place: bool  # both are one array, and the pass is exact; else a step of an iteration
    after: NDArray[np.float64]
    out: NDArray[np.float64]
    out_played: NDArray[np.float64]  # with a clock: what playing now gives


@kernel(allocates=False)
def _choose_cells(odds, free, n_free, values, lowest_value, only_lowest):
    """The cells of at least this value, as bits.

    A move that is sure to leave its cell empty is only taken when no other is as good: two players
    who pass because a win will not run away would never collect it.
    """
    lands = False
    for i in range(n_free):
        lands = lands or (values[i] >= lowest_value and odds.stays[free[i]] < 1.0)
    mask = np.uint32(0)
    for i in range(n_free):
        if values[i] >= lowest_value and (odds.stays[free[i]] < 1.0 or not lands):
            mask |= np.uint32(1 << free[i])
            if only_lowest:
                break
    return mask


@kernel()
def best_cells(rules, odds, arrivals, taste, first, last, out_masks, out_values):
    """The best cells of each running board for a move made now, and its value; 0 where over."""
    free = np.empty(rules.cells, np.int64)
    values = np.empty(rules.cells)
    for index in range(first, last):
        own, other, n_free, swapped = split_board(rules, index, free)
        is_over, _ = over_value(rules, own, other, n_free)
        out_masks[index] = 0
        if is_over:
            out_values[index] = 0.0
            continue
        best = -2.0
        for i in range(n_free):
            a = free[i]
            child = swapped + rules.power[a]
            values[i] = (
                -odds.own[a] * arrivals[child + rules.power[a]]
                - odds.flip[a] * arrivals[child]
                - odds.fizzle[a] * arrivals[swapped]
            )
            best = max(best, values[i])
        out_values[index] = best
        lowest = best - taste.tie
        out_masks[index] = _choose_cells(odds, free, n_free, values, lowest, taste.only_lowest)


@kernel(allocates=False)
def _allowed(masks, number):
    return np.int64(masks[number] if masks.size > 1 else masks[0])


@kernel(allocates=False)
def _total_weight(weights, mask, free, n_free):
    total = 0.0
    for i in range(n_free):
        if (mask >> free[i]) & 1:
            total += weights[free[i]]
    return total


@kernel(allocates=False)
def _move_odds(odds, power, policy, number, free, n_free, index, side, after, outcome):
    """(probability of the outcome through a landing, probability that the move fizzles)."""
    masks, weights = policy
    mask = _allowed(masks, number)
    total = _total_weight(weights, mask, free, n_free)
    landed, stays = 0.0, 0.0
    for i in range(n_free):
        a = free[i]
        if (mask >> a) & 1 and weights[a] > 0.0:
            p = weights[a] / total
            own = index + (1 + side) * power[a]
            flipped = index + (2 - side) * power[a]
            landed += p * (
                odds.own[a] * after[1 - side, outcome, own]
                + odds.flip[a] * after[1 - side, outcome, flipped]
            )
            stays += p * odds.fizzle[a]
    return landed, stays


@kernel()
def evaluate(rules, odds, policies, clock, run):
    """The odds of both results and of a draw on every board, for two fixed policies.

    run.out, run.after: [2, 3, 3^cells] by turn and outcome (X wins, O wins, draw). In place one
    pass from the last board to the first is exact. The largest change is returned.
    With a clock, clock.now is [2, 3^cells] and clock.later [2, 3, 3^cells].
    """
    (x_policy, o_policy), now, later = policies, clock.now, clock.later
    in_place, after, out, out_played = run.in_place, run.after, run.out, run.out_played
    free = np.empty(rules.cells, np.int64)
    change = 0.0
    for index in range(out.shape[2] - 1, -1, -1):
        x, o, n_free, swapped = split_board(rules, index, free)
        is_over, value = over_value(rules, x, o, n_free)
        for outcome in range(3):
            if is_over:
                sure = (outcome == 0 and value > 0) or (outcome == 1 and value < 0)
                sure = sure or (outcome == 2 and value == 0)
                out[0, outcome, index] = 1.0 if sure else 0.0
                out[1, outcome, index] = 1.0 if sure else 0.0
                continue
            a, a_stays = _move_odds(
                odds, rules.power, x_policy, index, free, n_free, index, 0, after, outcome
            )
            b, b_stays = _move_odds(
                odds, rules.power, o_policy, swapped, free, n_free, index, 1, after, outcome
            )
            p, q, a_later, b_later = 1.0, 1.0, 0.0, 0.0
            if rules.has_wait:
                p, q = now[0, index], now[1, index]
                a_later, b_later = later[0, outcome, index], later[1, outcome, index]
            a_played, b_played = a, b
            if in_place:
                # x = p·(a + a_stays·y) + a_later and y = q·(b + b_stays·x) + b_later
                loop = p * a_stays * q * b_stays
                x_turn = 0.0
                if loop < 1.0:
                    x_turn = (p * a + a_later + p * a_stays * (q * b + b_later)) / (1.0 - loop)
                o_turn = q * (b + b_stays * x_turn) + b_later
                a_played += a_stays * o_turn
                b_played += b_stays * x_turn
            else:
                a_played += a_stays * after[1, outcome, index]
                b_played += b_stays * after[0, outcome, index]
                x_turn = p * a_played + a_later
                o_turn = q * b_played + b_later
            if rules.has_wait:
                out_played[0, outcome, index] = a_played
                out_played[1, outcome, index] = b_played
            change = max(change, abs(x_turn - out[0, outcome, index]))
            change = max(change, abs(o_turn - out[1, outcome, index]))
            out[0, outcome, index] = x_turn
            out[1, outcome, index] = o_turn
    return change


@kernel()
def respond(rules, odds, side, policy, clock, run, taste, out_masks):
    """The best reply of one side (0: X, 1: O) to a fixed policy of the other.

    run.out, run.after: [2, 1, 3^cells] by turn, the value for the side that replies; out_masks:
    [3^cells] its best cells, on boards numbered from its side. clock.waits is its own, [3^cells];
    clock.now and clock.later, [3^cells], are the opponent's.
    """
    now, later, waits = clock.now, clock.later, clock.waits
    in_place, after, out, out_played = run.in_place, run.after, run.out, run.out_played
    free = np.empty(rules.cells, np.int64)
    values = np.empty(rules.cells)
    landed = np.empty(rules.cells)
    change = 0.0
    sign = 1.0 if side == 0 else -1.0
    for index in range(out.shape[2] - 1, -1, -1):
        x, o, n_free, swapped = split_board(rules, index, free)
        is_over, value = over_value(rules, x, o, n_free)
        if is_over:
            out[0, 0, index] = sign * value
            out[1, 0, index] = sign * value
            continue
        mine, theirs = (index, swapped) if side == 0 else (swapped, index)
        c, c_stays = _move_odds(
            odds, rules.power, policy, theirs, free, n_free, index, 1 - side, after, 0
        )
        q, c_later = (now[index], later[index]) if rules.has_wait else (1.0, 0.0)
        best = -2.0
        for i in range(n_free):
            a = free[i]
            landed[i] = (
                odds.own[a] * after[1 - side, 0, index + (1 + side) * rules.power[a]]
                + odds.flip[a] * after[1 - side, 0, index + (2 - side) * rules.power[a]]
            )
            fizzle = odds.fizzle[a]
            values[i] = landed[i] + fizzle * after[1 - side, 0, index]
            value = values[i]
            if in_place:  # as if he made this move again and again until it lands
                loop = fizzle * q * c_stays
                value = 0.0
                if loop < 1.0:
                    value = (landed[i] + fizzle * (q * c + c_later)) / (1.0 - loop)
            best = max(best, value)
        chosen = max(best, waits[index]) if rules.has_wait else best
        played = c + c_stays * (chosen if in_place else after[side, 0, index])
        reply = q * played + c_later
        if in_place:  # after a fizzle he need not repeat himself, so the moves are weighed again
            best = -2.0
            for i in range(n_free):
                values[i] = landed[i] + odds.fizzle[free[i]] * reply
                best = max(best, values[i])
        lowest = best - taste.tie
        out_masks[mine] = _choose_cells(odds, free, n_free, values, lowest, taste.only_lowest)
        if rules.has_wait:
            out_played[side, 0, index] = best
            out_played[1 - side, 0, index] = played
        change = max(change, abs(chosen - out[side, 0, index]))
        change = max(change, abs(reply - out[1 - side, 0, index]))
        out[side, 0, index] = chosen
        out[1 - side, 0, index] = reply
    return change


@kernel(allocates=False)
def _draw_cell(policy, number, free, n_free, rng):
    masks, weights = policy
    mask = _allowed(masks, number)
    target = uniform(rng) * _total_weight(weights, mask, free, n_free)
    chosen = -1
    for i in range(n_free):
        a = free[i]
        if (mask >> a) & 1 and weights[a] > 0.0:
            chosen = a
            target -= weights[a]
            if target < 0.0:
                break
    return chosen


@kernel(allocates=False)
def _wait(risk, waits, tick, number, rng):
    """How long a policy waits; uniform when it has no table."""
    if not risk.has_clock:
        return 0
    longest = risk.longest_wait
    if risk.last_tick >= 0:
        longest = min(longest, risk.last_tick - tick)
    if waits.size == 1:
        return below(rng, longest + 1)
    return waits[tick, number]


@kernel()
def simulate(rules, risk, x_policy, o_policy, games, max_turns, rng, out_tally):
    """Play games between two policies from the empty board; adds to tally[X, O, DRAW].

    A policy is (masks, weights, waits) here, with masks [ticks, 3^cells] or [1, 1], and waits
    [ticks, 3^cells], or [1, 1] for uniform waiting.
    """
    x_masks, x_weights, x_waits = x_policy
    o_masks, o_weights, o_waits = o_policy
    free = np.empty(rules.cells, np.int64)
    for _ in range(games):
        index, turn, tick, turns = 0, X, 0, 0
        x, o, n_free, swapped = split_board(rules, index, free)
        result = DRAW
        while turns < max_turns:
            turns += 1
            if turn == X:
                tick += _wait(risk, x_waits, tick, index, rng)
                row = x_masks[tick] if x_masks.size > 1 else x_masks[0]
                cell = _draw_cell((row, x_weights), index, free, n_free, rng)
            else:
                tick += _wait(risk, o_waits, tick, swapped, rng)
                row = o_masks[tick] if o_masks.size > 1 else o_masks[0]
                cell = _draw_cell((row, o_weights), swapped, free, n_free, rng)
            mark = sample_mark(risk, cell, tick, turn, 2, rng) if risk.is_risky else turn
            turn = X + O - turn
            if mark != EMPTY:
                index += mark * rules.power[cell]
                x, o, n_free, swapped = split_board(rules, index, free)
                is_over, value = over_value(rules, x, o, n_free)
                if is_over:
                    if value != 0.0:
                        result = X if value > 0.0 else O
                    break
            if risk.fades:
                for c in range(rules.cells):
                    digit = (index // rules.power[c]) % 3
                    if digit != 0 and risk.fade[c] > 0.0 and uniform(rng) < risk.fade[c]:
                        index -= digit * rules.power[c]
                x, o, n_free, swapped = split_board(rules, index, free)
        out_tally[2 if result == DRAW else result - 1] += 1
