"""The command line: `noughts COMMAND …`.

Each command lives in a module of `noughts.commands` with two functions: `add` states its arguments,
`run` does the work and returns the exit code. Nothing heavy is imported before `run`, so that
`--help` is instant.
"""

import argparse
import io
import os
import sys
from collections.abc import Sequence

from noughts import __version__
from noughts.commands import COMMANDS
from noughts.commands.parser import Parser
from noughts.errors import NoughtsError
from noughts.kernels.cache import kernel_cache_folder

BAD_INPUT = 2
INTERRUPTED = 130


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = Parser(
        prog="noughts",
        description="One laboratory for the whole tic-tac-toe family.",
        epilog="'noughts COMMAND --help' explains each. A game or an agent is named like "
        "3x3:flip=0.1; 'noughts games' lists the names.",
    )
    parser.add_argument("--version", action="version", version=f"noughts {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands).set_defaults(run=command.run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 2 when the input was wrong."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks × shows ? and goes on
            stream.reconfigure(errors="replace")
    options = build_parser().parse_args(arguments)
    if sys.stderr.isatty() and not kernel_cache_folder().exists():
        print(
            "Compiling on first use: once for each kind of work, seconds to half a minute.",
            file=sys.stderr,
        )
    try:
        code = int(options.run(options))
        sys.stdout.flush()
        return code
    except NoughtsError as error:
        print(f"noughts: {error}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:  # whoever read the output has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError:
        print(
            "noughts: There is not enough memory for this; take a smaller board.", file=sys.stderr
        )
        return BAD_INPUT
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"noughts: {where}{error.strerror or error}.", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("noughts: stopped.", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
