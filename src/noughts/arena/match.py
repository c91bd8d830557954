"""A match: two agents, every opening from both sides, and what the result is worth.

    result = noughts.match("3x3", "minimax", "uct:simulations=100", games=100, seed=1)
    result.wins, result.draws, result.losses, result.score       # of the first agent

Games come in pairs with the seats swapped; `play.py` says what a pair shares. When nothing would be
random in a game, each pair gets an opening of its own (`openings.py`).
"""

import copy
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from noughts.agents import Agent, check_player
from noughts.agents import agent as read_agent
from noughts.arena.endless import check_ends
from noughts.arena.openings import first_position, needs_openings, opening_book
from noughts.arena.own import adopter, check_logged
from noughts.arena.play import GamePlan, Player, play_unit
from noughts.arena.record import SEATS, GameRecord
from noughts.checks import whole
from noughts.errors import NoughtsError
from noughts.games.game import Game, Mark, other
from noughts.games.registry import game as read_game
from noughts.parallel import check_seam
from noughts.report.identity import identity_of
from noughts.report.run import Progress, Run, Unit, work_in_order
from noughts.stats.elo import elo, finite
from noughts.stats.means import Interval
from noughts.stats.scores import PairScore, score_interval
from noughts.stats.sprt import Sprt, check_sprt, sequential_test

MOST_GAMES, MOST_SEEDS = 10**9, 2**63 - 1
OUTCOMES = {"wins": 1.0, "draws": 0.5, "losses": 0.0}


@dataclass(frozen=True)
class Effort:
    """What the moves of one agent took."""

    moves: int
    seconds: float  # per move
    nodes: float  # per move
    memory: int  # the most bytes it held, by its own account
    faults: int  # games lost by an illegal move, an exception or a time-out


@dataclass(frozen=True)
class MatchResult:
    """How a match ended. Everything is said of the first agent unless it says otherwise."""

    game: str
    first: str
    second: str
    seed: int
    records: Sequence[GameRecord] = field(repr=False)
    sprt: Sprt | None = None
    is_certain: bool = False  # nothing was random: a pair that is played again says nothing new

    def __str__(self) -> str:
        return (
            f"{self.game}: {self.first} {self.wins}–{self.draws}–{self.losses} {self.second} "
            f"(won–drawn–lost)"
        )

    @property
    def games(self) -> int:
        """How many were played."""
        return len(self.records)

    @cached_property
    def wins(self) -> int:
        """Games that the first agent won."""
        return sum(record.points == 1.0 for record in self.records)

    @cached_property
    def draws(self) -> int:
        """Games that nobody won."""
        return sum(record.points == 0.5 for record in self.records)

    @property
    def losses(self) -> int:
        """Games that the first agent lost."""
        return self.games - self.wins - self.draws

    @property
    def points(self) -> float:
        """A win is 1, a draw ½."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """Points per game, from 0 to 1."""
        return self.points / self.games

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
        """95%, over pairs."""
        return score_interval(pair_scores(self.evidence))

    @property
    def elo(self) -> float:
        """The Elo difference; infinite when one side has all the points."""
        return elo(self.score)

    @property
    def elo_interval(self) -> Interval:
        """95%, from the interval of the score."""
        low, high = self.score_interval
        return elo(low), elo(high)

    def interval(self, outcome: str) -> Interval:
        """95%, of the share of wins, draws or losses, over pairs."""
        if outcome not in OUTCOMES:
            raise NoughtsError(f"outcome={outcome} is not known; allowed: wins, draws, losses.")
        points = OUTCOMES[outcome]
        return score_interval(pair_scores(self.evidence, lambda r: float(r.points == points)))

    @cached_property
    def efforts(self) -> tuple[Effort, Effort]:
        """What the moves of the first and of the second agent took."""
        sides = [(record, record.first_seat) for record in self.records]
        return effort(sides), effort((record, other(seat)) for record, seat in sides)

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
        facts = {key: getattr(self, key) for key in ("game", "first", "second", "seed", "games")}
        facts |= {key: getattr(self, key) for key in ("wins", "draws", "losses", "score")}
        intervals = {key: list(self.interval(key)) for key in OUTCOMES}
        intervals["score"] = list(self.score_interval)
        return facts | {
            "elo": finite(self.elo),
            "intervals": intervals | {"elo": [finite(end) for end in self.elo_interval]},
            "repeats": self.repeats,
            "efforts": [asdict(effort) for effort in self.efforts],
            "reasons": self.reasons,
            "sprt": None if self.sprt is None else self.sprt.to_dict(),
        }


def match(
    game: Game | str,
    first: Player,
    second: Player,
    games: int = 100,
    seed: int = 0,
    *,
    openings: int | None = None,
    move_time: float | None = None,
    sprt: tuple[float, float] | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    folder: str | Path | None = None,
    adopt: bool = False,
    progress: Progress | None = None,
) -> MatchResult:
    """Play a match. The same seed gives the same games for any number of jobs.

    `openings` is how many random plies precede each pair of games: 0 for none, and as many as are
    needed when it is not given and nothing else would be random. `move_time` is the longest that an
    agent may take for a move, in seconds. `sprt=(elo0, elo1)` stops as soon as the sequential test
    has settled for one of the two. `folder` keeps the games in a run folder and goes on there, with
    more games too; `adopt` lets it take over a folder of before runs had an identity.
    `progress(done, total, text)` is called after every game; raising from it cancels.
    """
    rules, test = read_game(game), check_sprt(sprt)
    players = seat_players([first, second])
    check_match(games, seed, openings, move_time)
    check_players(rules, players, openings)
    check_seam(jobs, cluster)
    names = [str(agent) for agent in players.agents]
    units = plan_games(rules, players, (0, 1), games, seed, openings, move_time)
    run = None
    if folder is not None:
        config = {"match": str(rules), "agents": names, "games": games, "seed": seed}
        config |= {"openings": openings, "move_time": move_time}
        run = open_run(Path(folder), "match", config, units, adopt)
    is_certain = needs_openings(rules, *players.agents)
    with run if run is not None else nullcontext():
        played = play_units(units, run, jobs, cluster, progress)
        records, state = _play_until_settled(played, test, is_certain)
    return MatchResult(str(rules), names[0], names[1], seed, tuple(records), state, is_certain)


def _play_until_settled(
    games: Iterator[GameRecord], test: tuple[float, float] | None, is_certain: bool
) -> tuple[list[GameRecord], Sprt | None]:
    """All games, or as many as the sequential test needs; and how the test stands."""
    records: list[GameRecord] = []
    pairs: Counter[PairScore] = Counter()
    openings_seen: set[tuple[int, ...]] = set()
    state = None
    for record in games:
        records.append(record)
        if test is None or len(records) % 2 == 1:
            continue
        if not (is_certain and record.opening in openings_seen):
            pairs.update(pair_scores(records[-2:]))
        openings_seen.add(record.opening)
        state = sequential_test(pairs, *test)
        if state.verdict is not None:
            break
    return records, state


@dataclass(frozen=True)
class Players:
    """Who plays: agents to ask about themselves, and what is sent to other processes."""

    agents: Sequence[Agent]
    sent: Sequence[Player]


def seat_players(given: Iterable[Player]) -> Players:
    """Read the players; an agent that is given twice sits opposite a copy of itself."""
    sent: list[Player] = []
    for player in given:
        is_shared = isinstance(player, Agent) and any(player is other for other in sent)
        sent.append(copy.deepcopy(player) if is_shared else player)
    return Players([read_agent(player) for player in sent], sent)


def check_players(game: Game, players: Players, openings: int | None = None) -> None:
    """Refuse agents that cannot play the game, and games that cannot end, before the first move."""
    check_ends(game)
    for agent in players.agents:
        if agent.name == "human" and getattr(agent, "ask", None) is None:
            raise NoughtsError("human sits at a terminal; a person plays with 'noughts play'.")
        agent.check_game(game)
    begin = first_position(game, players.agents, openings)
    for agent in players.agents:
        check_player(agent, begin)


def check_match(games: int, seed: int, openings: int | None, move_time: float | None) -> None:
    """Refuse numbers that no match can have."""
    whole("games", games, 1, MOST_GAMES)
    whole("seed", seed, 0, MOST_SEEDS)
    if openings is not None:
        whole("openings", openings, 0, 400)
    if move_time is not None and not move_time > 0:
        raise NoughtsError(f"move_time={move_time} is not a number of seconds above 0.")


def plan_games(
    game: Game,
    players: Players,
    seats: tuple[int, int],
    games: int,
    seed: int,
    openings: int | None,
    move_time: float | None,
    pairing: int = 0,
    book_seed: int | None = None,
) -> list[Unit]:
    """The games of a match between two of the players, as units of work."""
    first, second = (players.agents[seat] for seat in seats)
    if openings is None and not needs_openings(game, first, second):
        openings = 0
    book = opening_book(game, (games + 1) // 2, seed if book_seed is None else book_seed, openings)
    units = []
    for index in range(games):
        plan = GamePlan(seed, index, pairing, book[index // 2], move_time)
        arguments = {
            "game": str(game),
            "first": players.sent[seats[0]],
            "second": players.sent[seats[1]],
            "plan": vars(plan),
        }
        units.append(Unit(f"{pairing}.{index}", play_unit, arguments))
    return units


def open_run(
    folder: Path, kind: str, config: dict[str, Any], units: Sequence[Unit], adopt: bool
) -> Run:
    """The run folder of a match or a tournament; more games of the same are the same run."""
    identity = identity_of(kind, config, changes_no_unit=["games"])
    run = Run(folder, config, identity, adopter(units) if adopt else None)
    try:
        check_logged(run, units)
    except BaseException:
        run.close()
        raise
    return run


def play_units(
    units: Sequence[Unit],
    run: Run | None,
    jobs: int,
    cluster: str | None,
    progress: Progress | None,
) -> Iterator[GameRecord]:
    """The records of all games, in order; those that the run has are not played again."""
    stream: Iterator[tuple[Any, Any]]
    if run is not None:
        stream = run.stream(units, jobs, cluster)
        known = sum(unit.key in run for unit in units)
    else:
        stream, known = work_in_order(units, jobs, cluster), 0
    began = time.monotonic()
    for done, (_, data) in enumerate(stream, start=1):
        record = GameRecord.from_dict(data)
        if progress is not None:
            rate = max(done - known, 0) / max(time.monotonic() - began, 1e-9)
            about = f"{record.seats['X']} – {record.seats['O']}"
            progress(done, len(units), f"{rate:.1f} games/s  {about}")
        yield record


def pair_scores(
    records: Iterable[GameRecord], count: Callable[[GameRecord], float] | None = None
) -> list[PairScore]:
    """The points of the first agent in every pair, or what else is counted, and its games."""
    found: dict[tuple[int, int], PairScore] = {}
    for record in records:
        key = (record.pairing, record.pair)
        points, games = found.get(key, (0.0, 0))
        found[key] = points + (record.points if count is None else count(record)), games + 1
    return list(found.values())


def distinct(records: Sequence[GameRecord]) -> list[GameRecord]:
    """The games of every opening once: those of its first pair, as far as they were played."""
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
        parity = (len(record.opening) + SEATS.index(seat)) % 2
        moves += len(record.moves[parity::2])
        nodes += sum(record.nodes[parity::2])
        seconds += sum(record.seconds[parity::2])
        memory = max(memory, record.memory[seat])
        faults += record.fault == seat
    each = max(moves, 1)
    return Effort(moves, seconds / each, nodes / each, memory, faults)
