"""Who wins under perfect play, as a job; `proving.py` searches."""

from dataclasses import dataclass

from noughts.jobs.job import Job
from noughts.options import choice, path, required, whole

QUBIC, QUBIC_OPTIONS = "qubic", ("first", "memory", "checkpoint")
QUBIC_MEMORY = 2048  # megabytes


@dataclass(frozen=True)
class Prove(Job):
    """The result of a game without risk, with a certificate."""

    kind = "prove"
    summary = "prove who wins, by search"
    description = (
        "Prove the result of perfect play on a board without risk, find the first moves that win, "
        "and write a certificate that 'noughts check' replays without trusting the search: the "
        "winner's moves against every reply. Qubic has a search of its own, which proves the win "
        "of one first cell and of those like it; it takes minutes, and when it is stopped the same "
        "command goes on with it."
    )
    example = "noughts prove 3x3x3 --certificate cube.json"
    room = "noughts.jobs.proving"

    game: str = required(
        "game", "What is proved, such as 3x3x3, 6x6:k=4, 3x3:misere or qubic.", is_word=True
    )
    certificate: str | None = path("Write the proof here.", role="hands", metavar="FILE")
    moves: str | None = choice(
        None, ("all", "one"),
        "Find all winning first moves, or stop at one (unless given all; not for qubic).",
    )  # fmt: skip
    first: int | None = whole(
        None, 0, 10**6, "X's first move (qubic; unless given 0, a corner).", metavar="CELL"
    )
    memory: int | None = whole(
        None, 1, 10**6,
        f"Megabytes that the search may use (qubic; unless given {QUBIC_MEMORY}).",
        role="hands", metavar="MB",
    )  # fmt: skip
    checkpoint: str | None = path(
        "Where a stopped search is kept (qubic; in the data folder unless given).",
        role="hands", metavar="FILE",
    )  # fmt: skip

    @property
    def title(self) -> str:
        return f"who wins {self.game}"

    @property
    def is_qubic(self) -> bool:
        """Whether the search is the one that Qubic has."""
        return self.game == QUBIC
