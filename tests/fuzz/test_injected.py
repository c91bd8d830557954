"""A few of each kind of fault around a run; the campaign injects more of them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="faults are injected into forks")


def test_a_run_ends_as_if_nothing_had_been() -> None:
    """In a process of its own: this one may hold the threads of JAX, and those do not fork."""
    campaign = Path(__file__).with_name("campaign.py")
    words = [sys.executable, str(campaign), "--parts", "faults", "--faults", "30", "--seed", "2"]
    told = subprocess.run(
        words, capture_output=True, text=True, env={**os.environ, "NOUGHTS_JIT": "never"}
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert "swapped" in told.stdout
