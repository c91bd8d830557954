"""A solved game: the value of every board, every move, and the best ones."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np

from noughts.errors import NoughtsError, ParseError
from noughts.files import kind_of, load_arrays, reading, save_arrays
from noughts.games import Game, Position
from noughts.games import game as read_game
from noughts.solve.limits import check_position, check_solvable, clock_end
from noughts.solve.numbering import board_number
from noughts.solve.seats.solution import KIND as SEATS_KIND
from noughts.solve.seats.solution import SeatSolution
from noughts.solve.stages import Sweep, Table

KIND = "solution"


@dataclass(frozen=True, repr=False, eq=False)
class Solution:
    """Exact values; see `kernels/sweep.py` for how boards are numbered.

    table, arrivals: [ticks, 3^cells] the value for the player on turn, when he chooses, and before
    marks fade from the board he finds. They are one table when nothing fades.
    """

    game: Game
    table: Table
    arrivals: Table
    method: str
    bound: float  # no value is further from the truth than this, rounding aside
    running_boards: int
    seconds: float
    sweeps: Sequence[Sweep] = field(default=())

    def __repr__(self) -> str:
        return f"<Solution of {self.game}: {self.value(self.game.start()):+.6g} for X>"

    @property
    def states(self) -> int:
        """Boards times turns times ticks."""
        return 2 * self.table.size

    @property
    def nbytes(self) -> int:
        """What the tables take."""
        return self.table.nbytes * (1 if self.arrivals is self.table else 2)

    @property
    def tie(self) -> float:
        """Values closer than this count as equal: rounding, and the bound where there is one."""
        rounding = 1e-12 if self.table.dtype == np.float64 else 1e-6
        return max(rounding, 4.0 * self.bound)

    def worth(self, position: Position) -> tuple[float, float]:
        """The expected result for X and for O."""
        value = self.value(position)
        return value, -value + 0.0

    def value(self, position: Position) -> float:
        """The expected result for X; the result itself when the game is over."""
        check_position(self.game, position)
        if position.result is not None:
            return self.game.worth(position.result)[0]
        return _for_x(position, float(self.table[position.tick, board_number(position)]))

    def values(self, position: Position) -> dict[int, float]:
        """The expected result for X of every legal move, ascending."""
        check_position(self.game, position)
        risk, cells = self.game.risk, self.game.cells
        if not position.moves:
            return {}
        number = board_number(position)
        swapped = _swap(number, cells)
        found = {}
        for move in position.moves:
            cell, tick = self.game.cell_of(move), position.tick + self.game.wait_of(move)
            own, flip, fizzle = risk.landing_odds(cell, tick)
            arrivals, child = self.arrivals[tick], swapped + 3**cell
            value = own * float(arrivals[child + 3**cell]) + flip * float(arrivals[child])
            if fizzle:
                value += fizzle * float(arrivals[swapped])
            found[move] = _for_x(position, -value)
        return found

    def best_moves(self, position: Position) -> tuple[int, ...]:
        """All moves of the best value, ascending."""
        values = self.values(position)
        if not values:
            raise NoughtsError("The game is over; there is no best move.")
        sign = 1.0 if position.turn == "X" else -1.0
        best = max(sign * value for value in values.values())
        return tuple(move for move, value in values.items() if sign * value >= best - self.tie)

    def best(self, position: Position) -> int:
        """The lowest of the best moves."""
        return self.best_moves(position)[0]

    def save(self, path: str | Path) -> None:
        """Write the solution to a file: checksummed, and whole or absent."""
        arrays = {"table": self.table}
        if self.arrivals is not self.table:
            arrays["arrivals"] = self.arrivals
        facts = {
            "game": str(self.game),
            "method": self.method,
            "bound": self.bound,
            "running_boards": self.running_boards,
            "seconds": self.seconds,
        }
        save_arrays(Path(path), KIND, facts, arrays)

    @staticmethod
    def load(path: str | Path) -> "Solution":
        """Read a solution back; large tables stay on the disk until they are looked at.

        Of a game of more than two players it is a `SeatSolution`.
        """
        with reading(path):
            if kind_of(Path(path)) == SEATS_KIND:
                return cast("Solution", SeatSolution.load(path))
            return Solution._load(path)

    @staticmethod
    def _load(path: str | Path) -> "Solution":
        facts, arrays = load_arrays(Path(path), KIND)
        game = check_solvable(read_game(facts["game"]))
        table = arrays["table"]
        arrivals = arrays.get("arrivals", table)
        shape = (clock_end(game) + 1, 3**game.cells)
        is_table = {table.dtype.kind, arrivals.dtype.kind} == {"f"}
        if table.shape != shape or arrivals.shape != shape or not is_table:
            raise ParseError(f"{path} does not hold a table of {game}.")
        known: dict[str, Any] = {"method": str(facts["method"]), "bound": float(facts["bound"])}
        known["running_boards"] = int(facts["running_boards"])
        return Solution(
            game=game, table=table, arrivals=arrivals, seconds=float(facts["seconds"]), **known
        )


def _for_x(position: Position, value: float) -> float:
    return value + 0.0 if position.turn == "X" else -value + 0.0  # never -0.0


def _swap(number: int, cells: int) -> int:
    """The same board seen from the other side: 1 and 2 change places."""
    swapped, power = 0, 1
    for _ in range(cells):
        number, digit = divmod(number, 3)
        swapped += power * (3 - digit if digit else 0)
        power *= 3
    return swapped
