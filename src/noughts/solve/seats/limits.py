"""What is computed of a game of more than two players, and whether it fits the memory."""

from noughts.errors import NoughtsError
from noughts.games.game import Game
from noughts.solve.limits import MemoryPlan, check_tabled, clock_end

NOT_COMPUTED = (
    "no equilibrium is computed: positions may repeat, and backward induction does not end"
)
LARGE = 1 << 22  # boards: numpy takes seconds for more
_FADING_TABLES = 6  # both ends, what they are before fading, a step, and the answer


def board_count(game: Game) -> int:
    """How many boards there are, legal or not."""
    return int((game.seats + 1) ** game.cells)


def is_compiled_pass(game: Game) -> bool:
    """Whether a kernel solves it where kernels are compiled: numpy has done a small table first."""
    risk = game.risk
    is_plain = not (risk.fades or risk.fizzles or risk.has_clock)
    return is_plain and board_count(game) >= LARGE


def has_equilibrium(game: Game) -> bool:
    """Whether backward induction ends: no board repeats, or no choice depends on that it does.

    Where all cells fizzle alike a lost turn is as likely whatever is played. With a clock it is
    not: who waits may lose his turn later, and on another board.
    """
    risk = game.risk
    if risk.fades:
        return False
    return not risk.fizzles or (len(set(risk.fizzle)) == 1 and not risk.has_clock)


def check_equilibrium(game: Game) -> None:
    """Refuse, in one sentence, a game whose equilibrium is not computed or does not fit."""
    check_tabled(game)
    if not has_equilibrium(game):
        raise NoughtsError(f"In {game} {NOT_COMPUTED}.")
    plan_seats(game).check(f"Solving {game}")


def plan_seats(game: Game, rules: int = 1) -> MemoryPlan:
    """How much memory a solve takes at its peak, under so many tie rules."""
    ticks = clock_end(game) + 1
    tables = ticks * (1 + rules * has_equilibrium(game))
    if game.risk.fades:
        tables = 2 * ticks + _FADING_TABLES
    return MemoryPlan(tables * board_count(game) * game.seats * 8)
