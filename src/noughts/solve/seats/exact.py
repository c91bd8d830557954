"""How a game of more than two players is solved: block by block, in one pass over all boards.

Large tables without a clock or lost turns are solved by a kernel, where kernels are compiled; all
others by numpy, which has done a small table before numba is loaded.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from noughts.aloud import tell
from noughts.games.game import Game
from noughts.kernels.mode import is_interpreted
from noughts.kernels.seats import SeatRules, sweep_seats
from noughts.solve.api import Progress
from noughts.solve.limits import clock_end
from noughts.solve.numbering import landing_vectors, won_sets
from noughts.solve.seats import equilibrium, guarantee
from noughts.solve.seats.blocks import Rows, boards_of, losers_share
from noughts.solve.seats.fading import FadingGuarantees
from noughts.solve.seats.landing import TIE
from noughts.solve.seats.limits import (
    board_count,
    has_equilibrium,
    is_compiled_pass,
    plan_seats,
)
from noughts.solve.seats.solution import SeatSolution
from noughts.solve.stages import thread_count

PIECES = 16  # of the sets of a level, for the threads and for who wants to stop


def solve_seats(
    game: Game,
    ties: str,
    tolerance: float | None = None,
    progress: Progress | None = None,
    threads: int | None = None,
) -> SeatSolution:
    """Solve a game; the words are checked by `noughts.solve`."""
    plan_seats(game).check(f"Solving {game}")
    began = time.perf_counter()
    shape = (clock_end(game) + 1, board_count(game), game.seats)
    guarantees, bound = np.zeros(shape), 0.0
    wins = np.zeros(shape) if has_equilibrium(game) else None
    if game.risk.fades:
        fading = FadingGuarantees(game, 1e-10 if tolerance is None else tolerance, progress)
        fading.solve(guarantees)
        running, bound = len(fading.numbers), fading.bound
    else:
        running = _sweep(game, ties, wins, guarantees, progress, threads)
    return SeatSolution(
        game=game,
        ties=ties,
        wins=wins,
        guarantees=guarantees,
        bound=bound,
        running_boards=running,
        seconds=time.perf_counter() - began,
    )


def under_ties(solution: SeatSolution, ties: str, progress: Progress | None) -> SeatSolution:
    """The same game under another tie rule, which changes no guarantee."""
    began, wins = time.perf_counter(), np.zeros_like(solution.guarantees)
    _sweep(solution.game, ties, wins, None, progress, None)
    return replace(solution, ties=ties, wins=wins, seconds=time.perf_counter() - began)


def _sweep(
    game: Game,
    ties: str,
    wins: Rows | None,
    guarantees: Rows | None,
    progress: Progress | None,
    threads: int | None,
) -> int:
    """One pass, each board after those it leads to; the number of running boards."""
    if is_compiled_pass(game) and not is_interpreted():
        return sweep_compiled(game, ties, wins, guarantees, progress, threads)
    return sweep_blocks(game, ties, wins, guarantees, progress)


def sweep_compiled(
    game: Game,
    ties: str,
    wins: Rows | None,
    guarantees: Rows | None,
    progress: Progress | None = None,
    threads: int | None = None,
) -> int:
    """The pass by a kernel: sets of as many filled cells do not depend on each other."""
    rules = _seat_rules(game, ties)
    none = np.zeros((1, game.seats))
    tables = (
        wins is not None,
        none if wins is None else wins[0],
        guarantees is not None,
        none if guarantees is None else guarantees[0],
    )
    running, done, total = 0, 0, board_count(game)
    sets = np.arange(1 << game.cells)
    counts = np.array([int(filled).bit_count() for filled in sets])
    with ThreadPoolExecutor(thread_count(threads)) as pool:
        for count in range(game.cells, -1, -1):
            level = sets[counts == count]
            step = -(-len(level) // PIECES)
            jobs = [
                pool.submit(sweep_seats, rules, level, k, min(k + step, len(level)), *tables)
                for k in range(0, len(level), step)
            ]
            for job in jobs:
                running += int(job.result())
                tell()
            done += len(level) * game.seats**count
            if progress is not None:
                progress(done, total, "boards solved")
    return running


def _seat_rules(game: Game, ties: str) -> SeatRules:
    odds = landing_vectors(game)
    return SeatRules(
        cells=game.cells,
        seats=game.seats,
        power=boards_of(game).power,
        is_won=won_sets(game.lines_for("it has no table")),
        own=odds.own,
        share=odds.flip / (game.seats - 1),
        loss=losers_share(game.seats),
        tie=TIE,
        only_lowest=ties == "lowest",
    )


def sweep_blocks(
    game: Game,
    ties: str,
    wins: Rows | None,
    guarantees: Rows | None,
    progress: Progress | None = None,
) -> int:
    """The pass by numpy, under every risk but fading."""
    running, done, total = 0, 0, board_count(game)
    for block, ended in boards_of(game).blocks():
        if guarantees is not None:
            guarantee.fill_ended(block, ended, guarantees)
            if len(block) > 0:
                guarantee.solve_block(game, block, guarantees)
        if wins is not None:
            equilibrium.fill_ended(block, ended, wins)
            if len(block) > 0:
                equilibrium.solve_block(game, block, ties, wins)
        running += len(block)
        done += game.seats ** (game.cells - len(block.free))
        tell()
        if progress is not None:
            progress(done, total, "boards solved")
    return running
