"""`noughts engine --agent SPEC`: one of our agents as a program that others can ask."""

import argparse
import io
import sys
from typing import TYPE_CHECKING

from noughts.agents import agent
from noughts.commands.terminal.arguments import Subparsers

if TYPE_CHECKING:
    from noughts.search.external.serving import Server


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "engine",
        help="answer for an agent over standard input and output",
        description="Answer for an agent in the line protocol of docs/protocols.md, until 'quit' "
        "or the end of the input. 'external:cmd=noughts engine --agent SPEC' plays against it.",
        epilog="Example: noughts engine --agent uct:time=1",
    )
    parser.add_argument("--agent", default="uct", help="a spec such as uct:time=1 (uct)")
    return parser


def run(options: argparse.Namespace) -> int:
    from noughts.search.external.serve_noughts import NoughtsServer

    converse(NoughtsServer(agent(options.agent)))
    return 0


def converse(server: "Server") -> None:
    """Answer line by line, at once, until good-bye or the end of the input."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    for line in sys.stdin:
        for reply in server.answer(line):
            print(reply, flush=True)
        if server.is_over:
            return
