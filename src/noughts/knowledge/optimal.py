"""`optimal`: plays the exact table, which is solved on demand and kept on the disk.

With more than two players it plays its part of the equilibrium under its own tie rule, and nothing
else decides between tied moves: not even which of them wins at once.

Qubic has no table; there it plays what is known: the certificate's moves, the chains of threes, and
off the book the best move that alpha-beta finds.
"""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from noughts.agents import Agent, Thought, agent, check_running
from noughts.effort import PROOF, solving
from noughts.games.game import Game, Position
from noughts.games.registry import game as read_game
from noughts.knowledge.asking import known_moves, spread
from noughts.knowledge.certificates import Certificates, is_certified
from noughts.knowledge.known import Known
from noughts.knowledge.limits import usual_budget
from noughts.knowledge.tables import seat_table_of, table_of
from noughts.options import choice, text
from noughts.solve.limits import check_same_board, check_solvable, check_tabled
from noughts.solve.seats.limits import check_equilibrium

if TYPE_CHECKING:
    from noughts.solve.seats.solution import SeatSolution  # loads numba
    from noughts.solve.solution import Solution

_OFF_BOOK = "alphabeta:time=1,threats=20"


@dataclass(eq=False, repr=False)
class OptimalAgent(Agent):
    """Plays a best move of the game, or of another game on the same board."""

    name = "optimal"
    kernels = "solve"  # it plays by the table of all boards
    of: str | None = text(None, "Play as in this game instead, such as 3x3 in a risky world.")
    ties: str = choice(
        "lowest", ("lowest", "uniform"), "Which of several best moves: the lowest, or any."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._off_book = agent(_OFF_BOOK)

    def interpreted_seconds(self, game: Game) -> float:
        return PROOF if is_certified(game) else solving(game).seconds

    @property
    def is_deterministic(self) -> bool:
        return self.ties == "lowest"

    def check_game(self, game: Game) -> None:
        if not self._plays_by_proof(game):
            table = game if self.of is None else read_game(self.of)
            if table != game:
                check_same_board(table, game)
            (check_equilibrium if game.seats > 2 else check_solvable)(table)

    def _plays_by_proof(self, game: Game) -> bool:
        return self.of is None and is_certified(game)

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        check_running(position)
        began = time.perf_counter()
        if self._plays_by_proof(position.game):
            return self._by_proof(position, rng, began)
        if position.game.seats > 2:
            return self._in_equilibrium(position, rng, began)
        solution, seen = self._find(position)
        best = _quickest(seen, solution.best_moves(seen))
        move = self._pick(best, rng)
        self.last = Thought(
            nodes=len(position.moves),
            depth=1,
            seconds=time.perf_counter() - began,
            memory=solution.table.nbytes,
            value=solution.values(seen)[move],
            is_exact=self.of is None,
            note=f"from the table of {solution.game}",
        )
        return move

    def values(self, position: Position) -> dict[int, float]:
        """The exact value of every move, for X; by a proof only of the moves it knows."""
        if self._plays_by_proof(position.game):
            told = known_moves(position)
            found = {move: one.value for move, one in told.items() if one.is_exact}
            self.values_are_exact = bool(found)
            return found or self._estimates(position)
        self.values_are_exact = self.of is None
        if position.game.seats > 2:
            table, seen = self._find_seats(position)
            seat = position.game.marks.index(position.mover)
            return {move: worth[seat] for move, worth in table.values(seen).items()}
        solution, seen = self._find(position)
        return solution.values(seen)

    def reset(self) -> None:
        super().reset()
        self._off_book.reset()

    def _pick(self, best: tuple[int, ...], rng: np.random.Generator) -> int:
        return best[0] if self.ties == "lowest" else int(rng.choice(best))

    def _in_equilibrium(self, position: Position, rng: np.random.Generator, began: float) -> int:
        """A tied move; its worth is that to the player on turn."""
        solution, seen = self._find_seats(position)
        move = self._pick(solution.best_moves(seen), rng)
        self.last = Thought(
            nodes=len(position.moves),
            depth=1,
            seconds=time.perf_counter() - began,
            memory=solution.nbytes,
            value=solution.values(seen)[move][position.game.marks.index(position.mover)],
            is_exact=self.of is None,
            note=f"from the table of {solution.game}",
        )
        return move

    def _by_proof(self, position: Position, rng: np.random.Generator, began: float) -> int:
        """A move that is known to win, the quickest first; off the book what alpha-beta finds."""
        told = spread(position, Certificates().moves(position, usual_budget()))
        wins = _winning(position, told) or _winning(position, known_moves(position))
        if not wins:
            move = self._off_book.choose(position, rng)
            self.last = self._off_book.last
            return move
        plies = min(_plies(one) for one in wins.values())
        move = self._pick(tuple(m for m, one in wins.items() if _plies(one) == plies), rng)
        chosen = wins[move]
        length = "" if chosen.plies is None else f" in {chosen.plies}"
        self.last = Thought(
            nodes=1,
            depth=1,
            seconds=time.perf_counter() - began,
            value=chosen.value,
            is_exact=chosen.is_exact,
            note=f"known win{length}, by the {chosen.source}",
        )
        return move

    def _estimates(self, position: Position) -> dict[int, float]:
        found = self._off_book.values(position)
        self.values_are_exact = self._off_book.values_are_exact
        return found

    def _find(self, position: Position) -> "tuple[Solution, Position]":
        """The solution to play by, and the position as that game sees it."""
        if self.of is None:
            return table_of(position.game), position
        seen = self._seen(position)
        return table_of(seen.game), seen

    def _find_seats(self, position: Position) -> "tuple[SeatSolution, Position]":
        """The same with more than two players, and under its own tie rule."""
        seen = position if self.of is None else self._seen(position)
        return seat_table_of(seen.game, self.ties), seen

    def _seen(self, position: Position) -> Position:
        """The position as the other game sees it."""
        solved = check_tabled(read_game(self.of or ""))
        check_same_board(solved, check_tabled(position.game))
        return solved.position_from_dict({"board": position.board, "turn": position.turn})


def _winning(position: Position, told: dict[int, Known]) -> dict[int, Known]:
    value = 1.0 if position.turn == "X" else -1.0
    return {move: one for move, one in told.items() if one.is_exact and one.value == value}


def _plies(one: Known) -> float:
    return float("inf") if one.plies is None else one.plies


def _quickest(position: Position, best: tuple[int, ...]) -> tuple[int, ...]:
    """Of equally good moves those that win at once, if there are any: why wait?"""
    if position.game.is_risky:
        return best
    wins = tuple(move for move in best if position.play(move).result == position.turn)
    return wins or best
