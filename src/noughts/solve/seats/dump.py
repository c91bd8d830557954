"""The whole solution of a game of more than two players as a file: every running board and turn.

Its worth to each seat in equilibrium, what each can guarantee, and the lowest tied move; only the
guarantees where no equilibrium is computed. Rows come by the boards' numbers, X's turn first.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.solve.api import Progress
from noughts.solve.seats.blocks import Numbers, Rows, boards_of, losers_share, seat_letters
from noughts.solve.seats.policies import solved_policy
from noughts.solve.seats.solution import SeatSolution
from noughts.solve.written.dump import can_show, check_dump, write_states

_CHUNK = 1 << 16


def dump_seats(solution: SeatSolution, path: Path, progress: Progress | None = None) -> int:
    """Write every state; how many there were."""
    check_dump(path)
    game = solution.game
    clock = ["tick"] if game.risk.has_clock else []
    seats = [mark.lower() for mark in game.marks]
    floats = [f"guarantee_{seat}" for seat in seats]
    moves: list[str] = []
    if solution.has_equilibrium:
        floats = [f"worth_{seat}" for seat in seats] + floats
        moves = ["move", "wait"] if clock else ["move"]
    names = ["board", "turn", *clock, *floats, *moves]
    total = game.seats * solution.running_boards * len(solution.guarantees)
    columns = ([rows[name] for name in names] for rows in _states(solution))
    return write_states(path, names, floats, columns, total, progress)


def _states(solution: SeatSolution) -> Iterator[dict[str, list[Any]]]:
    game, boards = solution.game, boards_of(solution.game)
    running = np.sort(boards.running)
    moves = _lowest_moves(solution) if solution.has_equilibrium else None
    for tick in range(len(solution.guarantees)):
        shown = running[can_show(game, tick, running)]
        for first in range(0, len(shown), _CHUNK):
            yield _rows(solution, tick, shown[first : first + _CHUNK], moves)


def _lowest_moves(solution: SeatSolution) -> NDArray[np.int64]:
    """[ticks, boards] the lowest tied move, as a cell and cells · wait."""
    game, ticks = solution.game, len(solution.guarantees)
    player = solved_policy(game, solution, "optimal", "lowest")
    found = np.zeros(solution.guarantees.shape[:2], np.int64)
    for block, _ in boards_of(game).blocks():
        if len(block) > 0:
            at, free = player.chances(block), np.array(block.free)
            for tick in range(ticks):
                choice = at(tick).reshape(-1, len(block)).argmax(axis=0)
                wait, cell = np.divmod(choice, len(free))
                found[tick, block.numbers] = free[cell] + game.cells * wait
    return found


def _rows(
    solution: SeatSolution, tick: int, boards: Numbers, moves: NDArray[np.int64] | None
) -> dict[str, list[Any]]:
    """One row for each turn of each board, seen from whoever is on turn."""
    game, seats = solution.game, solution.game.seats
    numbers = np.stack([_turned(game, boards, turn) for turn in range(seats)], axis=1)
    turns = np.arange(seats)
    columns: dict[str, list[Any]] = {
        "board": [text for text in seat_letters(game, boards, "X") for _ in range(seats)],
        "turn": list(game.marks) * len(boards),
        "tick": [tick] * numbers.size,
    }
    tables = {"guarantee": solution.guarantees[tick][numbers]}
    if solution.wins is not None:
        tables["worth"] = _worth(solution.wins[tick][numbers])
    for name, table in tables.items():
        for seat, mark in enumerate(game.marks):
            told = table[:, turns, (seat - turns) % seats] + 0.0  # never -0.0
            columns[f"{name}_{mark.lower()}"] = told.ravel().tolist()
    if moves is not None:
        wait, cell = np.divmod(moves[tick][numbers.ravel()], game.cells)
        columns |= {"move": cell.tolist(), "wait": wait.tolist()}
    return columns


def _worth(wins: Rows) -> Rows:
    share = losers_share(wins.shape[-1])
    worth: Rows = wins * (1.0 - share) + share * wins.sum(axis=-1, keepdims=True)
    return worth


def _turned(game: Any, boards: Numbers, turns: int) -> Numbers:
    """Boards of X's turn as who moves so many turns later sees them."""
    power = boards_of(game).power
    digits = boards[:, None] // power % (game.seats + 1)
    seen: Numbers = np.where(digits > 0, (digits - 1 - turns) % game.seats + 1, 0) @ power
    return seen
