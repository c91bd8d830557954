"""`noughts check CERTIFICATE`: is this a proof?"""

import argparse
import json
from pathlib import Path

from noughts.commands.terminal.arguments import Subparsers, add_json, print_json
from noughts.commands.terminal.progress import progress_bar
from noughts.errors import NoughtsError
from noughts.games import game

_HOLES = 1  # the exit code when a certificate proves nothing


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "check",
        help="check the certificate of a proof",
        description="Check a certificate that 'noughts prove' wrote, with nothing but the rules: "
        "follow its moves against every reply. The exit code is 1 when something is missing.",
        epilog="Example: noughts check cube.json",
    )
    parser.add_argument(
        "certificate",
        help="the file, or the word qubic for the certificate that comes with Noughts",
    )
    add_json(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    path = Path(options.certificate)
    if options.certificate == "qubic" and not path.exists():
        return _check_book(None, options.json)
    if _is_strategy(path):
        return _check_strategy(path, options.json)
    return _check_book(path, options.json)


def _is_strategy(path: Path) -> bool:
    """Whether a file is a certificate that lists a strategy as JSON, as smaller games have it."""
    try:
        with path.open("rb") as file:
            return bool(json.loads(file.readline(1 << 28))["format"] == "noughts certificate")
    except OSError as error:
        raise NoughtsError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        return False


def _check_strategy(path: Path, is_json: bool) -> int:
    from noughts.prove.certificate import Certificate, check_certificate

    certificate = Certificate.load(path)
    try:
        checked = check_certificate(certificate, game(certificate.game))
    except NoughtsError as error:
        if is_json:
            print_json({"game": certificate.game, "result": None, "holes": [str(error)]})
        else:
            print(f"{certificate.game}: not proven\n{error}")
        return _HOLES
    if is_json:
        print_json({"game": certificate.game, "result": certificate.result, "checked": checked})
        return 0
    print(f"{certificate.game}: {_sentence(certificate.result)}")
    print(f"checked {checked:,} positions; every reply is answered")
    return 0


def _check_book(path: Path | None, is_json: bool) -> int:
    from noughts.prove.book import Book, shipped_book
    from noughts.prove.check import check_book

    book = shipped_book() if path is None else Book.load(path)
    with progress_bar() as bar:
        report = check_book(book, progress=bar)
    if is_json:
        print_json(report.to_dict())
        return 0 if report.is_proof else _HOLES
    result = "X wins" if report.is_proof else "not proven"
    print(f"{report.game}: {result}")
    print(
        f"checked {report.positions:,} positions with X on turn in {report.seconds:.1f} s; "
        f"{report.moves_used:,} of {report.moves_listed:,} listed moves used; the longest line "
        f"ends with {report.deepest} marks on the board"
    )
    if report.is_proof:
        print("no holes: every reply is answered")
        return 0
    print(f"{report.hole_count:,} holes, such as")
    for hole in report.holes:
        print(f"  {hole}")
    return _HOLES


def _sentence(result: str) -> str:
    return "a draw" if result == "draw" else f"{result} wins"
