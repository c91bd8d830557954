"""What a small search proves: a forced win by threats, or an endgame looked at to its end.

Iterative deepening: the first look goes one move deep and follows chains of threats past it, every
further look goes one deeper, until the value is proven or the next look would cost more than the
budget allows. What is counted is nodes times cells, for a node of a large board takes longer.
"""

import threading
from collections.abc import Mapping
from functools import lru_cache

from noughts.aloud import tell
from noughts.errors import NoughtsError
from noughts.games.game import Game, Position
from noughts.knowledge.known import Known, exactly
from noughts.knowledge.limits import Budget
from noughts.knowledge.plain import plain_board
from noughts.knowledge.sources import Source
from noughts.search.engines.deepening import Answer, Engine
from noughts.search.engines.listed import ListedEngine

MEGABYTES, THREATS = 16, 20
GROWTH = 10  # a look is so many times as dear as the one before, about
MOST_LOOKS = 100  # each one deeper than the last, where a game has no end
LEAST_LOOKS = 5  # a budget that does not pay for so many looks at every move is not begun
PLAIN_COST = 200  # an engine of plain Python: a node is so many times as dear
KEPT_ENGINES = 4
KEPT_ANSWERS = 1 << 14


class Searches(Source):
    """Forced lines and endgames, as far as a small budget goes."""

    name = "endgame"

    def known(self, position: Position, budget: Budget) -> Known | None:
        found = _proven(position, budget.work)
        return None if found is None else _known(found)

    def moves(self, position: Position, budget: Budget) -> Mapping[int, Known]:
        """The best move, if its value is proven."""
        found = _proven(position, budget.work)
        if found is None or found.move is None:
            return {}
        return {found.move: _known(found)}


def _known(answer: Answer) -> Known:
    """A win by force is a matter of threats, all else of looking to the end."""
    source = Searches.name if answer.distance is None else "threats"
    return exactly(answer.value, source, answer.distance)


@lru_cache(maxsize=KEPT_ANSWERS)
def _proven(position: Position, work: int) -> Answer | None:
    """The best move and its value if a search proves it within so much work."""
    game = position.game
    if position.result is not None or game.fades or game.has_clock:
        return None
    if work < LEAST_LOOKS * len(position.moves) * game.cells:
        return None
    with _LOCK:
        try:
            return _deepen(_engine(game), position, work)
        except NoughtsError:  # a game that no engine looks at
            return None


_LOCK = threading.Lock()  # engines remember what they saw


def _deepen(engine: Engine, position: Position, work: int) -> Answer | None:
    cost = position.game.cells * (PLAIN_COST if isinstance(engine, ListedEngine) else 1)
    left = work // cost
    last = 1
    for depth in range(1, (position.most_left or MOST_LOOKS) + 1):
        # The best that alpha-beta can do; what it remembers may have made the last look cheap.
        least = len(position.moves) ** (depth / 2)
        if max(last * GROWTH, least) > left:
            return None
        before = engine.nodes
        found = engine.look(position, depth)
        tell()
        last = engine.nodes - before
        left -= last
        if found.is_proven:
            return found
    return None


@lru_cache(maxsize=KEPT_ENGINES)
def _engine(game: Game) -> Engine:
    from noughts.search.engines.choice import make_engine  # loads numba

    return make_engine(game, MEGABYTES, THREATS)


def forced_moves(position: Position) -> list[int] | None:
    """The moves of a forced win of the player on turn, with the only replies, if one is found."""
    from noughts.search.threats import forced_win  # loads numba

    if position.result is not None or plain_board(position) is None:
        return None
    return forced_win(position)
