"""How much may be computed to learn what is certain. The only place that says what a moment is.

    table         one that is in memory or on the disk, or that is solved within `seconds`
    certificate   so many `positions` looked up in it
    endgame       a search that looks at so much `work`: nodes times cells of the board

Warm, that is with kernels compiled and the table in memory, an answer takes 50 ms at the most
(`python benchmarks/known.py` measures it). The first question about a game may solve its table,
which takes two seconds at the most, and a first search compiles its kernels. Work is counted, not
timed, so that the same question gets the same answer on a busy machine.

Where kernels are interpreted, everything takes some hundred times as long, and less is asked.
"""

from dataclasses import dataclass

from noughts.effort import solving
from noughts.errors import NoughtsError
from noughts.games.game import Game
from noughts.kernels.mode import is_interpreted
from noughts.solve.limits import check_solvable, check_tabled, clock_end, fade_rounds, free_memory
from noughts.solve.seats.limits import board_count, check_equilibrium

ROUNDING = 1e-6  # bounds that are closer are one value; large tables are of float32
MOMENT = 2.0  # seconds: a table that takes no longer is solved when it is asked for
HASTE = 0.5  # the same, for somebody who waits for the first answer at all
PATIENCE = 600.0  # seconds that a person may want to wait for a table
SMALL_CELLS = 12  # a table that everybody has in a moment, even one who interprets
MOST_AHEAD = 16_000  # moves times cells that are looked at one by one, after each move
KEPT_BYTES = 1 << 29  # of tables in memory; the last one stays however large it is

SEAT_BOARDS = 1 << 21  # of a table for more than two that is solved in a moment
BOARDS_PER_SECOND = 5e7  # of a compiled sweep (`benchmarks/solve.py`)


@dataclass(frozen=True)
class Budget:
    """What one question may cost."""

    seconds: float  # of a table that is not there yet
    positions: int  # of a certificate
    work: int  # of a search: nodes times cells
    pool: list[int] | None = None  # positions that are left to several questions together

    def shared(self, questions: int) -> "Budget":
        """For several questions together: they share the search, and a quarter of the positions."""
        work = self.work // max(questions, 1)
        return Budget(self.seconds, self.positions, work, [self.positions // 4])

    def purse(self) -> list[int]:
        """How many positions may be looked up, as a number that is counted down."""
        return [self.positions] if self.pool is None else self.pool


USUAL = Budget(MOMENT, 4000, 1_500_000)
INTERPRETED = Budget(MOMENT, 20, 3000)
HASTY = Budget(HASTE, 0, 0)


def usual_budget() -> Budget:
    """What a question may cost in this process."""
    return INTERPRETED if is_interpreted() else USUAL


def is_small(game: Game) -> bool:
    """Whether the table is a matter of a moment wherever it is asked for: a fact of the game."""
    return game.cells <= SMALL_CELLS and not game.is_risky and is_soon_solved(game)


def is_soon_solved(game: Game) -> bool:
    """Whether a compiled solve is a matter of a moment: a fact of the game, memory aside."""
    try:
        return compiled_seconds(game) <= MOMENT
    except NoughtsError:  # no table, or a clock that never stops
        return False


def is_soon_in_equilibrium(game: Game) -> bool:
    """Whether the equilibrium of a game for more than two is a matter of a moment here."""
    try:
        check_equilibrium(game)
        return is_soon_seated(game)
    except NoughtsError:  # no table, or no equilibrium
        return False


def is_soon_seated(game: Game) -> bool:
    """Whether all guarantees are: numpy solves them, whether kernels are compiled or not."""
    try:
        boards = board_count(check_tabled(game)) * (clock_end(game) + 1)
    except NoughtsError:  # no table, or a clock that never stops
        return False
    return not game.fades and boards <= SEAT_BOARDS


def seconds_to_solve(game: Game) -> float:
    """About how long this process takes for the table; NoughtsError where there can be none."""
    compiled = compiled_seconds(game)
    return solving(game).seconds if is_interpreted() else compiled


def compiled_seconds(game: Game) -> float:
    """About how long a compiled solve takes; raises NoughtsError when it is not possible."""
    line_game = check_solvable(game)
    boards = 3.0**game.cells * (clock_end(line_game) + 1)
    rounds = fade_rounds(line_game) if game.fades else 1
    bytes_needed = boards * (40.0 if game.fades else 5.0)
    if 3.0**game.cells > 1e7 and bytes_needed > free_memory():
        raise NoughtsError(f"The table of {game} does not fit the memory of this machine.")
    return rounds * boards / BOARDS_PER_SECOND
