"""What a match, or a part of a tournament, has come to: points, intervals and what moves took."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from noughts.arena.record import GameRecord
from noughts.arena.replay import movers
from noughts.arena.seating import points_in_all, points_of
from noughts.errors import NoughtsError
from noughts.games.game import Mark
from noughts.stats.elo import elo, finite
from noughts.stats.luce import Meeting
from noughts.stats.means import Interval
from noughts.stats.scores import PairScore, score_interval
from noughts.stats.sprt import Sprt

OUTCOMES = ("wins", "draws", "losses")


@dataclass(frozen=True)
class Effort:
    """What the moves of one agent took."""

    moves: int
    seconds: float  # per move
    nodes: float  # per move
    memory: int  # the most bytes it held, by its own account
    faults: int  # games lost by an illegal move, an exception or a time-out


@dataclass(frozen=True)
class Standing:
    """How one agent of a match did."""

    agent: str
    wins: int
    draws: int  # games that nobody won, though nobody was at fault
    losses: int  # games without a point
    points: float
    score: float  # points per game
    interval: Interval  # 95%, of the score, over blocks
    seats: tuple[float | None, ...]  # points per game at X, at O, …; None: it never sat there


@dataclass(frozen=True)
class MatchResult:
    """How a match ended. Everything is said of the first agent unless it says otherwise."""

    game: str
    agents: tuple[str, ...]
    seed: int
    records: Sequence[GameRecord] = field(repr=False)
    sprt: Sprt | None = None
    is_certain: bool = False  # nothing was random: a pair that is played again says nothing new

    def __str__(self) -> str:
        if len(self.agents) > 2:
            told = ", ".join(f"{one.agent} {one.points:.1f}" for one in self.standings)
            return f"{self.game}: {told} (points of {self.games} games)"
        return (
            f"{self.game}: {self.first} {self.wins}–{self.draws}–{self.losses} {self.second} "
            f"(won–drawn–lost)"
        )

    @property
    def first(self) -> str:
        """The agent of whom things are said."""
        return self.agents[0]

    @property
    def second(self) -> str:
        """The agent that is named second."""
        return self.agents[1]

    @property
    def games(self) -> int:
        """How many were played."""
        return len(self.records)

    @cached_property
    def wins(self) -> int:
        """Games that the first agent won."""
        return sum(_is("wins", record, 0) for record in self.records)

    @cached_property
    def draws(self) -> int:
        """Games that nobody won."""
        return sum(_is("draws", record, 0) for record in self.records)

    @cached_property
    def losses(self) -> int:
        """Games that the first agent lost."""
        return sum(_is("losses", record, 0) for record in self.records)

    @cached_property
    def points(self) -> float:
        """A win is 1, a draw ½; with n players 1/n."""
        return self._points(0)

    @property
    def score(self) -> float:
        """Points per game, from 0 to 1."""
        return self.points / self.games

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """How every agent did, as they were given."""
        return tuple(self._standing(place) for place in range(len(self.agents)))

    def counts(self, place: int) -> tuple[int, int, int]:
        """Wins, draws and losses of an agent."""
        wins, draws, losses = (sum(_is(o, r, place) for r in self.records) for o in OUTCOMES)
        return wins, draws, losses

    def meeting(self, places: tuple[int, ...]) -> Meeting:
        """The evidence as ratings of more than two take it; `places` are the agents' numbers."""
        scores = [block_scores(self.evidence, place) for place in range(len(self.agents))]
        points = np.array([[points for points, _ in blocks] for blocks in scores]).T
        return Meeting(places, points, np.array([float(games) for _, games in scores[0]]))

    def _points(self, place: int) -> float:
        return points_in_all((one.points_of(place) for one in self.records), len(self.agents))

    def _standing(self, place: int) -> Standing:
        wins, draws, losses = self.counts(place)
        shares = seat_shares((r, r.seat_of(place)) for r in self.records)
        points = self._points(place)
        interval = score_interval(block_scores(self.evidence, place), len(self.agents))
        return Standing(
            self.agents[place],
            wins,
            draws,
            losses,
            points,
            points / self.games,
            interval,
            shares,
        )

    @cached_property
    def evidence(self) -> Sequence[GameRecord]:
        """The games that intervals rest on: all of them, or each once where nothing is random."""
        return distinct(self.records) if self.is_certain else self.records

    @property
    def repeats(self) -> int:
        """Games that say nothing new, because nothing in them was random."""
        return self.games - len(self.evidence)

    @cached_property
    def score_interval(self) -> Interval:
        """95%, over blocks."""
        return score_interval(block_scores(self.evidence), len(self.agents))

    @property
    def elo(self) -> float:
        """The Elo difference to the others; infinite when one side has all the points."""
        return elo(self.score, len(self.agents))

    @property
    def elo_interval(self) -> Interval:
        """95%, from the interval of the score."""
        low, high = self.score_interval
        return elo(low, len(self.agents)), elo(high, len(self.agents))

    def interval(self, outcome: str) -> Interval:
        """95%, of the share of wins, draws or losses, over blocks."""
        if outcome not in OUTCOMES:
            raise NoughtsError(f"outcome={outcome} is not known; allowed: wins, draws, losses.")
        counted = block_scores(self.evidence, count=lambda r: float(_is(outcome, r, 0)))
        return score_interval(counted, len(self.agents))

    @cached_property
    def efforts(self) -> tuple[Effort, ...]:
        """What the moves of every agent took."""
        return tuple(
            effort((record, record.seat_of(place)) for record in self.records)
            for place in range(len(self.agents))
        )

    @property
    def reasons(self) -> dict[str, int]:
        """Why games ended that the board did not end, and how many."""
        found: dict[str, int] = {}
        for record in self.records:
            if record.reason is not None:
                found[record.reason] = found.get(record.reason, 0) + 1
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; an infinite Elo difference is None."""
        common = {
            "repeats": self.repeats,
            "efforts": [asdict(effort) for effort in self.efforts],
            "reasons": self.reasons,
        }
        if len(self.agents) > 2:
            facts = {key: getattr(self, key) for key in ("game", "agents", "seed", "games")}
            return facts | {"standings": [asdict(one) for one in self.standings]} | common
        facts = {key: getattr(self, key) for key in ("game", "first", "second", "seed", "games")}
        facts |= {key: getattr(self, key) for key in (*OUTCOMES, "score")}
        intervals = {key: list(self.interval(key)) for key in OUTCOMES}
        intervals["score"] = list(self.score_interval)
        return facts | {
            "elo": finite(self.elo),
            "intervals": intervals | {"elo": [finite(end) for end in self.elo_interval]},
            **common,
            "sprt": None if self.sprt is None else self.sprt.to_dict(),
        }


def _is(outcome: str, record: GameRecord, place: int) -> bool:
    """Whether an agent won a game, drew it, or lost it. One whom a fault of another helps does none
    of these among more than two.
    """
    if outcome == "draws":
        return record.result == "draw"
    return record.points_of(place) == (1.0 if outcome == "wins" else 0.0)


def block_scores(
    records: Iterable[GameRecord],
    place: int = 0,
    count: Callable[[GameRecord], float] | None = None,
) -> list[PairScore]:
    """The points of an agent in every block, or what else is counted, and its games."""
    found: dict[tuple[int, int], PairScore] = {}
    for record in records:
        key = (record.pairing, record.pair)
        points, games = found.get(key, (0.0, 0))
        more = record.points_of(place) if count is None else count(record)
        found[key] = points + more, games + 1
    return list(found.values())


def seat_shares(sides: Iterable[tuple[GameRecord, Mark]]) -> tuple[float | None, ...]:
    """Points per game at X, at O, …, of an agent who sat in this seat of each of these games."""
    found: dict[Mark, list[float]] = {}
    for record, seat in sides:
        for mark in record.marks:
            found.setdefault(mark, [])
        found[seat].append(points_of(seat, len(record.seats), record.result, record.fault))
    return tuple(sum(points) / len(points) if points else None for points in found.values())


def distinct(records: Sequence[GameRecord]) -> list[GameRecord]:
    """The games of every opening once: those of its first block, as far as they were played."""
    first: dict[tuple[int, tuple[int, ...]], int] = {}
    return [
        record
        for record in records
        if first.setdefault((record.pairing, record.opening), record.pair) == record.pair
    ]


def effort(sides: Iterable[tuple[GameRecord, Mark]]) -> Effort:
    """What one agent's moves took, who sat in this seat of each of these games."""
    moves, nodes, seconds, memory, faults = 0, 0, 0.0, 0, 0
    for record, seat in sides:
        own = [i for i, mover in enumerate(movers(record)) if mover == seat]
        moves += len(own)
        nodes += sum(record.nodes[i] for i in own)
        seconds += sum(record.seconds[i] for i in own)
        memory = max(memory, record.memory[seat])
        faults += record.fault == seat
    each = max(moves, 1)
    return Effort(moves, seconds / each, nodes / each, memory, faults)
