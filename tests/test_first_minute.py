"""How `benchmarks/first_minute.py` reads what a server says that it prepares."""

import importlib
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


def test_what_is_not_named_any_more_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    tables = importlib.import_module("first_minute_tables")
    half = tables.STATUS_LOOK / 2
    looks = [
        (0.0, {}),
        (1.0, {"uct": 2.0, "values": 9.0}),
        (2.0, {"uct": 1.0, "values": 9.5}),
        (3.0, {"values": 7.0}),  # a move has come, and the next one is asked for
        (4.0, {"uct": 2.0}),
        (5.0, {}),
        (6.0, {"uct": 2.0}),  # who knows how long this took?
    ]
    assert tables.preparations(looks) == [
        tables.Preparation("uct", announced=2.0, took=1.0 + half, counts_down=True),
        tables.Preparation("values", announced=9.0, took=2.0 + half, counts_down=False),
        tables.Preparation("uct", announced=2.0, took=half, counts_down=True),
    ]
