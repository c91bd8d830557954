"""Where compiled kernels are kept. Light: it imports no numba, so that anybody may look."""

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

from noughts.folders import cache_folder


@cache
def kernel_cache_folder() -> Path:
    """The folder of compiled kernels that belongs to exactly these sources and this numba."""
    digest = hashlib.sha256(version("numba").encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return cache_folder() / f"kernels-{digest.hexdigest()[:16]}"
