"""Tables of all boards: in memory, on the disk, or small enough to be solved now."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from noughts.errors import NoughtsError
from noughts.games.game import Game, Position
from noughts.knowledge.known import Known, between, exactly
from noughts.knowledge.limits import KEPT_BYTES, Budget, seconds_to_solve, usual_budget
from noughts.knowledge.sources import TABLE, Source
from noughts.solve.limits import check_solvable
from noughts.solve.stored import is_stored, load_stored, stored_solution

if TYPE_CHECKING:
    from noughts.solve.solution import Solution


class Tables(Source):
    """The value of every board of a solved game."""

    name = TABLE

    def known(self, position: Position, budget: Budget) -> Known | None:
        solution = table_at_hand(position.game, budget)
        if solution is None:
            return None
        try:
            return _known(solution, solution.value(position))
        except NoughtsError:  # a time of the clock that no game reaches with this board
            return None

    def moves(self, position: Position, budget: Budget) -> Mapping[int, Known]:
        solution = table_at_hand(position.game, budget)
        if solution is None:
            return {}
        try:
            found = solution.values(position)
        except NoughtsError:
            return {}
        return {move: _known(solution, value) for move, value in found.items()}


def _known(solution: "Solution", value: float) -> Known:
    if solution.bound == 0.0:
        return exactly(value, Tables.name)
    return between(value - solution.bound, value + solution.bound, Tables.name)


def table_at_hand(game: Game, budget: Budget | None = None) -> "Solution | None":
    """The solution of a game if it can be had within the budget; None if it cannot."""
    if budget is None:
        budget = usual_budget()
    return _KEPT.find(game) or (_fetch(game) if is_at_hand(game, budget) else None)


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
        _KEPT.put(found)
    return found


def _fetch(game: Game) -> "Solution | None":
    """A table that is at hand. One that is damaged on the disk is replaced only if that is soon."""
    line_game = check_solvable(game)
    found = load_stored(line_game)
    if found is None:
        if not is_at_hand(game):
            return None
        return table_of(game)
    _KEPT.put(found)
    return found


class _Kept:
    """The tables that were asked for last, as many as fit."""

    def __init__(self) -> None:
        self._tables: OrderedDict[Game, Solution] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, game: Game) -> "Solution | None":
        with self._lock:
            found = self._tables.get(game)
            if found is not None:
                self._tables.move_to_end(game)
            return found

    def put(self, solution: "Solution") -> None:
        with self._lock:
            self._tables[solution.game] = solution
            self._tables.move_to_end(solution.game)
            while len(self._tables) > 1 and self._bytes() > KEPT_BYTES:
                self._tables.popitem(last=False)

    def _bytes(self) -> int:
        return sum(found.table.nbytes for found in self._tables.values())


_KEPT = _Kept()
