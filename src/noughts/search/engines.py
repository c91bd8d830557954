"""Which engine searches which game: the facts of its family say it."""

from noughts.games.compiled import has_kernels
from noughts.games.game import Game
from noughts.kernels.rules import protocol
from noughts.search.alphabeta_engine import AlphaBetaEngine
from noughts.search.deepening import Engine
from noughts.search.expectimax_engine import ExpectimaxEngine
from noughts.search.listed_engine import ListedEngine


def make_engine(game: Game, megabytes: int, threats: int) -> Engine:
    """The strongest engine that is right for a game, ready to run."""
    engine = _pick_engine(game, megabytes, threats)
    if not isinstance(engine, ListedEngine):
        # Compiling happens here, so that it is not charged to the clock of the first move.
        engine.look(game.start(), 1)
        engine.nodes = engine.deepest = 0
    return engine


def _pick_engine(game: Game, megabytes: int, threats: int) -> Engine:
    if not has_kernels(game):
        return ListedEngine()
    facts = protocol.facts(game.search_rules)
    if facts.most_outcomes == 1 and not facts.settles:
        return AlphaBetaEngine(game, megabytes, threats)
    return ExpectimaxEngine(game, megabytes)
