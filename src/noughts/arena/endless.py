"""Games that can never end, because of their risk alone.

A cell whose every mark fizzles is never filled, and one that fades for certain is empty again at
the next turn. So a line can be completed if all its cells can be filled and all but the one that is
filled last can keep a mark; a board can become full on the same terms. If neither is possible the
players could go on for ever.
"""

from noughts.errors import NoughtsError
from noughts.games.game import Game
from noughts.games.line_game import LineGame


def check_ends(game: Game) -> None:
    """Refuse, in one sentence, a game that can never end."""
    if can_end(game):
        return
    kinds = [name for name in ("fizzle", "fade") if max(getattr(game.risk, name), default=0.0) >= 1]
    raise NoughtsError(
        f"{game} can never end: with {' and '.join(kinds)} at 1 no line is ever completed and the "
        "board is never full; allowed are chances below 1."
    )


def can_end(game: Game) -> bool:
    """Whether a line can be completed, or the board filled; of other boards, whether a cell can."""
    fizzle, fade = game.risk.fizzle, game.risk.fade
    if not game.risk.is_risky:
        return True
    if not isinstance(game, LineGame):
        return any(fizzle[cell] < 1.0 and fade[cell] < 1.0 for cell in range(game.cells))
    return any(
        all(fizzle[cell] < 1.0 for cell in line) and sum(fade[cell] >= 1.0 for cell in line) <= 1
        for line in (*game.lines, range(game.cells))
    )
