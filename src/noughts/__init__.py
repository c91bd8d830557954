"""Noughts: one laboratory for the whole tic-tac-toe family."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from noughts.agents import Agent, Thought, agent, listed_agents
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
    from noughts.arena import GameRecord, MatchResult, Tournament, match, tournament
    from noughts.knowledge import Known, known, known_moves
    from noughts.learn.frame.training import Training, train
    from noughts.solve import Odds, Policy, Simulation, Solution

__version__ = "0.1.0"


# These load numba or the report writers, so they are found only when somebody names them.
_LAZY = {
    **dict.fromkeys(("Odds", "Policy", "Simulation", "Solution"), "noughts.solve"),
    **dict.fromkeys(
        ("GameRecord", "MatchResult", "Tournament", "match", "tournament"), "noughts.arena"
    ),
    **dict.fromkeys(("Training", "train"), "noughts.learn.frame.training"),
    **dict.fromkeys(("Known", "known", "known_moves"), "noughts.knowledge"),
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Agent",
    "Board",
    "Game",
    "GameRecord",
    "IllegalMove",
    "Known",
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
    "Training",
    "agent",
    "best_response",
    "game",
    "known",
    "known_moves",
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
    "train",
]
