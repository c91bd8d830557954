"""Players that look a board up in a table."""

from abc import abstractmethod
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent, Thought, check_running
from noughts.errors import NoughtsError
from noughts.games.game import Game, Mark, Position
from noughts.games.line_game import LineGame
from noughts.kernels.learn import table as kernels
from noughts.kernels.learn.table import new_start
from noughts.kernels.learn.table_grading import results_of
from noughts.kernels.learn.table_q import greedy_q_moves
from noughts.solve.boards import board_number, landing_vectors, numbered_rows, sweep_rules

Values = NDArray[Any]


def first_values(game: LineGame, draw: float = 0.5) -> Values:
    """[2, 3^cells] what both seats think before the first game: 1 for an own line, 0 for another's.

    Of boards that are not over, and of those where both have a line, nobody thinks anything: ½.
    """
    values = np.empty(3**game.cells)
    results_of(sweep_rules(game), np.arange(len(values)), values)
    known = np.where(values == 0.0, draw, 0.5 + 0.5 * values)
    return np.tile(np.where(values == 2.0, 0.5, known), (2, 1))


@lru_cache(maxsize=8)
def table_entries(game: LineGame, is_shared: bool) -> NDArray[np.int64]:
    """[3^cells] where each board is kept: with all its images, or alone."""
    numbers = np.arange(3**game.cells, dtype=np.int64)
    if not is_shared:
        return numbers
    power = 3 ** np.arange(game.cells, dtype=np.int64)
    lowest = numbers
    for permutation in game.symmetries():
        image = np.zeros_like(numbers)
        for cell, moved in enumerate(permutation):
            image += numbers // power[cell] % 3 * power[moved]
        lowest = np.minimum(lowest, image)
    return lowest


def expected_values(
    game: LineGame,
    values: Values,
    own: int,
    cells: Iterable[int],
    entries: NDArray[np.int64] | None = None,
) -> list[float]:
    """What playing each cell is worth on a board seen from the own side; values: [3^cells]."""
    odds = landing_vectors(game)
    if entries is None:
        entries = table_entries(game, False)
    found = []
    for cell in cells:
        meant = own + 3**cell
        found.append(
            float(
                odds.own[cell] * values[entries[meant]]
                + odds.flip[cell] * values[entries[meant + 3**cell]]
                + odds.fizzle[cell] * values[entries[own]]
            )
        )
    return found


class _LookUp(Agent):
    """Greedy on a table of one game; the lowest of equal moves."""

    def __init__(self, game: LineGame, table: Values, name: str) -> None:
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
        boards = np.array([board_number(position)], np.int64)
        move = int(self.choices(boards, position.turn)[0])
        self.last = Thought(
            nodes=len(position.moves), depth=1, memory=self.table.nbytes,
            value=self.values(position)[move],
        )  # fmt: skip
        return move

    @abstractmethod
    def choices(self, boards: NDArray[np.int64], turn: Mark) -> NDArray[np.int64]:
        """The moves on many boards at once."""


class TablePlayer(_LookUp):
    """Plays the move whose resulting board is valued highest; table: [2, 3^cells]."""

    def __init__(self, game: LineGame, table: Values, name: str, is_shared: bool) -> None:
        super().__init__(game, table, name)
        self.entries = table_entries(game, is_shared)

    def choices(self, boards: NDArray[np.int64], turn: Mark) -> NDArray[np.int64]:
        moves, rows = np.empty(len(boards), np.int64), numbered_rows(self.game, boards, turn)
        table = kernels.Table(self.table, self.entries)
        start = new_start(self.game.rules, rows[0])
        kernels.greedy_moves(self.game.rules, start, table, rows, moves)
        return moves

    def values(self, position: Position) -> dict[int, float]:
        side, moves, own = "XO".index(position.turn), position.moves, board_number(position)
        found = expected_values(self.game, self.table[side], own, moves, self.entries)
        sign = 1.0 if side == 0 else -1.0
        return {move: sign * (2.0 * v - 1.0) for move, v in zip(moves, found, strict=True)}


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
