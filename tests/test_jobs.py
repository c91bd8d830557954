"""Jobs: from one declaration come the command, the form, the config, the command line, resuming."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from noughts.cli import build_parser, main
from noughts.commands.work.jobs import read_values
from noughts.errors import NoughtsError
from noughts.jobs import KINDS, Match, Prove, Solve, Study, Tournament, Train, job_of_config
from noughts.jobs.job import Job
from noughts.web.lab.forms import OFFERED, job_kinds
from noughts.web.lab.plans import job_of_plan, plan_of_config

OLD = json.loads((Path(__file__).parent / "golden" / "runs.json").read_text(encoding="utf-8"))


class Begun(Exception):
    """The config is written, and nothing is done yet."""


def stop(*_: object) -> None:
    raise Begun


@pytest.mark.parametrize("name", OLD["configs"])
def test_a_run_of_before_is_the_same_run(name: str) -> None:
    """The configs that were written before jobs were declared, with their identities."""
    config = OLD["configs"][name]
    job = job_of_config(config)
    assert job.identity.digest == config["identity"]
    written = job.config
    for key, value in config.items():
        if key not in ("identity", "noughts"):
            assert written[key] == value


@pytest.mark.parametrize("kind", OLD["plans"])
def test_a_job_that_the_page_noted_before_goes_on(kind: str, tmp_path: Path) -> None:
    """The plans that stood in job.json before jobs were declared."""
    old = OLD["plans"][kind]
    job = job_of_plan(old).check()
    assert (job.kind, job.title, job.folder_name) == (old["kind"], old["title"], old["name"])
    for word in old["command"].split():
        assert word in job.command.split() or word in ("--seed", "1")
    again = plan_of_config(job.config, tmp_path)
    assert job_of_plan(again) == job


JOBS: tuple[Job, ...] = (
    Match(game="3x3:flip=0.1", agents=("random", "uct:simulations=5"), games=6, seed=3),
    Match(game="3x3", agents=("optimal", "random"), sprt=(0.0, 5.0), move_time=1.5, openings=2),
    Tournament(game="3x3", agents=("random", "fixed", "optimal"), games=4),
    Solve(game="2x2", method="value-iteration", tolerance=1e-6),
    Prove(game="3x3", moves="one"),
    Study(name="danger-curve", parameters={"steps": 20}),
    Train(game="2x2", learner="td-table:trace=0.5", games=40, opponent="random", checkpoints=2),
)


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.kind)
def test_config_command_and_job_say_the_same(job: Job) -> None:
    checked = job.check()
    assert job_of_config(json.loads(json.dumps(checked.config))) == checked
    assert type(job).of(checked.values) == checked
    given = build_parser().parse_args(checked.command.split()[1:])
    if not isinstance(job, Study):  # whose own options are read once its name is known
        assert type(job).of(read_values(type(job).options(), given)).check() == checked


@pytest.mark.parametrize("kind", KINDS)
def test_every_option_is_an_argument_and_a_line_of_the_form(kind: str) -> None:
    job = KINDS[kind]
    parser = next(a for a in build_parser()._actions if a.dest == "command").choices[kind]
    known = {action.dest for action in parser._actions}
    for option in job.options():
        is_own = kind == "study" and option.key in ("quick", "parameters")
        assert option.key in known or is_own
    if kind in OFFERED:
        form = next(form for form in job_kinds() if form["kind"] == kind)
        lines = {line["key"] for line in form["fields"]}
        hidden = {option.key for option in job.options()} - lines
        assert hidden <= {"cluster", "save", "dump", "prism", "name", "parameters", "learner"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("match 3x3 random", "agents is a list of 2 or more agents."),
        (
            "match 3x3 random random --games 0",
            "games=0 is not a whole number from 1 to 1000000000.",
        ),
        ("match 3x3 random random --games -1", "games=-1 is not a whole number"),
        ("match 3x3 random random --move-time soon", "move_time=soon is not a number"),
        ("match 3x3 random random --move-time -1", "move_time=-1 is not a number"),
        ("match 3x3 random random --sprt 5", "is not two Elo differences, the lower one first."),
        ("match 3x3 random random --cluster slurm", "cluster=slurm is not known; allowed: ray."),
        ("solve 3x3 --method magic", "method=magic is not known; allowed: auto, sweep, "),
        ("train 3x3 table --games many", "games=many is not a whole number"),
        ("train 3x3 table --minutes -1", "minutes=-1 is not a number"),
        ("train 3x3 table", "Training needs an end: give games, minutes, or both."),
        ("train 3x3 table --games 5 --jobs 2", "table plays in this process"),
        ("study danger-curve --steps -3", "steps=-3 is not a whole number"),
    ],
)
def test_a_wrong_word_is_one_sentence_and_leaves_nothing(
    words: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    try:
        code: Any = main(words.split())
    except SystemExit as refused:  # by the parser
        code = refused.code
    assert code == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert told.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_what_came_later_and_who_does_the_work_change_no_run() -> None:
    job = Match(game="3x3", agents=("random", "fixed"))
    for other in (
        replace(job, games=7),
        replace(job, sprt=(0.0, 5.0)),
        replace(job, jobs=4),
        replace(job, cluster="ray"),
    ):
        assert other.identity.digest == job.identity.digest
    assert replace(job, seed=1).identity.digest != job.identity.digest
    assert "sprt" not in job.config
    assert not {"jobs", "cluster"} & set(replace(job, jobs=4).config)


def test_a_page_goes_on_with_what_it_may_name_only(tmp_path: Path) -> None:
    train = Train(game="2x2", learner="table", games=10**9)  # more than a page would start
    assert plan_of_config(train.config, tmp_path)["options"]["games"] == 10**9
    for config, words in (
        ({"match": "3x3", "agents": ["random", "external:command=ls"]}, "not started from a page"),
        ({"train": "zero:start=/etc/passwd", "game": "3x3", "games": 5}, "outside the folders"),
        ({"train": "table", "game": "3x3", "games": 5, "opponent": "human"}, "sits at the page"),
        ({"match": "3x3"}, "agents is missing"),
        ({"match": "3x3", "agents": "random"}, "agents is a list of 2 or more"),
        ({"nothing": 1}, "no config of a job"),
    ):
        with pytest.raises(NoughtsError, match=words):
            plan_of_config(config, tmp_path)
