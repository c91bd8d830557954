"""Which games have a table of all boards, and how long their clocks run."""

from noughts.errors import NoughtsError
from noughts.games.game import Game, check_two
from noughts.games.line_game import LineGame

MAX_CELLS = 20


def check_solvable(game: Game) -> LineGame:
    """The game as a LineGame that fits a table, or a sentence that says why it does not."""
    if not isinstance(game, LineGame):
        raise NoughtsError(f"{game} is not a line game; tables exist for boards of lines only.")
    if game.cells > MAX_CELLS:
        raise NoughtsError(
            f"{game} has {game.cells} cells; a table of all boards is possible up to {MAX_CELLS} "
            f"('noughts prove' settles some larger games by search)."
        )
    check_two(game, "This table of all boards")
    return game


def check_same_board(source: LineGame, game: LineGame) -> None:
    """Refuse to play one game by the table of another whose boards or clock it does not share."""
    if source.lines != game.lines:
        raise NoughtsError(f"{source} and {game} have different boards.")
    if source.risk.has_clock and source != game:
        raise NoughtsError(f"{source} has a clock that {game} does not share.")


def clock_end(game: LineGame) -> int:
    """The last tick that can be reached."""
    last_tick = game.risk.last_tick
    if last_tick is not None:
        return last_tick
    if game.risk.fizzles or game.risk.fades:
        raise NoughtsError(f"The clock of {game} never stops; add limit=T to solve it.")
    return game.cells * game.risk.longest_wait
