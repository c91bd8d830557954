"""Games as data: boards and their lines, Ultimate, risk, and the texts that name and draw them."""

from noughts.games.boards import Board
from noughts.games.game import Game, Landing, Mark, Position, Result
from noughts.games.line_game import LineGame, LinePosition
from noughts.games.playing import Tally, perft, playouts
from noughts.games.registry import game, listed_games
from noughts.games.ultimate import UltimateGame, UltimatePosition

__all__ = [
    "Board",
    "Game",
    "Landing",
    "LineGame",
    "LinePosition",
    "Mark",
    "Position",
    "Result",
    "Tally",
    "UltimateGame",
    "UltimatePosition",
    "game",
    "listed_games",
    "perft",
    "playouts",
]
