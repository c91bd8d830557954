"""`noughts study NAME`: run an experiment and write its report."""

import argparse
import re
import shutil
import textwrap
from pathlib import Path
from typing import Any

from noughts.commands.terminal.arguments import Subparsers, add_json, print_json
from noughts.commands.terminal.parser import Parser
from noughts.commands.terminal.progress import progress_bar
from noughts.commands.work.jobs import add_options, add_out, carry_out, read_values
from noughts.jobs import Study

ALL = "all"
_LINE = 100  # longer lines of prose are hard to read


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        Study.kind,
        help=Study.summary,
        description=Study.description,
        epilog=f"Example: {Study.example}",
    )
    parser.add_argument("--list", action="store_true", help="list the studies")
    parser.add_argument("name", nargs="?", help="the study, such as danger-curve, or 'all'")
    # A study's own options are known once its name is.
    parser.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return parser


def run(options: argparse.Namespace) -> int:
    from noughts.studies import listed_studies

    if options.name is None or options.list:
        for listing in listed_studies():
            print(f"{listing.name:18}  {listing.summary}")
        print(f"{ALL:18}  every study, into one report")
        return 0
    if options.name == ALL:
        return _run_all(options.rest)
    return _run_one(options.name, options.rest)


def _run_all(arguments: list[str]) -> int:
    from noughts.report import new_folder
    from noughts.studies import run_all_studies

    parser = Parser(
        prog=f"noughts study {ALL}",
        description="Run every study, one after the other, into one report.",
        epilog=f"Example: noughts study {ALL} --quick",
    )
    parser.add_argument("--quick", action="store_true", help="minutes in all instead of hours")
    add_out(parser, "studies")
    given = parser.parse_args(arguments)
    folder = Path(given.out) if given.out is not None else new_folder("studies")
    try:
        with progress_bar() as bar:
            page = run_all_studies(given.quick, folder, bar, given.adopt)
    except KeyboardInterrupt:
        quick = " --quick" if given.quick else ""
        print(f"Stopped. To go on where it stopped: noughts study {ALL}{quick} --out {folder}")
        raise
    print(page)
    return 0


def _run_one(name: str, arguments: list[str]) -> int:
    given = _study_parser(name).parse_args(arguments)
    own = read_values(Study.variant(name).options, given)
    ready = Study(name=name, quick=given.quick, parameters=own).prepare()
    folder, (_, report) = carry_out(ready, given)
    if given.json:
        print_json(
            {
                "study": name,
                "folder": str(folder),
                "answers": report.answers,
                "tables": {
                    table.name: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
                    for table in report.tables
                },
            }
        )
        return 0
    _print_report(report)
    print(f"{folder / 'report.html'}")
    return 0


def _study_parser(name: str) -> argparse.ArgumentParser:
    from noughts.studies import study

    listed, chosen = Study.variant(name), study(name)
    parser = Parser(
        prog=f"noughts study {name}",
        description=f"{listed.summary[0].upper()}{listed.summary[1:]}.",
        epilog=f"Example: noughts study {name} --quick --out runs/{name}",
    )
    quick = ", ".join(f"{key}={value}" for key, value in chosen.quick.items())
    parser.add_argument("--quick", action="store_true", help=f"a matter of seconds: {quick}")
    add_out(parser, name)
    add_json(parser)
    add_options(parser, listed.options)
    return parser


def _print_report(report: Any) -> None:
    print(report.title)
    for answer in report.answers:
        print()
        plain = re.sub(r"\*\*|`", "", answer)
        print(textwrap.fill(plain, min(shutil.get_terminal_size().columns, _LINE)))
    if report.tables:
        print()
        print(report.tables[0].to_text())
    print()
