"""Which engine searches which game."""

from noughts.games.game import Game
from noughts.games.line_game import LineGame
from noughts.games.ultimate import UltimateGame
from noughts.search.deepening import Engine
from noughts.search.line_engine import LineEngine
from noughts.search.listed_engine import ListedEngine
from noughts.search.risk_engine import RiskEngine
from noughts.search.tables import search_tables
from noughts.search.ultimate_engine import UltimateEngine


def make_engine(game: Game, megabytes: int, threats: int) -> Engine:
    """The strongest engine that is right for a game, ready to run."""
    engine = _pick_engine(game, megabytes, threats)
    if not isinstance(engine, ListedEngine):
        # Compiling happens here, so that it is not charged to the clock of the first move.
        engine.look(game.start(), 1)
        engine.nodes = engine.deepest = 0
    return engine


def _pick_engine(game: Game, megabytes: int, threats: int) -> Engine:
    if isinstance(game, LineGame) and not game.risk.is_risky:
        tables = search_tables(game)._replace(threat_depth=threats)
        return LineEngine(game, megabytes, tables)
    if isinstance(game, LineGame) and not game.risk.fades and not game.risk.has_clock:
        return RiskEngine(game, megabytes)
    if isinstance(game, UltimateGame) and not game.risk.is_risky:
        return UltimateEngine(game, megabytes)
    return ListedEngine()
