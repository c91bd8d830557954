"""`noughts warm`: compile ahead, so that nobody waits later."""

import argparse

from noughts.commands.terminal.arguments import Subparsers, add_json, print_json
from noughts.commands.terminal.progress import progress_bar
from noughts.errors import ParseError
from noughts.kernels.mode import is_interpreted


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "warm",
        help="compile ahead, so that nobody waits later",
        description="Compile what games and agents need, into the cache of this machine: "
        "everything that a first visit is likely to ask for, or one game with its agents.",
        epilog="Example: noughts warm ultimate zero uct",
    )
    parser.add_argument("game", nargs="?", help="a spec such as 3x3:flip=0.1; all unless given")
    parser.add_argument("agents", nargs="*", metavar="AGENT", help="who is to play it (uct)")
    add_json(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    from noughts.warm import STEPS, Step, warm

    if is_interpreted():
        raise ParseError("Nothing is compiled with NOUGHTS_JIT=never or NUMBA_DISABLE_JIT=1.")
    steps: tuple[Step, ...] = STEPS
    if options.game is not None:
        agents = options.agents or ["uct"]
        steps = tuple(Step(f"{name} on {options.game}", options.game, name) for name in agents)
    with progress_bar() as progress:
        taken = warm(steps, progress)
    if options.json:
        print_json([{"game": s.game, "agent": s.agent, "seconds": t} for s, t in taken])
        return 0
    for step, seconds in taken:
        print(f"{step.name:26}{seconds:8.2f} s")
    print(f"{'together':26}{sum(seconds for _, seconds in taken):8.2f} s")
    return 0
