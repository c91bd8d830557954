"""Games of a table against any agent, in plain Python; they teach as the games of kernels do."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent, view_of
from noughts.games.game import Game, Landing, Mark, Position
from noughts.kernels.learn.table import MOST_STEPS, Path
from noughts.kernels.learn.table_q import q_update
from noughts.kernels.rules.codes import DRAW
from noughts.learn.table.player import QTablePlayer, TablePlayer
from noughts.solve.numbering import board_number
from noughts.solve.seats.blocks import seat_number


class Own(NamedTuple):
    """A move of a recorded game: whose, and the number of the board that the mover left."""

    seat: Mark
    board: int


def after_own_move(position: Position, move: int, landing: Landing) -> int:
    """The board right after a move, before anything fades, seen from the player who moved."""
    digit = 0
    if landing.mark is not None:
        digit = 1 + position.game.marks_from(position.mover).index(landing.mark)
    return seat_number(position) + digit * int((position.game.seats + 1) ** move)


def pick(
    position: Position, values: Sequence[float], probe: float, rng: np.random.Generator
) -> tuple[int, bool]:
    """A move of the highest value, equals drawn alike, or a probing one; and whether it is one."""
    moves = position.moves
    if rng.random() < probe:
        return moves[int(rng.integers(len(moves)))], True
    best = max(values)
    equals = [move for move, value in zip(moves, values, strict=True) if value == best]
    return equals[int(rng.integers(len(equals)))], False


def play_for_table(
    player: TablePlayer,
    others: Sequence[Agent],
    seat: int,
    probe: float,
    rng: np.random.Generator,
    path: Path,
) -> int:
    """Play one game with the table at `seat` (0 is X), write its path; the result."""
    for other in others:
        other.reset()
    path.length[:] = 0
    position: Position = player.game.start()
    for _ in range(MOST_STEPS):
        if position.result is not None:
            break
        side = position.game.marks.index(position.mover)
        is_own, is_probe = side == seat, False
        if is_own:
            sign, _ = view_of(position)
            values = [sign * value for value in player.values(position).values()]
            move, is_probe = pick(position, values, probe, rng)
        else:
            other = others[side - (side > seat)]
            move = position.check_move(other.choose(position, rng))
        landing, after = position.sample(move, rng)
        if is_own:
            step = int(path.length[seat])
            path.boards[seat, step] = player.entries[after_own_move(position, move, landing)]
            path.is_probe[seat, step] = is_probe
            path.length[seat] = step + 1
        position = after
    return result_code(position)


def result_code(position: Position) -> int:
    """How a game ended, as kernels take it; one that goes on for ever counts as drawn."""
    won = position.result
    return DRAW if won is None or won == "draw" else 1 + position.game.marks.index(won)


def play_for_q(
    player: QTablePlayer,
    other: Agent,
    seat: int,
    step: float,
    probe: float,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Play one game and learn from every move of it; the game's tally as kernels count it."""
    other.reset()
    tally = np.zeros(5)
    position: Position = player.game.start()
    for _ in range(MOST_STEPS):
        if position.result is not None:
            break
        if position.game.marks.index(position.mover) == seat:
            sign = 1.0 if seat == 0 else -1.0
            values = [sign * value for value in player.values(position).values()]
            move, _ = pick(position, values, probe, rng)
        else:
            move = position.check_move(other.choose(position, rng))
        _, after = position.sample(move, rng)
        sign = 1.0 if after.turn == position.turn else -1.0
        if after.result is None:
            target = sign * float(player.table[board_number(after), list(after.moves)].max())
        else:
            target = after.game.worth(after.result)[0] * (1.0 if position.turn == "X" else -1.0)
        change = q_update(player.table, board_number(position), move, target, step)
        tally[3:] += change, 1.0
        position = after
    tally[(*position.game.marks, "draw").index(position.result or "draw")] = 1
    return tally


def path_of(game: Game, moves: Sequence[tuple[int, Landing]]) -> tuple[list[Own], int]:
    """Who moved at each ply of a recorded game and the board after it, and how it ended."""
    position: Position = game.start()
    path = []
    for move, landing in moves:
        path.append(Own(position.mover, after_own_move(position, move, landing)))
        position = position.play(move, landing)
    return path, result_code(position)
