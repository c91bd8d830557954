"""A few of each kind of fault around a run; the campaign injects more of them."""

import os
from pathlib import Path

import fuzz_faults
import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="faults are injected into forks")


@pytest.mark.parametrize("name", fuzz_faults.FAULTS)
def test_a_run_ends_as_if_nothing_had_been(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_HOME", str(tmp_path / "home"))
    found = fuzz_faults.inject(name, tmp_path, 3, seed=2)
    assert found.faults == []
    assert found.tried == found.alike + found.refused == 3
