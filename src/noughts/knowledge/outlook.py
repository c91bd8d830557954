"""How often each move is won, drawn and lost, where that is known.

    move_odds(position, told)    {move: Odds} for the moves whose value is known exactly

Without dice a value that is known is a result. With dice the table is walked forward, both players
going on by it; where marks fade or a clock runs nobody knows the odds of a draw.
"""

from collections.abc import Mapping

from noughts.games.game import Position
from noughts.knowledge.asking import alike
from noughts.knowledge.known import Known
from noughts.knowledge.tables import table_at_hand
from noughts.solve.ahead import odds_ahead
from noughts.solve.seats.answers import Odds

_OF_RESULT = {1.0: Odds(1.0, 0.0, 0.0), 0.0: Odds(0.0, 1.0, 0.0), -1.0: Odds(0.0, 0.0, 1.0)}


def move_odds(position: Position, told: Mapping[int, Known]) -> dict[int, Odds]:
    """The odds of the moves whose value is known; none where they cannot be had in a moment."""
    exact = {move: one.value for move, one in told.items() if one.is_exact}
    if not position.game.is_risky:
        return {m: _OF_RESULT[value] for m, value in exact.items() if value in _OF_RESULT}
    return _by_the_table(position) if len(exact) == len(position.moves) else {}


def _by_the_table(position: Position) -> dict[int, Odds]:
    solution = table_at_hand(position.game)
    if solution is None or solution.bound > 0.0 or not position.moves:
        return {}
    kinds = alike(position)
    found = odds_ahead(solution, position, sorted(set(kinds.values())))
    return {} if found is None else {move: found[kind] for move, kind in kinds.items()}
