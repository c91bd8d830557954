"""The command line: `noughts COMMAND …`.

Each command lives in a module of `noughts.commands` with two functions: `add` states its arguments,
`run` does the work and returns the exit code. Nothing heavy is imported before `run`, so that
`--help` is instant.
"""

import argparse
import io
import os
import sys
import warnings
from collections.abc import Sequence

from noughts import __version__
from noughts.commands import COMMANDS
from noughts.commands.terminal.arguments import AUTO, add_jit
from noughts.commands.terminal.parser import Parser
from noughts.effort import Work, is_sooner_interpreted
from noughts.errors import NoughtsError, NoughtsWarning
from noughts.kernels.cache import note_compiled
from noughts.kernels.mode import NEVER, interpret, is_interpreted

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
        own = command.add(commands)
        estimate = getattr(command, "estimate", None)
        if estimate is not None:
            add_jit(own)
        own.set_defaults(run=command.run, estimate=estimate)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 2 when the input was wrong."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks × shows ? and goes on
            stream.reconfigure(errors="replace")
    options = build_parser().parse_args(arguments)
    shown = warnings.formatwarning
    warnings.formatwarning = _format_warning
    try:
        # A caller who brings arguments has a process of his own, which stays what it is.
        works = _choose_mode(options) if arguments is None else []
        code = int(options.run(options))
        if not is_interpreted():
            for work in works:
                note_compiled(work.kernels)
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
    finally:
        warnings.formatwarning = shown


def _format_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    line: str | None = None,
) -> str:
    """Our warnings as sentences; those of others as Python shows them."""
    if issubclass(category, NoughtsWarning):
        return f"noughts: {message}\n"
    return f"{filename}:{lineno}: {category.__name__}: {message}\n"


def _choose_mode(options: argparse.Namespace) -> list[Work]:
    """Interpret small work, and say what takes a while before the first answer."""
    if options.estimate is None:
        return []
    if options.jit == NEVER:
        interpret()
        return []
    works: list[Work] = options.estimate(options)
    if options.jit == AUTO and not is_interpreted() and is_sooner_interpreted(works):
        interpret()
    missing = {work.kernels: work.compiling for work in works if not work.is_compiled}
    if missing and not is_interpreted() and sys.stderr.isatty():
        seconds = sum(missing.values())
        print(f"Compiling what this needs, once: about {seconds:.0f} s.", file=sys.stderr)
    return works


if __name__ == "__main__":
    sys.exit(main())
