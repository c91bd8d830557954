"""`noughts gomocup --agent SPEC`: one of our agents as a Gomocup engine."""

import argparse

from noughts import __version__
from noughts.agents import agent, check_player
from noughts.commands.playing.engine import converse
from noughts.commands.terminal.arguments import Subparsers, whole_number
from noughts.games import game


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "gomocup",
        help="be a Gomocup engine: five in a row on boards up to 20×20",
        description="Answer for an agent in the Gomocup (Piskvork) protocol over standard input "
        "and output: freestyle, boards from 5×5 to 20×20. An agent with a time option thinks for "
        "that long, and never longer than the manager allows.",
        epilog="Example: noughts gomocup --agent alphabeta:time=5",
    )
    parser.add_argument(
        "--agent", default="alphabeta", help="a spec such as uct:time=1 (alphabeta)"
    )
    parser.add_argument(
        "--seed", type=whole_number(0), help="makes the agent repeatable; drawn anew unless given"
    )
    return parser


def run(options: argparse.Namespace) -> int:
    import numpy as np

    from noughts.search.external.serve_gomocup import SMALLEST, GomocupServer

    player = agent(options.agent)
    check_player(player, game(SMALLEST))  # no manager will ask for less
    converse(GomocupServer(player, np.random.default_rng(options.seed), __version__))
    return 0
