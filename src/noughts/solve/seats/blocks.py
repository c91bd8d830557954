"""Boards of n players as base-(n+1) numbers, in blocks that are solved at once.

Digit 0 is empty, 1 the mark of the player on turn, 2 that of the next one, and so on: a board is
seen from the player on turn. Every game of ours is fair to all seats, so one table serves all
turns, whether or not the turn follows from the count of marks. After a move the next player sees
the board *turned*: digit d becomes d - 1, and 1 becomes n.

A *block* is all running boards with the same filled cells. Whatever lands leads to a block with one
more filled cell; so blocks are done by the number of their filled cells, the fullest first, and the
boards of a block are rows of arrays: numpy does them all at once, compiled or not.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.games.game import Game, Mark, Position
from noughts.games.line_game import CODES
from noughts.solve.numbering import won_sets
from noughts.solve.seats.limits import board_count

Numbers = NDArray[np.int64]
Rows = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Block:
    """The running boards with the same filled cells, ascending."""

    seats: int
    free: tuple[int, ...]
    numbers: Numbers  # [boards]
    turned: Numbers  # [boards] as the next player sees them

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def turned_at(self) -> Numbers:
        """[boards] where in this block the turned board stands, of a block that is whole."""
        return np.searchsorted(self.numbers, self.turned)

    def pieces(self, size: int) -> "Iterator[tuple[slice, Block]]":
        """The block in pieces of at most so many boards."""
        for first in range(0, len(self), size):
            part = slice(first, first + size)
            yield part, Block(self.seats, self.free, self.numbers[part], self.turned[part])


@dataclass(frozen=True, eq=False)
class Ended:
    """The boards of a block on which somebody has a line."""

    numbers: Numbers
    winner: Numbers  # as a digit less one; -1: two have a line, which cannot come about


@dataclass(frozen=True)
class Boards:
    """All boards of one game of n players."""

    game: Game

    @property
    def seats(self) -> int:
        return self.game.seats

    @cached_property
    def count(self) -> int:
        return board_count(self.game)

    @cached_property
    def power(self) -> Numbers:
        """[cells] the place value of each cell."""
        return (self.seats + 1) ** np.arange(self.game.cells, dtype=np.int64)

    @cached_property
    def running(self) -> Numbers:
        """The numbers of all boards that run."""
        return np.concatenate([block.numbers for block, _ in self.blocks()])

    def blocks(self) -> Iterator[tuple[Block, Ended]]:
        """Every block with the boards beside it that have ended, the fullest first."""
        sets = sorted(range(1 << self.game.cells), key=lambda filled: -filled.bit_count())
        for filled in sets:
            yield self.block(filled)

    def block(self, filled: int) -> tuple[Block, Ended]:
        """The boards on which these cells are filled."""
        seats, digits = self.seats, np.arange(1, self.seats + 1)
        numbers, turned = np.zeros(1, np.int64), np.zeros(1, np.int64)
        held = np.zeros((seats, 1), np.int32)  # the cells of each digit as bits
        for cell in range(self.game.cells - 1, -1, -1):
            if filled >> cell & 1:
                power = self.power[cell]
                numbers = np.add.outer(numbers, power * digits).ravel()
                turned = np.add.outer(turned, power * np.roll(digits, 1)).ravel()
                bits = np.eye(seats, dtype=np.int32) << cell
                held = (held[:, :, None] | bits[:, None, :]).reshape(seats, -1)
        has_line = won_sets(self.game.lines_for("it has no table"))[held]
        lines = has_line.sum(axis=0)
        free = tuple(cell for cell in range(self.game.cells) if not filled >> cell & 1)
        runs = (lines == 0) & bool(free)
        over = lines > 0
        winner = np.where(lines[over] == 1, has_line[:, over].argmax(axis=0), -1)
        block = Block(seats, free, numbers[runs], turned[runs])
        return block, Ended(numbers[over], winner)


@lru_cache(maxsize=8)
def boards_of(game: Game) -> Boards:
    """The boards of a game, whose small tables are made once."""
    return Boards(game)


def seat_number(position: Position) -> int:
    """The number of a position, seen from the player on turn."""
    game = position.game
    game.lines_for("its boards are not numbered")
    seats, first = game.seats, CODES.index(position.mover)
    number = 0
    for letter in reversed(position.board):
        digit = 0 if letter == "." else (CODES.index(letter) - first) % seats + 1
        number = (seats + 1) * number + digit
    return number


def seat_letters(game: Game, numbers: Numbers, turn: Mark) -> list[str]:
    """The inverse of `seat_number` for many boards: one letter per cell of each."""
    letters = np.array([".", *game.marks_from(turn)])
    digits = numbers[:, None] // boards_of(game).power % (game.seats + 1)
    text = "".join(letters[digits].ravel().tolist())
    return [text[i : i + game.cells] for i in range(0, len(text), game.cells)]


def for_seats(row: Any, seat: int) -> tuple[float, ...]:
    """A row by relative seat, the player on turn first, as one by seat: X, O, T, S."""
    return tuple(float(value) + 0.0 for value in np.roll(row, seat))  # never -0.0


def losers_share(seats: int) -> float:
    """What a lost game is worth to each who lost it."""
    return -1.0 / (seats - 1)
