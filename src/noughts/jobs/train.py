"""A learner plays games and keeps what it learns."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from noughts.games.grammar import Spec, parse_spec
from noughts.jobs.job import GAME_HELP, MOST_SEED, SEED_HELP, Job
from noughts.options import Listed, choice, number, opponent, required, whole
from noughts.parallel import CLUSTERS, MOST_JOBS

SELF = "self"  # the opponent that is the learner itself, in both seats
CHECKPOINTS = 20
MOST_GAMES = 10**12


@dataclass(frozen=True)
class Train(Job):
    """One training; it ends after so many games, so many minutes, or whichever comes first."""

    kind = "train"
    summary = "let a learner play and keep what it learns"
    description = (
        "Let a learner play games and write a run folder: checkpoints, learning curves, "
        "report.html. The result plays at once in every command as the spec printed at the end; "
        "learner:run=FOLDER always works. 'noughts train --list' lists the learners and their "
        "options."
    )
    example = "noughts train 3x3:flip=0.1 td-table --games 100000 --seed 1"
    room = "noughts.learn.frame.training"
    subject = "learner"
    has_variants = True

    game: str = required("game", GAME_HELP, is_word=True)
    learner: str = required("learner", "Such as table or td-table:trace=0.8.", is_word=True)
    # How many games there will be decides how they are cut into chunks, and when it is graded.
    games: int | None = whole(
        None, 1, MOST_GAMES, "How many games to learn from; this, --minutes, or both."
    )
    minutes: float | None = number(
        None, 1e-6, 1e6, "How long to learn, grading not counted.", role="amount"
    )
    seed: int = whole(0, 0, MOST_SEED, SEED_HELP)
    opponent: str = opponent(SELF, "An agent to learn against, or self: the learner itself.")
    checkpoints: int = whole(
        CHECKPOINTS, 1, 1000, "How many times it is graded and kept on the way.", metavar="K"
    )
    jobs: int = whole(
        1, 1, MOST_JOBS,
        "Processes that play, for zero with a network that is read in batches.", role="hands",
    )  # fmt: skip
    cluster: str | None = choice(
        None, CLUSTERS, "A cluster that plays in their place.", role="hands"
    )

    @property
    def title(self) -> str:
        return f"{self.learner} learns {self.game}"

    @property
    def folder_name(self) -> str:
        return parse_spec(self.learner).name

    @property
    def units(self) -> int:
        """Games, in this case: they are what its log counts."""
        return self.games or 0

    @classmethod
    def of_variant(
        cls, variant: Listed[Any], own: Mapping[str, Any], rest: Mapping[str, Any]
    ) -> Self:
        words = {
            option.key: option.write(own[option.key])
            for option in variant.options
            if own.get(option.key, option.default) not in (None, False, option.default)
        }
        return cls.of({**rest, "learner": str(Spec(variant.name, words))})
