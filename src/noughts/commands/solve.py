"""`noughts solve GAME`: the exact value of every board."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noughts.commands.arguments import Subparsers, add_json, print_json, whole_number
from noughts.commands.progress import Bar, progress_bar
from noughts.solve.api import METHODS

if TYPE_CHECKING:
    from noughts.effort import Work
    from noughts.games import LineGame
    from noughts.solve import Solution


WORTH_SAYING = 50_000_000  # bytes; nobody asks whether less will fit


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "solve",
        help="solve a game exactly",
        description="Solve a line game of up to 20 cells exactly, with any risk: the value of "
        "every board for X, the best moves, and optionally the whole table as a file.",
        epilog="Example: noughts solve 3x3:flip=0.1 --dump values.csv",
    )
    parser.add_argument("game", help="a spec such as 3x3:flip=blind")
    parser.add_argument(
        "--method", choices=METHODS, help="how (sweep; interval-iteration where marks fade)"
    )
    parser.add_argument(
        "--dtype",
        choices=("float64", "float32"),
        help="of the table (float64 up to 13 cells, float32 above)",
    )
    parser.add_argument(
        "--tolerance",
        type=float,
        help="the change at which iterations stop "
        "(1e-13; of interval-iteration the half width, 1e-10)",
    )
    parser.add_argument(
        "--threads", type=whole_number(1), help="how many to use; all cores unless given"
    )
    parser.add_argument("--save", metavar="FILE", help="keep the solution for Solution.load")
    parser.add_argument(
        "--dump", metavar="FILE", help="write every state as .csv, .parquet or .txt"
    )
    parser.add_argument(
        "--prism",
        metavar="FILE",
        help="write the game for PRISM-games, and the question to ask of it beside it as .props",
    )
    add_json(parser)
    return parser


def estimate(options: argparse.Namespace) -> "list[Work]":
    """The sweep, or as many of them as an iteration takes; a dump asks for every best move."""
    from noughts.effort import solving
    from noughts.games import game

    played = game(options.game)
    rounds = 1.0 if options.method in (None, "sweep") else 2.0 * (played.cells + 2)
    return [solving(played, rounds + (10.0 if options.dump else 0.0))]


def run(options: argparse.Namespace) -> int:
    import sys

    from noughts.files import check_writable
    from noughts.games import game
    from noughts.solve import solve
    from noughts.solve.dump import check_dump, dump
    from noughts.solve.exact import plan_for
    from noughts.solve.limits import check_solvable
    from noughts.solve.prism import save_prism

    solved = check_solvable(game(options.game))
    if options.save is not None:
        check_writable(Path(options.save))
    if options.dump is not None:
        check_dump(Path(options.dump))
    if options.prism is not None:
        check_writable(Path(options.prism))
        save_prism(solved, options.prism)
    plan = plan_for(solved, options.method, options.dtype)
    if plan.needed > WORTH_SAYING:
        print(f"{solved} {plan}.", file=sys.stderr)
    _load_kernels(solved, options.method, options.dtype)
    with progress_bar() as bar:
        solution = solve(
            solved,
            options.method,
            dtype=options.dtype,
            tolerance=options.tolerance,
            threads=options.threads,
            progress=bar,
        )
        finer = _finer(solution, options, bar) if solved.risk.has_clock else None
        if options.save is not None:
            solution.save(options.save)
        if options.dump is not None:
            dump(solution, Path(options.dump), bar)
    facts = _facts(solution, finer)
    if options.json:
        print_json(facts)
    else:
        _print(solution, facts)
        for path in (options.save, options.dump, options.prism):
            if path is not None:
                print(f"written to {path}")
    return 0


def _load_kernels(game: "LineGame", method: str | None, dtype: str | None) -> None:
    """Solve next to nothing, so that the time of the real solve is its own."""
    from noughts.solve import solve
    from noughts.solve.exact import resolve

    chosen, kind = resolve(game, method, dtype)
    solve("1x1:fade=0.5" if game.risk.fades else "1x1", chosen, dtype=kind.name)


def _finer(solution: "Solution", options: argparse.Namespace, bar: Bar) -> float | None:
    """The value with twice the ticks, where that fits the memory."""
    from noughts.solve import solve
    from noughts.solve.exact import plan_for, with_ticks

    finer = with_ticks(solution.game, 2 * solution.game.risk.ticks)
    plan = plan_for(finer, options.method, options.dtype)
    if plan.needed > plan.free:
        return None
    words = {"dtype": options.dtype, "tolerance": options.tolerance, "threads": options.threads}
    return solve(finer, options.method, progress=bar, **words).value(finer.start())


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
            where = sweep.position._one_line()
            print(f"{i:5}{sweep.max_difference:17.9g}{sweep.mean_difference:18.9g}   {where}")
        print()
    bound = f" ± {solution.bound:.1e}" if solution.bound else ""
    print(f"{game}: {facts['value']:+.12g}{bound} for X\n")
    print(_value_board(solution))
    best = [_move_name(solution, move) for move in facts["best"]]
    print(f"\nbest: {', '.join(best[:12])}{' …' if len(best) > 12 else ''}")
    if "change_with_twice_the_ticks" in facts:
        print(f"with twice the ticks: {facts['change_with_twice_the_ticks']:+.3e}")
    rate = solution.states / max(solution.seconds, 1e-9)
    print(
        f"{solution.running_boards:,} running boards, {solution.states:,} states in "
        f"{solution.seconds:.3f} s ({rate:,.0f} states/s) by {solution.method}"
    )


def _move_name(solution: "Solution", move: int) -> str:
    cell, wait = solution.game.cell_of(move), solution.game.wait_of(move)
    return f"{cell} after {wait} ticks" if solution.game.risk.has_clock else str(cell)


def _value_board(solution: "Solution") -> str:
    """The value of each first move, drawn like the board; the best ones are starred."""
    game, start = solution.game, solution.game.start()
    values = solution.values(start)
    best = {game.cell_of(move) for move in solution.best_moves(start)}
    by_cell = [
        max(value for move, value in values.items() if game.cell_of(move) == cell)
        for cell in range(game.cells)
    ]
    rows, columns, layers = game.shape
    lines = []
    for row in range(rows):
        words = []
        for layer in range(layers):
            cells = [game.board.cell_at(row, column, layer) for column in range(columns)]
            words.append(" ".join(f"{by_cell[c]:+.4f}{'*' if c in best else ' '}" for c in cells))
        lines.append("   ".join(words))
    return "\n".join(lines)
