"""The exact values of a game, as a job; `solving.py` does it."""

import math
from dataclasses import dataclass
from typing import Any

from noughts.jobs.job import GAME_HELP, Job
from noughts.options import choice, number, path, required, whole
from noughts.solve.api import METHODS, TIES

AUTO = "auto"
DTYPES = ("float64", "float32")


@dataclass(frozen=True)
class Solve(Job):
    """Every value of a line game."""

    kind = "solve"
    summary = "solve a game exactly"
    description = (
        "Solve a line game of up to 20 cells exactly, with any risk: the value of every board for "
        "X, the best moves, and optionally the whole table as a file. With more than two players: "
        "what each seat is worth in equilibrium, and what it can guarantee."
    )
    example = "noughts solve 3x3:flip=0.1 --dump values.csv"
    room = "noughts.jobs.solving"
    identity_kind = "run"  # as runs were called before a solve was a job

    game: str = required("game", GAME_HELP, is_word=True)
    ties: str = choice(
        TIES[0], TIES, "With more than two players: which of equally good moves are played.",
        is_later=True,
    )  # fmt: skip
    method: str = choice(
        AUTO, (AUTO, *METHODS), "How; auto is sweep, or interval-iteration where marks fade."
    )
    dtype: str = choice(
        AUTO, (AUTO, *DTYPES), "Of the table; auto is float64 up to 13 cells, float32 above.",
        is_later=True,
    )  # fmt: skip
    tolerance: float | None = number(
        None, 0.0, math.inf,
        "The change at which iterations stop: 1e-13 unless given; of interval-iteration the half "
        "width, 1e-10.",
        is_later=True,
    )  # fmt: skip
    threads: int | None = whole(
        None, 1, 1024, "How many to use; all cores unless given.", role="hands"
    )
    save: str | None = path("Keep the solution for Solution.load.", role="hands", metavar="FILE")
    dump: str | None = path(
        "Write every state as .csv, .parquet or .txt.", role="hands", metavar="FILE"
    )
    prism: str | None = path(
        "Write the game for PRISM-games, and the question to ask of it beside it as .props.",
        role="hands", metavar="FILE",
    )  # fmt: skip

    @property
    def title(self) -> str:
        return f"the values of {self.game}"

    @property
    def words(self) -> dict[str, Any]:
        """As `noughts.solve` takes them."""
        named = {"method": self.method, "dtype": self.dtype}
        found = {key: None if word == AUTO else word for key, word in named.items()}
        rest = {"ties": self.ties, "tolerance": self.tolerance, "threads": self.threads}
        return found | rest
