"""Noughts: one laboratory for the whole tic-tac-toe family."""

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

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "Board",
    "Game",
    "IllegalMove",
    "Landing",
    "NoughtsError",
    "ParseError",
    "Position",
    "Tally",
    "Thought",
    "agent",
    "game",
    "listed_agents",
    "listed_games",
    "perft",
    "playouts",
]
