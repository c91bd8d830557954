"""Players that look a board up in a table."""

from abc import abstractmethod
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent, Thought, check_running, view_of
from noughts.errors import NoughtsError
from noughts.games.game import Game, Mark, Position
from noughts.kernels.learn import table as kernels
from noughts.kernels.learn.table import new_start
from noughts.kernels.learn.table_grading import results_of
from noughts.kernels.learn.table_q import greedy_q_moves
from noughts.solve.numbering import board_number, landing_vectors, numbered_rows, sweep_rules
from noughts.solve.seats.blocks import boards_of, seat_number

Values = NDArray[Any]


def first_values(game: Game, draw: float = 0.5) -> Values:
    """[2, 3^cells] what both seats think before the first game: 1 for an own line, 0 for another's.

    Of boards that are not over, and of those where both have a line, nobody thinks anything: ½.
    With n players there are (n + 1)^cells boards, and what nobody thinks anything of is 1/n.
    """
    if game.seats > 2:
        return np.tile(_first_of_many(game, draw), (game.seats, 1))
    values = np.empty(3**game.cells)
    results_of(sweep_rules(game), np.arange(len(values)), values)
    known = np.where(values == 0.0, draw, 0.5 + 0.5 * values)
    return np.tile(np.where(values == 2.0, 0.5, known), (2, 1))


def _first_of_many(game: Game, draw: float) -> Values:
    """The same for one of n seats."""
    boards = boards_of(game)
    values = np.full(boards.count, 1.0 / game.seats)
    digits = np.arange(boards.count)[:, None] // boards.power % (game.seats + 1)
    values[(digits > 0).all(axis=1)] = draw
    for _, ended in boards.blocks():
        worths = np.where(ended.winner == 0, 1.0, np.where(ended.winner > 0, 0.0, 1.0 / game.seats))
        values[ended.numbers] = worths
    return values


@lru_cache(maxsize=8)
def table_entries(game: Game, is_shared: bool) -> NDArray[np.int64]:
    """[boards] where each board is kept: with all its images, or alone."""
    base = game.seats + 1
    numbers = np.arange(base**game.cells, dtype=np.int64)
    if not is_shared:
        return numbers
    power = base ** np.arange(game.cells, dtype=np.int64)
    lowest = numbers
    for permutation in game.symmetries():
        image = np.zeros_like(numbers)
        for cell, moved in enumerate(permutation):
            image += numbers // power[cell] % base * power[moved]
        lowest = np.minimum(lowest, image)
    return lowest


def expected_values(
    game: Game,
    values: Values,
    own: int,
    cells: Iterable[int],
    entries: NDArray[np.int64] | None = None,
) -> list[float]:
    """What playing each cell is worth on a board seen from the own side; values: [boards]."""
    odds = landing_vectors(game)
    if entries is None:
        entries = table_entries(game, False)
    found = []
    for cell in cells:
        power = (game.seats + 1) ** cell
        worth = odds.own[cell] * values[entries[own + power]]
        for digit in range(2, game.seats + 1):  # a flip is anybody's
            share = odds.flip[cell] / (game.seats - 1)
            worth += share * values[entries[own + digit * power]]
        found.append(float(worth + odds.fizzle[cell] * values[entries[own]]))
    return found


class _LookUp(Agent):
    """Greedy on a table of one game; the lowest of equal moves."""

    def __init__(self, game: Game, table: Values, name: str) -> None:
        self.game, self.table = game, table
        self.label = name

    def __str__(self) -> str:
        return self.label

    @property
    def is_deterministic(self) -> bool:
        return True

    def check_game(self, game: Game) -> None:
        if game != self.game:
            raise NoughtsError(f"This {self} has learned {self.game}, and cannot play {game}.")

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        check_running(position)
        self.check_game(position.game)
        boards = np.array([seat_number(position)], np.int64)
        move = int(self.choices(boards, position.mover)[0])
        self.last = Thought(
            nodes=len(position.moves), depth=1, memory=self.table.nbytes,
            value=self.values(position)[move],
        )  # fmt: skip
        return move

    @abstractmethod
    def choices(self, boards: NDArray[np.int64], turn: Mark) -> NDArray[np.int64]:
        """The moves on many boards at once."""


class TablePlayer(_LookUp):
    """Plays the move whose resulting board is valued highest; table: [seats, boards]."""

    def __init__(self, game: Game, table: Values, name: str, is_shared: bool) -> None:
        super().__init__(game, table, name)
        self.entries = table_entries(game, is_shared)

    def choices(self, boards: NDArray[np.int64], turn: Mark) -> NDArray[np.int64]:
        moves, rows = np.empty(len(boards), np.int64), numbered_rows(self.game, boards, turn)
        table = kernels.Table(self.table, self.entries)
        start = new_start(self.game.rules, rows[0])
        kernels.greedy_moves(self.game.rules, start, table, rows, moves)
        return moves

    def values(self, position: Position) -> dict[int, float]:
        side = self.game.marks.index(position.mover)
        moves, own, seats = position.moves, seat_number(position), self.game.seats
        found = expected_values(self.game, self.table[side], own, moves, self.entries)
        sign, _ = view_of(position)
        worths = ((seats * value - 1.0) / (seats - 1) for value in found)
        return {move: sign * worth for move, worth in zip(moves, worths, strict=True)}


class QTablePlayer(_LookUp):
    """Plays the move of the highest value; table: [3^cells, cells]."""

    def choices(self, boards: NDArray[np.int64], turn: Mark) -> NDArray[np.int64]:
        moves, rows = np.empty(len(boards), np.int64), numbered_rows(self.game, boards, turn)
        start = new_start(self.game.rules, rows[0])
        greedy_q_moves(self.game.rules, start, self.table, rows, moves)
        return moves

    def values(self, position: Position) -> dict[int, float]:
        row = self.table[board_number(position)]
        sign = 1.0 if position.turn == "X" else -1.0
        return {move: sign * float(row[move]) for move in position.moves}
