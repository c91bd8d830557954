"""`noughts perft GAME DEPTH`: count move sequences, the proof that rules are right."""

import argparse
import time
from typing import TYPE_CHECKING

from noughts.commands.terminal.arguments import Subparsers, add_json, print_json, whole_number
from noughts.games import game, perft

if TYPE_CHECKING:
    from noughts.effort import Work


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "perft",
        help="count the sequences of moves up to a depth",
        description="Count the sequences of 0, 1, … DEPTH moves from the start, each move landing "
        "as it was meant. Games that end earlier do not count.",
        epilog="Example: noughts perft ultimate 5",
    )
    parser.add_argument("game", help="a spec such as 3x3 or ultimate")
    parser.add_argument("depth", type=whole_number(0), help="how many moves deep")
    add_json(parser)
    return parser


def estimate(options: argparse.Namespace) -> "list[Work]":
    from noughts.effort import counting

    return [counting(game(options.game), options.depth)]


def run(options: argparse.Namespace) -> int:
    counted = game(options.game)
    rows = []
    for depth in range(options.depth + 1):
        began = time.perf_counter()
        count = perft(counted, depth)
        if depth > 0 and count == 0:
            break  # no game lasts that long
        rows.append({"depth": depth, "count": count, "seconds": time.perf_counter() - began})
        if not options.json:
            print(f"{depth:3}  {count:>20,}  {rows[-1]['seconds']:8.3f} s", flush=True)
    if options.json:
        print_json({"game": str(counted), "perft": rows})
    return 0
