"""`noughts agents`: who can play, and what can be set."""

import argparse

from noughts.agents import agent, listed_agents
from noughts.commands.terminal.arguments import Subparsers, add_json, print_json


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "agents",
        help="list the agents and their options",
        description="List the agents with every option, its default and what it takes, "
        "or describe the one that a name or spec stands for.",
        epilog="Example: noughts agents uct",
    )
    parser.add_argument("agent", nargs="?", help="a name such as uct, or a spec such as uct:time=1")
    add_json(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    listed = listed_agents()
    if options.agent is not None:
        agent(options.agent)  # refuses a spec that is wrong
        name = options.agent.partition(":")[0].strip()
        listed = [row for row in listed if row.name == name]
    if options.json:
        print_json(
            [
                {
                    "agent": row.name,
                    "summary": row.summary,
                    "options": [option.to_dict() for option in row.options],
                }
                for row in listed
            ]
        )
        return 0
    width = max(len(row.name) for row in listed)
    for row in listed:
        print(f"{row.name:{width}}  {row.summary}")
        for option in row.options:
            print(f"{'':{width}}    {option.usage:24} {option.help}")
    return 0
