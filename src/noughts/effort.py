"""How long work takes, interpreted or compiled for the first time: the one place that guesses.

A kernel is Python and can be interpreted at once, or compiled by numba first, which takes seconds
unless its machine code is in the cache already; even then numba itself must be loaded. Small work
is done sooner by interpreting:

    interpret  if  Σ interpreted seconds  <  loading numba + Σ compiling what is not in the cache

The constants are seconds on one core of the machine of docs/benchmarks.md; `python
benchmarks/effort.py` measures them. They need to be right within a factor of two or so: the answers
are the same either way.

What is in the cache is noted in it by name, so that nobody has to ask numba. A name is a kind of
work and what about a game selects other machine code.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from noughts.agents import Agent
from noughts.games.game import Game
from noughts.kernels.cache import is_noted

LOADING = 0.6  # numba, and what it knows of numpy
COMPILING = {
    "solve": 1.2,
    "odds": 2.5,
    "perft": 1.2,
    "minimax": 0.8,
    "heuristic": 1.5,
    "uct": 5.0,
    "flat": 5.5,
    "alphabeta": 5.0,
    "maxn": 4.0,
    "zero": 6.5,
}
COMPILING_OTHERS = 5.0

BOARD = 6e-7  # one cell of one board in a sweep
SEAT_BOARD = 6e-7  # one board of more than two players, by numpy
SEAT_BOARDS = 1 << 22  # up to so many numpy is sooner than a kernel that must be loaded
SIMULATION, SIMULATION_CELL = 5e-5, 6e-6  # of a tree search, and each cell of its board
PLAYOUT = 1e-3  # of flat Monte Carlo, with its exact look, on boards of nine cells
PATH = 2e-5  # one sequence of moves, counted
DECISION = 0.03  # alpha-beta on a board of nine cells, to the end of the game
VISIT = 1.5e-4  # of a position by maxⁿ, and as much for a random game at its depth limit
PROOF = 1.0  # a move by a stored proof
SMALL = 9  # cells: what is searched to the end in a moment
MOST_CELLS = 20  # of a table
TABLES = ("optimal", "fallible")  # they play by the table of all boards


@dataclass(frozen=True)
class Work:
    """A piece of work: the kernels it needs, and its seconds if they are interpreted."""

    kernels: str
    seconds: float

    @property
    def is_compiled(self) -> bool:
        """Whether the machine code is in the cache."""
        return is_noted(self.kernels)

    @property
    def compiling(self) -> float:
        """Seconds to compile the kernels from nothing."""
        word = self.kernels.partition(" ")[0]
        return COMPILING.get(word, COMPILING_OTHERS) if word else 0.0


IDLE = Work("", 0.0)  # what is done as soon either way


def is_sooner_interpreted(works: Iterable[Work]) -> bool:
    """Whether interpreting is done before numba is loaded, has compiled and has run it."""
    listed = list(works)
    missing = {work.kernels: work.compiling for work in listed if not work.is_compiled}
    return sum(work.seconds for work in listed) < LOADING + sum(missing.values())


def solving(game: Game, rounds: float = 1) -> Work:
    """The table of all boards; `rounds` where it is gone through more than once.

    That of more than two players is made by numpy, and needs no kernel unless it is large.
    """
    if game.seats > 2:
        boards = (game.seats + 1.0) ** game.cells
        return Work(_named("seats", game), SEAT_BOARD * boards) if boards > SEAT_BOARDS else IDLE
    if game.fades or game.cells > MOST_CELLS:
        return Work(_named("solve", game), math.inf)
    return Work(_named("solve", game), rounds * game.ticks * BOARD * game.cells * 3.0**game.cells)


def weighing(game: Game, games: int = 0) -> Work:
    """The odds of players as tables; `games` to be played between them besides."""
    if game.seats > 2:
        return IDLE
    seconds = 4 * solving(game).seconds + games * PLAYOUT
    return Work(_named("odds", game), seconds)


def counting(game: Game, depth: int) -> Work:
    """All sequences of `depth` moves."""
    paths = math.prod(float(max(game.cells - i, 1)) for i in range(min(depth, game.cells)))
    return Work(_named("perft", game), PATH * paths)


def choosing(agent: Agent, game: Game, moves: float = 1) -> Work:
    """So many moves of an agent, which says itself what they take."""
    if not agent.kernels:
        return Work("", 0.0)
    has_table = agent.kernels != "solve" or game.cells <= MOST_CELLS
    kernels = agent.kernels if has_table else agent.name
    return Work(_named(kernels, game), moves * agent.interpreted_seconds(game))


def growing(game: Game, simulations: int) -> float:
    """Seconds of so many simulations of a tree search."""
    return simulations * (SIMULATION + SIMULATION_CELL * game.cells)


def is_soon_decided(game: Game) -> bool:
    """Whether a game is searched to its end in a moment."""
    return game.cells <= SMALL and not game.fades


def visiting(game: Game, depth: int) -> float:
    """Seconds of all sequences of so many moves, and of all that they may turn into."""
    ways = game.seats + 1 if game.is_risky else 1
    return VISIT * math.prod(
        float(max(game.cells - i, 1) * ways) for i in range(min(depth, game.cells))
    )


def _named(work: str, game: Game) -> str:
    """The name of the machine code: the work, the rules, and what is compiled apart."""
    if not game.is_risky:
        flavour = "seats" if game.seats > 2 else "long" if game.cells > 64 else "plain"
    else:
        flavour = "fade" if game.fades else "clock" if game.has_clock else "risky"
    return f"{work} {type(game).__name__} {flavour}"
