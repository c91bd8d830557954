"""Where Noughts keeps what outlives a process."""

import os
from pathlib import Path

import platformdirs

from noughts.errors import NoughtsError
from noughts.owning import Ownership, own

TURN_SECONDS = 60.0  # how long one may wait for somebody else's change of a small file


def data_folder() -> Path:
    """Solved tables and learned players. `NOUGHTS_HOME` overrides the user's data folder."""
    home = os.environ.get("NOUGHTS_HOME")
    return Path(home) if home else Path(platformdirs.user_data_dir("noughts", appauthor=False))


def cache_folder() -> Path:
    """Compiled kernels and whatever else can be made again. `NOUGHTS_CACHE` overrides it."""
    cache = os.environ.get("NOUGHTS_CACHE")
    return Path(cache) if cache else Path(platformdirs.user_cache_dir("noughts", appauthor=False))


def own_file(path: Path, wait: float = TURN_SECONDS) -> Ownership:
    """Wait for the turn to change a file: read it, change it, write it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return own(path, wait)
    except OSError as error:
        raise NoughtsError(f"{path} cannot be written: {error.strerror}.") from None
