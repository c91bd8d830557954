"""Agents against each other: a match, and a tournament of many."""

import math
from dataclasses import dataclass

from noughts.jobs.job import GAME_HELP, MOST_SEED, SEED_HELP, Job
from noughts.options import choice, number, required, vector, whole
from noughts.parallel import CLUSTERS, MOST_JOBS

MOST_GAMES = 10**9


@dataclass(frozen=True)
class Contest(Job):
    """What matches and tournaments can both be told."""

    game: str = required("game", GAME_HELP, is_word=True)
    agents: tuple[str, ...] = required(
        "agents", "Who plays, such as alphabeta uct:simulations=600.", is_word=True, metavar="AGENT"
    )
    games: int = whole(100, 1, MOST_GAMES, "Games of those who meet, in all seats.", role="amount")
    seed: int = whole(0, 0, MOST_SEED, SEED_HELP)
    openings: int | None = whole(
        None, 0, 400,
        "Random plies before each block of games, one for every seating; unless given, as many as "
        "are needed when nothing else is random, else 0.",
        metavar="PLIES",
    )  # fmt: skip
    move_time: float | None = number(
        None, 1e-6, 1e6, "Seconds; a longer move loses the game.", metavar="SECONDS"
    )
    jobs: int = whole(1, 1, MOST_JOBS, "Processes that play.", role="hands")
    cluster: str | None = choice(
        None, CLUSTERS, "A cluster that plays in their place.", role="hands"
    )

    @property
    def title(self) -> str:
        return f"{' – '.join(self.agents)} on {self.game}"


@dataclass(frozen=True)
class Match(Contest):
    """Agents who sit down to the same game in every seat."""

    kind = "match"
    summary = "play agents against each other"
    description = (
        "Play agents against each other, one per seat. Each opening is played in every seating, "
        "two agents from both sides, and all these games share their luck."
    )
    example = "noughts match 4x4:flip=0.1 alphabeta:depth=4 uct --games 200 --jobs 2"
    room = "noughts.arena.match"

    sprt: tuple[float, ...] | None = vector(
        None, -1e4, 1e4,
        "Stop as soon as one of these two Elo differences is settled for (5% errors).",
        role="amount", is_later=True, metavar="ELO0,ELO1",
    )  # fmt: skip

    @property
    def units(self) -> int:
        return self.games


@dataclass(frozen=True)
class Tournament(Contest):
    """Every agent against every other."""

    kind = "tournament"
    summary = "play every agent against every other"
    description = (
        "A round robin: results, ratings with intervals, exact regrets and the worst blunders, as "
        "a run folder with report.html, tables, figures and tournament.xlsx."
    )
    example = "noughts tournament 3x3 minimax uct heuristic random --games 40"
    room = "noughts.arena.tournament"

    games: int = whole(100, 1, MOST_GAMES, "Games of each pairing.", role="amount")
    seed: int = whole(1, 0, MOST_SEED, SEED_HELP)

    @property
    def units(self) -> int:
        return self.games * math.comb(len(self.agents), 2)
