"""What learners share: the registry, which other packages add to, the memory and the trainer."""

from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

import noughts
from noughts import plugins
from noughts.cli import main
from noughts.learn.frame import registry
from noughts.learn.frame.learner import Arrays, Learner
from noughts.learn.frame.memory import Memory
from noughts.learn.frame.trainer import Descent, Trainer
from noughts.options import whole


@dataclass(eq=False, repr=False)
class Counter(Learner):
    """Learns nothing and counts its games."""

    name = "counter"
    by: int = whole(1, 1, 10, "How much a game counts.")

    def begin(self, game: noughts.Game, opponent: str, seed: int) -> None:
        self.game, self.count = game, 0

    def learn(self, games: int) -> dict[str, float]:
        self.count += games * self.by
        return {"count": float(self.count)}

    def player(self) -> noughts.Agent:
        return noughts.agent("random")

    def arrays(self) -> Arrays:
        return {"count": np.array([self.count])}

    def restore(self, game: noughts.Game, opponent: str, arrays: Arrays) -> None:
        self.game, self.count = game, int(arrays["count"][0])


@pytest.fixture
def plugged_in(monkeypatch: pytest.MonkeyPatch):
    points = [
        EntryPoint("lost", "no.such.module:Learner", registry.ENTRY_POINTS),
        EntryPoint("counter", "test_learners:Counter", registry.ENTRY_POINTS),
        EntryPoint("wrong", "test_learners:Counter", registry.ENTRY_POINTS),
    ]
    monkeypatch.setattr(plugins, "entry_points", lambda group: points)
    registry._registry.cache_clear()
    yield
    registry._registry.cache_clear()


def test_another_package_adds_a_learner(
    plugged_in: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--list"]) == 0
    told = capsys.readouterr().out
    assert "counter       learns nothing and counts its games" in told
    assert "How much a game counts." in told
    assert "The learner 'lost' of another package cannot be loaded: No module named 'no'." in told
    assert "wrong         The learner 'wrong' is said to be test_learners:Counter, but" in told
    folder = tmp_path / "run"
    command = ["train", "3x3", "counter:by=3", "--games", "20", "--out", str(folder)]
    assert main([*command, "--checkpoints", "2", "--json"]) == 0
    assert main(["match", "3x3", f"learner:run={folder}", "random", "--games", "2"]) == 0
    assert main(["train", "3x3", "lost", "--games", "5"]) == 2


def test_the_oldest_samples_make_room() -> None:
    memory = Memory(5)
    for start in range(0, 12, 3):
        memory.add({"number": np.arange(start, start + 3), "twice": np.arange(3) * 2})
    assert len(memory) == 5
    assert memory.in_order()["number"].tolist() == [7, 8, 9, 10, 11]
    assert memory.ring["number"][memory.slots(np.array([0, 4]))].tolist() == [7, 11]
    memory.keep(2)
    assert memory.in_order()["number"].tolist() == [10, 11]
    memory.add({"number": np.arange(20, 30), "twice": np.zeros(10, int)})
    assert memory.in_order()["number"].tolist() == [25, 26, 27, 28, 29]


def test_a_restored_memory_goes_on_alike() -> None:
    straight, other = Memory(4), Memory(4)
    for n in range(3):
        straight.add({"number": np.array([2 * n, 2 * n + 1])})
    other.restore(straight.ring, straight.first)
    for memory in (straight, other):
        memory.add({"number": np.array([8])})
        assert memory.in_order()["number"].tolist() == [3, 4, 5, 8]


def test_a_trainer_goes_on_from_what_it_wrote() -> None:
    jax = pytest.importorskip("jax")

    def loss(library, weights, batch):
        found = ((weights["w"] @ batch - 1.0) ** 2).mean()
        return found, found

    batch = np.random.default_rng(1).normal(size=(3, 8)).astype(np.float32)
    start = {"w": np.array([0.5, -1.0, 2.0], np.float32)}
    descent = Descent(0.1, decay=0.01, clip=1.0, mean=0.9)
    straight, broken = Trainer(loss, descent, start), Trainer(loss, descent, start)
    first = [float(straight.train(batch)) for _ in range(6)]
    assert first[-1] < first[0]
    for _ in range(3):
        broken.train(batch)
    again = Trainer(loss, descent, start)
    again.restore(broken.weights, broken.leaves, broken.mean)
    for _ in range(3):
        again.train(batch)
    assert again.weights["w"].tolist() == straight.weights["w"].tolist()
    assert again.mean["w"].tolist() == straight.mean["w"].tolist()
    assert start["w"].tolist() == [0.5, -1.0, 2.0]
    assert jax.tree.leaves(again.leaves)
