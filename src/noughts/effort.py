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
    "zero": 6.5,
}
COMPILING_OTHERS = 5.0

BOARD = 6e-7  # one cell of one board in a sweep
SIMULATION, SIMULATION_CELL = 5e-5, 6e-6  # of a tree search, and each cell of its board
PLAYOUT = 1e-3  # of flat Monte Carlo, with its exact look, on boards of nine cells
PATH = 2e-5  # one sequence of moves, counted
DECISION = 0.03  # alpha-beta on a board of nine cells, to the end of the game
PROOF = 1.0  # a move by the stored proof of Qubic
SMALL = 9  # cells: what is searched to the end in a moment
MOST_CELLS = 20  # of a table
IDLE = ("human", "random", "fixed")  # they need no kernels
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
        return COMPILING.get(self.kernels.partition(" ")[0], COMPILING_OTHERS)


def is_sooner_interpreted(works: Iterable[Work]) -> bool:
    """Whether interpreting is done before numba is loaded, has compiled and has run it."""
    listed = list(works)
    missing = {work.kernels: work.compiling for work in listed if not work.is_compiled}
    return sum(work.seconds for work in listed) < LOADING + sum(missing.values())


def solving(game: Game, rounds: float = 1) -> Work:
    """The table of all boards; `rounds` where it is gone through more than once."""
    risk = game.risk
    if risk.fades or game.cells > MOST_CELLS:
        return Work(_named("solve", game), math.inf)
    ticks = 1 if not risk.has_clock else (risk.last_tick or game.cells * risk.longest_wait) + 1
    return Work(_named("solve", game), rounds * ticks * BOARD * game.cells * 3.0**game.cells)


def weighing(game: Game, games: int = 0) -> Work:
    """The odds of two players as tables; `games` to be played between them besides."""
    seconds = 4 * solving(game).seconds + games * PLAYOUT
    return Work(_named("odds", game), seconds)


def counting(game: Game, depth: int) -> Work:
    """All sequences of `depth` moves."""
    paths = math.prod(float(max(game.cells - i, 1)) for i in range(min(depth, game.cells)))
    return Work(_named("perft", game), PATH * paths)


def choosing(agent: Agent, game: Game, moves: float = 1) -> Work:
    """So many moves of an agent. One that thinks by the clock is worth compiling for."""
    name = "solve" if agent.name in TABLES and game.cells <= MOST_CELLS else agent.name
    return Work(_named(name, game), moves * _move_seconds(agent, game))


def _move_seconds(agent: Agent, game: Game) -> float:
    name, is_small = agent.name, game.cells <= SMALL and not game.risk.fades
    if name in IDLE:
        return 0.0
    if name in TABLES:
        return PROOF if str(game) == "qubic" else solving(game).seconds
    if name == "uct" and getattr(agent, "time", None) is None:
        simulations = getattr(agent, "simulations", None) or 1000
        return float(simulations) * (SIMULATION + SIMULATION_CELL * game.cells)
    if name == "flat" and is_small:
        return PLAYOUT * float(getattr(agent, "playouts", 0) or 1000)
    if name == "alphabeta" and is_small and not game.risk.is_risky:
        return DECISION
    return math.inf


def _named(work: str, game: Game) -> str:
    """The name of the machine code: the work, the rules, and what is compiled apart."""
    risk = game.risk
    if not risk.is_risky:
        flavour = "long" if game.cells > 64 else "plain"
    else:
        flavour = "fade" if risk.fades else "clock" if risk.has_clock else "risky"
    return f"{work} {type(game).__name__} {flavour}"
