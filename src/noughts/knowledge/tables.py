"""Tables of all boards: in memory, on the disk, or small enough to be solved now."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, cast

from noughts.errors import NoughtsError
from noughts.games.game import Game, Position
from noughts.knowledge.known import Known, between, exactly
from noughts.knowledge.limits import (
    KEPT_BYTES,
    Budget,
    is_soon_in_equilibrium,
    is_soon_seated,
    seconds_to_solve,
    usual_budget,
)
from noughts.knowledge.sources import TABLE, Source
from noughts.solve.limits import check_solvable, check_tabled
from noughts.solve.written.stored import is_stored, load_stored, stored_solution

if TYPE_CHECKING:
    from noughts.solve.seats.solution import SeatSolution
    from noughts.solve.solution import Solution


class Tables(Source):
    """The value of every board of a solved game."""

    name = TABLE

    def known(self, position: Position, budget: Budget) -> Known | None:
        solution = table_at_hand(position.game, budget)
        if solution is None:
            return None
        try:
            value = solution.value(position)
        except NoughtsError:  # a time of the clock that no game reaches with this board
            return None
        return _known(solution, value, _plies(solution, position, value))

    def moves(self, position: Position, budget: Budget) -> Mapping[int, Known]:
        solution = table_at_hand(position.game, budget)
        if solution is None:
            return {}
        try:
            found = solution.values(position)
        except NoughtsError:
            return {}
        return {
            move: _known(solution, value, _plies_after(solution, position, move, value))
            for move, value in found.items()
        }


def _plies(solution: "Solution", position: Position, value: float, share: int = 1) -> int | None:
    """How soon a win is over, where that is found in a moment."""
    if abs(value) != 1.0 or position.game.is_risky:
        return None
    from noughts.solve.distance import MOST_BOARDS, plies_to_win  # loads numba

    return plies_to_win(solution, position, MOST_BOARDS // share)


def _plies_after(solution: "Solution", position: Position, move: int, value: float) -> int | None:
    if abs(value) != 1.0 or position.game.is_risky:
        return None
    after = position.play(move)
    if after.result is not None:
        return 1
    plies = _plies(solution, after, value, len(position.moves))
    return None if plies is None else plies + 1


def _known(solution: "Solution", value: float, plies: int | None) -> Known:
    if solution.bound == 0.0:
        return exactly(value, Tables.name, plies)
    return between(value - solution.bound, value + solution.bound, Tables.name)


def table_at_hand(game: Game, budget: Budget | None = None) -> "Solution | None":
    """The solution of a game if it can be had within the budget; None if it cannot."""
    if budget is None:
        budget = usual_budget()
    found = _KEPT.find(game)
    if found is not None or not is_at_hand(game, budget):
        return found
    try:
        return _fetch(game)
    except NoughtsError:  # a game that may go on for ever has a table that says nothing
        return None


def is_at_hand(game: Game, budget: Budget | None = None) -> bool:
    """Whether the table is in memory, on the disk, or solved in a moment; nothing is solved."""
    if budget is None:
        budget = usual_budget()
    try:
        line_game = check_solvable(game)
        return (
            _KEPT.find(game) is not None
            or is_stored(line_game)
            or seconds_to_solve(line_game) <= budget.seconds
        )
    except NoughtsError:  # too large, or a clock that never stops
        return False


def table_of(game: Game) -> "Solution":
    """The solution of a game, however long it takes; NoughtsError where there can be none."""
    found = _KEPT.find(game)
    if found is None:
        found = stored_solution(check_solvable(game))
        _KEPT.put(game, found)
    return found


def _fetch(game: Game) -> "Solution | None":
    """A table that is at hand. One that is damaged on the disk is replaced only if that is soon."""
    line_game = check_solvable(game)
    found = load_stored(line_game)
    if found is None:
        if not is_at_hand(game):
            return None
        return table_of(game)
    _KEPT.put(game, found)
    return found


def seat_table_of(game: Game, ties: str = "lowest") -> "SeatSolution":
    """The same for a game of more than two players, under one tie rule."""
    found = _SEATS.find((game, ties))
    if found is None:
        found = cast("SeatSolution", stored_solution(check_tabled(game), ties))
        _SEATS.put((game, ties), found)
    return found


def seat_table_at_hand(game: Game, ties: str = "lowest") -> "SeatSolution | None":
    """The same if it is in memory or a matter of a moment, and there is an equilibrium."""
    found = _SEATS.find((game, ties))
    if found is not None:
        return found
    return seat_table_of(game, ties) if is_soon_in_equilibrium(game) else None


def seat_bounds(position: Position) -> Known | None:
    """Between what X can guarantee himself and what the guarantees of all others leave him."""
    game = position.game
    if position.result is not None:
        return exactly(game.worth(position.result)[0], "ended", 0)
    is_kept = _SEATS.find((game, "lowest")) is not None
    if not (is_kept or is_soon_seated(game)):
        return None
    solution = seat_table_of(game)
    try:
        sure = solution.guarantee(position)
    except NoughtsError:  # a time of the clock that no game reaches with this board
        return None
    slack = solution.bound * game.seats
    low, high = sure[0] - slack, -sum(sure[1:]) + slack
    return between(low, max(low, high), Tables.name)


class _Tables(Protocol):
    """What is known of a solution here: how much memory it takes."""

    @property
    def nbytes(self) -> int: ...


Key = TypeVar("Key")
Kept = TypeVar("Kept", bound=_Tables)


class _Kept(Generic[Key, Kept]):
    """The tables that were asked for last, as many as fit."""

    def __init__(self) -> None:
        self._tables: OrderedDict[Key, Kept] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, key: Key) -> Kept | None:
        with self._lock:
            found = self._tables.get(key)
            if found is not None:
                self._tables.move_to_end(key)
            return found

    def put(self, key: Key, solution: Kept) -> None:
        with self._lock:
            self._tables[key] = solution
            self._tables.move_to_end(key)
            while len(self._tables) > 1 and self._bytes() > KEPT_BYTES:
                self._tables.popitem(last=False)

    def _bytes(self) -> int:
        return sum(found.nbytes for found in self._tables.values())


_KEPT: "_Kept[Game, Solution]" = _Kept()
_SEATS: "_Kept[tuple[Game, str], SeatSolution]" = _Kept()
