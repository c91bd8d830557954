"""A study is an experiment that one command reproduces: parameters, units of work, a report.

    @dataclass
    class Parameters(StudyParameters):
        games: int = whole(100_000, 1, 10**9, "Simulated games of each pairing.")

    STUDY = Study(Parameters, quick={"games": 2000}, units=plan_units, report=make_report)

The dataclass *is* the command line. Units are independent and seeded, so they may be done in any
order and a killed run goes on with those that are left. The report is made from their results
alone. The registry holds names and modules as texts: nothing is imported before it is asked for.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from noughts import __version__
from noughts.errors import ParseError
from noughts.options import check_options, options_of, whole, write_options
from noughts.report import Progress, Report, Run, Unit, new_folder
from noughts.report.identity import identity_of
from noughts.report.log import Line

Results = Mapping[str, Any]


@dataclass
class StudyParameters:
    """What every study can be told."""

    seed: int = whole(1, 0, 2**32 - 1, "Everything drawn at random comes from it.")

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True)
class Study:
    """One experiment. `quick` names the parameters that make it a matter of seconds."""

    parameters: type[StudyParameters]
    units: Callable[[Any], Sequence[Unit]]
    report: Callable[[Any, Results], Report]
    quick: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class StudyListing:
    """One row of `noughts study --list`."""

    name: str
    module: str
    summary: str

    def resolve(self) -> Study:
        """Import the module that defines it."""
        found = import_module(self.module).STUDY
        assert isinstance(found, Study)
        return found


STUDIES = {
    listing.name: listing
    for listing in (
        StudyListing(
            "seven-worlds",
            "noughts.studies.seven_worlds",
            "optimal and random players in seven risky worlds: exact odds and simulated games",
        ),
        StudyListing(
            "classic-in-danger",
            "noughts.studies.classic_in_danger",
            "the classic player in worlds that are not classic",
        ),
        StudyListing(
            "danger-curve",
            "noughts.studies.danger_curve",
            "every uniform risk from 0 to 1, and what it does to the classic player",
        ),
        StudyListing(
            "bigger-boards",
            "noughts.studies.bigger_boards",
            "exact risky solutions of 3×4 and 4×4: time, memory, values",
        ),
        StudyListing(
            "lost-time",
            "noughts.studies.lost_time",
            "marks that fizzle, marks that fade, and a clock that makes moves risky",
        ),
        StudyListing(
            "four-algorithms",
            "noughts.studies.four_algorithms",
            "a published comparison repeated; every agent's games, time, memory and accuracy",
        ),
        StudyListing(
            "tactics",
            "noughts.studies.tactics",
            "every agent on positions with known best moves, by budget",
        ),
        StudyListing(
            "opening-atlas",
            "noughts.studies.opening_atlas",
            "what every first move is worth, over boards and risks, drawn as boards",
        ),
        StudyListing(
            "qubic",
            "noughts.studies.qubic",
            "the first player's win of 4×4×4: found from nothing, drawn, and checked",
        ),
        StudyListing(
            "ultimate-endgames",
            "noughts.studies.ultimate_endgames",
            "every agent on Ultimate endgames that are solved exactly: regret and values",
        ),
        StudyListing(
            "ultimate-zero",
            "noughts.studies.ultimate_zero",
            "the Ultimate network: its training, first moves, other rules, and a small training",
        ),
        StudyListing(
            "cube-learning",
            "noughts.studies.cube_learning",
            "3×3×3 learned by TD, Q-learning and a network; with better features, for longer",
        ),
        StudyListing(
            "learning-race",
            "noughts.studies.learning_race",
            "all learners in the seven 3×3 worlds: exact regret against games and seconds",
        ),
        StudyListing(
            "learning-from-you",
            "noughts.studies.learning_from_you",
            "the table against a person who plays well, at random, or sometimes gives in",
        ),
    )
}


def listed_studies() -> list[StudyListing]:
    """Every study that can be named."""
    return list(STUDIES.values())


def study(name: str) -> Study:
    """The study of this name."""
    if name not in STUDIES:
        raise ParseError(f"'{name}' is not a study; studies: {', '.join(STUDIES)}.")
    return STUDIES[name].resolve()


def study_parameters(name: str, is_quick: bool = False, **given: Any) -> StudyParameters:
    """The parameters of a study: those given, then the quick ones if asked for, then defaults."""
    chosen = study(name)
    return chosen.parameters(**((dict(chosen.quick) if is_quick else {}) | given))


def run_study(
    name: str,
    parameters: StudyParameters | None = None,
    folder: str | Path | None = None,
    progress: Progress | None = None,
    adopt: bool = False,
) -> tuple[Path, Report]:
    """Run a study, or the rest of it, into a run folder; the folder and the report.

    `adopt` lets it take over a folder of before runs had an identity.
    """
    chosen = study(name)
    if parameters is None:
        parameters = chosen.parameters()
    config = {
        "study": name,
        "parameters": dataclasses.asdict(parameters),
        "noughts": __version__,
    }
    identity, units = identity_of("study", config, ["noughts"]), chosen.units(parameters)
    place = Path(folder) if folder is not None else new_folder(name)
    with Run(place, config, identity, _adopter(units) if adopt else None) as run:
        results = run.results(units, progress)
        report = chosen.report(parameters, results)
        facts = {"command": study_command(name, parameters), "version": f"noughts {__version__}"}
        report = dataclasses.replace(report, facts={**facts, **report.facts})
        run.write(report)
    return run.folder, report


def _adopter(units: Sequence[Unit]) -> Callable[[Line], None]:
    """Accepts lines of an old log that name units of this study."""
    keys = {unit.key for unit in units}

    def adopt(line: Line) -> None:
        if line["unit"] not in keys:
            raise ParseError(f"'{line['unit']}' is no unit of this study.")

    return adopt


def study_command(name: str, parameters: StudyParameters) -> str:
    """The command that runs a study with these parameters."""
    words = [f"noughts study {name}"]
    written = write_options(parameters)
    for option in options_of(parameters):
        if option.key in written:
            words.append(f"--{option.key.replace('_', '-')} {written[option.key]}")
    return " ".join(words)
