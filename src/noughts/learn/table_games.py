"""Games of a table against any agent, in plain Python; they teach as the games of kernels do."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent
from noughts.games.game import Landing, Position
from noughts.games.line_game import LineGame
from noughts.kernels.learn.table import MOST_STEPS, Path
from noughts.kernels.learn.table_q import q_update
from noughts.kernels.rules.codes import DRAW, O, X
from noughts.learn.table_player import QTablePlayer, TablePlayer
from noughts.solve.boards import board_number

_RESULTS = {"X": 1.0, "draw": 0.0, "O": -1.0}
_CODES = {"X": X, "O": O, "draw": DRAW}


def after_own_move(position: Position, move: int, landing: Landing) -> int:
    """The board right after a move, before anything fades, seen from the player who moved."""
    digit = 0 if landing.mark is None else 1 if landing.mark == position.turn else 2
    return board_number(position) + digit * int(3**move)


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
    player: TablePlayer, other: Agent, seat: int, probe: float, rng: np.random.Generator, path: Path
) -> int:
    """Play one game with the table at `seat` (0 is X), write its path; the result."""
    other.reset()
    path.length[:] = 0
    position: Position = player.game.start()
    sign = 1.0 if seat == 0 else -1.0
    for _ in range(MOST_STEPS):
        if position.result is not None:
            break
        is_own = "XO".index(position.turn) == seat
        is_probe = False
        if is_own:
            values = [sign * value for value in player.values(position).values()]
            move, is_probe = pick(position, values, probe, rng)
        else:
            move = position.check_move(other.choose(position, rng))
        landing, after = position.sample(move, rng)
        if is_own:
            step = int(path.length[seat])
            path.boards[seat, step] = player.entries[after_own_move(position, move, landing)]
            path.is_probe[seat, step] = is_probe
            path.length[seat] = step + 1
        position = after
    return _CODES[position.result or "draw"]


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
        if "XO".index(position.turn) == seat:
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
            target = _RESULTS[after.result] * (1.0 if position.turn == "X" else -1.0)
        change = q_update(player.table, board_number(position), move, target, step)
        tally[3:] += change, 1.0
        position = after
    tally[("X", "O", "draw").index(position.result or "draw")] = 1
    return tally


def path_of(game: LineGame, moves: Sequence[tuple[int, Landing]]) -> tuple[list[list[int]], float]:
    """The boards after the own moves of X and of O in a recorded game, and its result for X."""
    position: Position = game.start()
    boards: list[list[int]] = [[], []]
    for move, landing in moves:
        side = "XO".index(position.turn)
        after = position.play(move, landing)
        boards[side].append(after_own_move(position, move, landing))
        position = after
    return boards, _RESULTS[position.result or "draw"]
