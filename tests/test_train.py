"""Training: the same seed gives the same weights, also after a kill; damage is never played."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import noughts
from noughts.cli import main
from noughts.errors import NoughtsError, ParseError
from noughts.learn.frame.checkpoint import checkpoints_in, load_checkpoint, save_checkpoint
from noughts.learn.frame.registry import learner, listed_learners
from noughts.learn.frame.runs import load_learner
from noughts.learn.frame.safetensors import load_tensors, save_tensors
from noughts.learn.frame.training import make_plan, train
from noughts.report.figure import Figure, draw_figure
from noughts.report.log import log_line, read_log

WORDS = {"games": 300, "seed": 3, "checkpoints": 4}


def timeless(folder: Path) -> list[dict]:
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]


def assert_same_run(one: Path, two: Path) -> None:
    assert timeless(one) == timeless(two)
    names = [[path.name for _, path in checkpoints_in(folder)] for folder in (one, two)]
    assert names[0] == names[1]
    for name in names[0]:
        same = [(folder / "checkpoints" / name).read_bytes() for folder in (one, two)]
        assert same[0] == same[1]


@pytest.fixture(scope="module", autouse=True)
def plain_figures() -> Iterator[None]:
    """Drawing takes longer than all that is tested here; one test draws."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("noughts.learn.frame.report.draw_figure", plain_figure)
        yield


def plain_figure(name: str, caption: str, *rest: object, **more: object) -> Figure:
    return Figure(name, caption, "<svg></svg>", b"png")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nobody disturbed, against an agent that is asked move by move."""
    folder = tmp_path_factory.mktemp("whole")
    train("3x3", "td-table", opponent="fixed", out=folder, **WORDS)
    return folder


def test_same_seed_same_weights(whole: Path, tmp_path: Path) -> None:
    train("3x3", "td-table", opponent="fixed", out=tmp_path, **WORDS)
    assert_same_run(whole, tmp_path)
    train("3x3", "td-table", opponent="fixed", out=tmp_path / "b", **(WORDS | {"seed": 4}))
    last = [load_learner(folder).arrays()["values"] for folder in (whole, tmp_path / "b")]
    assert not np.array_equal(*last)


KILLED = """
import os, signal, sys
from noughts.learn.frame.training import train

def die(done, total, text):
    if done >= int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)

words = dict(games=300, seed=3, checkpoints=4)
train("3x3", "td-table", opponent="fixed", out=sys.argv[1], progress=die, **words)
"""


def test_killed_and_resumed_is_the_undisturbed_run(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = [sys.executable, "-c", KILLED, str(folder), "130"]
    interpreted = {**os.environ, "NOUGHTS_JIT": "never"}  # learns the same, without loading numba
    assert subprocess.run(command, check=False, env=interpreted).returncode == -signal.SIGKILL
    assert 3 <= len(timeless(folder)) < len(timeless(whole))
    train("3x3", "td-table", opponent="fixed", out=folder, **WORDS)
    assert_same_run(whole, folder)


class Stopped(Exception):
    pass


@pytest.mark.parametrize("moment", ["before its checkpoint", "after it", "before the next chunk"])
def test_stopped_between_two_writes(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """A log ahead of the checkpoints is cut back to them; a checkpoint too many is removed."""
    done = iter(range(10**6))

    def stop(*progress: object) -> None:
        if next(done) == 7:
            raise Stopped

    def save(*arguments: Any) -> None:
        if moment == "before its checkpoint":
            stop()
        save_checkpoint(*arguments)
        if moment == "after it":
            stop()

    with monkeypatch.context() as patch:
        patch.setattr("noughts.learn.frame.training.save_checkpoint", save)
        progress = stop if moment == "before the next chunk" else None
        with pytest.raises(Stopped):
            train("3x3", "td-table", opponent="fixed", out=tmp_path, progress=progress, **WORDS)
    assert 0 < len(timeless(tmp_path)) < len(timeless(whole))
    train("3x3", "td-table", opponent="fixed", out=tmp_path, **WORDS)
    assert_same_run(whole, tmp_path)


@pytest.mark.parametrize("name", ["table", "td-table", "q-table"])
def test_resumed_in_the_kernel(name: str, tmp_path: Path) -> None:
    game = noughts.game("3x3:flip=0.1")
    one, two = learner(name), learner(name)
    one.begin(game, "self", 5)
    for _ in range(2):
        one.learn(300)
    two.begin(game, "self", 5)
    two.learn(300)
    save_tensors(tmp_path / "half", {}, two.arrays())
    three = learner(name)
    three.restore(game, "self", load_tensors(tmp_path / "half")[1])
    three.learn(300)
    for key, array in one.arrays().items():
        assert np.array_equal(array, three.arrays()[key]), key


def test_run_folder_and_player(whole: Path) -> None:
    assert (whole / "report.html").exists()
    assert {path.suffix for path in (whole / "figures").iterdir()} == {".svg", ".png"}
    assert {".csv", ".xlsx"} <= {path.suffix for path in (whole / "tables").iterdir()}
    metadata, arrays = load_tensors(checkpoints_in(whole)[-1][1])
    assert metadata["game"] == "3x3"
    assert metadata["learner"] == "td-table"
    assert metadata["games"] == "300"
    assert arrays["values"].shape == (2, 3**9)
    position = noughts.game("3x3").parse("XX./OO./...")
    rng = np.random.default_rng(0)
    assert load_learner(whole).player().choose(position, rng) == 2
    assert noughts.agent(f"learner:run={whole}").choose(position, rng) == 2
    assert noughts.agent(f"td-table:run={whole}").choose(position, rng) == 2
    milestone = checkpoints_in(whole)[0][1]
    assert noughts.agent(f"td-table:run={milestone}").choose(position, rng) == 2
    assert noughts.match("3x3", f"learner:run={whole}", "random", games=20, seed=1).score > 0.5


def test_few_checkpoints_are_kept(whole: Path) -> None:
    assert len(checkpoints_in(whole)) == 4
    assert [games for games, _ in checkpoints_in(whole)][-1] == 300
    graded = [line for line in timeless(whole) if line["result"]["grades"]]
    assert len(graded) == 4


def test_the_official_package_reads_checkpoints(whole: Path) -> None:
    official = pytest.importorskip("safetensors.numpy")
    path = checkpoints_in(whole)[-1][1]
    ours = load_tensors(path)[1]
    theirs = official.load_file(path)
    assert set(ours) == set(theirs)
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)


def test_every_type_and_shape_comes_back(tmp_path: Path) -> None:
    arrays = {
        kind: np.arange(6).astype(kind).reshape(2, 3)
        for kind in ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"]
    }
    arrays |= {"none": np.zeros((0, 3)), "scalar": np.array(7), "turned": arrays["f8"].T}
    save_tensors(tmp_path / "a", {"word": "×"}, arrays)
    metadata, found = load_tensors(tmp_path / "a")
    assert metadata == {"word": "×"}
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        assert found[name].shape == array.shape
        assert np.array_equal(found[name], array)
    with pytest.raises(NoughtsError, match="complex"):
        save_tensors(tmp_path / "b", {}, {"c": np.zeros(1, np.complex128)})


def test_no_damaged_checkpoint_is_played(whole: Path, tmp_path: Path) -> None:
    content = checkpoints_in(whole)[-1][1].read_bytes()
    damaged = tmp_path / "damaged.safetensors"
    places = [0, 3, 8, 20, 60, 200, len(content) // 2, len(content) - 1]
    for place in places:
        damaged.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(ParseError, match=r"damaged|version|not a"):
            load_checkpoint(damaged)
    for length in (0, 7, 100, len(content) - 1):
        damaged.write_bytes(content[:length])
        with pytest.raises(ParseError, match="damaged"):
            noughts.agent(f"td-table:run={damaged}").choose(
                noughts.game("3x3").start(), np.random.default_rng(0)
            )
    save_tensors(damaged, {"kind": "a cake"}, {})
    with pytest.raises(ParseError, match="holds a a cake"):
        load_checkpoint(damaged)
    with pytest.raises(ParseError, match="cannot be read"):
        load_checkpoint(tmp_path / "nowhere")
    save_tensors(damaged, {"kind": "noughts checkpoint", "version": "1", "game": "3x3"}, {})
    with pytest.raises(ParseError, match="does not say of what"):
        load_checkpoint(damaged)


def test_no_foreign_values_are_played(whole: Path, tmp_path: Path) -> None:
    """A whole checkpoint whose arrays are not those of its learner and game."""
    metadata, arrays = load_tensors(checkpoints_in(whole)[-1][1])
    strange = tmp_path / "strange.safetensors"
    for values in (np.zeros((2, 3**8)), np.zeros((2, 3**9), np.int64)):
        save_tensors(strange, metadata, {**arrays, "values": values})
        with pytest.raises(ParseError, match="were not learned by td-table on 3x3"):
            load_learner(strange)
    save_tensors(strange, metadata, {"values": arrays["values"]})
    with pytest.raises(ParseError, match="lacks the array"):
        load_learner(strange)


def test_a_player_outlives_its_opponent(whole: Path, tmp_path: Path) -> None:
    """Whoever the run was trained against need not be there when its player plays."""
    gone = tmp_path / "gone"
    shutil.copytree(whole, gone)
    train("3x3", "td-quadratic", games=2, opponent=f"td-table:run={gone}", out=tmp_path / "run")
    shutil.rmtree(gone)
    start, rng = noughts.game("3x3").start(), np.random.default_rng(0)
    assert noughts.agent(f"learner:run={tmp_path / 'run'}").choose(start, rng) in range(9)
    with pytest.raises(NoughtsError, match="There is no run"):
        train("3x3", "td-quadratic", games=2, opponent=f"td-table:run={gone}", out=tmp_path / "b")


def test_a_budget_of_time_counts_earlier_seconds() -> None:
    plan = make_plan("3x3", "table", minutes=1.0)
    assert not plan.is_over(10**9, 59.9)
    assert plan.is_over(1, 60.0)
    assert not plan.is_over(0, 60.0)
    both = make_plan("3x3", "table", minutes=1.0, games=10)
    assert both.is_over(10, 0.0)


def test_milestones_are_few_and_end_at_the_end() -> None:
    for checkpoints in (1, 2, 5, 20, 100, 1000):
        plan = make_plan("3x3", "table", games=12_345, checkpoints=checkpoints)
        chunks = -(-12_345 // plan.chunk)
        marks = [chunk for chunk in range(1, chunks + 1) if plan.is_milestone(chunk)]
        assert marks[-1] == chunks
        assert len(marks) <= min(checkpoints, chunks)
    endless = make_plan("3x3", "table", minutes=1.0)
    marks = [chunk for chunk in range(1, 200) if endless.is_milestone(chunk)]
    assert marks == [1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("3x3 tabel --games 5", "'tabel' is not a learner; learners: table"),
        ("3x3 table:stop=1 --games 5", "'table' has no option 'stop'"),
        ("3x3 table:step=2 --games 5", "step"),
        ("9x9 table --games 5", "up to 12 cells"),
        ("ultimate q-table --games 5", "up to 12 cells"),
        ("3x3 table", "needs an end"),
        ("3x3:fizzle=1 table --games 9", "can never end"),
        ("3x3 table --games 5 --opponent nobody", "'nobody' is not an agent"),
        ("3x3 table --games 5 --opponent human", "teaches by playing"),
        ("3x3", "Name a game and a learner"),
    ],
)
def test_wrong_input_is_one_sentence(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", *words.split()]) == 2
    answer = capsys.readouterr()
    assert sentence in answer.err
    assert answer.err.count("\n") == 1
    assert not Path("runs").exists() or not list(Path("runs").glob("tabel*"))


def test_a_start_that_is_not_there_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = "train ultimate zero:start=nowhere --games 10"
    assert main(words.split()) == 2
    assert main([*words.split(), "--out", "run"]) == 2
    assert capsys.readouterr().err.count("nowhere") == 2
    assert [path for path in tmp_path.rglob("*") if path.name != "runs"] == []


def test_agents_say_what_is_wrong_with_a_run(whole: Path, tmp_path: Path) -> None:
    start, rng = noughts.game("3x3").start(), np.random.default_rng(0)
    with pytest.raises(NoughtsError, match=r"has learned 3x3, and cannot play 4x4\."):
        noughts.agent(f"learner:run={whole}").check_game(noughts.game("4x4"))
    with pytest.raises(NoughtsError, match="is a run of td-table, not of q-table"):
        noughts.agent(f"q-table:run={whole}").choose(start, rng)
    with pytest.raises(NoughtsError, match="noughts train GAME q-net"):
        noughts.agent("q-net").choose(start, rng)
    with pytest.raises(NoughtsError, match="There is no run"):
        noughts.agent("learner:run=nowhere").choose(start, rng)
    with pytest.raises(NoughtsError, match="no checkpoint"):
        noughts.agent(f"learner:run={tmp_path}").choose(start, rng)
    with pytest.raises(NoughtsError, match="another config"):
        train("3x3", "td-table", games=600, out=whole)


def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.learn.frame.report.draw_figure", draw_figure)
    words = f"train 3x3 table --games 200 --seed 1 --checkpoints 2 --out {tmp_path}"
    assert main(words.split()) == 0
    answer = capsys.readouterr().out
    assert "As O against random: exact odds" in answer
    assert f"Play it as table:run={tmp_path}" in answer
    drawn = (tmp_path / "figures" / "grades.svg").read_text()
    assert "mean regret" in drawn
    monkeypatch.setattr("noughts.learn.frame.report.draw_figure", plain_figure)
    assert main([*words.split(), "--json"]) == 0  # finished: nothing is learned again
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 200
    assert told["agent"] == f"table:run={tmp_path}"
    assert len(told["grades"]["random_x"]) == 3
    assert main(["train", "--list"]) == 0
    listed = capsys.readouterr().out
    assert "    images=shared            Whether boards" in listed
    assert "share a value. (shared, apart)" in listed
    assert "features=raw|cells|lines The inputs" in listed


def test_progress_tells_speed_and_strength(tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    train("3x3", "table", games=1000, out=tmp_path, checkpoints=2,
          progress=lambda *words: told.append(words))  # fmt: skip
    assert told[0][:2] == (0, 1000)
    assert told[-1][:2] == (1000, 1000)
    assert told[-2][2].endswith(", the last grading")
    assert "games/s" in told[-1][2]
    assert "mean regret 0." in told[-1][2]


def test_learners_are_listed_with_options() -> None:
    names = [listing.name for listing in listed_learners()]
    assert names[:3] == ["table", "td-table", "q-table"]
    for listing in listed_learners()[:3]:
        assert listing.resolve().name == listing.name
        assert listing.options
    assert str(learner("td-table:trace=0.5,step=0.1")) == "td-table:trace=0.5"


def test_a_finished_run_of_an_older_version_is_read(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its gradings lack what later versions added; the same command still tells what they say."""
    folder = tmp_path / "run"
    shutil.copytree(whole, folder)
    lines = read_log(folder / "log.jsonl")
    for line in lines:
        if line["result"]["grades"]:
            del line["result"]["grades"]["own_worst"]
    texts = [log_line(line["unit"], line["seconds"], line["result"]) for line in lines]
    (folder / "log.jsonl").write_text("\n".join(texts) + "\n")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"identity": None}))
    words = "train 3x3 td-table --games 300 --seed 3 --opponent fixed --checkpoints 4 --out"
    assert main([*words.split(), str(folder)]) == 2
    assert "--adopt" in capsys.readouterr().err
    assert main([*words.split(), str(folder), "--adopt"]) == 0
    said = capsys.readouterr().out
    assert "in its own games" in said
    assert "per move." in said
