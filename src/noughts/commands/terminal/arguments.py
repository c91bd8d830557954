"""What several commands share: their types and their output."""

import argparse
import json
import sys
from typing import Any

from noughts.kernels import mode

AUTO = "auto"
Subparsers = Any  # argparse keeps the type of its sub-parser action private


def add_json(parser: argparse.ArgumentParser) -> None:
    """The switch for output that programs read."""
    parser.add_argument("--json", action="store_true", help="print machine-readable output")


def add_adopt(parser: argparse.ArgumentParser) -> None:
    """The switch for run folders of before runs had an identity."""
    parser.add_argument(
        "--adopt",
        action="store_true",
        help="go on with a run of a version without identities, once every line of it is checked",
    )


def add_jit(parser: argparse.ArgumentParser) -> None:
    """Whether to compile. The answers are the same; only the wait differs."""
    parser.add_argument(
        "--jit",
        choices=(AUTO, mode.ALWAYS, mode.NEVER),
        default=AUTO,
        help="compile the kernels: where that is sooner (auto), always, or never",
    )


def print_json(data: Any) -> None:
    """One JSON document on standard output."""
    json.dump(data, sys.stdout, indent=2)
    print()


def whole_number(low: int) -> Any:
    """An argparse type: a whole number of at least `low`."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if number < low:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least {low}")
        return number

    return read
