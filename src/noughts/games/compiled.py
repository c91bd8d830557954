"""Positions into kernels: the state a position is, and random games and perft from it.

Kernels know the rules of a family, and nothing of what a subclass changed. So they are given only
where neither the game nor its positions override a rule of the class that the family was made for.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.games.game import Game, Position
from noughts.games.line_game import CODES
from noughts.kernels.rng import seeded
from noughts.kernels.rules import protocol
from noughts.kernels.rules.protocol import Facts, Row, Scratch
from noughts.kernels.search import random_games

MAX_TURNS = 10_000  # a playout in which marks keep fading or fizzling is called a draw after this

# What a class may not change and still be played by the kernels of its parent.
_GAME_RULES = ("start", "cells", "lines", "move_at", "cell_of", "wait_of", "risk")
_POSITION_RULES = (
    "board", "open_cells", "moves", "check_move", "play", "outcomes", "landings", "sample",
    "_land", "_landed", "_fade", "_fading_cells",
)  # fmt: skip


class Board(NamedTuple):
    """A position as kernels take it, with room for its state and scratch of the caller's own."""

    rules: Any
    facts: Facts
    row: Row
    state: Any  # room, not yet the position
    scratch: Scratch


def turn_number(position: Position) -> int:
    """The player on turn as kernels take it."""
    return 1 + position.game.marks.index(position.turn)


def has_kernels(game: Game) -> bool:
    """Whether the kernels of the game's family play it by its own rules."""
    return _keeps_rules(type(game), type(game.start()))


@cache
def _keeps_rules(game: type[Game], position: type[Position]) -> bool:
    owner = next((cls for cls in game.__mro__ if "rules" in vars(cls)), Game)
    if owner is Game:
        return False
    family_position = next(cls for cls in position.__mro__ if "to_row" in vars(cls))
    return not (
        _overrides(game, owner, _GAME_RULES)
        or _overrides(position, family_position, _POSITION_RULES)
    )


def _overrides(cls: type, family_class: type, names: tuple[str, ...]) -> bool:
    below = cls.__mro__[: cls.__mro__.index(family_class)]
    return any(name in vars(changed) for changed in below for name in names)


def check_kernels(game: Game) -> None:
    """Refuse a game whose rules no kernel knows."""
    if not has_kernels(game):
        raise NoughtsError(f"{game} has rules of its own, and no kernel plays them.")


def board_array(position: Position) -> NDArray[np.int8]:
    """The marks of a position: EMPTY or a seat in each cell."""
    return np.array([CODES.index(letter) for letter in position.board], dtype=np.int8)


def ultimate_arrays(position: Position) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """`marks` [2, 9] and `owners` [2] of a position of Ultimate."""
    row = np.array(position.to_row())
    return row[:18].reshape(2, 9), row[18:20]


def row_of(position: Position) -> Row:
    """The position as a row of its family."""
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
