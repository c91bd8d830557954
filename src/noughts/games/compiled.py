"""Positions into kernels: the arrays they take, and the calls for each kind of game."""

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.games.game import Position
from noughts.games.line_game import LinePosition
from noughts.games.ultimate import FULL, UltimatePosition
from noughts.kernels import lines, masks, ultimate
from noughts.kernels.rng import seeded
from noughts.kernels.rules import O, X

MAX_TURNS = 10_000  # a playout in which marks keep fading or fizzling is called a draw after this


def turn_number(position: Position) -> int:
    """The player on turn as kernels take it."""
    return X if position.turn == "X" else O


def board_array(position: LinePosition) -> NDArray[np.int8]:
    """The board as kernels take it: EMPTY, X or O in each cell."""
    return np.array([".XO".index(letter) for letter in position.board], dtype=np.int8)


def ultimate_arrays(position: UltimatePosition) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """`marks` [2, 9] and `owners` [2] as kernels take them."""
    masks = (position.x_mask, position.o_mask)
    marks = np.array([[mask >> 9 * mini & FULL for mini in range(9)] for mask in masks])
    return marks, np.array([position.x_minis, position.o_minis])


def run_playouts(position: Position, games: int, seed: int, index: int) -> NDArray[np.int64]:
    """One batch of random games: how many X won, O won, were drawn, and the turns of all."""
    tally = np.zeros(4, np.int64)
    rng, turn, tick = seeded(seed, index), turn_number(position), position.tick
    if isinstance(position, LinePosition):
        line_rules, board = position.game.rules, board_array(position)
        if line_rules.line_masks.size and not line_rules.risk.is_risky:
            is_misere = line_rules.is_misere
            masks.playouts(line_rules.line_masks, is_misere, board, turn, games, rng, tally)
        else:
            lines.playouts(line_rules, board, turn, tick, games, MAX_TURNS, rng, tally)
    elif isinstance(position, UltimatePosition):
        marks, owners = ultimate_arrays(position)
        rules, forced = position.game.rules, position.forced
        ultimate.playouts(rules, marks, owners, forced, turn, tick, games, MAX_TURNS, rng, tally)
    else:
        raise _no_kernel(position)
    return tally


def run_perft(position: Position, depth: int) -> int:
    """The sequences of `depth` moves from a running position."""
    turn = turn_number(position)
    if isinstance(position, LinePosition):
        rules, board = position.game.rules, board_array(position)
        counts = np.empty((2, len(rules.line_length)), np.uint8)
        lines.fill_counts(rules, board, counts)
        return int(lines.perft(rules, board, counts, turn, depth))
    if isinstance(position, UltimatePosition):
        marks, owners = ultimate_arrays(position)
        return int(ultimate.perft(position.game.rules, marks, owners, position.forced, turn, depth))
    raise _no_kernel(position)


def _no_kernel(position: Position) -> NoughtsError:
    return NoughtsError(f"{position.game} has rules of its own, and no kernel plays them.")
