"""Positions into kernels: the state a position is, and random games and perft from it.

Kernels know the rules of a family, and nothing of what a subclass changed. So they are given only
where neither the game nor its positions override a rule of the class that the family was made for.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.games.game import Game, Position, Result
from noughts.kernels.rng import seeded
from noughts.kernels.rules import protocol
from noughts.kernels.rules.codes import DRAW, RUNNING
from noughts.kernels.rules.protocol import Facts, Row, Scratch
from noughts.kernels.search import random_games
from noughts.plugins import unloadable

MAX_TURNS = 10_000  # a playout in which marks keep fading or fizzling is called a draw after this


class Board(NamedTuple):
    """A position as kernels take it, with room for its state and scratch of the caller's own."""

    rules: Any
    facts: Facts
    row: Row
    state: Any  # room, not yet the position
    scratch: Scratch


def result_of(game: Game, code: int) -> Result | None:
    """The result that kernels call by this number."""
    if code == RUNNING:
        return None
    return "draw" if code == DRAW else game.marks[code - 1]


def has_kernels(game: Game) -> bool:
    """Whether the kernels of the game's family play it by its own rules."""
    return game.has_kernels


def check_kernels(game: Game) -> None:
    """Refuse a game whose rules no kernel knows, or whose kernels cannot be loaded."""
    game.check_kernels()
    try:
        game.rules  # noqa: B018 - a module of another package may be imported here
    except (ImportError, SyntaxError) as error:
        raise unloadable("game", str(game).partition(":")[0], error) from None


def row_of(position: Position) -> Row:
    """The position as a row of its family."""
    position.check_kept()
    return np.array(position.to_row(), np.int32)


def compiled(position: Position, is_random: bool = False) -> Board:
    """The position for the kernels of its family; `is_random`: as random games read it."""
    check_kernels(position.game)
    rules = position.game.random_rules if is_random else position.game.rules
    facts = protocol.facts(rules)
    row, state = row_of(position), protocol.new(rules)
    return Board(rules, facts, row, state, protocol.new_scratch(facts))


def run_playouts(position: Position, games: int, seed: int, index: int) -> NDArray[np.int64]:
    """One batch of random games: how many each seat won, were drawn, and the turns of all."""
    rules, facts, row, start, scratch = compiled(position, is_random=True)
    tally = np.zeros(facts.seats + 2, np.int64)
    rng, state = seeded(seed, index), protocol.new(rules)
    random_games.playouts(rules, row, start, state, games, MAX_TURNS, scratch, rng, tally)
    return tally


def run_perft(position: Position, depth: int) -> int:
    """The sequences of `depth` moves from a running position."""
    rules, _, row, state, scratch = compiled(position, is_random=True)
    rules = protocol.calm(rules)
    facts = protocol.facts(rules)
    moves = np.zeros((depth, facts.most_open + 2), np.int64)
    undo = np.zeros((depth, facts.undo_size), np.int64)
    return int(random_games.perft(rules, row, state, scratch, moves, undo))
