"""Runs a study, or the rest of it, into a run folder."""

import dataclasses
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from noughts import __version__
from noughts.errors import ParseError
from noughts.jobs.job import Ready
from noughts.jobs.study import Study as Asked
from noughts.report import Progress, Report, Run, Unit, new_folder
from noughts.report.log import Line
from noughts.studies.registry import listed_studies, listed_study, study
from noughts.studies.study import Study, StudyParameters


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
    asked = Asked(name=name, parameters=dataclasses.asdict(parameters))
    place = Path(folder) if folder is not None else new_folder(name)
    return _run(asked, chosen, parameters, place, progress, adopt)


def prepare(job: Asked) -> Ready[Asked]:
    """A study with all its parameters, those that make it quick among them."""
    chosen, parameters = study(job.name), _parameters(job)
    asked = Asked(name=job.name, parameters=dataclasses.asdict(parameters))
    return Ready(asked, partial(_run, asked, chosen, parameters))


def _run(
    asked: Asked, chosen: Study, parameters: StudyParameters, folder: Path,
    progress: Progress | None, adopt: bool,
) -> tuple[Path, Report]:  # fmt: skip
    units = chosen.units(parameters)
    with Run(folder, asked.config, asked.identity, _adopter(units) if adopt else None) as run:
        results = run.results(units, progress)
        report = chosen.report(parameters, results)
        facts = {"command": asked.command, "version": f"noughts {__version__}"}
        report = dataclasses.replace(report, facts={**facts, **report.facts})
        run.write(report)
    return run.folder, report


def _parameters(job: Asked) -> StudyParameters:
    known, chosen = {option.key for option in variant(job.name).options}, job.parameters
    stray = next((key for key in chosen if key not in known), None)
    if stray is not None:
        raise ParseError(f"'study {job.name}' has no option '{stray}'.")
    return study_parameters(job.name, job.quick, **chosen)


variants, variant = listed_studies, listed_study  # as jobs call them


def _adopter(units: Sequence[Unit]) -> Callable[[Line], None]:
    """Accepts lines of an old log that name units of this study."""
    keys = {unit.key for unit in units}

    def adopt(line: Line) -> None:
        if line["unit"] not in keys:
            raise ParseError(f"'{line['unit']}' is no unit of this study.")

    return adopt
