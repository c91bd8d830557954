"""A match: one agent per seat, every opening in every seating, and what the result is worth.

    result = noughts.match("3x3", "minimax", "uct:simulations=100", games=100, seed=1)
    result.wins, result.draws, result.losses, result.score       # of the first agent
    noughts.match("3x3:players=3", "uct", "maxn", "random", games=60).standings    # of all

Games of two come in pairs with the seats swapped, games of n in blocks of all n! seatings
(`seating.py`); `play.py` says what a block shares. When nothing would be random in a game, each
block gets an opening of its own (`openings.py`).
"""

import copy
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from noughts.agents import Agent, check_player
from noughts.agents import agent as read_agent
from noughts.arena.openings import first_position, needs_openings, opening_book
from noughts.arena.own import adopter, check_logged
from noughts.arena.play import GamePlan, Player, play_unit
from noughts.arena.record import GameRecord
from noughts.arena.result import MatchResult, block_scores
from noughts.arena.seating import block_size
from noughts.errors import NoughtsError
from noughts.games.game import Game, check_two
from noughts.games.registry import game as read_game
from noughts.jobs.contest import Contest, Match
from noughts.jobs.job import Ready
from noughts.parallel import check_seam
from noughts.report.run import Progress, Run, Unit, work_in_order
from noughts.stats.scores import PairScore
from noughts.stats.sprt import Sprt, check_sprt, sequential_test


def match(
    game: Game | str,
    *agents: Player,
    games: int = 100,
    seed: int = 0,
    openings: int | None = None,
    move_time: float | None = None,
    sprt: tuple[float, float] | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    folder: str | Path | None = None,
    adopt: bool = False,
    progress: Progress | None = None,
) -> MatchResult:
    """Play a match, one agent per seat. The same seed gives the same games for any number of jobs.

    `openings` is how many random plies precede each block of games: 0 for none, and as many as are
    needed when it is not given and nothing else would be random. `move_time` is the longest that an
    agent may take for a move, in seconds. `sprt=(elo0, elo1)` stops as soon as the sequential test
    has settled for one of the two. `folder` keeps the games in a run folder and goes on there, with
    more games too; `adopt` lets it take over a folder of before runs had an identity.
    `progress(done, total, text)` is called after every game; raising from it cancels.
    """
    rules, test = read_game(game), check_sprt(sprt)
    check_seats(rules, agents, sprt is not None)
    players = seat_players(agents)
    asked = Match(
        game=str(rules), agents=players.names, games=games, seed=seed, openings=openings,
        move_time=move_time, sprt=test, jobs=jobs, cluster=cluster,
    )  # fmt: skip
    check_contest(asked, rules, players)
    return _play(asked, rules, players, None if folder is None else Path(folder), progress, adopt)


def prepare(job: Match) -> Ready[Match]:
    """A match that can be played, in canonical words."""
    rules = read_game(job.game)
    check_seats(rules, job.agents, check_sprt(job.sprt) is not None)
    players = seat_players(job.agents)
    check_contest(job, rules, players)
    asked = replace(job, game=str(rules), agents=players.names)
    return Ready(asked, partial(_play, asked, rules, players))


def _play(
    asked: Match, game: Game, players: "Players", folder: Path | None, progress: Progress | None,
    adopt: bool,
) -> MatchResult:  # fmt: skip
    """Play a match that was checked, or the rest of it."""
    places = tuple(range(game.seats))
    series = Series(asked.games, asked.seed, asked.openings, asked.move_time)
    units = plan_games(game, players, places, series)
    run = None if folder is None else open_run(folder, asked, units, adopt)
    is_certain = needs_openings(game, *players.agents)
    with run if run is not None else nullcontext():
        played = play_units(units, run, asked.jobs, asked.cluster, progress)
        records, state = _play_until_settled(played, check_sprt(asked.sprt), is_certain)
    return MatchResult(asked.game, players.names, asked.seed, tuple(records), state, is_certain)


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
            pairs.update(block_scores(records[-2:]))
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

    @property
    def names(self) -> tuple[str, ...]:
        """As they are called in files."""
        return tuple(str(agent) for agent in self.agents)


def seat_players(given: Iterable[Player]) -> Players:
    """Read the players; an agent that is given twice sits opposite a copy of itself."""
    sent: list[Player] = []
    for player in given:
        is_shared = isinstance(player, Agent) and any(player is other for other in sent)
        sent.append(copy.deepcopy(player) if is_shared else player)
    return Players([read_agent(player) for player in sent], sent)


def check_players(game: Game, players: Players, openings: int | None = None) -> None:
    """Refuse agents that cannot play the game, and games that cannot end, before the first move."""
    game.check_ends()
    for agent in players.agents:
        if agent.name == "human" and getattr(agent, "ask", None) is None:
            raise NoughtsError("human sits at a terminal; a person plays with 'noughts play'.")
        if agent.most_seats == 2:
            check_two(game, str(agent))
        agent.check_game(game)
    begin = first_position(game, players.agents, openings)
    for agent in players.agents:
        check_player(agent, begin)


def check_seats(game: Game, agents: Sequence[object], is_tested: bool = False) -> None:
    """Refuse another number of agents than the game has seats."""
    if len(agents) != game.seats:
        raise NoughtsError(
            f"A match of {game} needs {game.seats} agents, one per seat, not {len(agents)}."
        )
    if is_tested and game.seats > 2:
        raise NoughtsError(f"The sequential test is for two agents; {game} has {game.seats} seats.")


def check_contest(asked: Contest, game: Game, players: Players) -> None:
    """Refuse a match or a tournament that cannot be played, before anything is written."""
    check_players(game, players, asked.openings)
    check_seam(asked.jobs, asked.cluster)


@dataclass(frozen=True)
class Series:
    """How many games of one pairing are played, and how."""

    games: int
    seed: int
    openings: int | None = None
    move_time: float | None = None
    pairing: int = 0
    book_seed: int | None = None  # of the openings; the same for all pairings of a tournament


def plan_games(game: Game, players: Players, places: Sequence[int], series: Series) -> list[Unit]:
    """The games of a match between some of the players, as units of work."""
    size, games, seed, openings = block_size(game.seats), series.games, series.seed, series.openings
    if openings is None and not needs_openings(game, *(players.agents[p] for p in places)):
        openings = 0
    book_seed = seed if series.book_seed is None else series.book_seed
    book = opening_book(game, -(-games // size), book_seed, openings)
    pairing, move_time = series.pairing, series.move_time
    units = []
    for index in range(games):
        plan = GamePlan(seed, index, pairing, book[index // size], move_time, game.seats)
        arguments = {
            "game": str(game),
            "players": [players.sent[place] for place in places],
            "plan": vars(plan),
        }
        units.append(Unit(f"{pairing}.{index}", play_unit, arguments))
    return units


def open_run(folder: Path, asked: Contest, units: Sequence[Unit], adopt: bool) -> Run:
    """The run folder of a match or a tournament; more games of the same are the same run."""
    config, identity = asked.config, asked.identity
    learned = _learned(units)
    if learned:
        config = config | {LEARNED: learned}
        identity = replace(identity, settings={**identity.settings, LEARNED: learned})
    accept = adopter(units) if adopt else None
    return Run(folder, config, identity, accept, partial(check_logged, units=units))


LEARNED = "learned"  # in a config: what players have learned, as digests


def _learned(units: Sequence[Unit]) -> dict[str, str]:
    """What the players read that they have learned: another training makes another player."""
    players = {str(player): player for unit in units for player in unit.arguments["players"]}
    found = {name: read_agent(player).learned() for name, player in players.items()}
    return {name: digest for name, digest in found.items() if digest is not None}


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
            about = " – ".join(record.seats.values())
            progress(done, len(units), f"{rate:.1f} games/s  {about}")
        yield record
