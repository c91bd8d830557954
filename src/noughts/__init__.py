"""Noughts: one laboratory for the whole tic-tac-toe family."""

from typing import TYPE_CHECKING, Any

from noughts.agents import Agent, Thought, agent, listed_agents
from noughts.arena import GameRecord, MatchResult, Tournament, match, tournament
from noughts.errors import IllegalMove, NoughtsError, ParseError
from noughts.games import (
    Board,
    Game,
    Landing,
    Position,
    Tally,
    game,
    listed_games,
    perft,
    playouts,
)
from noughts.solve import best_response, odds, policy, simulate, solve

if TYPE_CHECKING:
    from noughts.solve import Odds, Policy, Simulation, Solution

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """The classes of exact answers load numba, so they are found only when somebody names them."""
    if name in ("Odds", "Policy", "Simulation", "Solution"):
        from importlib import import_module

        return getattr(import_module("noughts.solve"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Agent",
    "Board",
    "Game",
    "GameRecord",
    "IllegalMove",
    "Landing",
    "MatchResult",
    "NoughtsError",
    "Odds",
    "ParseError",
    "Policy",
    "Position",
    "Simulation",
    "Solution",
    "Tally",
    "Thought",
    "Tournament",
    "agent",
    "best_response",
    "game",
    "listed_agents",
    "listed_games",
    "match",
    "odds",
    "perft",
    "playouts",
    "policy",
    "simulate",
    "solve",
    "tournament",
]
