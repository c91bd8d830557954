"""Exact answers: values, odds, best responses.

What a user calls is in `api.py`, which is light; the rest loads numba and is only imported when it
is needed.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from noughts.solve.api import best_response, odds, policy, simulate, solve

if TYPE_CHECKING:
    from noughts.solve.evaluation import Response
    from noughts.solve.policies import Policy
    from noughts.solve.seats.answers import Odds
    from noughts.solve.seats.solution import SeatSolution
    from noughts.solve.simulation import Simulation
    from noughts.solve.solution import Solution
    from noughts.solve.stages import Sweep
    from noughts.stats.shares import share_interval

_HOMES = {
    "Odds": "solve.seats.answers",
    "Policy": "solve.policies",
    "Response": "solve.evaluation",
    "SeatSolution": "solve.seats.solution",
    "Simulation": "solve.simulation",
    "Solution": "solve.solution",
    "Sweep": "solve.stages",
    "share_interval": "stats.shares",
}


def __getattr__(name: str) -> Any:
    """The classes of the answers, loaded when somebody names them."""
    if name in _HOMES:
        return getattr(import_module(f"noughts.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Odds",
    "Policy",
    "Response",
    "SeatSolution",
    "Simulation",
    "Solution",
    "Sweep",
    "best_response",
    "odds",
    "policy",
    "share_interval",
    "simulate",
    "solve",
]
