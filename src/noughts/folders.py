"""Where Noughts keeps what outlives a process."""

import os
from pathlib import Path

import platformdirs


def data_folder() -> Path:
    """Solved tables and learned players. `NOUGHTS_HOME` overrides the user's data folder."""
    home = os.environ.get("NOUGHTS_HOME")
    return Path(home) if home else Path(platformdirs.user_data_dir("noughts", appauthor=False))


def cache_folder() -> Path:
    """Compiled kernels and whatever else can be made again. `NOUGHTS_CACHE` overrides it."""
    cache = os.environ.get("NOUGHTS_CACHE")
    return Path(cache) if cache else Path(platformdirs.user_cache_dir("noughts", appauthor=False))
