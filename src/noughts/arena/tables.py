"""The tables and charts of a tournament."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from noughts.report import Cell, Chart, Table
from noughts.report.figure import DRAW_COLOUR, O_COLOUR, X_COLOUR
from noughts.stats.elo import finite

if TYPE_CHECKING:
    from noughts.arena.tournament import Tournament

# The published comparison has these headers; files that were made for it open ours.
RESULT_COLUMNS = (
    "Algorithm1", "Algorithm2", "Algorithm1_Wins", "Algorithm2_Wins", "Tie",
    "Algorithm1_Avg", "Algorithm2_Avg",
)  # fmt: skip


def make_tables(played: "Tournament") -> list[Table]:
    """All tables, in reading order."""
    if played.game.seats > 2:
        tables = [_choices(played), _standings(played), _ratings(played), _by_seat(played)]
    else:
        tables = [_results(played), _standings(played), _ratings(played), _crosstable(played)]
        tables.append(_pairings(played))
    if played.regrets is not None:
        tables += [_regret(played), _blunders(played)]
    if any(match.reasons for match in played.matches):
        tables.append(_faults(played))
    return tables


def make_charts(played: "Tournament") -> list[Chart]:
    """The charts of the workbook."""
    ends = ("95% low", "95% high")
    return [
        Chart(
            "standings",
            "agent",
            ("wins", "draws", "losses"),
            "Games",
            colours=(X_COLOUR, DRAW_COLOUR, O_COLOUR),
        ),
        Chart("ratings", "agent", ("Elo",), "Elo with 95% intervals", ends),
    ]


def _results(played: "Tournament") -> Table:
    rows: list[Sequence[Cell]] = [
        (m.first, m.second, m.wins, m.losses, m.draws, *(e.seconds for e in m.efforts))
        for m in played.matches
    ]
    formats = dict.fromkeys(RESULT_COLUMNS[-2:], ".6f")
    caption = "Every pairing; Avg is the average number of seconds for a move."
    return Table("results", RESULT_COLUMNS, rows, formats, caption)


def _standings(played: "Tournament") -> Table:
    columns = (
        "agent", "points", "games", "score", "wins", "draws", "losses", "lost by fault",
        "seconds per move", "nodes per move", "peak memory (bytes)",
    )  # fmt: skip
    rows: list[Sequence[Cell]] = []
    for place in played.order:
        name, effort = played.agents[place], played.efforts[place]
        wins, draws, losses = played.totals[place]
        games = sum(place in places for places in played.pairings) * played.games
        points = played.points[place]
        counts = (points, games, points / games, wins, draws, losses, effort.faults)
        rows.append((name, *counts, effort.seconds, effort.nodes, effort.memory))
    formats = {"points": ".1f", "score": ".1%", "seconds per move": ".6f"}
    formats |= {"nodes per move": ",.1f", "peak memory (bytes)": ","}
    share = "half a point" if played.game.seats == 2 else f"1/{played.game.seats} of a point"
    caption = f"All games of each agent; a draw is {share}. Memory is by their own account."
    return Table("standings", columns, rows, formats, caption)


def _ratings(played: "Tournament") -> Table:
    rows = [
        (played.agents[place], rating.elo, finite(rating.low), finite(rating.high))
        for place in played.order
        for rating in [played.ratings[place]]
    ]
    ends = ("95% low", "95% high")
    formats = dict.fromkeys(("Elo", *ends), "+.1f")
    if played.game.seats > 2:
        caption = (
            "Ratings by Luce's choice model, mean 0, with intervals over blocks of all seatings: "
            "400 Elo are ten times the points of another in the same game. Every choice of agents "
            "is credited with one more game, drawn. Where an end is missing the results set none."
        )
    else:
        caption = (
            "Bradley–Terry ratings, mean 0, with intervals over pairs of games. Every two agents "
            "are credited with one more game, drawn. Where an end is missing there is none: not a "
            "point was lost, or won."
        )
    return Table("ratings", ("agent", "Elo", *ends), rows, formats, caption)


def _choices(played: "Tournament") -> Table:
    ends = ("95% low", "95% high")
    columns = ("choice", "agent", "wins", "draws", "losses", "points", "score", *ends)
    rows = [
        (number, one.agent, one.wins, one.draws, one.losses, one.points, one.score, *one.interval)
        for number, match in enumerate(played.matches)
        for one in match.standings
    ]
    formats = dict.fromkeys(("score", *ends), ".1%") | {"points": ".1f"}
    caption = (
        "Every choice of agents; the score is points per game, with 95% intervals over blocks."
    )
    return Table("results", columns, rows, formats, caption)


def _by_seat(played: "Tournament") -> Table:
    marks = played.game.marks
    rows = [(played.agents[place], *played.by_seat[place]) for place in played.order]
    caption = "The points per game of each agent in each seat."
    return Table("crosstable", ("agent", *marks), rows, dict.fromkeys(marks, ".1%"), caption)


def _crosstable(played: "Tournament") -> Table:
    names = [played.agents[place] for place in played.order]
    rows = [
        (played.agents[row], *(played.scores[row][column] for column in played.order))
        for row in played.order
    ]
    formats = dict.fromkeys(names, ".1%")
    return Table(
        "crosstable", ("agent", *names), rows, formats, "The score of each row against each column."
    )


def _pairings(played: "Tournament") -> Table:
    columns = (
        "first", "second", "games", "repeats", "score", "score low", "score high", "Elo", "Elo low",
        "Elo high", "wins low", "wins high", "draws low", "draws high", "losses low", "losses high",
    )  # fmt: skip
    rows = [
        (
            m.first, m.second, m.games, m.repeats, m.score, *m.score_interval,
            *map(finite, (m.elo, *m.elo_interval)),
            *m.interval("wins"), *m.interval("draws"), *m.interval("losses"),
        )
        for m in played.matches
    ]  # fmt: skip
    formats = {name: "+.1f" if name.startswith("Elo") else ".1%" for name in columns[4:]}
    caption = (
        "The first agent's score and Elo difference with 95% intervals over pairs, and those of "
        "its wins, draws and losses. Repeats are games in which nothing was random and which were "
        "played before: intervals count each game once. Where an Elo is missing it is infinite."
    )
    return Table("pairings", columns, rows, formats, caption)


def _regret(played: "Tournament") -> Table:
    assert played.regrets is not None
    rows = [
        (
            played.agents[place], regret.moves, regret.mean, *regret.interval,
            regret.optimal / max(regret.moves, 1),
        )
        for place in played.order
        for regret in [played.regrets[place]]
    ]  # fmt: skip
    ends = ("95% low", "95% high")
    columns = ("agent", "moves", "regret per move", *ends, "optimal moves")
    formats = dict.fromkeys(("regret per move", *ends), ".5f") | {"optimal moves": ".2%"}
    caption = "The exact value that a choice lost, on average, with 95% intervals over " + (
        "pairs of games; a win is worth 1, a loss -1."
        if played.game.seats == 2
        else "blocks of games; in equilibrium, tied moves counting alike."
    )
    return Table("regret", columns, rows, formats, caption)


def _blunders(played: "Tournament") -> Table:
    assert played.regrets is not None
    columns = ("agent", "loss", "position", "turn", "move", "best move", "pairing", "game")
    rows: list[Sequence[Cell]] = []
    for place in played.order:
        worst = played.regrets[place].worst
        if worst is None:
            rows.append((played.agents[place], 0.0, *[None] * 6))
            continue
        drawn = " / ".join(str(worst.position).splitlines())
        moves = (worst.position.turn, worst.move, worst.best)
        places = (worst.record.pairing, worst.record.index)
        rows.append((played.agents[place], worst.loss, drawn, *moves, *places))
    caption = "The choice of each agent that lost most, and the game in which it was made."
    return Table("blunders", columns, rows, {"loss": ".4f"}, caption)


def _faults(played: "Tournament") -> Table:
    rows: list[Sequence[Cell]] = [
        (*match.agents, reason, games)
        for match in played.matches
        for reason, games in match.reasons.items()
    ]
    marks = " or ".join(played.game.marks)
    caption = f"Games that did not end on the board; {marks} says who was at fault."
    names = ("first", "second", "third", "fourth")[: played.game.seats]
    return Table("faults", (*names, "reason", "games"), rows, {}, caption)
