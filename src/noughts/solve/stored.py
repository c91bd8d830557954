"""Solutions on the disk: where they lie, and how they come there."""

import hashlib
from typing import TYPE_CHECKING

from noughts.errors import NoughtsError, ParseError
from noughts.folders import data_folder, own_file
from noughts.games.line_game import LineGame

if TYPE_CHECKING:
    from pathlib import Path

    from noughts.solve.solution import Solution

KEEP_CELLS = 11  # smaller tables are solved again sooner than they are read
LONGEST_WAIT = 600.0  # seconds, for somebody else who solves the same game


def stored_solution(game: LineGame) -> "Solution":
    """The solution of a game: from the disk, or solved now and kept if that took a while.

    Who comes while another process solves the same game waits for it, and reads what it wrote.
    """
    from noughts.solve.api import solve

    found = load_stored(game)
    if found is not None or game.cells < KEEP_CELLS:
        return found if found is not None else solve(game)
    try:
        turn = own_file(solution_path(game), LONGEST_WAIT)
    except NoughtsError:  # it takes too long, or nothing can be written there
        return solve(game)
    with turn:
        found = load_stored(game)
        if found is None:
            found = solve(game)
            found.save(solution_path(game))
        return found


def load_stored(game: LineGame) -> "Solution | None":
    """The solution on the disk, if there is one; a file that cannot be read is removed."""
    from noughts.solve.solution import Solution

    path = solution_path(game)
    if not path.exists():
        return None
    try:
        found = Solution.load(path)
    except ParseError:  # damaged, or of another version
        path.unlink(missing_ok=True)
        return None
    return found if found.game == game else None


def is_stored(game: LineGame) -> bool:
    """Whether a file is there; whether it can be read is seen by reading it."""
    return solution_path(game).exists()


def solution_path(game: LineGame) -> "Path":
    """Where the solution of a game is kept."""
    digest = hashlib.sha256(str(game).encode()).hexdigest()[:16]
    return data_folder() / "solutions" / f"{game.board.name.replace(':', '-')}-{digest}.noughts"
