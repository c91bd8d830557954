"""`noughts match GAME A B`: two agents, both seats, and what the result is worth."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from noughts.commands.arguments import (
    Subparsers,
    add_adopt,
    add_json,
    print_json,
    whole_number,
)
from noughts.commands.progress import progress_bar
from noughts.errors import ParseError

if TYPE_CHECKING:
    from noughts.arena import MatchResult
    from noughts.effort import Work


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "match",
        help="play two agents against each other",
        description="Play two agents against each other in both seats. Each opening is played from "
        "both sides and both games of a pair share their luck.",
        epilog="Example: noughts match 4x4:flip=0.1 alphabeta:depth=4 uct --games 200 --jobs 2",
    )
    parser.add_argument("game", help="a spec such as 3x3:flip=0.1")
    parser.add_argument("first", metavar="A", help="an agent, such as alphabeta")
    parser.add_argument("second", metavar="B", help="another, such as uct:simulations=600")
    parser.add_argument(
        "--sprt",
        metavar="ELO0,ELO1",
        help="stop as soon as one of these two Elo differences is settled for (5%% errors)",
    )
    add_arena_options(parser, "match", "of the match (100)", 0)
    return parser


def add_arena_options(parser: argparse.ArgumentParser, name: str, games: str, seed: int) -> None:
    """What matches and tournaments can both be told."""
    parser.add_argument("--games", type=whole_number(1), default=100, help=games)
    parser.add_argument(
        "--seed", type=whole_number(0), default=seed, help=f"all that is random ({seed})"
    )
    parser.add_argument(
        "--openings",
        type=whole_number(0),
        metavar="PLIES",
        help="random plies before each pair of games; unless given, as many as are needed when "
        "nothing else is random, else 0",
    )
    parser.add_argument(
        "--move-time", type=float, metavar="SECONDS", help="a longer move loses the game"
    )
    parser.add_argument("--jobs", type=whole_number(1), default=1, help="processes (1)")
    parser.add_argument("--cluster", metavar="ray", help="play on this cluster instead")
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        help=f"the run folder, ./runs/{name}-N unless given; a run that was stopped there goes on",
    )
    add_adopt(parser)
    add_json(parser)


def estimate(options: argparse.Namespace) -> "list[Work]":
    """All games to the last cell; whoever plays by a table needs it once."""
    from noughts.agents import agent
    from noughts.effort import choosing
    from noughts.games import game

    played = game(options.game)
    moves = options.games * played.cells / 2
    players = [agent(spec) for spec in (options.first, options.second)]
    return [
        choosing(player, played, 1 if player.name == "optimal" else moves) for player in players
    ]


def run(options: argparse.Namespace) -> int:
    from noughts.arena import match
    from noughts.arena.match import check_match, check_players, seat_players
    from noughts.games import game
    from noughts.parallel import check_seam
    from noughts.report import new_folder

    rules = game(options.game)
    # Wrong input leaves no folder behind.
    check_players(rules, seat_players([options.first, options.second]), options.openings)
    check_match(options.games, options.seed, options.openings, options.move_time)
    check_seam(options.jobs, options.cluster)
    sprt = None if options.sprt is None else _read_sprt(options.sprt)
    folder = Path(options.out) if options.out is not None else new_folder("match")
    with progress_bar() as bar:
        result = match(
            rules,
            options.first,
            options.second,
            options.games,
            options.seed,
            openings=options.openings,
            move_time=options.move_time,
            sprt=sprt,
            jobs=options.jobs,
            cluster=options.cluster,
            folder=folder,
            adopt=options.adopt,
            progress=bar,
        )
    if options.json:
        print_json(result.to_dict() | {"folder": str(folder)})
        return 0
    _print_result(result)
    print(f"\n{folder / 'log.jsonl'}")
    return 0


def _read_sprt(text: str) -> tuple[float, float]:
    from noughts.stats.sprt import check_sprt

    try:
        low, high = (float(word) for word in text.split(","))
    except ValueError:
        raise ParseError(f"--sprt {text} is not two Elo differences such as 0,5.") from None
    check_sprt((low, high))
    return low, high


def _print_result(result: "MatchResult") -> None:
    from noughts.stats.elo import elo_words

    print(f"{result.game}: {result.first} against {result.second}, {result.games} games")
    for outcome in ("wins", "draws", "losses"):
        low, high = result.interval(outcome)
        count = getattr(result, outcome)
        print(
            f"  {outcome:7} {count:6}  {count / result.games:6.1%}  (95%: {low:.1%} to {high:.1%})"
        )
    low, high = result.score_interval
    print(f"  score   {result.score:14.1%}  (95%: {low:.1%} to {high:.1%}, over pairs)")
    print(f"  Elo     {elo_words(result.elo, result.elo_interval, 14)}")
    if result.repeats:
        print(
            f"  {result.repeats} of the games repeat others move by move, because nothing in them "
            "is random; the intervals count each once."
        )
    for name, effort in zip((result.first, result.second), result.efforts, strict=True):
        print(
            f"  {name}: {effort.seconds:.6f} s and {effort.nodes:,.1f} nodes per move, "
            f"{effort.memory / 2**20:.1f} MiB at most"
        )
    if result.sprt is not None:
        settled = result.sprt.verdict
        words = "nothing is settled" if settled is None else f"settled for {settled:+g} Elo"
        print(f"  sequential test: {words} (log-likelihood ratio {result.sprt.llr:+.2f})")
    for reason, games in result.reasons.items():
        print(f"  {games} × {reason}")
