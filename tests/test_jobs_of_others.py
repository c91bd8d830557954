"""A stranger declares a study, a learner or an option of a job, and gets the rest for nothing."""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import noughts
from noughts import plugins
from noughts.cli import main
from noughts.commands.work.jobs import add_options, read_job
from noughts.errors import NoughtsWarning
from noughts.jobs import Match, job_of_config
from noughts.learn.frame import registry as learners
from noughts.learn.frame.checkpoint import checkpoints_in
from noughts.learn.frame.learner import Arrays, Learner
from noughts.options import choice, number, whole
from noughts.report import Answer, Report, Unit
from noughts.report.log import read_log
from noughts.studies import Study, StudyParameters
from noughts.studies import registry as studies
from noughts.web.lab.forms import job_kinds
from noughts.web.lab.plans import carry_out, plan_job, plan_of_config


@dataclass
class Parameters(StudyParameters):
    """What the toy can be told."""

    most: int = whole(6, 1, 100, "Squares up to this number.")
    scale: float = number(1.0, 0.0, 10.0, "Each square times this.")


def square(number: int, scale: float) -> float:
    return scale * number * number


def plan_squares(told: Parameters) -> list[Unit]:
    numbers = range(1, told.most + 1)
    return [Unit(str(n), square, {"number": n, "scale": told.scale}) for n in numbers]


def tell_squares(told: Parameters, results: Mapping[str, Any]) -> Report:
    return Report("Squares", "All of them.", [Answer(f"The sum is {sum(results.values()):g}.")])


SQUARES = Study(Parameters, plan_squares, tell_squares, quick={"most": 2}, summary="sums squares")
HASTY = replace(SQUARES, quick={"moist": 2})


@dataclass(eq=False, repr=False)
class Tally(Learner):
    """Counts games, and learns nothing else."""

    name = "tally"
    grading_games = 4
    by: int = whole(1, 1, 10, "How much a game counts.")
    manner: str = choice("up", ("up", "down"), "Which way it counts.")

    def begin(self, game: noughts.Game, opponent: str, seed: int) -> None:
        self.game, self.count = game, 0

    def learn(self, games: int) -> dict[str, float]:
        self.count += games * (self.by if self.manner == "up" else -self.by)
        return {"count": float(self.count)}

    def player(self) -> noughts.Agent:
        return noughts.agent("random")

    def arrays(self) -> Arrays:
        return {"count": np.array([self.count])}

    def restore(self, game: noughts.Game, opponent: str, arrays: Arrays) -> None:
        self.game, self.count = game, int(arrays["count"][0])


class Idle(Learner):
    name = "idle"

    def begin(self, game: noughts.Game, opponent: str, seed: int) -> None:
        self.game = game


class Enough(Exception):
    pass


def stop_at(most: int) -> Any:
    def stop(done: int, total: int, text: str) -> None:
        if done >= most:
            raise Enough

    return stop


def silent(done: int, total: int, text: str) -> None:
    pass


@pytest.fixture
def plugged_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    here = "test_jobs_of_others"
    points: Sequence[EntryPoint] = [
        EntryPoint("squares", f"{here}:SQUARES", studies.ENTRY_POINTS),
        EntryPoint("broken", f"{here}:Parameters", studies.ENTRY_POINTS),
        EntryPoint("hasty", f"{here}:HASTY", studies.ENTRY_POINTS),
        EntryPoint("seven-worlds", f"{here}:SQUARES", studies.ENTRY_POINTS),
        EntryPoint("tally", f"{here}:Tally", learners.ENTRY_POINTS),
        EntryPoint("idle", f"{here}:Idle", learners.ENTRY_POINTS),
        EntryPoint("lost", "no.such.module:Learner", learners.ENTRY_POINTS),
    ]

    def found(group: str) -> list[EntryPoint]:
        return [point for point in points if point.group == group]

    monkeypatch.setattr(plugins, "entry_points", found)
    for registry in (studies, learners):
        registry._registry.cache_clear()
    with pytest.warns(NoughtsWarning, match="'seven-worlds' .* is left out: the name is taken"):
        studies.listed_studies()
    yield
    for registry in (studies, learners):
        registry._registry.cache_clear()


def form(kind: str) -> dict[str, Any]:
    return next(form for form in job_kinds() if form["kind"] == kind)


def test_a_study_gets_command_form_config_and_resuming(
    plugged_in: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", "--list"]) == 0
    told = capsys.readouterr().out
    assert "squares             sums squares\n" in told
    assert "broken              The study 'broken' is said to be" in told
    with pytest.raises(SystemExit):
        main(["study", "squares", "--help"])
    assert "Squares up to this number. (6)" in capsys.readouterr().out
    out = tmp_path / "by-command"
    assert main(["study", "squares", "--scale", "2", "--most", "3", "--out", str(out)]) == 0
    assert "The sum is 28." in capsys.readouterr().out
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "noughts study squares --most 3 --scale 2" in page

    variants = {variant["name"]: variant for variant in form("study")["variants"]}
    lines = {line["key"]: line for line in variants["squares"]["fields"]}
    assert (lines["most"]["kind"], lines["most"]["high"]) == ("whole", 100)
    assert "broken" not in variants
    plan = plan_job("study", {"name": "squares", "most": 4}, tmp_path)
    folder = tmp_path / "by-page"
    with pytest.raises(Enough):
        carry_out(plan, folder, stop_at(2))
    assert len(read_log(folder / "log.jsonl")) == 2
    again = plan_of_config(json.loads((folder / "config.json").read_text()), tmp_path)
    assert again == plan
    assert carry_out(again, folder, silent) == {"answers": ["The sum is 30."]}
    assert [line["unit"] for line in read_log(folder / "log.jsonl")] == ["1", "2", "3", "4"]


def test_a_learner_gets_command_form_config_and_resuming(
    plugged_in: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "by-command"
    words = ["train", "2x2", "tally:by=3", "--games", "20", "--checkpoints", "2"]
    assert main([*words, "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["train"] == "tally:by=3"
    assert main(["train", "2x2", "tally:by=11", "--games", "20"]) == 2
    assert "by=11 is not a whole number from 1 to 10." in capsys.readouterr().err

    variants = {variant["name"]: variant for variant in form("train")["variants"]}
    assert [line["key"] for line in variants["tally"]["fields"]] == ["by", "manner"]
    assert "lost" not in variants
    options = {"name": "tally", "game": "2x2", "games": 20, "checkpoints": 2, "manner": "down"}
    plan = plan_job("train", options, tmp_path)
    assert plan["command"].startswith("noughts train 2x2 tally:manner=down --games 20 --seed 1")
    folder = tmp_path / "by-page"
    with pytest.raises(Enough):
        carry_out(plan, folder, stop_at(7))
    again = plan_of_config(json.loads((folder / "config.json").read_text()), tmp_path)
    assert again == plan
    facts = carry_out(again, folder, silent)["facts"]
    assert facts == {"games": 20, "agent": f"learner:run={folder}"}
    assert checkpoints_in(folder)[-1][0] == 20


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["study", "hasty", "--quick"],
            "The study 'hasty' is said to be test_jobs_of_others:HASTY, but that is a Study whose "
            "quick names 'moist', which is no parameter of it.",
        ),
        (
            ["train", "2x2", "idle", "--games", "5"],
            "The learner 'idle' of another package cannot be made: Idle does not say `arrays`, "
            "`learn`, `player`, `restore`.",
        ),
        (
            ["match", "2x2", "tally:run=runs/tally-1", "random"],
            "'tally' is a learner; play it as learner:run=FOLDER.",
        ),
    ],
)
def test_what_a_stranger_got_wrong_is_one_sentence(
    plugged_in: None, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    assert main(words) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert told.count("\n") == 1


@dataclass(frozen=True)
class LateMatch(Match):
    """A match with one more option than there was."""

    patience: int = whole(3, 1, 9, "Draws in a row that end it.", role="amount", is_later=True)
    light: str = choice("day", ("day", "night"), "When it is played.", is_later=True)


def test_an_option_that_came_later_leaves_earlier_runs_as_they_were() -> None:
    agents = ("random", "fixed")
    before, now = Match(game="3x3", agents=agents), LateMatch(game="3x3", agents=agents)
    assert now.config == before.config
    assert now.identity.digest == before.identity.digest
    assert LateMatch.from_config(before.config) == now
    patient, dark = replace(now, patience=5), replace(now, light="night")
    assert patient.config == {**before.config, "patience": 5}
    assert patient.identity.digest == before.identity.digest
    assert dark.identity.digest != before.identity.digest
    assert LateMatch.from_config(dark.config) == dark
    assert dark.command.endswith("--light night")
    assert job_of_config(dark.config) == before  # an older version reads what it knows

    parser = argparse.ArgumentParser()
    add_options(parser, LateMatch.options())
    assert "Draws in a row that end it. (3)" in parser.format_help()
    assert read_job(LateMatch, parser.parse_args(dark.command.split()[2:])) == dark
