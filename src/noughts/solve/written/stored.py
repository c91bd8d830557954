"""Solutions on the disk: where they lie, and how they come there.

A table that cannot be kept, because the disk is full or may only be read, is used and not kept,
with one warning: a player with a table in its hands does not lose a game to its disk.
"""

import hashlib
import warnings
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from noughts.aloud import HEARD_SECONDS, tell
from noughts.errors import NoughtsError, NoughtsWarning, ParseError
from noughts.folders import own_file
from noughts.games.game import Game
from noughts.owning import Busy, Ownership
from noughts.solve.api import solve
from noughts.solve.written.store import SUFFIX, note_use, store_folder, store_limit, trim_store

if TYPE_CHECKING:
    from noughts.solve.solution import Solution

KEEP_CELLS = 11  # smaller tables are solved again sooner than they are read
READ_RATE = 400e6  # bytes a second that are read and checked; the checksum is most of it
GAIN = 2.0  # times sooner that a table must be read, because writing it is waited for, too
LONGEST_WAIT = 600.0  # seconds, for somebody else who solves the same game


def stored_solution(game: Game, ties: str = "lowest") -> "Solution":
    """The solution of a game: from the disk, or solved now and kept if that took a while.

    With more than two players it depends on the tie rule, and there is one for each.

    Who comes while another process solves the same game waits for it, and reads what it wrote.
    """
    found = load_stored(game, ties)
    if found is not None or (game.seats + 1) ** game.cells < 3**KEEP_CELLS:
        return found if found is not None else solve(game, ties=ties)
    try:
        turn = _turn(solution_path(game, ties))
    except NoughtsError as error:
        if not isinstance(error, Busy):
            _warn(error)
        return solve(game, ties=ties)
    with turn:
        found = load_stored(game, ties)
        if found is None:
            found = solve(game, ties=ties)
            keep(found, ties)
        return found


def _turn(path: Path) -> Ownership:
    """Wait for the turn to write a table, and hear meanwhile whether anybody still wants it."""
    end = monotonic() + LONGEST_WAIT
    while True:
        try:
            return own_file(path, HEARD_SECONDS)
        except Busy:
            if monotonic() > end:
                raise
        tell()


def keep(solution: "Solution", ties: str = "lowest") -> None:
    """Put a solution into the store, if it fits and is read much sooner than it is solved again."""
    size = solution.nbytes
    if solution.seconds < GAIN * size / READ_RATE or size > store_limit():
        return
    try:
        trim_store(coming=size)
        solution.save(solution_path(solution.game, ties))
    except (NoughtsError, OSError) as error:
        _warn(error)


def _warn(error: Exception) -> None:
    """Say once that nothing is kept; Python leaves out repetitions by itself."""
    words = f"The solved table is used and not kept: {error}"
    warnings.warn(words, NoughtsWarning, stacklevel=2)


def load_stored(game: Game, ties: str = "lowest") -> "Solution | None":
    """The solution on the disk, if there is one; a file that cannot be read is removed."""
    from noughts.solve.solution import Solution

    path = solution_path(game, ties)
    if not is_stored(game, ties):
        return None
    try:
        found = Solution.load(path)
    except ParseError:  # damaged, or of another version
        with suppress(OSError):
            path.unlink(missing_ok=True)
        return None
    if found.game != game or getattr(found, "ties", ties) != ties:
        return None
    note_use(path)
    return found


def is_stored(game: Game, ties: str = "lowest") -> bool:
    """Whether a file is there; whether it can be read is seen by reading it."""
    try:
        return solution_path(game, ties).exists()
    except OSError:  # a home that may not be looked into
        return False


def solution_path(game: Game, ties: str = "lowest") -> Path:
    """Where the solution of a game is kept."""
    said = str(game) if ties == "lowest" else f"{game} ties={ties}"
    digest = hashlib.sha256(said.encode()).hexdigest()[:16]
    name = game.lines_for("it has no table").name
    return store_folder() / f"{name.replace(':', '-')}-{digest}{SUFFIX}"
