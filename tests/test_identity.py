"""Run identity: what another run wrote is refused by name, and more of the same goes on."""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.arena import read_records
from noughts.cli import main
from noughts.errors import NoughtsError, ParseError
from noughts.jobs import Match, Tournament
from noughts.learn.frame.checkpoint import checkpoints_in
from noughts.learn.frame.runs import load_learner
from noughts.learn.frame.training import train
from noughts.report import Run, Unit
from noughts.report.identity import identity_of
from noughts.report.log import log_line, read_log
from noughts.studies import run_study, study_parameters

Maker = Callable[[Path], Any]


def test_what_decides_a_unit_decides_the_identity() -> None:
    job = Match(game="3x3", agents=("random", "fixed"))
    settings = {"match": "3x3", "agents": ["random", "fixed"], "seed": 0}
    assert job.identity.settings == settings | {"openings": None, "move_time": None}
    assert replace(job, games=7, jobs=2).identity.digest == job.identity.digest
    others = [
        Tournament(game="3x3", agents=("random", "fixed"), seed=0),
        replace(job, game="3x3:misere"),
        replace(job, agents=("fixed", "random")),
        replace(job, seed=1),
        replace(job, openings=2),
    ]
    assert len({other.identity.digest for other in (job, *others)}) == 6
    told = {"game": "3x3", "games": 5, "seed": 0}
    same = {"game": "3x3", "games": 9, "seed": 0}
    assert identity_of("run", told, ["games"]).digest == identity_of("run", same, ["games"]).digest


def matched(folder: Path, *words: str, games: int = 10, seed: int = 0) -> Any:
    game, first, second = words
    return noughts.match(game, first, second, games=games, seed=seed, folder=folder)


def lines(folder: Path) -> list[dict[str, Any]]:
    return read_log(folder / "log.jsonl")


def timeless(folder: Path) -> list[tuple[str, str]]:
    """Units and the checks of their games, which leave out the seconds."""
    return [(line["unit"], line["result"]["check"]) for line in lines(folder)]


@pytest.mark.parametrize(
    "other",
    [
        lambda folder: matched(folder, "3x3", "random", "optimal"),
        lambda folder: matched(folder, "3x3:misere", "optimal", "random"),
        lambda folder: matched(folder, "3x3", "optimal", "random", seed=1),
        lambda folder: noughts.tournament("3x3", ["optimal", "random"], 10, 0, folder=folder),
    ],
    ids=["seats", "rules", "seed", "kind"],
)
def test_a_log_of_another_run_is_refused(tmp_path: Path, other: Maker) -> None:
    own, foreign = tmp_path / "own", tmp_path / "foreign"
    before = matched(own, "3x3", "optimal", "random")
    other(foreign)
    shutil.copy(foreign / "log.jsonl", own / "log.jsonl")
    whose = json.loads((foreign / "config.json").read_text())["identity"]
    with pytest.raises(ParseError, match=f"Line 1 of .* belongs to the run {whose}"):
        matched(own, "3x3", "optimal", "random")
    with pytest.raises(ParseError, match=f"belongs to the run {whose}"):
        read_records(own / "log.jsonl")
    (own / "log.jsonl").unlink()
    again = matched(own, "3x3", "optimal", "random")
    assert (again.wins, again.draws) == (before.wins, before.draws)


def test_one_foreign_line_among_the_own_is_refused(tmp_path: Path) -> None:
    matched(tmp_path / "own", "3x3", "random", "random")
    matched(tmp_path / "foreign", "3x3", "random", "random", seed=5)
    path = tmp_path / "own" / "log.jsonl"
    mixed = path.read_text().splitlines()
    mixed[3] = (tmp_path / "foreign" / "log.jsonl").read_text().splitlines()[3]
    path.write_text("\n".join(mixed) + "\n")
    for read in (
        lambda: matched(path.parent, "3x3", "random", "random"),
        lambda: read_records(path),
    ):
        with pytest.raises(ParseError, match=r"Line 4 .* belongs to the run"):
            read()


def test_each_unit_stands_in_a_log_once(tmp_path: Path) -> None:
    matched(tmp_path, "3x3", "random", "random", games=4)
    path = tmp_path / "log.jsonl"
    path.write_text(path.read_text() + path.read_text().splitlines()[1] + "\n")
    with pytest.raises(ParseError, match=r"Line 5 of .* repeats line 2: unit 0\.1"):
        matched(tmp_path, "3x3", "random", "random", games=4)


def test_games_are_added_to_a_finished_match(tmp_path: Path) -> None:
    short, long = tmp_path / "short", tmp_path / "long"
    matched(short, "3x3:flip=0.1", "random", "optimal", games=6)
    matched(short, "3x3:flip=0.1", "random", "optimal", games=14)
    matched(long, "3x3:flip=0.1", "random", "optimal", games=14)
    assert timeless(short) == timeless(long)
    assert (short / "config.json").read_text() == (long / "config.json").read_text()
    assert matched(short, "3x3:flip=0.1", "random", "optimal", games=6).games == 6


def test_games_with_other_openings_are_not_added(tmp_path: Path) -> None:
    """So many openings take longer ones; those that were played do not fit among them."""
    matched(tmp_path, "3x3", "minimax", "optimal", games=4)
    with pytest.raises(ParseError, match=r"holds another game 0\.0: its opening is .*--openings"):
        matched(tmp_path, "3x3", "minimax", "optimal", games=600)
    assert len(lines(tmp_path)) == 4


def test_the_version_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = study_parameters("lost-time", is_quick=True)
    run_study("lost-time", chosen, tmp_path)
    before = (tmp_path / "log.jsonl").read_text()
    monkeypatch.setattr("noughts.jobs.job.version", lambda _: "99.0")
    run_study("lost-time", chosen, tmp_path)
    assert (tmp_path / "log.jsonl").read_text() == before
    assert json.loads((tmp_path / "config.json").read_text())["noughts"] == "99.0"


def trained(folder: Path, opponent: str = "self", seed: int = 1) -> None:
    train("2x2", "td-table", games=40, seed=seed, opponent=opponent, checkpoints=2, out=folder)


@pytest.mark.parametrize("words", [{"seed": 2}, {"opponent": "random"}], ids=["seed", "opponent"])
def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path, words: Any) -> None:
    own, foreign = tmp_path / "own", tmp_path / "foreign"
    trained(own)
    trained(foreign, **words)
    _, place = checkpoints_in(own)[-1]
    shutil.copy(checkpoints_in(foreign)[-1][1], place)
    for read in (lambda: trained(own), lambda: load_learner(own)):
        with pytest.raises(ParseError, match=f"{place.name} belongs to the run"):
            read()


def test_a_checkpoint_under_another_name_is_refused(tmp_path: Path) -> None:
    trained(tmp_path)
    (_, first), (_, last) = checkpoints_in(tmp_path)[0], checkpoints_in(tmp_path)[-1]
    shutil.copy(first, last)
    with pytest.raises(ParseError, match="is the checkpoint after"):
        trained(tmp_path)


def as_before(folder: Path) -> None:
    """Take the identity out of a run, as if an older version had written it."""
    config = json.loads((folder / "config.json").read_text())
    del config["identity"]
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    old = [log_line(line["unit"], line["seconds"], line["result"]) for line in lines(folder)]
    (folder / "log.jsonl").write_text("".join(f"{line}\n" for line in old))


def test_a_run_of_before_is_adopted_on_demand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["match", "3x3:flip=0.1", "random", "uct:simulations=5", "--out", str(tmp_path)]
    assert main([*command, "--games", "6"]) == 0
    whole = (tmp_path / "log.jsonl").read_text()
    as_before(tmp_path)
    assert len(read_records(tmp_path / "log.jsonl")) == 6  # it opens and replays
    assert main(["replay", str(tmp_path / "log.jsonl")]) == 0
    assert main([*command, "--games", "8"]) == 2
    assert "was begun before runs had an identity; --adopt" in capsys.readouterr().err
    assert main([*command, "--games", "8", "--adopt"]) == 0
    assert (tmp_path / "log.jsonl").read_text().startswith(whole)
    assert main([*command, "--games", "8"]) == 0


@pytest.mark.parametrize(
    ("word", "line"),
    [("seats", ("3x3", "optimal", "random")), ("game", ("3x3:misere", "random", "optimal"))],
)
def test_a_foreign_log_is_not_adopted(tmp_path: Path, word: str, line: Any) -> None:
    own, foreign = tmp_path / "own", tmp_path / "foreign"
    matched(own, "3x3", "random", "optimal")
    matched(foreign, *line)
    as_before(own), as_before(foreign)
    shutil.copy(foreign / "log.jsonl", own / "log.jsonl")
    before = (own / "log.jsonl").read_text()
    with pytest.raises(ParseError, match=f"Line 1 of .*: its {word} is "):
        noughts.match("3x3", "random", "optimal", games=10, folder=own, adopt=True)
    assert (own / "log.jsonl").read_text() == before
    matched(foreign.with_name("seed"), "3x3", "random", "optimal", seed=1)
    as_before(foreign.with_name("seed"))
    shutil.copy(foreign.with_name("seed") / "log.jsonl", own / "log.jsonl")
    with pytest.raises(ParseError, match="its seeds is"):
        noughts.match("3x3", "random", "optimal", games=10, folder=own, adopt=True)


def test_a_study_of_before_is_adopted(tmp_path: Path) -> None:
    chosen = study_parameters("lost-time", is_quick=True)
    run_study("lost-time", chosen, tmp_path)
    before = lines(tmp_path)
    as_before(tmp_path)
    with pytest.raises(NoughtsError, match="--adopt"):
        run_study("lost-time", chosen, tmp_path)
    run_study("lost-time", chosen, tmp_path, adopt=True)
    assert lines(tmp_path) == before


def test_an_adoption_that_was_killed_goes_on(tmp_path: Path) -> None:
    """The log is rewritten before the config: half-way the lines have the identity already."""
    units = [Unit("a", int), Unit("b", int)]
    Run(tmp_path, {"seed": 1}).results(units)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({"seed": config["seed"]}))
    refused: list[Any] = []
    run = Run(tmp_path, {"seed": 1}, adopt=refused.append)
    assert run.finished == 2
    assert not refused


def test_games_of_another_training_are_not_mixed(tmp_path: Path) -> None:
    """A player that learned again under the same name is another player."""
    taught, folder = tmp_path / "taught", tmp_path / "match"
    player = f"table:run={taught}"
    train("3x3", "table", games=20, seed=1, out=taught)
    noughts.match("3x3", player, "random", games=2, seed=1, folder=folder)
    noughts.match("3x3", player, "random", games=4, seed=1, folder=folder)
    shutil.rmtree(taught)
    train("3x3", "table", games=20, seed=2, out=taught)
    with pytest.raises(NoughtsError, match="another config: learned is"):
        noughts.match("3x3", player, "random", games=6, seed=1, folder=folder)


def test_a_folder_that_is_refused_stays_as_it_was(tmp_path: Path) -> None:
    noughts.match("3x3", "alphabeta", "optimal", games=4, seed=1, folder=tmp_path)
    before = (tmp_path / "config.json").read_bytes()
    with pytest.raises(NoughtsError, match="holds another game"):
        noughts.match("3x3", "alphabeta", "optimal", games=60, seed=1, folder=tmp_path)
    assert (tmp_path / "config.json").read_bytes() == before


def test_a_pipe_is_no_config(tmp_path: Path) -> None:
    """Who reads one waits for ever."""
    os.mkfifo(tmp_path / "config.json")
    with pytest.raises(ParseError, match="is not a file"):
        noughts.match("3x3", "random", "random", games=2, folder=tmp_path)
