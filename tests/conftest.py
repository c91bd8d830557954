"""What every test shares: nothing outside a temporary folder is read or written."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Hooks: pytest finds them here.
from missing_packages import pytest_make_collect_report, pytest_runtest_makereport  # noqa: F401

# Linear algebra on one thread, here and in what tests start: there is a process for each core, and
# threads that wait for each other take the processor meanwhile. Said before numpy is loaded.
for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

# The same examples on every machine, however slow or busy it is.
settings.register_profile(
    "noughts",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("noughts")


@pytest.fixture(scope="session", autouse=True)
def noughts_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Solved tables and learned players of the tests live and die with the session."""
    home = tmp_path_factory.mktemp("noughts-home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOUGHTS_HOME", str(home))
        yield home


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """As `--dist loadfile`, but the browser's files are one: they share a server and a browser."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class OneBrowser(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            folder, _, _ = file.rpartition("/")
            return folder if folder.endswith("browser") else file

    return OneBrowser(config, log)
