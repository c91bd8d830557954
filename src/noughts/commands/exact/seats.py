"""What `noughts solve` and `noughts odds` say of games of more than two players."""

import sys
from typing import Any

from noughts.commands.playing.drawing import draw_board
from noughts.commands.terminal.arguments import print_json
from noughts.commands.terminal.progress import progress_bar
from noughts.games import Game
from noughts.jobs import Ready, Solve
from noughts.solve.api import TIES, check_one_way
from noughts.solve.seats.limits import NOT_COMPUTED, has_equilibrium, plan_seats

WORTH_SAYING = 50_000_000  # bytes; nobody asks whether less will fit


def run_seats(game: Game, ready: Ready[Solve], as_json: bool) -> int:
    """Solve, keep, write and print."""
    from noughts.solve.seats.exact import under_ties

    job = ready.job
    check_one_way(job.words["method"], job.words["dtype"])
    is_told_twice = as_json and has_equilibrium(game)
    plan = plan_seats(game, 2 if is_told_twice else 1)
    plan.check(f"Solving {game}")
    if plan.needed > WORTH_SAYING:
        print(f"{game} {plan}.", file=sys.stderr)
    with progress_bar() as bar:
        solution = ready.carry_out(None, bar)
        if as_json:
            rules = [ties for ties in TIES if ties != job.ties] if is_told_twice else []
            others = [under_ties(solution, ties, bar) for ties in rules]
            print_json(_facts([solution, *others]))
            return 0
    _print(solution)
    for path in (job.save, job.dump):
        if path is not None:
            print(f"written to {path}")
    return 0


def _by_seat(game: Game, numbers: Any) -> dict[str, float]:
    return {mark.lower(): value for mark, value in zip(game.marks, numbers, strict=True)}


def _facts(solutions: list[Any]) -> dict[str, Any]:
    """Of one solution under each tie rule; the first is the one that was asked for."""
    first = solutions[0]
    game, start = first.game, first.game.start()
    facts: dict[str, Any] = {
        "game": str(game),
        "players": game.seats,
        "ties": first.ties,
        "guarantees": _by_seat(game, first.guarantee(start)),
        "bound": first.bound,
        "method": first.method,
        "running_boards": first.running_boards,
        "states": first.states,
        "seconds": first.seconds,
    }
    if not first.has_equilibrium:
        return facts | {"note": f"In {game} {NOT_COMPUTED}."}
    odds = {one.ties: one.odds(start) for one in solutions}
    return facts | {
        "odds": {
            ties: {**_by_seat(game, one.wins), "draw": one.draw} for ties, one in odds.items()
        },
        "worth": {ties: _by_seat(game, one.worth) for ties, one in odds.items()},
        "best": list(first.best_moves(start)),
        "values": {str(move): list(worth) for move, worth in first.values(start).items()},
    }


def _print(solution: Any) -> None:
    game, start = solution.game, solution.game.start()
    sure = solution.guarantee(start)
    bound = f" (± {solution.bound:.1e})" if solution.bound else ""
    if not solution.has_equilibrium:
        print(f"{game}: {NOT_COMPUTED}.\n")
        print(f"seat  guarantee{bound}")
        for mark, value in zip(game.marks, sure, strict=True):
            print(f"{mark:4}  {value:+.12f}")
    else:
        odds = solution.odds(start)
        print(f"{game}, ties {solution.ties}\n")
        print(f"seat  {'wins':14}  {'worth':15}  guarantee")
        for mark, p, worth, value in zip(game.marks, odds.wins, odds.worth, sure, strict=True):
            print(f"{mark:4}  {p:.12f}  {worth:+.12f}  {value:+.12f}")
        print(f"draw  {odds.draw:.12f}\n")
        print(_worth_board(solution))
        best = [game.name_move(move) for move in solution.best_moves(start)]
        print(f"\nbest: {', '.join(best[:12])}{' …' if len(best) > 12 else ''}")
    rate = solution.states / max(solution.seconds, 1e-9)
    print(
        f"{solution.running_boards:,} running boards, {solution.states:,} states in "
        f"{solution.seconds:.3f} s ({rate:,.0f} states/s) by {solution.method}"
    )


def _worth_board(solution: Any) -> str:
    """What each first move is worth to X, drawn like the board; the tied ones are starred."""
    game, start = solution.game, solution.game.start()
    worth = {move: row[0] for move, row in solution.values(start).items()}
    best = {game.cell_of(move) for move in solution.best_moves(start)}
    words = {}
    for cell in range(game.cells):
        most = max(value for move, value in worth.items() if game.cell_of(move) == cell)
        words[cell] = f"{most:+.4f}{'*' if cell in best else ' '}"
    return draw_board(start, words, colour=False)
