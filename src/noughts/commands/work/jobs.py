"""Commands that do jobs: their arguments and their run folders come from what a job declares."""

import argparse
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from noughts.commands.terminal.arguments import Subparsers, add_adopt, add_json
from noughts.commands.terminal.progress import progress_bar
from noughts.errors import NoughtsError, ParseError
from noughts.jobs.job import Job, Ready, flag_of
from noughts.options import Option

AnyJob = TypeVar("AnyJob", bound=Job)


def add_job(
    commands: Subparsers, job: type[Job], place: str = "", needs_words: bool = True
) -> argparse.ArgumentParser:
    """The parser of a job's command, with all that the job can be told.

    `place` is what its run folder is called, if it keeps one. Where words are not needed, the
    command has other things to do as well.
    """
    parser: argparse.ArgumentParser = commands.add_parser(
        job.kind, help=job.summary, description=job.description, epilog=f"Example: {job.example}"
    )
    add_options(parser, job.options(), needs_words)
    if place:
        add_out(parser, place)
    add_json(parser)
    return parser


def add_options(
    parser: argparse.ArgumentParser, options: Iterable[Option], needs_words: bool = True
) -> None:
    """An argument for each option, which reads and refuses what is given."""
    for option in options:
        words: dict[str, Any] = {"help": _help(option).replace("%", "%%")}
        if option.metavar or not option.is_word:
            words["metavar"] = option.metavar or _metavar(option)
        if option.kind not in ("flag", "agents"):
            words["type"] = _reader(option)
        if option.kind == "flag":
            parser.add_argument(flag_of(option.key), action="store_true", help=words["help"])
        elif option.is_word:
            count = "+" if option.kind == "agents" else None if needs_words else "?"
            parser.add_argument(option.key, nargs=count, **words)
        else:
            parser.add_argument(flag_of(option.key), dest=option.key, **words)


def _reader(option: Option) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        try:
            return option.read(text)
        except ParseError as error:
            raise argparse.ArgumentTypeError(str(error).rstrip(".")) from None

    return read


def _help(option: Option) -> str:
    if option.default is None or option.kind == "flag":
        return option.help
    return f"{option.help} ({option.write(option.default)})"


def _metavar(option: Option) -> str:
    return f"{{{','.join(option.choices)}}}" if option.choices else option.kind.upper()


def add_out(parser: argparse.ArgumentParser, name: str) -> None:
    """Where the run is kept, and whose run it may be."""
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        help=f"the run folder, ./runs/{name}-N unless given; a run that was stopped there goes on",
    )
    add_adopt(parser)


def read_values(options: Iterable[Option], given: argparse.Namespace) -> dict[str, Any]:
    """What was given; what was not is left out, and has its default."""
    found = {option.key: getattr(given, option.key, None) for option in options}
    return {key: value for key, value in found.items() if value is not None}


def read_job(kind: type[AnyJob], given: argparse.Namespace) -> AnyJob:
    """The job that a command line asks for."""
    return kind.of(read_values(kind.options(), given))


def carry_out(ready: Ready[Any], given: argparse.Namespace) -> tuple[Path, Any]:
    """Do a job with a bar, in the folder that was named or in a new one; what came of it.

    What is refused leaves no new folder behind; what is stopped says how to go on.
    """
    from noughts.report import new_folder

    job: Job = ready.job
    folder = Path(given.out) if given.out is not None else new_folder(job.folder_name)
    try:
        with progress_bar() as bar:
            return folder, ready.carry_out(folder, bar, given.adopt)
    except NoughtsError:
        if given.out is None:
            with suppress(OSError):
                folder.rmdir()  # unless something is in it already
        raise
    except KeyboardInterrupt:
        print(f"Stopped. To go on where it stopped: {job.command} --out {folder}")
        raise
