"""TD(0) with a quadratic value: games of two seats, played and learned from in one loop.

    v(s) ← v(s) + rate · (r + v(s') - v(s)) · ∂v/∂weights

s is the board as the last player left it, before anything settles, and whose turn it is; v is the
value for X. `backs_up_best` puts max over moves of E[r + v(s')] (min for O) in place of the one
outcome that happened: the target then carries no luck and no exploration.

Looking ahead lets every outcome of every move land and takes it back. A mark on one empty site
changes few inputs, so v(s') comes from them and from the slopes of v before the move.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.learn.features import (
    LINES,
    Inputs,
    Seen,
    clock_value,
    eyes_of,
    list_changes,
    list_inputs,
    list_state,
    new_seen,
    sign_of,
)
from noughts.kernels.learn.quadratic import Step, difference, evaluate, fill_slopes, learn_step
from noughts.kernels.rng import below, uniform
from noughts.kernels.rules.codes import DRAW, EMPTY, NO_ZONE, NOBODY, RUNNING, X
from noughts.kernels.rules.lines import fill_counts
from noughts.kernels.rules.protocol import (
    Row,
    Scratch,
    facts,
    land,
    load,
    new,
    new_scratch,
    note,
    open_moves,
    outcomes,
    pick_outcome,
    result,
    settle,
    take_back,
    turn,
    worth,
)
from noughts.kernels.rules.protocol import sites as fill_sites

SEATS = 2  # one value, whose sign the seat decides

_NEVER = 1e-12  # what rounding may leave of a chance that is none

TIE = 1e-9  # values that are closer than this are equal

SELF = 0
RANDOM = 1


class Course(NamedTuple):
    """How a learner goes about learning."""

    rate: float
    scales: bool  # the step is divided by the gradient's square
    halving: float  # the rate halves after so many games; 0: never
    epsilon: float  # share of random moves in the first game
    epsilon_decay: float  # per game
    epsilon_floor: float
    samples: bool  # looking ahead draws one landing; else it takes the expectation
    backs_up_best: bool
    opponent: int
    seat: int  # of the learner against an opponent: 0 in turns, or X, or O
    longest: int  # turns, where positions may come again


class Desk(NamedTuple):
    """Where a quadratic learner plays, and its room."""

    row: Row  # where games begin
    state: Any
    scratch: Scratch
    seen: Seen
    later: Seen
    spare: Seen
    slopes: NDArray[np.float64]  # [inputs]
    values: NDArray[np.float64]  # [most_open]
    gradient: NDArray[np.float64]  # see `Step`
    touched: NDArray[np.int64]


def new_desk(rules: Any, inputs: Inputs, row: Row, weights: int = 0) -> Desk:
    """Room for games that begin with a row; without weights for one who only plays."""
    sizes = facts(rules)
    return Desk(
        row,
        new(rules),
        new_scratch(sizes),
        new_seen(inputs),
        new_seen(inputs),
        new_seen(inputs),
        np.zeros(inputs.size),
        np.zeros(sizes.most_open),
        np.zeros(weights),
        np.zeros(weights + 1, np.int64),
    )


@kernel(allocates=False)
def rate_in(course, game):
    """The learning rate in the game of this number, from 0."""
    if course.halving > 0.0:
        return course.rate * course.halving / (course.halving + game)
    return course.rate


@kernel(allocates=False)
def epsilon_in(course, game):
    """The share of random moves in the game of this number, from 0."""
    return max(course.epsilon_floor, course.epsilon * course.epsilon_decay**game)


@kernel(allocates=False)
def learns_turn(course, game, seat):
    """Is this the learner's turn in the game of this number?"""
    if course.opponent == SELF:
        return True
    return seat == (course.seat if course.seat != NOBODY else 1 + game % SEATS)


@kernel(allocates=False, inlined=True)
def value_after(rules, inputs, form, desk, seen, after, before):
    """v of a running state in its eyes; `before` (eyes, v, zone, tick) is what `seen` shows."""
    later = desk.spare
    eyes, base, old_zone, old_tick = before
    zone, tick = fill_sites(rules, after, later.sites)
    now, then = later.sites, seen.sites
    changed, site = np.int32(0), np.int32(0)
    for i in range(np.int32(then.size)):  # sums without a branch: the processor takes many at once
        differs = np.int32(now[i] != then[i])
        changed += differs
        site += differs * np.int32(i)
    if changed > 1 or (changed == 1 and seen.sites[site] != EMPTY):
        if inputs.kind == LINES:
            fill_counts(inputs, later.sites, later.counts)
        size = list_inputs(inputs, later, eyes, zone, tick)
        return evaluate(form, 0, later.which, later.value, size)
    index, value, n = later.which, later.value, 0
    if changed == 1:
        n = list_changes(inputs, seen.counts, site, later.sites[site], eyes, index, value)
    if inputs.first_zone >= 0 and zone != old_zone:
        if old_zone != NO_ZONE:
            index[n], value[n] = inputs.first_zone + old_zone, -1.0
            n += 1
        if zone != NO_ZONE:
            index[n], value[n] = inputs.first_zone + zone, 1.0
            n += 1
    if inputs.clock >= 0 and tick != old_tick:
        index[n] = inputs.clock
        value[n] = clock_value(inputs, tick) - clock_value(inputs, old_tick)
        n += 1
    return base + difference(form, 0, desk.slopes, index, value, n)


@kernel(allocates=False)
def look_ahead(rules, inputs, form, desk, state, seen, samples, rng):
    """The value for X of every open move, over its outcomes, as `values`; how many moves."""
    moves, chances, undo = desk.scratch.moves, desk.scratch.chances, desk.scratch.undo
    zone, tick = fill_sites(rules, state, seen.sites)
    if inputs.kind == LINES:
        fill_counts(inputs, seen.sites, seen.counts)
    eyes, base = np.int64(NOBODY), 0.0  # whose turn comes after the move is not known before it
    n_moves = open_moves(rules, state, moves)
    for i in range(n_moves):
        move, total = moves[i], 0.0
        n = outcomes(rules, state, move, chances)
        only = pick_outcome(chances, n, rng) if samples else np.int64(-1)
        for k in range(n):
            chance = chances[k]
            if samples:
                chance = 1.0 if k == only else 0.0
            if chance <= _NEVER:
                continue
            note(rules, state, move, undo)
            state = land(rules, state, move, k)
            found = worth(result(rules, state), X, SEATS)
            if result(rules, state) == RUNNING:
                if eyes_of(turn(rules, state)) != eyes:
                    eyes = np.int64(eyes_of(turn(rules, state)))
                    size = list_inputs(inputs, seen, eyes, zone, tick)
                    base = evaluate(form, 0, seen.which, seen.value, size)
                    fill_slopes(form, 0, seen.which, seen.value, size, desk.slopes)
                before = (eyes, base, zone, tick)
                found = sign_of(inputs, eyes) * value_after(
                    rules, inputs, form, desk, seen, state, before
                )
            total += chance * found
            state = take_back(rules, state, move, undo)
        desk.values[i] = total
    return n_moves


@kernel(allocates=False)
def best_of(values, n, eyes):
    """The first of the best moves for the player on turn; rounding makes none better."""
    best = 0
    sign = 1.0 if eyes == X else -1.0
    for i in range(1, n):
        if sign * (values[i] - values[best]) > TIE:
            best = i
    return best


@kernel(allocates=False)
def td_games(rules, inputs, form, course, desk, span, rng, out_tally):
    """Play and learn from games number span[0], span[0] + 1, …, span[1] of them.

    Adds to tally[0: result X, O, draw; 3: turns; 4: sum of |error|; 5: updates].
    """
    state, scratch, values = desk.state, desk.scratch, desk.values
    seen, later = desk.seen, desk.later
    for game in range(span[0], span[0] + span[1]):
        state = load(rules, desk.row, state)
        ended = np.int64(RUNNING)
        epsilon = epsilon_in(course, game)
        step = Step(rate_in(course, game), course.scales, desk.gradient, desk.touched)
        size = list_state(rules, inputs, state, seen)
        for ply in range(course.longest):
            if ply > 0:
                state = settle(rules, state, rng)
            seat = turn(rules, state)
            sign = sign_of(inputs, eyes_of(seat))
            learns = learns_turn(course, game, seat)
            explores = (not learns) or uniform(rng) < epsilon
            backs_up = learns and course.backs_up_best
            target, move = 0.0, np.int64(0)
            if backs_up or not explores:
                n = look_ahead(rules, inputs, form, desk, state, later, course.samples, rng)
                best = best_of(values, n, eyes_of(seat))
                target, move = values[best], scratch.moves[best]
            if explores:
                move = scratch.moves[below(rng, open_moves(rules, state, scratch.moves))]
            n = outcomes(rules, state, move, scratch.chances)
            state = land(rules, state, move, pick_outcome(scratch.chances, n, rng))
            ended = np.int64(result(rules, state))
            next_size = 0
            if ended == RUNNING:
                next_size = list_state(rules, inputs, state, later)
            if not backs_up:
                target = worth(ended, X, SEATS)
                if ended == RUNNING:
                    target = sign_of(inputs, eyes_of(turn(rules, state))) * evaluate(
                        form, 0, later.which, later.value, next_size
                    )
            error = target - sign * evaluate(form, 0, seen.which, seen.value, size)
            learn_step(form, 0, seen.which, seen.value, size, sign * error, step)
            out_tally[3] += 1
            out_tally[4] += abs(error)
            out_tally[5] += 1
            if ended != RUNNING:
                break
            seen, later = later, seen
            size = next_size
        out_tally[2 if ended in (RUNNING, DRAW) else ended - 1] += 1


@kernel(allocates=False)
def move_values(rules, inputs, form, desk, samples, rng):
    """The value for X of every open move of the desk's position, as `values`; how many moves."""
    state = load(rules, desk.row, desk.state)
    return look_ahead(rules, inputs, form, desk, state, desk.seen, samples, rng)


@kernel(allocates=False)
def td_choices(rules, inputs, form, desk, rows, rng, out_moves):
    """The move of the greedy player in many positions."""
    state = desk.state
    for i in range(rows.shape[0]):
        state = load(rules, rows[i], state)
        n = look_ahead(rules, inputs, form, desk, state, desk.seen, False, rng)
        best = best_of(desk.values, n, eyes_of(turn(rules, state)))
        out_moves[i] = desk.scratch.moves[best]
