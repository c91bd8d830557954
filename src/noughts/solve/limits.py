"""Which games have a table of all boards, how long their clocks run, and what fits the memory.

Memory is planned before work starts, and refused in a sentence when it cannot fit.
"""

import os
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from noughts.errors import NoughtsError
from noughts.games.game import Game, Position, check_two

MAX_CELLS = 20
SMALL = 1 << 24  # bytes that are always there; asking would take longer than solving 3×3
_FADE_ROUNDS = 500  # sweeps of interval iteration, about, where next to nothing fades


def check_tabled(game: Game) -> Game:
    """The game as one that fits a table, or a sentence that says why it does not."""
    game.lines_for("tables exist for boards of lines only")
    most = most_cells(game.seats)
    if game.cells > most:
        larger = "" if game.seats > 2 else " ('noughts prove' settles some larger games by search)"
        raise NoughtsError(
            f"{game} has {game.cells} cells; a table of all boards is possible up to {most}"
            f"{larger}."
        )
    return game


def check_solvable(game: Game) -> Game:
    """The same for what is made for the tables of two players."""
    line_game = check_tabled(game)
    check_two(game, "This table of all boards")
    return line_game


def most_cells(seats: int) -> int:
    """The largest board with a table: with more players boards are numbers of a larger base."""
    return max(c for c in range(MAX_CELLS + 1) if (seats + 1) ** c <= 3**MAX_CELLS)


def check_position(game: Game, position: Position) -> None:
    """Refuse to look up a position that is not of this game, or that its clock never shows."""
    if not isinstance(position, Position):
        raise NoughtsError(f"A value belongs to a position, not to {position!r}.")
    if position.game != game:
        raise NoughtsError(f"This is the solution of {game}, not of {position.game}.")
    latest = game.risk.last_tick
    if latest is None:  # only turns are limited, and each filled cell has taken one at the most
        latest = (game.cells - position.board.count(".")) * game.risk.longest_wait
    if position.tick > latest:
        raise NoughtsError(f"Tick {position.tick} is never reached on this board.")


def check_same_board(source: Game, game: Game) -> None:
    """Refuse to play one game by the table of another whose boards or clock it does not share."""
    if source.deciding_lines != game.deciding_lines:
        raise NoughtsError(f"{source} and {game} have different boards.")
    if source.seats != game.seats:
        raise NoughtsError(f"{source} is for {source.seats} players, {game} for {game.seats}.")
    if source.risk.has_clock and source != game:
        raise NoughtsError(f"{source} has a clock that {game} does not share.")


def clock_end(game: Game) -> int:
    """The last tick that can be reached."""
    last_tick = game.risk.last_tick
    if last_tick is not None:
        return last_tick
    if game.risk.fizzles or game.risk.fades:
        raise NoughtsError(f"The clock of {game} never stops; add limit=T to solve it.")
    return game.cells * game.risk.longest_wait


def fade_rounds(game: Game) -> float:
    """How many sweeps interval iteration takes, about.

    It goes on until some game has ended for certain. That takes a line of marks of one's own, and
    as many of the others' meanwhile, none of which has faded: on 3x3 the seconds of fade 0.05, 0.3,
    0.5 and 0.6 grow by this power.
    """
    stays = 1.0 - sum(game.risk.fade) / game.cells
    shortest = min(map(len, game.deciding_lines), default=1)
    return _FADE_ROUNDS / max(stays, 1e-6) ** (2 * shortest)


@dataclass(frozen=True)
class MemoryPlan:
    """How much a computation needs and how much there is."""

    needed: int

    @cached_property
    def free(self) -> int:
        """Bytes that could be had when this was first asked."""
        return free_memory()

    def __str__(self) -> str:
        return f"needs {_size(self.needed)}, {_size(self.free)} are free"

    def check(self, what: str) -> None:
        """Refuse what cannot fit."""
        if self.needed > SMALL and self.needed > self.free:
            raise NoughtsError(f"{what} {self}; free memory or take a smaller board.")


def free_memory() -> int:
    """Bytes that can be had without swapping."""
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        for line in meminfo.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError):  # a system that does not tell: let it try
        return sys.maxsize


def _size(count: int) -> str:
    for unit, name in ((1e9, "GB"), (1e6, "MB")):
        if count >= unit / 10:
            return f"{count / unit:.1f} {name}"
    return f"{count / 1e3:.1f} kB"
