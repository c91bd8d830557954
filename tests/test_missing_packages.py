"""A missing package is a reason to leave a test out, but not where everything is installed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import pytest

def test_without():
    pytest.importorskip("there_is_no_such_package")

def test_for_another_reason():
    pytest.skip("the moon is full")
"""


@pytest.mark.parametrize("in_ci", [True, False])
@pytest.mark.parametrize("place", ["in a test", "in a file"])
def test_a_missing_package_is_a_failure_where_all_is_installed(
    tmp_path: Path, in_ci: bool, place: str
) -> None:
    last = "" if place == "in a test" else 'pytest.importorskip("there_is_no_such_package")\n'
    (tmp_path / "test_some.py").write_text(TESTS + last)
    words = ["-q", "--rootdir", ".", "-p", "no:cacheprovider", "-p", "missing_packages"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=tmp_path,
        env={
            **os.environ,
            "CI": "true" if in_ci else "",
            "PYTHONPATH": str(Path(__file__).parent),
            "PYTEST_ADDOPTS": "",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # they take seconds to load
        },
        capture_output=True,
        text=True,
        check=False,
    )
    told = done.stdout.splitlines()[-1]
    if not in_ci:
        assert "failed" not in told
        assert "error" not in told
    elif place == "in a test":
        assert "1 failed, 1 skipped" in told
    else:
        assert "1 error" in told
    complaint = "A package that tests need is not installed"
    assert (complaint in done.stdout) == in_ci
