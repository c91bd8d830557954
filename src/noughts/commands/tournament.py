"""`noughts tournament GAME A B C …`: every agent against every other."""

import argparse
from pathlib import Path

from noughts.commands.arguments import Subparsers, print_json
from noughts.commands.match import add_arena_options
from noughts.commands.progress import progress_bar

_PRINTED = ("results", "standings", "ratings", "crosstable", "regret", "blunders", "faults")


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "tournament",
        help="play every agent against every other",
        description="A round robin: results, ratings with intervals, exact regrets and the worst "
        "blunders, as a run folder with report.html, tables, figures and tournament.xlsx.",
        epilog="Example: noughts tournament 3x3 minimax uct heuristic random --games 40",
    )
    parser.add_argument("game", help="a spec such as 3x3:flip=0.1")
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="such as minimax uct:time=1")
    add_arena_options(parser, "tournament", "of each pairing (100)", 1)
    return parser


def run(options: argparse.Namespace) -> int:
    from noughts.arena.match import check_match, check_players, seat_players
    from noughts.arena.tournament import check_agents, tournament
    from noughts.games import game
    from noughts.parallel import check_seam
    from noughts.report import new_folder

    rules = game(options.game)
    players = seat_players(options.agents)
    check_agents([str(agent) for agent in players.agents])
    check_players(rules, players, options.openings)
    check_match(options.games, options.seed, options.openings, options.move_time)
    check_seam(options.jobs, options.cluster)  # wrong input leaves no folder behind
    folder = Path(options.out) if options.out is not None else new_folder("tournament")
    try:
        with progress_bar() as bar:
            played = tournament(
                rules,
                options.agents,
                options.games,
                options.seed,
                openings=options.openings,
                move_time=options.move_time,
                jobs=options.jobs,
                cluster=options.cluster,
                folder=folder,
                adopt=options.adopt,
                progress=bar,
            )
    except KeyboardInterrupt:
        print(f"Stopped. The same command with --out {folder} goes on where it stopped.")
        raise
    if options.json:
        print_json(played.to_dict() | {"folder": str(folder)})
        return 0
    for table in played.tables:
        if table.name in _PRINTED:
            print(f"{table.to_text()}\n")
    print(folder / "report.html")
    return 0
