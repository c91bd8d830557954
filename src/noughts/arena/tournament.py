"""A tournament: every agent against every other, and everything that follows from the games.

    played = noughts.tournament("3x3", ["minimax", "alphabeta", "uct", "heuristic"], games=100)
    print(played.table("results").to_text())
    played.to_excel("t.xlsx")

Each pairing is a match with a seed of its own; pairings that need openings share one book. The
games are independent units of work: any number of processes plays the same ones, and a tournament
that was killed goes on in its run folder with the games that are left.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from noughts.arena.figures import make_figures
from noughts.arena.match import (
    Effort,
    MatchResult,
    check_match,
    check_players,
    effort,
    open_run,
    pair_scores,
    plan_games,
    play_units,
    seat_players,
)
from noughts.arena.openings import needs_openings
from noughts.arena.play import Player
from noughts.arena.record import SEATS, GameRecord
from noughts.arena.regret import Regret, regrets
from noughts.arena.tables import make_charts, make_tables
from noughts.errors import NoughtsError
from noughts.files import replacing
from noughts.games.game import Game
from noughts.games.registry import game as read_game
from noughts.knowledge.tables import table_at_hand
from noughts.parallel import check_seam
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

    @cached_property
    def matches(self) -> tuple[MatchResult, ...]:
        """The pairings, in order: first with second, first with third, …"""
        found = []
        for pairing, (first, second) in enumerate(pairings(len(self.agents))):
            records = self.records[pairing * self.games : (pairing + 1) * self.games]
            names = self.agents[first], self.agents[second]
            seed = unit_seed(self.seed, pairing)
            is_certain = pairing in self.certain
            found.append(MatchResult(str(self.game), *names, seed, records, is_certain=is_certain))
        return tuple(found)

    @cached_property
    def totals(self) -> list[tuple[int, int, int]]:
        """Wins, draws and losses of every agent."""
        counts = [[0, 0, 0] for _ in self.agents]
        for (first, second), match in zip(pairings(len(self.agents)), self.matches, strict=True):
            for place, count in enumerate((match.wins, match.draws, match.losses)):
                counts[first][place] += count
                counts[second][2 - place] += count
        return [(wins, draws, losses) for wins, draws, losses in counts]

    @cached_property
    def scores(self) -> list[list[float | None]]:
        """The score of each agent against each other; None against itself."""
        found: list[list[float | None]] = [[None] * len(self.agents) for _ in self.agents]
        for (first, second), match in zip(pairings(len(self.agents)), self.matches, strict=True):
            found[first][second] = match.score
            found[second][first] = 1.0 - match.score
        return found

    @cached_property
    def ratings(self) -> list[Rating]:
        """Elo of every agent, with intervals."""
        scores = {
            places: pair_scores(match.evidence)
            for places, match in zip(pairings(len(self.agents)), self.matches, strict=True)
        }
        return rate(len(self.agents), scores)

    @cached_property
    def order(self) -> list[int]:
        """The agents from the best to the worst: by rating, then as they were given."""
        return sorted(range(len(self.agents)), key=lambda place: -round(self.ratings[place].elo, 6))

    @cached_property
    def efforts(self) -> list[Effort]:
        """What the moves of every agent took."""
        return [
            effort((r, seat) for r in self.records for seat in SEATS if r.seats[seat] == name)
            for name in self.agents
        ]

    @cached_property
    def regrets(self) -> list[Regret] | None:
        """What the choices of every agent lost; None where the exact values are not known."""
        solution = table_at_hand(self.game)
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
        lead = f"{len(self.agents)} agents, {self.games} games of each pairing, {count:,} in all."
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
    """Play a round robin: `games` games of every two agents. The options are those of `match`.

    With a `folder` the games are logged there as they end, the tables, figures and the report are
    written there, and a tournament that was stopped goes on.
    """
    rules, players = read_game(game), seat_players(agents)
    names = [str(agent) for agent in players.agents]
    check_agents(names)
    check_match(games, seed, openings, move_time)
    check_players(rules, players, openings)
    check_seam(jobs, cluster)
    units = []
    for pairing, seats in enumerate(pairings(len(names))):
        settings = (games, unit_seed(seed, pairing), openings, move_time)
        units += plan_games(rules, players, seats, *settings, pairing=pairing, book_seed=seed)
    run = None
    if folder is not None:
        config = {"tournament": str(rules), "agents": names, "games": games, "seed": seed}
        config |= {"openings": openings, "move_time": move_time}
        run = open_run(Path(folder), "tournament", config, units, adopt)
    command = f"noughts tournament {rules} {' '.join(names)} --games {games} --seed {seed}"
    command += f" --openings {openings}" if openings is not None else ""
    command += f" --move-time {move_time}" if move_time is not None else ""
    certain = frozenset(
        pairing
        for pairing, seats in enumerate(pairings(len(names)))
        if needs_openings(rules, *(players.agents[seat] for seat in seats))
    )
    with run if run is not None else nullcontext():
        records = tuple(play_units(units, run, jobs, cluster, progress))
        played = Tournament(rules, names, games, seed, records, command, certain)
        if run is not None:
            run.write(played.report())
            played.to_excel(run.folder / WORKBOOK)
    return played


def pairings(agents: int) -> list[tuple[int, int]]:
    """Every two agents, once."""
    return list(combinations(range(agents), 2))


def check_agents(names: Sequence[str]) -> None:
    """Refuse names that make no tournament."""
    if len(names) < 2:
        raise NoughtsError(f"A tournament needs at least 2 agents, not {len(names)}.")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise NoughtsError(f"'{twice}' is named twice; a match plays an agent against itself.")


def _plain(cell: Any) -> Any:
    """A cell for JSON, which has no infinite numbers."""
    return None if isinstance(cell, float) and abs(cell) == float("inf") else cell
