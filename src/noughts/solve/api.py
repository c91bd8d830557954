"""What a user calls to get exact answers. Checks the words; the work is done elsewhere."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Union, cast

from noughts.agents import Agent, ChooseFunction
from noughts.aloud import is_heard, tell
from noughts.errors import NoughtsError, whole
from noughts.games.game import MARKS, Game, Mark
from noughts.games.registry import game as read_game
from noughts.solve.limits import check_tabled

if TYPE_CHECKING:
    from noughts.solve.evaluation import Response
    from noughts.solve.policies import Policy
    from noughts.solve.seats.answers import Odds
    from noughts.solve.seats.policies import SeatPolicy
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
    ties: str = "lowest",
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

    With more than two players the answer is a `SeatSolution`: the equilibrium, in which each mover
    takes what is worth most to himself, and what each seat can guarantee itself. There `ties` says
    which of equally good moves are played, the lowest or all alike; two players need no such rule.
    """
    line_game = check_tabled(read_game(game))
    _check_word("ties", ties, TIES)
    _check_word("method", method, METHODS)
    _check_word("dtype", dtype, ("float64", "float32"))
    if tolerance is not None and not 0.0 <= tolerance < 1.0:
        raise NoughtsError(f"tolerance={tolerance} is not a number from 0 to below 1.")
    if line_game.seats > 2:
        check_one_way(method, dtype)
        from noughts.solve.seats.exact import solve_seats

        # Who solves a game of more seats knows it; everybody else may count on two.
        return cast("Solution", solve_seats(line_game, ties, tolerance, progress, threads))
    from noughts.solve.exact import run_solve

    if progress is None and is_heard():
        progress = tell
    return run_solve(line_game, method, dtype, tolerance, threads, progress)


def policy(game: Game | str, player: AnyPlayer, ties: str = "lowest", seat: Mark = "X") -> "Policy":
    """A player of a game as a table; `policies.py` says which players there are.

    `ties` says which of several equally good moves is played: the lowest, or all alike. `seat` only
    matters for agents that must be asked. With more than two players it is a `SeatPolicy`.
    """
    line_game = check_tabled(read_game(game))
    _check_word("ties", ties, TIES)
    _check_word("seat", seat, line_game.marks)
    if line_game.seats > 2:
        from noughts.solve.seats.policies import make_seat_policy

        return cast("Policy", make_seat_policy(line_game, player, ties, seat))
    from noughts.solve.policies import make_policy

    return make_policy(line_game, player, ties, seat)


def odds(
    game: Game | str,
    x: AnyPlayer = "optimal",
    o: AnyPlayer = "optimal",
    ties: str = "lowest",
    *,
    t: AnyPlayer | None = None,
    s: AnyPlayer | None = None,
) -> "Odds":
    """The exact odds of the players, one to each seat, from the empty board; nothing is sampled.

    `t` and `s` sit down where there are more than two seats, and are optimal unless named.

    >>> odds("3x3", x="optimal", o="random").o
    0.0
    """
    players = _seated(game, (x, o, t, s), ties)
    line_game = players[0].game
    if line_game.seats > 2:
        from noughts.solve.seats.evaluation import seat_odds

        return seat_odds(line_game, cast("list[SeatPolicy]", players))
    from noughts.solve.evaluation import evaluate_odds

    x_policy, o_policy = players
    return evaluate_odds(line_game, x_policy, o_policy)


def best_response(
    game: Game | str,
    opponent: AnyPlayer | Sequence[AnyPlayer],
    seat: Mark = "X",
    ties: str = "lowest",
) -> "Response":
    """The exact best reply, sitting at `seat`, to an opponent who does not change.

    With more than two players `opponent` sits at every other seat, or is a sequence of players for
    the other seats in the order of their turns, X first.
    """
    line_game = check_tabled(read_game(game))
    _check_word("seat", seat, line_game.marks)
    seats = [mark for mark in line_game.marks if mark != seat]
    rivals: list[AnyPlayer] = []
    if isinstance(opponent, list | tuple):
        rivals += opponent
    else:
        rivals += [cast("AnyPlayer", opponent)] * len(seats)
    if len(rivals) != len(seats):
        raise NoughtsError(f"{line_game} has {len(seats)} other seats, not {len(rivals)}.")
    fixed = [
        policy(line_game, rival, ties, mark) for rival, mark in zip(rivals, seats, strict=True)
    ]
    if line_game.seats > 2:
        from noughts.solve.seats.evaluation import seat_reply

        return seat_reply(line_game, cast("list[SeatPolicy]", fixed), seat, ties)
    from noughts.solve.evaluation import best_reply

    return best_reply(line_game, fixed[0], seat, ties)


def simulate(
    game: Game | str,
    x: AnyPlayer = "optimal",
    o: AnyPlayer = "optimal",
    games: int = 100_000,
    seed: int = 0,
    ties: str = "lowest",
    threads: int | None = None,
    *,
    t: AnyPlayer | None = None,
    s: AnyPlayer | None = None,
) -> "Simulation":
    """Play many games between players as tables; the same for any number of threads."""
    whole("games", games, 0)
    whole("seed", seed, 0)
    players = _seated(game, (x, o, t, s), ties)
    line_game = players[0].game
    if line_game.seats > 2:
        from noughts.solve.seats.simulation import simulate_seats

        return simulate_seats(line_game, cast("list[SeatPolicy]", players), games, seed)
    from noughts.solve.simulation import run_simulation

    x_policy, o_policy = players
    return run_simulation(line_game, x_policy, o_policy, games, seed, threads)


def _seated(game: Game | str, named: tuple[AnyPlayer | None, ...], ties: str) -> "list[Policy]":
    """Every seat's player; one table for all who are the same where the seat does not matter."""
    line_game = check_tabled(read_game(game))
    for mark, player in zip(MARKS[line_game.seats :], named[line_game.seats :], strict=True):
        if player is not None:
            raise NoughtsError(f"{line_game} has no seat {mark}; it is for {line_game.seats}.")
    found: list[Policy] = []
    made: dict[str, Policy] = {}
    for mark, player in zip(line_game.marks, named[: line_game.seats], strict=True):
        player = "optimal" if player is None else player
        name = player if isinstance(player, str) else ""
        if name.partition(":")[0] in ("optimal", "random", "fixed"):
            if name not in made:
                made[name] = policy(line_game, player, ties, mark)
            found.append(made[name])
        else:
            found.append(policy(line_game, player, ties, mark))
    return found


def check_one_way(method: str | None, dtype: str | None) -> None:
    """More than two players are solved in one way, and in float64."""
    if method is not None:
        raise NoughtsError(f"method={method} is for two players; more are solved by one pass.")
    if dtype not in (None, "float64"):
        raise NoughtsError(f"dtype={dtype} is for two players; more are solved in float64.")


def _check_word(key: str, word: str | None, allowed: tuple[str, ...]) -> None:
    """Refuse a word that is not allowed; None is no word, but ties are always broken."""
    if word not in allowed and (word is not None or key == "ties"):
        raise NoughtsError(f"{key}={word} is not known; allowed: {', '.join(allowed)}.")
