"""All seats but one as one player: a game for many as a game for two, for searches of two seats.

The seat that stands alone is the first, all others are the second, which so may move several times
in a row; whoever of them wins, the second has won. States, rows and moves are those of the game
itself. To think ahead in this game is the *paranoid* search: it finds what a seat can be sure of,
whatever the others do (N. Sturtevant, R. Korf, "On pruning techniques for multi-player games",
AAAI 2000). What a win of the second is worth must be said besides: 1/(n - 1) where n play.
"""

from typing import Any, NamedTuple

import numpy as np

from noughts.kernels.rules import protocol
from noughts.kernels.rules.codes import DRAW, NOBODY, RUNNING
from noughts.kernels.rules.protocol import Facts, family, hot_verb, verb


class Coalition(NamedTuple):
    """The rules of a game, and who stands alone."""

    rules: Any
    seat: int


def facts(rules: Coalition) -> Facts:
    """Those of the game, for two."""
    return protocol.facts(rules.rules)._replace(seats=2)


def new(rules: Coalition) -> Any:
    """Room for a state of the game."""
    return protocol.new(rules.rules)


@hot_verb
def turn(rules, state):
    seat = protocol.turn(rules.rules, state)
    if seat == NOBODY:
        return np.int64(NOBODY)
    return np.int64(1 if seat == rules.seat else 2)


@hot_verb
def result(rules, state):
    ended = protocol.result(rules.rules, state)
    if ended in (RUNNING, DRAW):
        return np.int64(ended)
    return np.int64(1 if ended == rules.seat else 2)


@verb
def load(rules, row, state):
    return protocol.load(rules.rules, row, state)


@verb
def save(rules, state, row):
    protocol.save(rules.rules, state, row)


@verb
def open_moves(rules, state, moves):
    return protocol.open_moves(rules.rules, state, moves)


@verb
def outcomes(rules, state, move, chances):
    return protocol.outcomes(rules.rules, state, move, chances)


@hot_verb
def land(rules, state, move, outcome):
    return protocol.land(rules.rules, state, move, outcome)


@hot_verb
def note(rules, state, move, undo):
    protocol.note(rules.rules, state, move, undo)


@hot_verb
def take_back(rules, state, move, undo):
    return protocol.take_back(rules.rules, state, move, undo)


@verb
def events(rules, state, found, chances):
    return protocol.events(rules.rules, state, found, chances)


@verb
def occur(rules, state, event):
    return protocol.occur(rules.rules, state, event)


@verb
def revert(rules, state, event):
    return protocol.revert(rules.rules, state, event)


@verb
def key(rules, state, row):
    return protocol.key(rules.rules, state, row)


family(
    Coalition, facts=facts, new=new, turn=turn, result=result, load=load, save=save,
    open_moves=open_moves, outcomes=outcomes, land=land, note=note, take_back=take_back,
    events=events, occur=occur, revert=revert, key=key,
)  # fmt: skip
