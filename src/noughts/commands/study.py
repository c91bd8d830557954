"""`noughts study NAME`: run an experiment and write its report."""

import argparse
import re
import shutil
import textwrap
from pathlib import Path
from typing import Any

from noughts.commands.arguments import Subparsers, add_adopt, add_json, print_json
from noughts.commands.progress import progress_bar

ALL = "all"
_LINE = 100  # longer lines of prose are hard to read


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "study",
        help="run an experiment and write its report",
        description="Run an experiment: a folder with report.html, tables and figures. "
        "'noughts study NAME --help' lists what each can be told.",
        epilog="Example: noughts study danger-curve --quick",
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

    parser = argparse.ArgumentParser(
        prog=f"noughts study {ALL}",
        description="Run every study, one after the other, into one report.",
        epilog=f"Example: noughts study {ALL} --quick",
    )
    parser.add_argument("--quick", action="store_true", help="minutes in all instead of hours")
    parser.add_argument("--out", metavar="FOLDER", help=_out_help("studies"))
    add_adopt(parser)
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
    from noughts.options import options_of
    from noughts.report import new_folder
    from noughts.studies import run_study, study, study_command, study_parameters

    parser = _study_parser(name)
    given = vars(parser.parse_args(arguments))
    is_quick, out, as_json = given.pop("quick"), given.pop("out"), given.pop("json")
    adopt = given.pop("adopt")
    readers = {option.key: option for option in options_of(study(name).parameters)}
    values = {key: readers[key].read(text) for key, text in given.items() if text is not None}
    parameters = study_parameters(name, is_quick, **values)
    folder = Path(out) if out is not None else new_folder(name)
    try:
        with progress_bar() as bar:
            _, report = run_study(name, parameters, folder, bar, adopt)
    except KeyboardInterrupt:
        command = study_command(name, parameters)
        print(f"Stopped. To go on where it stopped: {command} --out {folder}")
        raise
    if as_json:
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
    from noughts.options import options_of
    from noughts.studies import listed_studies, study

    chosen = study(name)
    summary = next(listing.summary for listing in listed_studies() if listing.name == name)
    parser = argparse.ArgumentParser(
        prog=f"noughts study {name}",
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=f"Example: noughts study {name} --quick --out runs/{name}",
    )
    quick = ", ".join(f"{key}={value}" for key, value in chosen.quick.items())
    parser.add_argument("--quick", action="store_true", help=f"a matter of seconds: {quick}")
    parser.add_argument("--out", metavar="FOLDER", help=_out_help(name))
    add_adopt(parser)
    add_json(parser)
    for option in options_of(chosen.parameters):
        shown = f"{option.help} ({option.write(option.default)})"
        parser.add_argument(
            f"--{option.key.replace('_', '-')}",
            dest=option.key,
            metavar=f"{{{','.join(option.choices)}}}" if option.choices else option.kind.upper(),
            help=shown.replace("%", "%%"),
        )
    return parser


def _out_help(name: str) -> str:
    return f"the run folder, ./runs/{name}-N unless given; a run that was stopped there goes on"


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
