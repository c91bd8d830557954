"""The seam on a cluster that fails: one sentence, whichever way it fails."""

import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace

import pytest

from noughts.cli import main
from noughts.errors import NoughtsError
from noughts.parallel import in_order


class RayError(Exception):
    pass


class RayTaskError(RayError):
    def __init__(self, cause: Exception) -> None:
        super().__init__(f"ray::work()\n  File …\n{cause}")
        self.cause = cause


class FakeRay(ModuleType):
    """What the seam uses of Ray; `begin` is called by init, `get` answers."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self, begin: Callable[[], object], get: Callable[[int], object]) -> None:
        super().__init__("ray")
        self.__spec__ = ModuleSpec("ray", None)
        self.begin, self.get = begin, get
        self.cancelled: list[int] = []

    def is_initialized(self) -> bool:
        return False

    def init(self, **options: object) -> None:
        self.begin()

    def remote(self, **options: object) -> Callable[[object], object]:
        return lambda work: SimpleNamespace(remote=lambda number: number)

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 1.0}

    def cancel(self, reference: int) -> None:
        self.cancelled.append(reference)


def fake_ray(
    monkeypatch: pytest.MonkeyPatch,
    begin: Callable[[], object] = lambda: None,
    get: Callable[[int], object] = lambda number: number * number,
) -> FakeRay:
    ray = FakeRay(begin, get)
    monkeypatch.setitem(sys.modules, "ray", ray)
    return ray


def failing(error: Exception) -> Callable[..., object]:
    def fail(*ignored: object) -> object:
        raise error

    return fail


CALLS = [{"number": number} for number in range(20)]


def test_the_answers_of_a_cluster_come_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = fake_ray(monkeypatch)
    assert list(in_order(int, CALLS, cluster="ray")) == [n * n for n in range(20)]
    assert ray.cancelled == []


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (Exception("The node timed out.\nThis could happen because …"), "The node timed out. "),
        (ConnectionError("no cluster at 10.0.0.1"), "no cluster at 10.0.0.1. "),
        (TimeoutError(), "TimeoutError. "),
    ],
)
def test_a_cluster_that_does_not_start_is_one_sentence(
    error: Exception,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: object,
) -> None:
    fake_ray(monkeypatch, begin=failing(error))
    out = f"{tmp_path}/run"
    assert main(["match", "3x3", "random", "random", "--cluster", "ray", "--out", out]) == 2
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said.startswith(f"noughts: Ray does not start: {words}Leave out the cluster")


def test_a_cluster_that_loses_the_work_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = fake_ray(monkeypatch, get=failing(RayError("The node died\nand its work")))
    with pytest.raises(NoughtsError, match=r"^The Ray cluster lost the work: The node died\.$"):
        list(in_order(int, CALLS, cluster="ray"))
    assert ray.cancelled, "what was handed out is taken back"


def test_what_the_work_raises_comes_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_ray(monkeypatch, get=failing(RayTaskError(NoughtsError("There is no run x."))))
    with pytest.raises(NoughtsError, match=r"^There is no run x\.$"):
        list(in_order(int, CALLS, cluster="ray"))
    fake_ray(monkeypatch, get=failing(RayTaskError(ZeroDivisionError("a fault of ours"))))
    with pytest.raises(RayTaskError):
        list(in_order(int, CALLS, cluster="ray"))
