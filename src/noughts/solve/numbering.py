"""Boards as base-3 numbers, and the tables of a line game that the sweep reads.

Digit 0 is empty, 1 the mark of the player on turn, 2 the opponent's: `kernels/sweep.py` says why.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.games import Board, Game, Mark, Position
from noughts.games.game import check_two
from noughts.kernels.sweep import LandingOdds, SweepRules

_LOW_CELLS = 8  # 3^8 boards of a block and of its neighbours fit a core's cache
_ONE_BLOCK = 9  # boards of so few cells are a single block: cutting takes longer


def check_numbered(game: Game) -> Game:
    """The game as one whose boards are numbered here: those of lines and two players are."""
    game.lines_for("its boards are not numbered")
    check_two(game, "This numbering of boards")
    return game


def board_number(position: Position) -> int:
    """The number of a position, seen from the player on turn."""
    mine, theirs = own_and_other(position)
    number = 0
    for cell in range(position.game.cells - 1, -1, -1):
        number = 3 * number + (mine >> cell & 1) + 2 * (theirs >> cell & 1)
    return number


def own_and_other(position: Position) -> tuple[int, int]:
    """The cells of the player on turn and of the other one, as bits."""
    check_numbered(position.game)
    x, o = position.masks[:2]
    return (x, o) if position.turn == "X" else (o, x)


def board_letters(number: int, cells: int, turn: str) -> str:
    """The inverse of `board_number`: one letter per cell."""
    letters = ".XO" if turn == "X" else ".OX"
    text = []
    for _ in range(cells):
        number, digit = divmod(number, 3)
        text.append(letters[digit])
    return "".join(text)


def numbered_position(game: Game, number: int, turn: str, tick: int = 0) -> Position:
    """The position that has this number when it is `turn`'s turn."""
    data = {"board": board_letters(number, game.cells, turn), "turn": turn, "tick": tick}
    return game.position_from_dict(data)


def numbered_rows(game: Game, numbers: NDArray[np.int64], turn: Mark) -> NDArray[np.int32]:
    """[boards, row] the positions of these numbers as kernels take them, at the clock's start.

    With n players a number has base n + 1, and digit 2 is the mark of who comes next.
    """
    rows = np.zeros((len(numbers), game.cells + 2), np.int32)
    base, first = game.seats + 1, 1 + game.marks.index(turn)
    digits = numbers[:, None] // base ** np.arange(game.cells) % base
    rows[:, :-2] = np.where(digits == 0, 0, (digits + first - 2) % game.seats + 1)
    rows[:, -2] = first
    return rows


@lru_cache(maxsize=4)
def _swapped_numbers(cells: int) -> NDArray[np.int64]:
    """For every board number that of the same board seen from the other side."""
    numbers = np.zeros(1, dtype=np.int64)
    for cell in range(cells):
        numbers = np.concatenate([numbers, numbers + 2 * 3**cell, numbers + 3**cell])
    return numbers


def seen_from(game: Game, side: int, table: NDArray[Any]) -> NDArray[Any]:
    """A table over boards seen from X (side 0) turned into one seen from `side`, or back."""
    return table if side == 0 else table[_swapped_numbers(game.cells)]


@lru_cache(maxsize=32)
def won_sets(board: Board) -> NDArray[np.bool_]:
    """[2^cells] whether a set of cells holds a line."""
    sets = np.arange(1 << board.cells, dtype=np.int64)
    is_won = np.zeros(len(sets), dtype=np.bool_)
    for mask in board.line_masks:
        is_won |= (sets & mask) == mask
    return is_won


def _low_cells(cells: int) -> int:
    return cells if cells <= _ONE_BLOCK else _LOW_CELLS


def _subset_sums(powers: NDArray[np.int64]) -> NDArray[np.int64]:
    sums = np.zeros(1, dtype=np.int64)
    for power in powers:
        sums = np.concatenate([sums, sums + power])
    return sums


@lru_cache(maxsize=4)
def set_numbers(cells: int) -> NDArray[np.int64]:
    """For every set of cells the number of the board on which they are the player's own."""
    return _subset_sums(3 ** np.arange(cells, dtype=np.int64))


@lru_cache(maxsize=32)
def sweep_rules(game: Game) -> SweepRules:
    """The tables of a game, made once."""
    low = _low_cells(game.cells)
    power = 3 ** np.arange(game.cells, dtype=np.int64)
    return SweepRules(
        cells=game.cells,
        low_cells=low,
        power=power,
        low_sum=_subset_sums(power[:low]),
        high_sum=_subset_sums(power[low:]),
        is_won=won_sets(game.lines_for("it has no table")),
        line_value=-1.0 if game.is_misere else 1.0,
        has_fizzle=game.risk.fizzles,
        has_wait=game.risk.has_clock,
    )


@lru_cache(maxsize=256)
def landing_vectors(game: Game, tick: int = 0) -> LandingOdds:
    """How a mark lands in each cell at one time of the clock."""
    odds = np.array([game.risk.landing_odds(cell, tick) for cell in range(game.cells)])
    own, flip, fizzle = np.ascontiguousarray(odds.T)
    stays = 1.0 - (1.0 - fizzle) * (1.0 - fade_chances(game))
    return LandingOdds(own, flip, fizzle, stays)


def fade_chances(game: Game) -> NDArray[np.float64]:
    """The probability that a mark in each cell is gone at the next turn."""
    return np.array(game.risk.fade)


@lru_cache(maxsize=4)
def block_levels(cells: int) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """(supports, colours) of the blocks of each level, in the order in which they are solved."""
    high = cells - _low_cells(cells)
    levels: list[tuple[list[int], list[int]]] = [([], []) for _ in range(high + 1)]
    for support in range(1 << high):
        supports, colours = levels[high - support.bit_count()]
        lowest = support & -support
        colour = support
        while True:  # of a colouring and its swap take the one whose lowest cell is a 1
            if colour & lowest == 0:
                supports.append(support)
                colours.append(colour)
            if colour == 0:
                break
            colour = (colour - 1) & support
    return [(np.array(supports), np.array(colours)) for supports, colours in levels]
