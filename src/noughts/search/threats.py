"""Forced wins: a chain of threats, each of which leaves the opponent a single reply.

Such a chain is what the alpha-beta kernel follows past its depth limit, so a search of depth 0
finds it: only moves that make a threat are tried, the replies are forced, and a threat that the
opponent makes in passing has to be answered by a move that goes on threatening. A chain that is
found wins against every defence; that none is found does not mean that there is no win.
"""

from noughts.errors import NoughtsError
from noughts.games.game import Landing, Mark, Position
from noughts.kernels.transposition import DECIDED
from noughts.search.engines.negamax import AlphaBetaEngine

_MEGABYTES = 16


def forced_win(position: Position, threats: int = 20) -> list[int] | None:
    """The moves of a forced win of the player on turn, with the only replies; None if not found.

    `threats` limits how many threats in a row are tried.
    """
    game = position.game
    is_plain = not (game.is_misere or game.is_risky or game.seats > 2)
    if game.hypergraph is None or not is_plain:
        raise NoughtsError(f"Nobody can force a win by threats in {game}; it takes normal play.")
    if position.result is not None:
        return None
    engine = AlphaBetaEngine(game, _MEGABYTES, threats)
    line: list[int] = []
    mark = position.mover
    while position.result is None:
        if position.turn == mark:
            score, move, _, _ = engine.search(position, 0)
            if score <= DECIDED:
                return None
        else:
            wins = [cell for cell in position.moves if _wins(position, cell, mark)]
            move = wins[0]
        line.append(move)
        position = position.play(move)
    return line


def _wins(position: Position, cell: int, mark: Mark) -> bool:
    """Whether this mark, if it could land there now, would win."""
    return position.play(cell, Landing(mark)).result == mark
