"""`noughts solve GAME`: the exact value of every board."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from noughts.commands.exact.seats import run_seats
from noughts.commands.playing.drawing import draw_board
from noughts.commands.terminal.arguments import Subparsers, print_json
from noughts.commands.terminal.progress import Bar, progress_bar
from noughts.commands.work.jobs import add_job, read_job
from noughts.games import Game, game
from noughts.jobs import Solve
from noughts.solve import solve

if TYPE_CHECKING:
    from noughts.effort import Work
    from noughts.solve import Solution


WORTH_SAYING = 50_000_000  # bytes; nobody asks whether less will fit


def add(commands: Subparsers) -> argparse.ArgumentParser:
    return add_job(commands, Solve)


def estimate(options: argparse.Namespace) -> "list[Work]":
    """The sweep, or as many of them as an iteration takes; a dump asks for every best move."""
    from noughts.effort import solving

    job = read_job(Solve, options)
    played = game(job.game)
    rounds = 1.0 if job.words["method"] in (None, "sweep") else 2.0 * (played.cells + 2)
    return [solving(played, rounds + (10.0 if job.dump else 0.0))]


def run(options: argparse.Namespace) -> int:
    from noughts.solve.exact import plan_for

    ready = read_job(Solve, options).prepare()
    job, solved = ready.job, game(ready.job.game)
    if solved.seats > 2:
        return run_seats(solved, ready, options.json)
    plan = plan_for(solved, job.words["method"], job.words["dtype"])
    if plan.needed > WORTH_SAYING:
        print(f"{solved} {plan}.", file=sys.stderr)
    _load_kernels(solved, job)
    with progress_bar() as bar:
        solution = ready.carry_out(None, bar)
        finer = _finer(solution, job, bar) if solved.has_clock else None
    facts = _facts(solution, finer)
    if options.json:
        print_json(facts)
    else:
        _print(solution, facts)
        for path in (job.save, job.dump, job.prism):
            if path is not None:
                print(f"written to {path}")
    return 0


def _load_kernels(game: Game, job: Solve) -> None:
    """Solve next to nothing, so that the time of the real solve is its own."""
    from noughts.solve.exact import resolve

    chosen, kind = resolve(game, job.words["method"], job.words["dtype"])
    solve("1x1:fade=0.5" if game.fades else "1x1", chosen, dtype=kind.name)


def _finer(solution: "Solution", job: Solve, bar: Bar) -> float | None:
    """The value with twice the ticks, where that fits the memory."""
    from noughts.solve.exact import plan_for

    finer = solution.game.finer_clock(2)
    plan = plan_for(finer, job.words["method"], job.words["dtype"])
    if plan.needed > plan.free:
        return None
    return solve(finer, progress=bar, **job.words).value(finer.start())


def _facts(solution: "Solution", finer: float | None) -> dict[str, Any]:
    start = solution.game.start()
    facts: dict[str, Any] = {
        "game": str(solution.game),
        "value": solution.value(start),
        "best": list(solution.best_moves(start)),
        "values": {str(move): value for move, value in solution.values(start).items()},
        "method": solution.method,
        "bound": solution.bound,
        "running_boards": solution.running_boards,
        "states": solution.states,
        "seconds": solution.seconds,
    }
    if solution.sweeps:
        facts["sweeps"] = [
            {
                "max_difference": sweep.max_difference,
                "position": repr(sweep.position),
                "mean_difference": sweep.mean_difference,
            }
            for sweep in solution.sweeps
        ]
    if finer is not None:
        facts["change_with_twice_the_ticks"] = finer - facts["value"]
    return facts


def _print(solution: "Solution", facts: dict[str, Any]) -> None:
    game = solution.game
    if solution.sweeps:
        print("sweep   max difference   mean difference   where")
        for i, sweep in enumerate(solution.sweeps, 1):
            where = sweep.position.to_text()
            print(f"{i:5}{sweep.max_difference:17.9g}{sweep.mean_difference:18.9g}   {where}")
        print()
    bound = f" ± {solution.bound:.1e}" if solution.bound else ""
    print(f"{game}: {facts['value']:+.12g}{bound} for X\n")
    print(_value_board(solution))
    best = [solution.game.name_move(move) for move in facts["best"]]
    print(f"\nbest: {', '.join(best[:12])}{' …' if len(best) > 12 else ''}")
    if "change_with_twice_the_ticks" in facts:
        print(f"with twice the ticks: {facts['change_with_twice_the_ticks']:+.3e}")
    rate = solution.states / max(solution.seconds, 1e-9)
    print(
        f"{solution.running_boards:,} running boards, {solution.states:,} states in "
        f"{solution.seconds:.3f} s ({rate:,.0f} states/s) by {solution.method}"
    )


def _value_board(solution: "Solution") -> str:
    """The value of each first move, drawn like the board; the best ones are starred."""
    game, start = solution.game, solution.game.start()
    values = solution.values(start)
    best = {game.cell_of(move) for move in solution.best_moves(start)}
    by_cell = [
        max(value for move, value in values.items() if game.cell_of(move) == cell)
        for cell in range(game.cells)
    ]
    words = {c: f"{value:+.4f}{'*' if c in best else ' '}" for c, value in enumerate(by_cell)}
    return draw_board(game.start(), words, colour=False)
