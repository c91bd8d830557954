"""Solves a game that was asked for as a job."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

from noughts.files import check_writable
from noughts.games.game import Game, check_two
from noughts.games.registry import game as read_game
from noughts.jobs.job import Progress, Ready
from noughts.jobs.solve import Solve
from noughts.report.run import Run
from noughts.solve import Solution, solve
from noughts.solve.limits import check_tabled
from noughts.solve.seats.dump import dump_seats
from noughts.solve.written.dump import check_dump, dump
from noughts.solve.written.prism import save_prism


def prepare(job: Solve) -> Ready[Solve]:
    """Refuse games that no table holds, and files that cannot be written."""
    solved = check_tabled(read_game(job.game))
    if job.prism is not None:
        check_two(solved, "--prism")
    for place in (job.save, job.prism):
        if place is not None:
            check_writable(Path(place))
    if job.dump is not None:
        check_dump(Path(job.dump))
    job = replace(job, game=str(solved))
    return Ready(job, partial(_solve, job, solved))


def _solve(
    job: Solve, solved: Game, folder: Path | None, progress: Progress | None, adopt: bool
) -> Solution:
    """Solve it, and write the files that were asked for; a folder says what was."""
    if job.prism is not None:
        save_prism(solved, job.prism)
    with nullcontext() if folder is None else Run(folder, job.config, job.identity):
        solution = solve(solved, progress=progress, **job.words)
        if job.save is not None:
            solution.save(job.save)
        if job.dump is not None:
            write: Callable[..., int] = dump if solved.seats == 2 else dump_seats
            write(solution, Path(job.dump), progress)
    return solution
