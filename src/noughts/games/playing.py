"""The friendly twins of the rule kernels: random playouts and perft from any position."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.games.game import Game, Position
from noughts.games.line_game import LinePosition
from noughts.games.registry import game as read_game
from noughts.games.ultimate import FULL, UltimatePosition

MAX_TURNS = 10_000  # a playout in which marks keep fading or fizzling is called a draw after this
_BATCH = 1 << 16


@dataclass(frozen=True)
class Tally:
    """How a number of games ended."""

    x: int
    o: int
    draws: int
    turns: int  # of all games together

    @property
    def games(self) -> int:
        return self.x + self.o + self.draws


def _position(start: Position | Game | str) -> Position:
    return start if isinstance(start, Position) else read_game(start).start()


def board_array(position: LinePosition) -> NDArray[np.int8]:
    """The board as kernels take it: 0 empty, 1 X, 2 O."""
    return np.array([".XO".index(letter) for letter in position.board], dtype=np.int8)


def ultimate_arrays(position: UltimatePosition) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """`marks` [2, 9] and `owners` [2] as kernels take them."""
    masks = (position.x_mask, position.o_mask)
    marks = np.array([[mask >> 9 * mini & FULL for mini in range(9)] for mask in masks])
    return marks, np.array([position.x_minis, position.o_minis])


def playouts(
    start: Position | Game | str, games: int, seed: int = 0, threads: int | None = None
) -> Tally:
    """Play uniformly random moves to the end, `games` times.

    The games are cut into batches that draw from their own streams of `seed`, so the answer does
    not depend on the number of threads.
    """
    position = _position(start)
    if games < 0:
        raise NoughtsError(f"games={games} is negative.")
    if position.result is not None:
        raise NoughtsError("The game is over; a playout needs a running position.")
    play = _playout_kernel(position)
    sizes = [min(_BATCH, games - first) for first in range(0, games, _BATCH)]
    with ThreadPoolExecutor(threads or cpu_count() or 1) as pool:
        tallies = list(pool.map(lambda batch: play(batch[1], seed, batch[0]), enumerate(sizes)))
    x, o, draws, turns = (int(n) for n in sum(tallies, np.zeros(4, np.int64)))
    return Tally(x, o, draws, turns)


def _playout_kernel(position: Position) -> Callable[[int, int, int], NDArray[np.int64]]:
    """A function (games, seed, index of the batch) -> tally for one position."""
    from noughts.kernels import lines, ultimate
    from noughts.kernels.rng import seeded

    turn = 1 if position.turn == "X" else 2
    if isinstance(position, LinePosition):
        rules, board = position.game.rules, board_array(position)

        def play_lines(games: int, seed: int, index: int) -> NDArray[np.int64]:
            tally = np.zeros(4, np.int64)
            rng = seeded(seed, index)
            lines.playouts(rules, board, turn, position.tick, games, MAX_TURNS, rng, tally)
            return tally

        return play_lines
    if isinstance(position, UltimatePosition):
        ultimate_rules, (marks, owners) = position.game.rules, ultimate_arrays(position)
        forced = position.forced

        def play_ultimate(games: int, seed: int, index: int) -> NDArray[np.int64]:
            tally = np.zeros(4, np.int64)
            rng = seeded(seed, index)
            ultimate.playouts(
                ultimate_rules, marks, owners, forced, turn, position.tick, games, MAX_TURNS, rng,
                tally,
            )  # fmt: skip
            return tally

        return play_ultimate
    raise _no_kernel(position)


def perft(start: Position | Game | str, depth: int, threads: int | None = None) -> int:
    """How many sequences of `depth` moves there are, each landing as it was meant.

    Games that end earlier do not count. The first moves are shared out over threads.
    """
    position = _position(start)
    if depth < 0:
        raise NoughtsError(f"depth={depth} is negative.")
    if depth == 0:
        return 1
    cells = position._open_cells if position.result is None else ()
    if depth == 1:
        return len(cells)
    count = _perft_kernel(position)
    children = [child for child in (position.play(cell) for cell in cells) if child.result is None]
    with ThreadPoolExecutor(threads or cpu_count() or 1) as pool:
        return sum(pool.map(lambda child: count(child, depth - 1), children))


def _perft_kernel(position: Position) -> Callable[[Position, int], int]:
    from noughts.kernels import lines, ultimate

    def count_lines(child: Position, depth: int) -> int:
        assert isinstance(child, LinePosition)
        rules, board = child.game.rules, board_array(child)
        counts = np.empty((2, len(rules.line_length)), np.uint8)
        lines.fill_counts(rules, board, counts)
        return int(lines.perft(rules, board, counts, 1 if child.turn == "X" else 2, depth))

    def count_ultimate(child: Position, depth: int) -> int:
        assert isinstance(child, UltimatePosition)
        marks, owners = ultimate_arrays(child)
        turn = 1 if child.turn == "X" else 2
        return int(ultimate.perft(child.game.rules, marks, owners, child.forced, turn, depth))

    if isinstance(position, LinePosition):
        return count_lines
    if isinstance(position, UltimatePosition):
        return count_ultimate
    raise _no_kernel(position)


def _no_kernel(position: Position) -> NoughtsError:
    return NoughtsError(f"{position.game} has rules of its own, and no kernel plays them.")
