"""Many games, one step of each: what reinforcement learning calls an environment. For every family.

A step begins a game or plays a move; then chance does what is due and, if it is asked for, the
other seats move at random until it is the player's turn again, which may take several moves or
none. A move that is not legal changes nothing and is reported, so the caller decides what it means.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.rules import protocol
from noughts.kernels.rules.codes import NOBODY, RUNNING
from noughts.kernels.rules.protocol import (
    Facts,
    Row,
    Scratch,
    at,
    copy,
    hot_verb,
    is_open,
    keep,
    load,
    observe,
    random_move,
    result,
    sample,
    save,
    turn,
)


class Games(NamedTuple):
    """The games of a batch, and room for the verbs."""

    batch: Any  # as the family keeps it
    turns: NDArray[np.int8]  # [size] the seat on turn
    results: NDArray[np.int8]  # [size]; who writes here from outside ends a game
    rngs: NDArray[np.uint64]  # [size, 1]
    first: Row  # where games begin
    start: Any  # room for that state
    scratch: Scratch


class Seen(NamedTuple):
    """What a step tells of every game."""

    is_legal: NDArray[np.bool_]  # [size] was the move?
    planes: NDArray[np.float32]  # [size, places, planes]
    masks: NDArray[np.int8]  # [size, moves] what whoever is on turn may do


def new_games(rules: Any, first: Row, size: int) -> Games:
    """Room for `size` games that begin with a row; `step` begins them."""
    facts = protocol.facts(rules)
    return Games(
        protocol.new_batch(rules, size),
        np.zeros(size, np.int8),
        np.zeros(size, np.int8),
        np.zeros((size, 1), np.uint64),
        first,
        protocol.new(rules),
        protocol.new_scratch(facts),
    )


def new_seen(facts: Facts, size: int) -> Seen:
    """Room for what a step tells."""
    return Seen(
        np.empty(size, np.bool_),
        np.empty((size, *protocol.seen_shape(facts)), np.float32),
        np.empty((size, facts.moves), np.int8),
    )


@hot_verb
def _is_others(rules, state, side, answers):
    """Is it the turn of chance, or of somebody who answers the player?"""
    seat = turn(rules, state)
    return seat == NOBODY or (answers and side != NOBODY and seat != side)


@hot_verb
def _look_at(rules, state, games, i, side, out):
    """Write what a seat, or whoever is on turn, sees of game i; and what the latter may do."""
    seat = side
    if seat == NOBODY:
        seat = max(np.int64(1), np.int64(games.turns[i]))
    is_running = games.results[i] == RUNNING
    observe(rules, state, seat, is_running, games.scratch, out.planes[i], out.masks[i])


@kernel(allocates=False)
def look(rules, games, sides, out):
    """Write what each seat, or whoever is on turn, sees; and what whoever is on turn may do."""
    for i in range(sides.size):
        _look_at(rules, at(rules, games.batch, i), games, i, np.int64(sides[i]), out)


@kernel(allocates=False)
def step(rules, games, restarts, moves, sides, answers, out):
    """One step of every game: begin anew where `restarts` holds, else play the move.

    `sides` is the seat of each game's player, or 0 where he plays all of them. With `answers` the
    other seats move at random, also first. Then what the player sees is written: his seat's view,
    or that of whoever is on turn.
    """
    batch, turns, results, scratch = games.batch, games.turns, games.results, games.scratch
    start = load(rules, games.first, games.start)
    for i in range(moves.size):
        side, rng = np.int64(sides[i]), games.rngs[i]
        is_running = results[i] == RUNNING
        state, move = at(rules, batch, i), moves[i]
        begins = restarts[i]
        is_legal = begins or (is_running and is_open(rules, state, move, scratch))
        if begins:
            state = copy(rules, start, state, scratch.row)
        if is_legal:
            is_due = not begins
            while True:
                if is_due:
                    state = sample(rules, state, move, scratch, rng)
                if result(rules, state) != RUNNING or not _is_others(rules, state, side, answers):
                    break
                move, is_due = random_move(rules, state, scratch, rng), True
            keep(rules, batch, i, state)
            turns[i], results[i] = turn(rules, state), result(rules, state)
        out.is_legal[i] = is_legal
        _look_at(rules, state, games, i, side, out)


@kernel(allocates=False)
def choose(rules, games, out_moves):
    """A move for every running game, each legal one equally likely."""
    for i in range(out_moves.size):
        if games.results[i] == RUNNING:
            state = at(rules, games.batch, i)
            out_moves[i] = random_move(rules, state, games.scratch, games.rngs[i])


@kernel(allocates=False)
def write_row(rules, games, i, out_row):
    """Game i as a row."""
    save(rules, at(rules, games.batch, i), out_row)
