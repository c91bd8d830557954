"""Whether the table of a game can be had here, and how long that takes. Nothing is solved."""

from dataclasses import dataclass

from noughts.errors import NoughtsError
from noughts.games.game import Game
from noughts.knowledge.limits import MOMENT, PATIENCE, compiled_seconds
from noughts.solve.limits import check_solvable
from noughts.solve.written.stored import is_stored


@dataclass(frozen=True)
class Prospect:
    """What somebody who asks for the exact values of a whole game is told."""

    possible: bool
    ready: bool  # on the disk, or a matter of a moment
    seconds: float | None  # that it takes, about
    reason: str | None  # why it is not possible


def prospect_of(game: Game) -> Prospect:
    """Whether exact values are at hand, or in how many seconds, or why never."""
    try:
        seconds = compiled_seconds(game)
        is_ready = seconds <= MOMENT or is_stored(check_solvable(game))
    except NoughtsError as error:
        return Prospect(possible=False, ready=False, seconds=None, reason=str(error))
    if is_ready:
        return Prospect(possible=True, ready=True, seconds=min(seconds, MOMENT), reason=None)
    reason = None if seconds <= PATIENCE else f"Solving {game} takes about {seconds / 60:.0f} min."
    return Prospect(possible=reason is None, ready=False, seconds=seconds, reason=reason)
