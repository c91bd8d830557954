"""Self-play that is handed out to processes or a cluster: what is learned does not depend on it."""

from pathlib import Path

import numpy as np
import pytest
from local_ray import local_ray

import noughts
from noughts.cli import main
from noughts.learn.frame.learner import Arrays
from noughts.learn.zero.batched import learner as batched

UNIT = 6  # games, so that a small round has several units


def learned(jobs: int, cluster: str | None) -> Arrays:
    learner = batched.BatchedLearner(
        simulations=4, round=2 * UNIT, batch=16, samples=2, hidden=8, memory=500
    )
    learner.jobs, learner.cluster = jobs, cluster
    learner.begin(noughts.game("3x3"), "self", 5)
    learner.learn(2 * UNIT)
    return {name: array for name, array in learner.arrays().items() if name != "counters"}


def check_same(one: Arrays, two: Arrays) -> None:
    assert sorted(one) == sorted(two)
    for name, array in one.items():
        np.testing.assert_array_equal(array, two[name], err_msg=name)
    assert any(name.startswith("weights.") for name in one)


def test_two_processes_teach_what_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("jax")
    monkeypatch.setattr(batched, "UNIT", UNIT)
    check_same(learned(1, None), learned(2, None))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_a_cluster_teaches_what_one_process_does(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("jax")
    monkeypatch.setattr(batched, "UNIT", UNIT)
    with local_ray():
        check_same(learned(1, None), learned(1, "ray"))


@pytest.mark.parametrize("words", [["--jobs", "2"], ["--cluster", "ray"]])
def test_the_folded_network_says_that_it_plays_here(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if "ray" in words:
        pytest.importorskip("ray")
    folder = tmp_path / "run"
    assert main(["train", "ultimate", "zero", "--games", "4", "--out", str(folder), *words]) == 2
    assert "two threads of this process; leave out jobs" in capsys.readouterr().err
    assert not folder.exists()
