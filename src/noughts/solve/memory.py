"""Memory is planned before work starts, and refused in a sentence when it cannot fit."""

import os
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from noughts.errors import NoughtsError

SMALL = 1 << 24  # bytes that are always there; asking would take longer than solving 3×3


@dataclass(frozen=True)
class MemoryPlan:
    """How much a computation needs and how much there is."""

    needed: int

    @cached_property
    def free(self) -> int:
        """Bytes that could be had when this was first asked."""
        return free_memory()

    def __str__(self) -> str:
        return f"needs {_size(self.needed)}, {_size(self.free)} are free"

    def check(self, what: str) -> None:
        """Refuse what cannot fit."""
        if self.needed > SMALL and self.needed > self.free:
            raise NoughtsError(f"{what} {self}; free memory or take a smaller board.")


def free_memory() -> int:
    """Bytes that can be had without swapping."""
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        for line in meminfo.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError):  # a system that does not tell: let it try
        return sys.maxsize


def _size(count: int) -> str:
    for unit, name in ((1e9, "GB"), (1e6, "MB")):
        if count >= unit / 10:
            return f"{count / unit:.1f} {name}"
    return f"{count / 1e3:.1f} kB"
