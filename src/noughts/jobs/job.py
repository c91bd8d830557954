"""A job is a match, tournament, solve, proof, study or training as data: one frozen dataclass.

    @dataclass(frozen=True)
    class Match(Job):
        kind = "match"
        game: str = required("game", "What is played.", is_word=True)
        games: int = whole(100, 1, 10**9, "Games of the match.", role="amount")

    job = Match(game="3x3", agents=("optimal", "uct"))
    job.config          # what config.json says; Match.from_config reads it back
    job.identity        # which run it is: all that decides what a unit gives
    job.command         # the command that asks for it again
    ready = job.prepare()                # raises one sentence if it cannot be done
    ready.job                            # the same in canonical words
    ready.carry_out(folder, progress)    # does it, or what is left of it

Its options are those of `options.py`; the arguments of its command and its form in the Lab are made
from them. Nothing heavy is imported before a job is prepared: the module that does the work is
named as a text, and its function `prepare` is found when it is needed. So the rooms that work may
stand above, and write their run folders by what is declared here.
"""

import dataclasses
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from noughts.errors import ParseError
from noughts.options import Listed, Option, check_options, options_of

if TYPE_CHECKING:
    from noughts.report.identity import Identity

Progress = Callable[[int, int, str], None]  # done, total, what is known so far

VERSION = "noughts"  # the key of a config that says who wrote it
ALWAYS_TOLD = ("games", "seed")  # in a command, also where they have their default

# What several jobs say alike.
MOST_SEED = 2**63 - 1
GAME_HELP = "What is played, such as 3x3:flip=0.1."
SEED_HELP = "Everything that is random comes from it."


@dataclass(frozen=True)
class Job:
    """What was asked for, as plain data."""

    kind: ClassVar[str]
    summary: ClassVar[str]  # a line of `noughts --help`, and of the Lab
    description: ClassVar[str]
    example: ClassVar[str]  # a command
    room: ClassVar[str]  # the module with `prepare(job)`, which checks it and gives a Ready
    subject: ClassVar[str] = "game"  # the option that stands under the kind's name in a config
    has_variants: ClassVar[bool] = False  # whether the room has `variants` and `variant`
    identity_kind: ClassVar[str] = ""  # unless it is the kind

    def __post_init__(self) -> None:
        check_options(self)

    @classmethod
    def options(cls) -> tuple[Option, ...]:
        """What it can be told."""
        return options_of(cls)

    @classmethod
    def variants(cls) -> Sequence[Listed[Any]]:
        """The studies, or the learners, that it can be about."""
        found: Sequence[Listed[Any]] = (
            import_module(cls.room).variants() if cls.has_variants else ()
        )
        return found

    @classmethod
    def variant(cls, name: str) -> Listed[Any]:
        """The one of this name; raises ParseError when there is none."""
        found: Listed[Any] = import_module(cls.room).variant(name)
        return found

    @classmethod
    def of_variant(
        cls, variant: Listed[Any], own: Mapping[str, Any], rest: Mapping[str, Any]
    ) -> Self:
        """The job about a variant, by the values of its own options and those of the job."""
        raise NotImplementedError

    @property
    def values(self) -> dict[str, Any]:
        """Every option as plain data."""
        return {field.name: _plain(getattr(self, field.name)) for field in dataclasses.fields(self)}

    @property
    def config(self) -> dict[str, Any]:
        """What a run folder says of it."""
        told = {self.kind: getattr(self, self.subject)}
        for option in self.options():
            value = getattr(self, option.key)
            is_left_out = option.is_later and value == option.default
            if option.key != self.subject and option.role != "hands" and not is_left_out:
                told[option.key] = _plain(value)
        return told | {VERSION: version("noughts")}

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Self:
        """The job that a config asks for; unknown keys are those of other versions."""
        known = {option.key for option in cls.options()}
        given = {key: value for key, value in config.items() if key in known}
        return cls.of(given | {cls.subject: config.get(cls.kind)})

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """The job of these values; raises a sentence when one is missing or unknown."""
        names = [field.name for field in dataclasses.fields(cls)]
        stray = next((key for key in values if key not in names), None)
        if stray is not None:
            allowed = ", ".join(names)
            raise ParseError(f"'{cls.kind}' has no option '{stray}'; it has: {allowed}.")
        missing = dict.fromkeys(option.key for option in cls.options() if option.required)
        return cls(**(missing | dict(values)))

    @property
    def identity(self) -> "Identity":
        """Which run it is: how much is done, who does it, and which version did not decide."""
        from noughts.report.identity import identity_of  # `noughts --help` does without

        amounts = [option.key for option in self.options() if option.role == "amount"]
        return identity_of(self.identity_kind or self.kind, self.config, [*amounts, VERSION])

    @property
    def command(self) -> str:
        """The command that asks for it, its folder and who does the work aside."""
        words, flags = ["noughts", self.kind], []
        for option, value in self._told():
            given = list(value) if option.kind == "agents" else [option.write(value)]
            if option.is_word:
                words += given
            else:
                flags += [flag_of(option.key), *(given if option.kind != "flag" else ())]
        return shlex.join(words + flags)

    def _told(self) -> Iterator[tuple[Option, Any]]:
        """What a command says, each option with its value."""
        for option in self.options():
            value = getattr(self, option.key)
            is_said = (value is not None and option.key in ALWAYS_TOLD) or value != option.default
            if option.role != "hands" and is_said:
                yield option, value

    @property
    def title(self) -> str:
        """It in a few words."""
        return f"{self.kind} {getattr(self, self.subject)}"

    @property
    def folder_name(self) -> str:
        """What its run folder is called, a number aside."""
        return self.kind

    @property
    def units(self) -> int:
        """How many there are; 0 where nobody knows before."""
        return 0

    def prepare(self) -> "Ready[Self]":
        """The job as one that can be carried out; raises NoughtsError if it cannot."""
        ready: Ready[Self] = import_module(self.room).prepare(self)
        return ready

    def check(self) -> Self:
        """The same job in canonical words; raises NoughtsError if it cannot be carried out."""
        return self.prepare().job

    def carry_out(
        self, folder: Path | None, progress: Progress | None = None, adopt: bool = False
    ) -> Any:
        """Check it and do it; see `Ready`."""
        return self.prepare().carry_out(folder, progress, adopt)


AnyJob = TypeVar("AnyJob", bound=Job, covariant=True)


@dataclass(frozen=True)
class Ready(Generic[AnyJob]):
    """A job that was checked, in canonical words, and all that was read for that."""

    job: AnyJob
    work: Callable[[Any, Progress | None, bool], Any]

    def carry_out(
        self, folder: Path | None, progress: Progress | None = None, adopt: bool = False
    ) -> Any:
        """Do it in a run folder, or what is left of it there; what its room gives.

        A job that can do without a folder is done without where none is given. `adopt` lets it take
        over a folder of before runs had an identity.
        """
        return self.work(folder, progress, adopt)


def flag_of(key: str) -> str:
    """How an option is called on a command line."""
    return f"--{key.replace('_', '-')}"


def _plain(value: Any) -> Any:
    """As JSON gives it back."""
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    return list(value) if isinstance(value, tuple) else value
