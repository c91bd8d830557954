"""What a user calls to get exact answers. Checks the words; the work is done elsewhere."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Union

from noughts.agents import Agent, ChooseFunction
from noughts.errors import NoughtsError
from noughts.games.game import Game, Mark
from noughts.games.registry import game as read_game
from noughts.solve.limits import check_solvable

if TYPE_CHECKING:
    from noughts.solve.evaluation import Odds, Response
    from noughts.solve.policies import Policy
    from noughts.solve.simulation import Simulation
    from noughts.solve.solution import Solution

METHODS = ("sweep", "value-iteration", "gauss-seidel", "interval-iteration")
TIES = ("lowest", "uniform")

Progress = Callable[[int, int, str], None]  # done, total, what is known so far
AnyPlayer = Union[str, "Policy", "Solution", Agent, ChooseFunction]


def solve(
    game: Game | str,
    method: str | None = None,
    *,
    dtype: str | None = None,
    tolerance: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> "Solution":
    """The exact solution of a line game of up to 20 cells, with any risk.

    sweep                one pass, each board after those it leads to (the default)
    value-iteration      synchronous sweeps from 0, with a log; ends when nothing changes
    gauss-seidel         the same in place, boards in ascending order
    interval-iteration   from below and above, with a certified bound (default when marks fade)

    `dtype` is float64 (the default up to 13 cells) or float32. `tolerance` is where iterations
    stop: 1e-10 on the bound of interval-iteration, 1e-13 on the largest change of the others.
    `progress(done, total, text)` is called now and then; raising from it cancels.
    """
    line_game = check_solvable(read_game(game))
    _check_word("method", method, METHODS)
    _check_word("dtype", dtype, ("float64", "float32"))
    if tolerance is not None and not 0.0 <= tolerance < 1.0:
        raise NoughtsError(f"tolerance={tolerance} is not a number from 0 to below 1.")
    from noughts.solve.exact import run_solve

    return run_solve(line_game, method, dtype, tolerance, threads, progress)


def policy(game: Game | str, player: AnyPlayer, ties: str = "lowest", seat: Mark = "X") -> "Policy":
    """A player of a game as a table; `policies.py` says which players there are.

    `ties` says which of several equally good moves is played: the lowest, or all alike. `seat` only
    matters for agents that must be asked.
    """
    line_game = check_solvable(read_game(game))
    _check_word("ties", ties, TIES)
    _check_word("seat", seat, ("X", "O"))
    from noughts.solve.policies import make_policy

    return make_policy(line_game, player, ties, seat)


def odds(
    game: Game | str, x: AnyPlayer = "optimal", o: AnyPlayer = "optimal", ties: str = "lowest"
) -> "Odds":
    """The exact odds of X's player against O's, from the empty board; nothing is sampled.

    >>> odds("3x3", x="optimal", o="random").o
    0.0
    """
    x_policy, o_policy = _pair(game, x, o, ties)
    from noughts.solve.evaluation import evaluate_odds

    return evaluate_odds(x_policy.game, x_policy, o_policy)


def best_response(
    game: Game | str, opponent: AnyPlayer, seat: Mark = "X", ties: str = "lowest"
) -> "Response":
    """The exact best reply, sitting at `seat`, to an opponent who does not change."""
    _check_word("seat", seat, ("X", "O"))
    fixed = policy(game, opponent, ties, "O" if seat == "X" else "X")
    from noughts.solve.evaluation import best_reply

    return best_reply(fixed.game, fixed, seat, ties)


def simulate(
    game: Game | str,
    x: AnyPlayer = "optimal",
    o: AnyPlayer = "optimal",
    games: int = 100_000,
    seed: int = 0,
    ties: str = "lowest",
    threads: int | None = None,
) -> "Simulation":
    """Play many games between two players as tables; the same for any number of threads."""
    if games < 0:
        raise NoughtsError(f"games={games} is negative.")
    x_policy, o_policy = _pair(game, x, o, ties)
    from noughts.solve.simulation import run_simulation

    return run_simulation(x_policy.game, x_policy, o_policy, games, seed, threads)


def _pair(game: Game | str, x: AnyPlayer, o: AnyPlayer, ties: str) -> "tuple[Policy, Policy]":
    """Both players as tables; one table where both are the same and the seat does not matter."""
    x_policy = policy(game, x, ties, "X")
    if isinstance(x, str) and x == o and x.partition(":")[0] in ("optimal", "random", "fixed"):
        return x_policy, x_policy
    return x_policy, policy(game, o, ties, "O")


def _check_word(key: str, word: str | None, allowed: tuple[str, ...]) -> None:
    if word is not None and word not in allowed:
        raise NoughtsError(f"{key}={word} is not known; allowed: {', '.join(allowed)}.")
