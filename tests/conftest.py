"""What every test shares: nothing outside a temporary folder is read or written."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Hooks: pytest finds them here.
from missing_packages import pytest_make_collect_report, pytest_runtest_makereport  # noqa: F401

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
