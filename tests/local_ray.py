"""A real Ray of two workers on this machine, with little memory, that leaves nothing behind."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

MEMORY = 80_000_000  # bytes for what tasks share, which is next to nothing; Ray takes no less


@contextmanager
def local_ray() -> Iterator[None]:
    """Ray runs in the block, and what asks for a cluster finds it."""
    ray = pytest.importorskip("ray")
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(prefix="r") as folder:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")  # it tells nobody that it was here
        patch.delenv("RAY_ADDRESS", raising=False)
        ray.init(
            num_cpus=2,
            object_store_memory=MEMORY,
            include_dashboard=False,
            log_to_driver=False,
            _temp_dir=folder,  # a short path: its sockets are in there
        )
        try:
            yield
        finally:
            ray.shutdown()
