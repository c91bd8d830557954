"""Where a request goes: to the workers that compile, to the one that interprets, or to both.

A guess from the specs alone is enough: a wrong one costs a wait, not an answer. What cannot be read
goes the usual way, and is refused there.
"""

from noughts.agents import Agent
from noughts.agents import agent as read_agent
from noughts.effort import COMPILING, TABLES, choosing
from noughts.errors import NoughtsError
from noughts.games.game import Game
from noughts.knowledge.limits import compiled_seconds
from noughts.web.engine.tickets import Route
from noughts.web.play.places import page_game
from noughts.web.play.values import AUTO, choose_judge

SMALL_SECONDS = 1.5  # that the interpreter may be asked for
HEAVY_SIMULATIONS, HEAVY_SECONDS = 5000, 0.3
CLOCKED_CELLS = 25  # a search by the clock looks at it often enough when interpreted

# A table's strength is exact odds; one worker only, for a game must not be taught twice.
LESSON = Route(kernels="lesson", compiling=5.0, what="the table's strength")
OFFHAND = Route(compiled=False, interpreted=True)  # it needs no kernel, or none worth compiling
ESTIMATE = Route(compiled=False, interpreted=True, is_patient=True)  # in a moment


def route_of_move(spec: str, game: str) -> Route:
    """For the move of an agent."""
    try:
        player, played = read_agent(spec), page_game(game)
    except NoughtsError:
        return Route()
    work = choosing(player, played)
    return Route(
        interpreted=work.seconds <= SMALL_SECONDS or _is_short(player, played),
        is_heavy=_is_heavy(player),
        kernels=work.kernels,
        compiling=work.compiling,
        working=_table_seconds(player, played),
        interpreting=min(work.seconds, SMALL_SECONDS),
        what=f"{player.name} for {game}",
    )


def route_of_values(spec: str, game: str, is_quick: bool) -> Route:
    """For the values of all moves; a quick estimate is the interpreter's."""
    if is_quick:
        return ESTIMATE
    try:
        played = page_game(game)
        judge = read_agent(choose_judge(played, is_guess=True) if spec == AUTO else spec)
        is_heavy = judge.name != "optimal" if spec == AUTO else _is_heavy(judge)
    except NoughtsError:
        return Route()
    work = choosing(judge, played)
    is_searched = spec == AUTO and judge.name != "optimal"  # and a proof is looked for besides
    return Route(
        interpreted=work.seconds <= SMALL_SECONDS and judge.name == "optimal",
        is_heavy=is_heavy,
        kernels=f"{AUTO} {work.kernels}" if is_searched else work.kernels,
        compiling=work.compiling + (COMPILING["alphabeta"] if is_searched else 0.0),
        working=_table_seconds(judge, played),
        what=f"values for {game}",
    )


def _table_seconds(player: Agent, game: Game) -> float:
    """How long a compiled solve takes whoever plays by the table; a worker without it needs it."""
    try:
        return compiled_seconds(game) if player.name in TABLES else 0.0
    except NoughtsError:  # it plays by something else, or will be refused
        return 0.0


def _is_short(player: Agent, game: Game) -> bool:
    """Whether an agent that thinks by the clock answers soon when it is interpreted."""
    seconds = getattr(player, "time", None)
    if player.name == "uct" and seconds is not None:
        return bool(seconds <= SMALL_SECONDS)
    is_plain = game.cells <= CLOCKED_CELLS and not game.is_risky
    return player.name == "alphabeta" and is_plain and (seconds or 1.0) <= SMALL_SECONDS


def _is_heavy(player: Agent) -> bool:
    """Whether a move may take a while."""
    seconds = getattr(player, "time", None)
    if seconds is not None:
        return bool(seconds > HEAVY_SECONDS)
    budgets = [getattr(player, key, None) or 0 for key in ("simulations", "playouts")]
    return max(budgets) > HEAVY_SIMULATIONS
