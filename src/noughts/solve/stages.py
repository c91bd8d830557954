"""Solving all boards at one time of the clock: by the sweep, by value iteration, or in an interval.

A game without a clock is a single stage. With one, a stage also knows what waiting is worth.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from os import cpu_count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.aloud import tell
from noughts.errors import NoughtsError
from noughts.games import Game, Position
from noughts.kernels.iteration import backup, fade_cell, fill_over
from noughts.kernels.sweep import LandingOdds, sweep_blocks
from noughts.solve.api import Progress
from noughts.solve.numbering import block_levels, numbered_position, sweep_rules

Table = NDArray[Any]

_SMALL = 3**11  # tables below this are not worth a second thread
_STALLED = 200  # sweeps without a narrower interval before it is given up


class Sweep(NamedTuple):
    """One synchronous sweep of value iteration."""

    max_difference: float
    position: Position  # where it occurs, seen as X's turn
    mean_difference: float  # over all running boards and both turns


@dataclass(frozen=True)
class Stage:
    """What one stage reads: the game, how marks land now, what waiting is worth, and helpers."""

    game: Game
    odds: LandingOdds
    waits: Table
    tick: int
    threads: int

    def chunks(self, total: int, size: int) -> Iterable[tuple[int, int]]:
        """Pieces of 0..total for the threads; a single one when the table is small."""
        pieces = 1 if size < _SMALL else 8 * self.threads
        step = max(1, -(-total // pieces))
        return [(first, min(first + step, total)) for first in range(0, total, step)]

    def each(self, work: Callable[[tuple[int, int]], Any], total: int, size: int) -> list[Any]:
        """Do all pieces, on several threads when that pays."""
        pieces = list(self.chunks(total, size))
        if len(pieces) == 1 or self.threads == 1:
            return list(_aloud(map(work, pieces)))
        with ThreadPoolExecutor(self.threads) as pool:
            answers: Any = pool.map(work, pieces)
            with closing(answers):  # who is told to stop drops the pieces that are left
                return list(_aloud(answers))


def _aloud(answers: Iterable[Any]) -> Iterator[Any]:
    for answer in answers:
        tell()
        yield answer


def thread_count(threads: int | None) -> int:
    """All cores unless told otherwise."""
    if threads is None:
        return _cores()
    if threads < 1:
        raise NoughtsError(f"threads={threads} is not a whole number of at least 1.")
    return threads


@cache
def _cores() -> int:
    return cpu_count() or 1


def sweep_stage(stage: Stage, table: Table, progress: Progress | None) -> int:
    """Solve a stage without fading in one pass; the number of running boards."""
    rules = sweep_rules(stage.game)
    running, done = 0, 0
    levels = block_levels(stage.game.cells)
    total = sum(len(supports) for supports, _ in levels)
    for supports, colours in levels:
        running += sum(
            stage.each(
                lambda piece, s=supports, c=colours: sweep_blocks(  # type: ignore[misc]
                    rules, stage.odds, s, c, piece[0], piece[1], stage.waits, table
                ),
                len(supports),
                table.size,
            )
        )
        done += len(supports)
        if progress is not None:
            progress(table.size * done // total, table.size, "boards solved")
    return running


def fill_stage(stage: Stage, table: Table) -> int:
    """Write the results of all finished boards; the number of running ones."""
    rules = sweep_rules(stage.game)
    return sum(stage.each(lambda p: fill_over(rules, *p, table), table.size, table.size))


def arrival_values(stage: Stage, table: Table, out: Table) -> None:
    """What a board is worth before marks fade from it: the expectation over what is left of it."""
    out[:] = table
    for cell, chance in enumerate(stage.game.risk.fade):
        if chance > 0.0:
            stride = 3**cell
            stage.each(
                lambda p, s=stride, q=chance: fade_cell(s, q, *p, out),  # type: ignore[misc]
                table.size // (3 * stride),
                table.size,
            )
    fill_stage(stage, out)


def backup_stage(stage: Stage, arrivals: Table, table: Table, in_place: bool = False) -> list[Any]:
    """One step of value iteration; the reports of its pieces."""
    rules = sweep_rules(stage.game)

    def work(piece: tuple[int, int]) -> NDArray[np.float64]:
        report = np.zeros(3)
        backup(rules, stage.odds, *piece, stage.waits, arrivals, table, report)
        return report

    if in_place:  # each board sees the new values of those before it: one thread, one order
        return [work((0, table.size))]
    return stage.each(work, table.size, table.size)


def iterate_stage(
    stage: Stage, table: Table, arrivals: Table, tolerance: float, is_in_place: bool,
    progress: Progress | None,
) -> tuple[int, list[Sweep]]:  # fmt: skip
    """Value iteration from 0 until nothing changes by more than the tolerance.

    The number of running boards, and the log.
    """
    fades = stage.game.risk.fades
    table[:] = 0.0
    running = fill_stage(stage, table)
    log: list[Sweep] = []
    smallest, stalled = np.inf, 0
    while smallest > tolerance and stalled < _STALLED:
        if fades:
            arrival_values(stage, table, arrivals)
        elif not is_in_place:
            arrivals[:] = table
        source = table if is_in_place and not fades else arrivals
        reports = backup_stage(stage, source, table, is_in_place)
        largest = max(reports, key=lambda report: report[0])
        where = numbered_position(stage.game, int(largest[1]), "X", stage.tick)
        mean = float(np.sum([report[2] for report in reports])) / max(running, 1)
        log.append(Sweep(float(largest[0]), where, mean))
        stalled = 0 if largest[0] < smallest else stalled + 1  # rounding alone may go on for ever
        smallest = min(smallest, float(largest[0]))
        if progress is not None:
            progress(len(log), 0, f"sweep {len(log)}: largest difference {largest[0]:.3g}")
    if fades:
        arrival_values(stage, table, arrivals)
    else:
        arrivals[:] = table
    return running, log


@dataclass
class Interval:
    """Tables that surely lie below and above the value."""

    low: Table
    high: Table

    @property
    def width(self) -> float:
        return float(np.max(self.high - self.low))


def narrow_stage(
    stage: Stage, waits: Interval | None, interval: Interval, tolerance: float,
    progress: Progress | None,
) -> int:  # fmt: skip
    """Interval iteration: from -1 and from 1 towards the value until the gap is small.

    What is best for one side from above is worst for the other from below, so the two tables feed
    each other. The gap stops shrinking only in games that may go on for ever.
    """
    running = 0
    for table, start in ((interval.low, -1.0), (interval.high, 1.0)):
        table[:] = start
        running = fill_stage(stage, table)
    arrivals = np.empty_like(interval.low)
    width, best_width, stalled = interval.width, np.inf, 0
    sweeps = 0
    while width > 2.0 * tolerance and stalled < _STALLED:
        arrival_values(stage, interval.high, arrivals)
        from_high = interval.low if waits is None else waits.low
        next_low = interval.low.copy()
        backup_stage(_with_waits(stage, from_high), arrivals, next_low)
        arrival_values(stage, interval.low, arrivals)
        from_low = interval.high if waits is None else waits.high
        backup_stage(_with_waits(stage, from_low), arrivals, interval.high)
        interval.low[:] = next_low
        width = interval.width
        stalled = 0 if width < best_width else stalled + 1
        best_width = min(width, best_width)
        sweeps += 1
        if progress is not None:
            progress(sweeps, 0, f"sweep {sweeps}: bound {width / 2:.3g}")
    return running


def _with_waits(stage: Stage, waits: Table) -> Stage:
    return Stage(stage.game, stage.odds, waits, stage.tick, stage.threads)
