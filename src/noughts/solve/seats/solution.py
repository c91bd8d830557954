"""A solved game of more than two players: the equilibrium under one tie rule, and guarantees."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from noughts.errors import NoughtsError, ParseError
from noughts.files import load_arrays, reading, save_arrays
from noughts.games import game as read_game
from noughts.games.game import Game, Position
from noughts.solve.limits import check_position, check_tabled, clock_end
from noughts.solve.seats.answers import Odds
from noughts.solve.seats.blocks import Rows, for_seats, seat_number
from noughts.solve.seats.landing import TIE
from noughts.solve.seats.limits import NOT_COMPUTED, board_count

KIND = "solution of seats"

Worth = tuple[float, ...]


@dataclass(frozen=True, repr=False, eq=False)
class SeatSolution:
    """Exact values; see `boards.py` for how boards are numbered.

    wins, guarantees: [ticks, boards, seats] the probability that each seat wins in equilibrium, and
    what it can guarantee itself, for seats relative to the player on turn. `wins` is None where no
    equilibrium is computed.
    """

    game: Game
    ties: str
    wins: Rows | None
    guarantees: Rows
    bound: float  # no guarantee is further from the truth than this, rounding aside
    running_boards: int
    seconds: float

    def __repr__(self) -> str:
        start = self.game.start()
        told = self.guarantee(start) if self.wins is None else self.worth(start)
        words = "guarantees" if self.wins is None else f"ties {self.ties}: worth"
        numbers = ", ".join(f"{value:+.6g}" for value in told)
        return f"<Solution of {self.game}, {words} {numbers}>"

    @property
    def method(self) -> str:
        """How it was solved."""
        return "interval-iteration" if self.game.risk.fades else "sweep"

    @property
    def states(self) -> int:
        """Boards times turns times ticks."""
        return self.guarantees.size

    @property
    def nbytes(self) -> int:
        """What the tables take."""
        return self.guarantees.nbytes + (0 if self.wins is None else self.wins.nbytes)

    @property
    def tie(self) -> float:
        """Moves that differ by no more are equally good."""
        return TIE

    @property
    def has_equilibrium(self) -> bool:
        """Whether worth, odds and best moves are known; else only what each seat can guarantee."""
        return self.wins is not None

    def worth(self, position: Position) -> Worth:
        """What a position is worth to each seat in equilibrium, X first; they sum to nothing."""
        return self.odds(position).worth

    def odds(self, position: Position) -> Odds:
        """The probabilities of every result in equilibrium."""
        check_position(self.game, position)
        wins = self._wins()
        if position.result is not None:
            won = [1.0 if mark == position.result else 0.0 for mark in self.game.marks]
            return Odds.of(won)
        row = wins[position.tick, seat_number(position)]
        return Odds.of(for_seats(row, self._seat(position)))

    def guarantee(self, position: Position) -> Worth:
        """What each seat can be sure of, whatever all others do, even together; X first."""
        check_position(self.game, position)
        if position.result is not None:
            return self.game.worth(position.result)
        row = self.guarantees[position.tick, seat_number(position)]
        return for_seats(row, self._seat(position))

    def values(self, position: Position) -> dict[int, Worth]:
        """What every legal move is worth to each seat in equilibrium, ascending."""
        check_position(self.game, position)
        found = {}
        for move in position.moves:
            landings = [(p, self.worth(after)) for p, after in position.landings(move)]
            chances = np.array([p for p, _ in landings])
            found[move] = tuple(map(float, chances @ np.array([worth for _, worth in landings])))
        return found

    def best_moves(self, position: Position) -> tuple[int, ...]:
        """All moves that are tied: within 1e-12 of the best for the player on turn; ascending."""
        values, seat = self.values(position), self._seat(position)
        if not values:
            raise NoughtsError("The game is over; there is no best move.")
        best = max(worth[seat] for worth in values.values())
        return tuple(move for move, worth in values.items() if worth[seat] >= best - TIE)

    def best(self, position: Position) -> int:
        """The lowest of the best moves."""
        return self.best_moves(position)[0]

    def _wins(self) -> Rows:
        if self.wins is None:
            raise NoughtsError(f"In {self.game} {NOT_COMPUTED}.")
        return self.wins

    def _seat(self, position: Position) -> int:
        return self.game.marks.index(position.mover)

    def save(self, path: str | Path) -> None:
        """Write the solution to a file: checksummed, and whole or absent."""
        arrays = {"guarantees": self.guarantees}
        if self.wins is not None:
            arrays["wins"] = self.wins
        facts = {
            "game": str(self.game),
            "ties": self.ties,
            "bound": self.bound,
            "running_boards": self.running_boards,
            "seconds": self.seconds,
        }
        save_arrays(Path(path), KIND, facts, arrays)

    @staticmethod
    def load(path: str | Path) -> "SeatSolution":
        """Read a solution back; large tables stay on the disk until they are looked at."""
        with reading(path):
            facts, arrays = load_arrays(Path(path), KIND)
            game = check_tabled(read_game(facts["game"]))
            shape = (clock_end(game) + 1, board_count(game), game.seats)
            if any(a.shape != shape or a.dtype != np.float64 for a in arrays.values()):
                raise ParseError(f"{path} does not hold a table of {game}.")
            known: dict[str, Any] = {"ties": str(facts["ties"]), "bound": float(facts["bound"])}
            return SeatSolution(
                game=game,
                wins=arrays.get("wins"),
                guarantees=arrays["guarantees"],
                running_boards=int(facts["running_boards"]),
                seconds=float(facts["seconds"]),
                **known,
            )
