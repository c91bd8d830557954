"""A tournament: every agent with every other, and everything that follows from the games.

    played = noughts.tournament("3x3", ["minimax", "alphabeta", "uct", "heuristic"], games=100)
    print(played.table("results").to_text())
    played.to_excel("t.xlsx")

Each pairing, with n players each choice of n agents, is a match with a seed of its own; those that
need openings share one book. The
games are independent units of work: any number of processes plays the same ones, and a tournament
that was killed goes on in its run folder with the games that are left.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import combinations
from pathlib import Path
from typing import Any

from noughts.arena.figures import make_figures
from noughts.arena.match import (
    Players,
    Series,
    check_contest,
    open_run,
    plan_games,
    play_units,
    seat_players,
)
from noughts.arena.openings import needs_openings
from noughts.arena.play import Player
from noughts.arena.record import GameRecord
from noughts.arena.regret import Regret, regrets, truth_about
from noughts.arena.result import Effort, MatchResult, block_scores, effort, seat_shares
from noughts.arena.seating import points_in_all
from noughts.arena.tables import make_charts, make_tables
from noughts.errors import NoughtsError
from noughts.files import replacing
from noughts.games.game import Game, Mark
from noughts.games.registry import game as read_game
from noughts.jobs.contest import Tournament as Asked
from noughts.jobs.job import Ready
from noughts.report import (
    Answer,
    Block,
    Figure,
    Heading,
    Progress,
    Report,
    Table,
    make_workbook,
    unit_seed,
)
from noughts.stats.elo import elo_words
from noughts.stats.luce import rate_many
from noughts.stats.ratings import Rating, rate

WORKBOOK = "tournament.xlsx"


@dataclass(frozen=True)
class Tournament:
    """A finished round robin. Agents are numbered as they were given."""

    game: Game
    agents: Sequence[str]
    games: int  # of each pairing
    seed: int
    records: Sequence[GameRecord] = field(repr=False)
    command: str = ""  # that plays it again
    certain: frozenset[int] = frozenset()  # pairings in which nothing was random

    @property
    def pairings(self) -> list[tuple[int, ...]]:
        """Which agents play each match."""
        return pairings(len(self.agents), self.game.seats)

    @cached_property
    def matches(self) -> tuple[MatchResult, ...]:
        """The pairings, in order: first with second, first with third, …"""
        found = []
        for pairing, places in enumerate(self.pairings):
            records = self.records[pairing * self.games : (pairing + 1) * self.games]
            names = tuple(self.agents[place] for place in places)
            seed = unit_seed(self.seed, pairing)
            is_certain = pairing in self.certain
            found.append(MatchResult(str(self.game), names, seed, records, is_certain=is_certain))
        return tuple(found)

    @cached_property
    def totals(self) -> list[tuple[int, int, int]]:
        """Wins, draws and losses of every agent."""
        counts = [[0, 0, 0] for _ in self.agents]
        for places, match in zip(self.pairings, self.matches, strict=True):
            for place, agent in enumerate(places):
                for what, count in enumerate(match.counts(place)):
                    counts[agent][what] += count
        return [(wins, draws, losses) for wins, draws, losses in counts]

    @cached_property
    def points(self) -> list[float]:
        """The points of every agent."""
        found: list[list[float]] = [[] for _ in self.agents]
        for places, match in zip(self.pairings, self.matches, strict=True):
            for place, agent in enumerate(places):
                found[agent] += (record.points_of(place) for record in match.records)
        return [points_in_all(points, len(self.pairings[0])) for points in found]

    @cached_property
    def scores(self) -> list[list[float | None]]:
        """The score of each of two agents against the other; None against itself."""
        found: list[list[float | None]] = [[None] * len(self.agents) for _ in self.agents]
        for (first, second), match in zip(self.pairings, self.matches, strict=True):
            found[first][second] = match.score
            found[second][first] = 1.0 - match.score
        return found

    @cached_property
    def by_seat(self) -> list[tuple[float | None, ...]]:
        """The points per game of every agent in each seat."""
        return [seat_shares(self._seated(name)) for name in self.agents]

    def _seated(self, name: str) -> list[tuple[GameRecord, Mark]]:
        """The games of an agent, and where it sat."""
        return [(r, seat) for r in self.records for seat in r.marks if r.seats[seat] == name]

    @cached_property
    def ratings(self) -> list[Rating]:
        """Elo of every agent, with intervals."""
        matches = list(zip(self.pairings, self.matches, strict=True))
        if self.game.seats > 2:
            return rate_many(len(self.agents), [match.meeting(places) for places, match in matches])
        scores = {(p[0], p[1]): block_scores(match.evidence) for p, match in matches}
        return rate(len(self.agents), scores)

    @cached_property
    def order(self) -> list[int]:
        """The agents from the best to the worst: by rating, then as they were given."""
        return sorted(range(len(self.agents)), key=lambda place: -round(self.ratings[place].elo, 6))

    @cached_property
    def efforts(self) -> list[Effort]:
        """What the moves of every agent took."""
        return [effort(self._seated(name)) for name in self.agents]

    @cached_property
    def regrets(self) -> list[Regret] | None:
        """What the choices of every agent lost; None where the exact values are not known."""
        solution = truth_about(self.game)
        if solution is None:
            return None
        evidence = {(r.pairing, r.pair) for match in self.matches for r in match.evidence}
        repeats = {(r.pairing, r.pair) for r in self.records} - evidence
        return regrets(solution, self.agents, self.records, repeats)

    @cached_property
    def tables(self) -> list[Table]:
        """All tables, in reading order; the first has the headers of the published comparison."""
        return make_tables(self)

    def table(self, name: str) -> Table:
        """The table of this name."""
        for table in self.tables:
            if table.name == name:
                return table
        names = ", ".join(table.name for table in self.tables)
        raise NoughtsError(f"There is no table '{name}'; tables: {names}.")

    @cached_property
    def figures(self) -> list[Figure]:
        """Ratings, cross table, and strength against time."""
        return make_figures(self)

    def workbook(self) -> bytes:
        """An Excel file: one sheet per table, and charts."""
        return make_workbook(self.tables, make_charts(self))

    def to_excel(self, path: str | Path) -> None:
        """Write all tables as one workbook."""
        with replacing(Path(path), "wb") as file:
            file.write(self.workbook())

    def to_csv(self, folder: str | Path) -> None:
        """Write every table as a csv file of its name."""
        for table in self.tables:
            with replacing(Path(folder) / f"{table.name}.csv") as file:
                file.write(table.to_csv())

    def to_parquet(self, folder: str | Path) -> None:
        """Write every table as a parquet file of its name."""
        for table in self.tables:
            with replacing(Path(folder) / f"{table.name}.parquet", "wb") as file:
                file.write(table.to_parquet())

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: the facts and all tables."""
        return {
            "game": str(self.game),
            "agents": list(self.agents),
            "games": self.games,
            "seed": self.seed,
            "tables": {
                table.name: [
                    dict(zip(table.columns, map(_plain, row), strict=True)) for row in table.rows
                ]
                for table in self.tables
            },
        }

    def report(self) -> Report:
        """The page that shows it all."""
        tables = {table.name: table for table in self.tables}
        ratings, crosstable, times = self.figures
        blocks: list[Block] = [Answer(self._answer()), ratings, tables.pop("ratings"), crosstable]
        blocks += [Heading("Every pairing"), tables.pop("results"), tables.pop("standings"), times]
        if "regret" in tables:
            blocks += [Heading("What choices lost"), tables.pop("regret"), tables.pop("blunders")]
        blocks += [Heading("In full"), *tables.values()]
        count = len(self.records)
        word = "pairing" if self.game.seats == 2 else f"choice of {self.game.seats}"
        lead = f"{len(self.agents)} agents, {self.games} games of each {word}, {count:,} in all."
        facts = {"command": self.command, "seed": str(self.seed)} if self.command else {}
        return Report(f"Tournament: {self.game}", lead, blocks, facts)

    def _answer(self) -> str:
        best, rating = self.agents[self.order[0]], self.ratings[self.order[0]]
        words = f"**{best}** is rated highest: "
        words += "Elo " + elo_words(rating.elo, (rating.low, rating.high), digits=0)
        rivals = [self.agents[i] for i in self.order[1:] if self.ratings[i].high >= rating.low]
        words += f"; these games cannot tell it from {', '.join(rivals)}." if rivals else "."
        faults = sum(effort.faults for effort in self.efforts)
        return words + (f" {faults} games were lost by a fault; see the last table." * bool(faults))


def tournament(
    game: Game | str,
    agents: Sequence[Player],
    games: int = 100,
    seed: int = 1,
    *,
    openings: int | None = None,
    move_time: float | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    folder: str | Path | None = None,
    adopt: bool = False,
    progress: Progress | None = None,
) -> Tournament:
    """Play a round robin: `games` games of every two agents, or of as many as the game has seats.

    The options are those of `match`.

    With a `folder` the games are logged there as they end, the tables, figures and the report are
    written there, and a tournament that was stopped goes on.
    """
    rules, players = read_game(game), seat_players(agents)
    check_agents(players.names, rules.seats)
    asked = Asked(
        game=str(rules), agents=players.names, games=games, seed=seed, openings=openings,
        move_time=move_time, jobs=jobs, cluster=cluster,
    )  # fmt: skip
    check_contest(asked, rules, players)
    return _play(asked, rules, players, None if folder is None else Path(folder), progress, adopt)


def prepare(job: Asked) -> Ready[Asked]:
    """A tournament that can be played, in canonical words."""
    rules, players = read_game(job.game), seat_players(job.agents)
    check_agents(players.names, rules.seats)
    check_contest(job, rules, players)
    asked = replace(job, game=str(rules), agents=players.names)
    return Ready(asked, partial(_play, asked, rules, players))


def _play(
    asked: Asked, game: Game, players: Players, folder: Path | None, progress: Progress | None,
    adopt: bool,
) -> Tournament:  # fmt: skip
    """Play a tournament that was checked, or the rest of it."""
    places = pairings(len(asked.agents), game.seats)
    units = []
    for pairing, seats in enumerate(places):
        own_seed = unit_seed(asked.seed, pairing)
        words = (asked.games, own_seed, asked.openings, asked.move_time)
        units += plan_games(game, players, seats, Series(*words, pairing, book_seed=asked.seed))
    run = None if folder is None else open_run(folder, asked, units, adopt)
    certain = frozenset(
        pairing
        for pairing, seats in enumerate(places)
        if needs_openings(game, *(players.agents[seat] for seat in seats))
    )
    with run if run is not None else nullcontext():
        records = tuple(play_units(units, run, asked.jobs, asked.cluster, progress))
        facts = (asked.games, asked.seed, records, asked.command, certain)
        played = Tournament(game, asked.agents, *facts)
        if run is not None:
            run.write(played.report())
            played.to_excel(run.folder / WORKBOOK)
    return played


def pairings(agents: int, seats: int = 2) -> list[tuple[int, ...]]:
    """Every two agents, once; or every choice of more."""
    return list(combinations(range(agents), seats))


def check_agents(names: Sequence[str], seats: int = 2) -> None:
    """Refuse names that make no tournament."""
    if len(names) < seats:
        raise NoughtsError(f"A tournament needs at least {seats} agents, not {len(names)}.")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise NoughtsError(f"'{twice}' is named twice; a match plays an agent against itself.")


def _plain(cell: Any) -> Any:
    """A cell for JSON, which has no infinite numbers."""
    return None if isinstance(cell, float) and abs(cell) == float("inf") else cell
