"""The work of solving: threads, rounding, progress, and what is refused before it begins."""

from typing import Any

import numpy as np
import pytest

import noughts
from noughts.solve import limits


@pytest.mark.parametrize("spec", ["4x3:k=3,flip=0.1", "4x3:k=3,flip=0.1,fizzle=0.1"])
def test_the_number_of_threads_changes_nothing(spec: str) -> None:
    tables = [noughts.solve(spec, threads=threads).table for threads in (1, 2, 5)]
    for table in tables[1:]:
        np.testing.assert_array_equal(table, tables[0])


def test_threads_change_nothing_where_values_are_iterated() -> None:
    logs = [noughts.solve("1x11:k=3,flip=0.3", "value-iteration", threads=t) for t in (1, 3)]
    np.testing.assert_array_equal(logs[0].table, logs[1].table)
    for one, other in zip(logs[0].sweeps, logs[1].sweeps, strict=True):
        assert one.max_difference == other.max_difference
        assert one.mean_difference == pytest.approx(other.mean_difference, rel=1e-12)
    fading = [noughts.solve("1x11:k=3,fade=0.1", tolerance=0.5, threads=t).table for t in (1, 3)]
    np.testing.assert_array_equal(*fading)


def test_float32_rounds_and_nothing_else() -> None:
    double = noughts.solve("4x3:flip=random,seed=1")
    single = noughts.solve("4x3:flip=random,seed=1", dtype="float32")
    assert (double.table.dtype, single.table.dtype) == (np.float64, np.float32)
    assert np.abs(double.table - single.table).max() < 1e-6
    assert single.running_boards == double.running_boards
    assert noughts.solve("7x2:flip=0.1").table.dtype == np.float32


def test_progress_is_told_and_can_cancel() -> None:
    told: list[tuple[int, int, str]] = []
    noughts.solve("4x3:flip=0.1", progress=lambda *what: told.append(what))
    assert told[-1][0] == told[-1][1] == 3**12
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    told.clear()
    noughts.solve("3x3:flip=0.1", "value-iteration", progress=lambda *what: told.append(what))
    assert [done for done, _, _ in told] == list(range(1, 11))
    assert "sweep 10" in told[-1][2]
    told.clear()
    noughts.solve("2x2:hazard=1,limit=1,ticks=5", progress=lambda *what: told.append(what))
    assert told == [(i, 6, "ticks solved") for i in range(1, 7)]


class Enough(Exception):
    """Raised by a caller who has seen enough."""


@pytest.mark.parametrize(
    ("spec", "method"),
    [
        ("4x3:flip=0.1", "sweep"),
        ("3x3:flip=0.1", "gauss-seidel"),
        ("2x2:fade=0.1", None),
        ("2x2:hazard=1,limit=1", None),
    ],
)
def test_raising_from_progress_cancels(spec: str, method: str | None) -> None:
    calls = 0

    def stop(done: int, total: int, text: str) -> None:
        nonlocal calls
        calls += 1
        raise Enough

    with pytest.raises(Enough):
        noughts.solve(spec, method, progress=stop)
    assert calls == 1


@pytest.mark.parametrize(
    ("spec", "options", "words"),
    [
        ("5x5", {}, "5x5 has 25 cells; a table of all boards is possible up to 20"),
        ("ultimate", {}, "ultimate is not a line game"),
        (
            "3x3",
            {"method": "newton"},
            "method=newton is not known; allowed: sweep,",
        ),
        ("3x3", {"dtype": "int8"}, "dtype=int8 is not known; allowed: float64, float32"),
        ("3x3", {"tolerance": -1.0}, "tolerance=-1.0 is not a number from 0 to below 1"),
        ("3x3", {"tolerance": float("nan")}, "tolerance=nan is not a number"),
        ("3x3", {"threads": 0}, "threads=0 is not a whole number of at least 1"),
        ("3x3", {"method": "value-iteration", "dtype": "float32"}, "works in float64 only"),
        ("3x3:fade=0.1", {"method": "sweep"}, "Marks fade, so no single sweep can do"),
        ("2x2:fizzle=0.1,hazard=1,turn_limit=1", {}, "never stops; add limit=T"),
        ("2x2:fade=0.1,hazard=1,turn_limit=1", {}, "never stops; add limit=T"),
    ],
)
def test_what_cannot_be_solved_is_said_in_a_sentence(
    spec: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(noughts.NoughtsError, match=words) as caught:
        noughts.solve(spec, **options)
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")


def test_too_little_memory_is_refused_before_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "free_memory", lambda: 10**8)
    called: list[int] = []
    with pytest.raises(noughts.NoughtsError, match=r"4x4 needs 0\.2 GB, 0\.1 GB are free"):
        noughts.solve("4x4", progress=lambda done, *_: called.append(done))
    with pytest.raises(noughts.NoughtsError, match=r"needs 13\.9 GB, 0\.1 GB are free"):
        noughts.solve("5x4")
    with pytest.raises(noughts.NoughtsError, match=r"odds of 4x4 needs .*GB"):
        noughts.odds("4x4", "random", "random")
    assert not called
    noughts.solve("3x3")


def test_a_position_of_another_game_is_refused() -> None:
    solution = noughts.solve("3x3:flip=0.1")
    with pytest.raises(noughts.NoughtsError, match=r"solution of 3x3:flip=0\.1, not of 3x3"):
        solution.value(noughts.game("3x3").start())


def test_a_clock_that_cannot_show_this_is_refused() -> None:
    solution = noughts.solve("2x2:hazard=1,turn_limit=1,ticks=2")
    late = solution.game.position_from_dict({"board": "....", "turn": "X", "tick": 3})
    for ask in (solution.value, solution.values, solution.best):
        with pytest.raises(noughts.NoughtsError, match="Tick 3 is never reached"):
            ask(late)
