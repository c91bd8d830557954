"""Random playouts and perft from any position, shared out over threads."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from noughts.errors import NoughtsError, thread_count, whole
from noughts.games.game import Game, Position
from noughts.games.registry import game as read_game

_BATCH = 1 << 16


@dataclass(frozen=True)
class Tally:
    """How a number of games ended."""

    x: int
    o: int
    draws: int
    turns: int  # of all games together
    t: int = 0
    s: int = 0

    @property
    def games(self) -> int:
        return sum(self.wins) + self.draws

    @property
    def wins(self) -> tuple[int, int, int, int]:
        """Of X, O, T and S."""
        return self.x, self.o, self.t, self.s

    def __str__(self) -> str:
        more = "".join(f", {mark}={won}" for mark, won in (("t", self.t), ("s", self.s)) if won)
        return f"Tally(x={self.x}, o={self.o}, draws={self.draws}, turns={self.turns}{more})"


def _position(start: Position | Game | str) -> Position:
    return start if isinstance(start, Position) else read_game(start).start()


def playouts(
    start: Position | Game | str, games: int, seed: int = 0, threads: int | None = None
) -> Tally:
    """Play uniformly random moves to the end, `games` times.

    The games are cut into batches that draw from their own streams of `seed`, so the answer does
    not depend on the number of threads. Where marks fade or fizzle a game may go on for ever; it is
    called a draw after 10,000 turns.
    """
    from noughts.games.compiled import run_playouts  # numba is only loaded when something runs

    position = _position(start)
    games, seed = whole("games", games, 0), whole("seed", seed, 0)
    if position.result is not None:
        raise NoughtsError("The game is over; a playout needs a running position.")
    sizes = [min(_BATCH, games - first) for first in range(0, games, _BATCH)]
    with ThreadPoolExecutor(thread_count(threads)) as pool:
        tallies = list(
            pool.map(lambda b: run_playouts(position, b[1], seed, b[0]), enumerate(sizes))
        )
    seats = position.game.seats
    total = [sum(int(tally[i]) for tally in tallies) for i in range(seats + 2)]
    *wins, draws, turns = total
    return Tally(wins[0], wins[1], draws, turns, *wins[2:])


def perft(start: Position | Game | str, depth: int, threads: int | None = None) -> int:
    """How many sequences of `depth` moves there are, each landing as it was meant.

    Games that end earlier do not count. The first moves are shared out over threads.
    """
    from noughts.games.compiled import has_kernels, run_perft  # numba is loaded when it runs

    position = _position(start)
    if whole("depth", depth, 0) == 0:
        return 1
    if position.most_left is not None and depth > position.most_left:
        return 0
    position.check_kept()
    if not has_kernels(position.game):
        return _plain_perft(position, depth)
    if depth == 1:
        return len(position.at_once)
    after = [position.play(move) for move in position.at_once]
    children = [child for child in after if child.result is None]
    most = min(thread_count(threads), len(children))
    if most < 2:
        return sum(run_perft(child, depth - 1) for child in children)
    with ThreadPoolExecutor(most) as pool:
        return sum(pool.map(lambda child: run_perft(child, depth - 1), children))


def _plain_perft(position: Position, depth: int) -> int:
    """The same by the position's own rules, where no kernel knows them."""
    if depth == 1:
        return len(position.at_once)
    return sum(_plain_perft(position.play(move), depth - 1) for move in position.at_once)
