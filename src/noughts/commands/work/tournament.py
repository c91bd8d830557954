"""`noughts tournament GAME A B C …`: every agent against every other."""

import argparse

from noughts.commands.terminal.arguments import Subparsers, print_json
from noughts.commands.work.jobs import add_job, carry_out, read_job
from noughts.jobs import Tournament

_PRINTED = ("results", "standings", "ratings", "crosstable", "regret", "blunders", "faults")


def add(commands: Subparsers) -> argparse.ArgumentParser:
    return add_job(commands, Tournament, "tournament")


def run(options: argparse.Namespace) -> int:
    folder, played = carry_out(read_job(Tournament, options).prepare(), options)
    if options.json:
        print_json(played.to_dict() | {"folder": str(folder)})
        return 0
    for table in played.tables:
        if table.name in _PRINTED:
            print(f"{table.to_text()}\n")
    print(folder / "report.html")
    return 0
