"""What one server is told, and the most that a page may ask of it."""

import os
from dataclasses import dataclass, field
from pathlib import Path

LONGEST_SPEC = 8000  # letters; a risk vector of 400 cells fits
MOST_MOVES = 1000  # of a game that a page may send
MOST_LISTED_MOVES = 1000  # of a position; a clock makes many
MOST_BODY = 2_000_000  # bytes
MOST_WAITING = 256  # requests for engine work
MOST_CHOICES = 20_000  # cells times ticks: how long the list of moves may become

# The most that an agent's option may be when a page asks for it. An agent that lacks the option is
# not concerned; what is not named here has the agent's own range.
MOST_OPTIONS: dict[str, float] = {
    "simulations": 200_000,
    "playouts": 200_000,
    "time": 10.0,
    "memory": 256,
    "threads": max(os.cpu_count() or 1, 1),
}

MOVE_SECONDS, VALUES_SECONDS, ANALYSIS_SECONDS, LEARN_SECONDS = 30.0, 30.0, 60.0, 30.0


@dataclass(frozen=True)
class Settings:
    """Where the server listens, who may call it, and where runs are."""

    host: str = "127.0.0.1"
    port: int = 8642
    workers: int = 2
    runs: Path = field(default_factory=lambda: Path("runs"))
    running_jobs: int = 2  # long jobs that run at the same time; others wait
    warms_up: bool = True

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in ("127.0.0.1", "::1", "localhost")
