"""Solutions on the disk: where they lie, and how they come there.

A table that cannot be kept, because the disk is full or may only be read, is used and not kept,
with one warning: a player with a table in its hands does not lose a game to its disk.
"""

import hashlib
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from noughts.errors import NoughtsError, NoughtsWarning, ParseError
from noughts.folders import own_file
from noughts.games.line_game import LineGame
from noughts.owning import Busy
from noughts.solve.store import SUFFIX, note_use, store_folder, store_limit, trim_store

if TYPE_CHECKING:
    from noughts.solve.solution import Solution

KEEP_CELLS = 11  # smaller tables are solved again sooner than they are read
READ_RATE = 400e6  # bytes a second that are read and checked; the checksum is most of it
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
    except NoughtsError as error:
        if not isinstance(error, Busy):
            _warn(error)
        return solve(game)
    with turn:
        found = load_stored(game)
        if found is None:
            found = solve(game)
            keep(found)
        return found


def keep(solution: "Solution") -> None:
    """Put a solution into the store, if it fits and is read sooner than it is solved again."""
    size = solution.table.nbytes * (1 if solution.arrivals is solution.table else 2)
    if solution.seconds < size / READ_RATE or size > store_limit():
        return
    try:
        trim_store(coming=size)
        solution.save(solution_path(solution.game))
    except (NoughtsError, OSError) as error:
        _warn(error)


def _warn(error: Exception) -> None:
    """Say once that nothing is kept; Python leaves out repetitions by itself."""
    words = f"The solved table is used and not kept: {error}"
    warnings.warn(words, NoughtsWarning, stacklevel=2)


def load_stored(game: LineGame) -> "Solution | None":
    """The solution on the disk, if there is one; a file that cannot be read is removed."""
    from noughts.solve.solution import Solution

    path = solution_path(game)
    if not is_stored(game):
        return None
    try:
        found = Solution.load(path)
    except ParseError:  # damaged, or of another version
        with suppress(OSError):
            path.unlink(missing_ok=True)
        return None
    if found.game != game:
        return None
    note_use(path)
    return found


def is_stored(game: LineGame) -> bool:
    """Whether a file is there; whether it can be read is seen by reading it."""
    try:
        return solution_path(game).exists()
    except OSError:  # a home that may not be looked into
        return False


def solution_path(game: LineGame) -> Path:
    """Where the solution of a game is kept."""
    digest = hashlib.sha256(str(game).encode()).hexdigest()[:16]
    return store_folder() / f"{game.board.name.replace(':', '-')}-{digest}{SUFFIX}"
