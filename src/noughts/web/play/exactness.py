"""Whether the exact values of a game can be had here, and how long that takes.

A sweep looks at 3^cells boards per tick, some 5e7 of them a second (`benchmarks/solve.py`). Where
marks fade the same table is gone through again and again until both ends meet.
"""

from typing import Any

from noughts.errors import NoughtsError
from noughts.games.game import Game
from noughts.games.line_game import LineGame
from noughts.solve.limits import check_solvable, clock_end
from noughts.solve.memory import free_memory
from noughts.solve.stored import solution_path

BOARDS_PER_SECOND = 5e7
FADE_ROUNDS = 600  # sweeps that interval iteration takes, about; each mixes all ways to fade
MOMENT, PATIENCE = 2.0, 600.0  # seconds


def seconds_to_solve(game: LineGame) -> float:
    """About how long a solve takes; raises NoughtsError when it is not possible."""
    check_solvable(game)
    boards = 3.0**game.cells * (clock_end(game) + 1)
    if game.risk.fades:
        boards *= FADE_ROUNDS
    needed = boards * (40.0 if game.risk.fades else 5.0)
    if 3.0**game.cells > 1e7 and needed / (FADE_ROUNDS if game.risk.fades else 1) > free_memory():
        raise NoughtsError(f"The table of {game} does not fit the memory of this machine.")
    return boards / BOARDS_PER_SECOND


def has_exact_values(game: Game) -> bool:
    """Whether exact values are on the disk or a matter of a moment."""
    return bool(exact_data(game)["ready"])


def exact_data(game: Game) -> dict[str, Any]:
    """What the page is told about exact values."""
    try:
        line_game = check_solvable(game)
        seconds = seconds_to_solve(line_game)
    except NoughtsError as error:
        return {"possible": False, "ready": False, "seconds": None, "reason": str(error)}
    if seconds <= MOMENT or solution_path(line_game).exists():
        return {"possible": True, "ready": True, "seconds": min(seconds, MOMENT), "reason": None}
    reason = None if seconds <= PATIENCE else f"Solving {game} takes about {seconds / 60:.0f} min."
    return {"possible": reason is None, "ready": False, "seconds": seconds, "reason": reason}
