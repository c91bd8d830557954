"""Which engine searches which game: the facts of its family say it."""

from noughts.games.compiled import check_kernels, has_kernels
from noughts.games.game import Game, Mark, check_two
from noughts.kernels.rules import protocol
from noughts.search.engines.deepening import Engine, warmed
from noughts.search.engines.expectimax import ExpectimaxEngine
from noughts.search.engines.listed import ListedEngine
from noughts.search.engines.negamax import AlphaBetaEngine


def make_engine(game: Game, megabytes: int, threats: int, seat: Mark = "X") -> Engine:
    """The strongest engine that is right for a game, ready to run.

    With more than two players it thinks for one seat, against all others as one.
    """
    engine = _pick_engine(game, megabytes, threats, seat)
    return engine if isinstance(engine, ListedEngine) else warmed(engine, game)


def _pick_engine(game: Game, megabytes: int, threats: int, seat: Mark) -> Engine:
    if not has_kernels(game):
        check_two(game, "The plain search")
        return ListedEngine()
    check_kernels(game)
    facts = protocol.facts(game.rules)
    if facts.most_outcomes == 1 and not facts.settles:
        return AlphaBetaEngine(game, megabytes, threats, seat=seat)
    return ExpectimaxEngine(game, megabytes, seat=seat)
