"""Each study once in a test run, quickly; what every finished run must be like.

A study belongs to one file of tests, and a file to one process, so none is worked on twice.
"""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from noughts.report import Report
from noughts.studies import run_study, study, study_parameters
from noughts.studies.study import StudyParameters

EXACT = (
    "seven-worlds", "classic-in-danger", "danger-curve", "bigger-boards", "lost-time",
    "three-players",
)  # fmt: skip
ARENA = ("four-algorithms", "tactics", "opening-atlas", "qubic", "ultimate-endgames")
LEARNING = ("ultimate-zero", "cube-learning", "learning-race", "learning-from-you")

# Of what repeats itself, less than in the quick version: what is claimed is the same.
LESS: dict[str, dict[str, Any]] = {
    "ultimate-zero": {"simulations": 500, "games": 20, "training_games": 2, "match_games": 2},
    "cube-learning": {"games": 200, "long": 400, "judged": 10, "duels": 2},
    "learning-from-you": {"games": 20},
}


def parameters_of(name: str) -> StudyParameters:
    return study_parameters(name, is_quick=True, **LESS.get(name, {}))


class QuickRuns:
    """The folder and the report of a study, which is run when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.found: dict[str, tuple[Path, Report]] = {}

    def __getitem__(self, name: str) -> tuple[Path, Report]:
        if name not in self.found:
            self.found[name] = run_study(name, parameters_of(name), self.folder / name)
        return self.found[name]


def table(report: Report, name: str) -> list[dict[str, Any]]:
    """The rows of one of its tables."""
    found = next(table for table in report.tables if table.name == name)
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def check_files(name: str, runs: QuickRuns) -> None:
    """All files of a run exist and can be read."""
    folder, report = runs[name]
    config = json.loads((folder / "config.json").read_text())
    assert config["study"] == name
    lines = (folder / "log.jsonl").read_text().splitlines()
    units = study(name).units(parameters_of(name))
    assert [json.loads(line)["unit"] for line in lines] == [unit.key for unit in units]
    assert report.answers
    assert report.tables
    assert report.figures
    for written in report.tables:
        with (folder / "tables" / f"{written.name}.csv").open() as file:
            assert len(list(csv.reader(file))) == len(written.rows) + 1
    page = (folder / "report.html").read_text()
    assert page.count("<svg") == len(report.figures)
    assert f"noughts study {name}" in page


def check_nothing_again(name: str, runs: QuickRuns, patch: pytest.MonkeyPatch) -> None:
    """A finished run works on nothing, and writes every file again, byte by byte."""
    folder, _ = runs[name]
    before = {path: path.read_bytes() for path in folder.rglob("*.*")}

    def refuse(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("a finished unit was worked on again")

    patch.setattr("noughts.report.run.Run._append", refuse)
    run_study(name, parameters_of(name), folder)
    after = {path: path.read_bytes() for path in folder.rglob("*.*")}
    assert after == before
