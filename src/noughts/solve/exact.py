"""How a solve is carried out: tick by tick, from the last one back.

A game without a clock has a single tick. With one, waiting is one more choice, whose value is known
by then: waiting until tick t' is worth what playing at t' is worth; without a limit on the turn it
is simply worth the board one tick later.
"""

import time
from dataclasses import dataclass

import numpy as np

from noughts.errors import NoughtsError
from noughts.games import Game
from noughts.solve.api import Progress
from noughts.solve.limits import MemoryPlan, clock_end
from noughts.solve.numbering import landing_vectors
from noughts.solve.solution import Solution
from noughts.solve.stages import (
    Interval,
    Stage,
    Sweep,
    Table,
    arrival_values,
    backup_stage,
    iterate_stage,
    narrow_stage,
    sweep_stage,
    thread_count,
)

DOUBLE_CELLS = 13  # up to here a table of float64 costs nothing worth saving
NEVER = -2.0  # the value of a choice that does not exist


def run_solve(
    game: Game,
    method: str | None,
    dtype: str | None,
    tolerance: float | None,
    threads: int | None,
    progress: Progress | None,
) -> Solution:
    """Solve a game; the words are checked by `noughts.solve`."""
    chosen, kind = resolve(game, method, dtype)
    if tolerance is None:
        tolerance = 1e-10 if chosen == "interval-iteration" else 1e-13
    plan_solve(game, chosen, kind).check(f"Solving {game}")
    began = time.perf_counter()
    work = _Work(game, chosen, kind, tolerance, thread_count(threads), progress)
    work.run()
    return Solution(
        game=game,
        table=work.tables,
        arrivals=work.arrivals if game.risk.fades else work.tables,
        method=chosen,
        bound=work.bound,
        running_boards=work.running,
        seconds=time.perf_counter() - began,
        sweeps=work.log,
    )


def plan_for(game: Game, method: str | None, dtype: str | None) -> MemoryPlan:
    """What `run_solve` will need with these words."""
    return plan_solve(game, *resolve(game, method, dtype))


def resolve(
    game: Game, method: str | None, dtype: str | None
) -> tuple[str, "np.dtype[np.floating]"]:
    """The method and the type that are used when these words are given."""
    chosen = _choose_method(game, method)
    return chosen, _choose_dtype(game, chosen, dtype)


def plan_solve(game: Game, method: str, dtype: "np.dtype[np.floating]") -> MemoryPlan:
    """How much memory a solve takes at its peak."""
    ticks = clock_end(game) + 1
    tables = ticks
    if method in ("value-iteration", "gauss-seidel"):
        tables = 2 * ticks
    elif method == "interval-iteration":
        tables = 4 * ticks + 3  # both ends, the middle, arrivals; a step needs three of its own
    if game.risk.turn_limit is not None:
        tables += ticks + 2
    return MemoryPlan(tables * 3**game.cells * dtype.itemsize)


def _choose_method(game: Game, method: str | None) -> str:
    if method is None:
        return "interval-iteration" if game.risk.fades else "sweep"
    if method == "sweep" and game.risk.fades:
        raise NoughtsError("Marks fade, so no single sweep can do; take interval-iteration.")
    if method in ("value-iteration", "gauss-seidel") and 1.0 in game.risk.fizzle:
        raise NoughtsError(
            "A turn that surely fizzles may repeat for ever, and value iteration with it; "
            "take sweep or interval-iteration."
        )
    return method


def _choose_dtype(game: Game, method: str, dtype: str | None) -> "np.dtype[np.floating]":
    if dtype is None:
        is_large = game.cells > DOUBLE_CELLS and method == "sweep"
        dtype = "float32" if is_large else "float64"
    if dtype == "float32" and method != "sweep":
        raise NoughtsError(f"{method} works in float64 only; float32 is for the sweep.")
    return np.dtype(np.float64 if dtype == "float64" else np.float32)


@dataclass
class _Work:
    """One solve in progress: tables [ticks, 3^cells] filled from the last tick back."""

    game: Game
    method: str
    dtype: "np.dtype[np.floating]"
    tolerance: float
    threads: int
    progress: Progress | None
    running: int = 0
    bound: float = 0.0

    def __post_init__(self) -> None:
        self.ticks = clock_end(self.game) + 1
        shape = (self.ticks, 3**self.game.cells)
        self.tables: Table = np.empty(shape, self.dtype)
        self.arrivals: Table = self.tables
        if self.method != "sweep":
            self.arrivals = np.empty_like(self.tables)
        if self.method == "interval-iteration":
            self.low, self.high = np.empty_like(self.tables), np.empty_like(self.tables)
        # What playing at once is worth; only needed where a turn's wait is limited.
        limited = self.game.risk.turn_limit is not None and self.game.risk.has_clock
        self.at_once: Table | None = np.empty_like(self.tables) if limited else None
        self.log: list[Sweep] = []

    def run(self) -> None:
        for tick in range(self.ticks - 1, -1, -1):
            waits = self._waits(tick, self.tables)
            stage = Stage(self.game, landing_vectors(self.game, tick), waits, tick, self.threads)
            self._solve(stage, tick)
            if self.at_once is not None:
                self._play_at_once(stage, tick)
            if self.progress is not None and self.ticks > 1:
                self.progress(self.ticks - tick, self.ticks, "ticks solved")

    def _solve(self, stage: Stage, tick: int) -> None:
        progress = self.progress if self.ticks == 1 else None
        if self.method == "sweep":
            self.running = sweep_stage(stage, self.tables[tick], progress)
        elif self.method == "interval-iteration":
            self._narrow(stage, tick, progress)
        else:
            self.running, log = iterate_stage(
                stage,
                self.tables[tick],
                self.arrivals[tick],
                self.tolerance,
                self.method == "gauss-seidel",
                progress,
            )
            self.log += log

    def _narrow(self, stage: Stage, tick: int, progress: Progress | None) -> None:
        interval = Interval(self.low[tick], self.high[tick])
        waits = None
        if self.game.risk.has_clock:
            low, high = self._waits(tick, self.low), self._waits(tick, self.high)
            if self.at_once is not None:  # known from the middle of the interval only
                low, high = low - self.bound, high + self.bound
            waits = Interval(low, high)
        # An error of a later tick is inherited, so each tick gets its share of the tolerance.
        share = self.tolerance * (self.ticks - tick) / self.ticks
        self.running = narrow_stage(stage, waits, interval, share, progress)
        self.bound = max(self.bound, interval.width / 2)
        if self.bound > self.tolerance:
            raise NoughtsError(
                f"{self.game} may go on for ever: its values are known to ±{self.bound:.2g} only."
            )
        np.add(interval.low, interval.high, out=self.tables[tick])
        self.tables[tick] *= 0.5
        arrival_values(stage, self.tables[tick], self.arrivals[tick])

    def _waits(self, tick: int, tables: Table) -> Table:
        """The value of waiting at least one tick, on every board."""
        longest = self.game.risk.waits(tick) if tick < self.ticks - 1 else 0
        longest = min(longest, self.ticks - 1 - tick)
        if not self.game.risk.has_clock:
            return np.empty(0, self.dtype)
        if longest == 0:
            return np.full(tables.shape[1], NEVER, self.dtype)
        if self.at_once is None:
            later: Table = tables[tick + 1]
            return later
        best: Table = np.max(self.at_once[tick + 1 : tick + 1 + longest], axis=0)
        return best

    def _play_at_once(self, stage: Stage, tick: int) -> None:
        assert self.at_once is not None
        never = np.full(self.tables.shape[1], NEVER, self.dtype)
        now = Stage(self.game, stage.odds, never, tick, self.threads)
        self.at_once[tick] = self.tables[tick]
        backup_stage(now, self.arrivals[tick].copy(), self.at_once[tick])
