"""`noughts match GAME A B`: one agent per seat, all seatings, and what the result is worth."""

import argparse
from typing import TYPE_CHECKING

from noughts.agents import agent
from noughts.commands.terminal.arguments import Subparsers, print_json
from noughts.commands.work.jobs import add_job, carry_out, read_job
from noughts.games import game
from noughts.jobs import Match

if TYPE_CHECKING:
    from noughts.arena import MatchResult
    from noughts.effort import Work


def add(commands: Subparsers) -> argparse.ArgumentParser:
    return add_job(commands, Match, "match")


def estimate(options: argparse.Namespace) -> "list[Work]":
    """All games to the last cell; whoever plays by a table needs it once."""
    from noughts.effort import choosing

    job = read_job(Match, options)
    played = game(job.game)
    moves = job.games * played.cells / played.seats
    players = [agent(spec) for spec in job.agents]
    return [
        choosing(player, played, 1 if player.name == "optimal" else moves) for player in players
    ]


def run(options: argparse.Namespace) -> int:
    folder, result = carry_out(read_job(Match, options).prepare(), options)
    if options.json:
        print_json(result.to_dict() | {"folder": str(folder)})
        return 0
    _print_result(result)
    print(f"\n{folder / 'log.jsonl'}")
    return 0


def _print_result(result: "MatchResult") -> None:
    if len(result.agents) == 2:
        _print_pair(result)
    else:
        _print_standings(result)
    if result.repeats:
        print(
            f"  {result.repeats} of the games repeat others move by move, because nothing in them "
            "is random; the intervals count each once."
        )
    for name, effort in zip(result.agents, result.efforts, strict=True):
        print(
            f"  {name}: {effort.seconds:.6f} s and {effort.nodes:,.1f} nodes per move, "
            f"{effort.memory / 2**20:.1f} MiB at most"
        )
    if result.sprt is not None:
        settled = result.sprt.verdict
        words = "nothing is settled" if settled is None else f"settled for {settled:+g} Elo"
        print(f"  sequential test: {words} (log-likelihood ratio {result.sprt.llr:+.2f})")
    for reason, games in result.reasons.items():
        print(f"  {games} × {reason}")


def _print_standings(result: "MatchResult") -> None:
    marks = result.records[0].marks
    print(f"{result.game}: {', '.join(result.agents)}, {result.games} games")
    width = max(map(len, result.agents))
    seats = "".join(f"{f'at {mark}':>8}" for mark in marks)
    print(f"  {'':{width}}  wins draws losses  points   score{'':22}{seats}")
    for one in result.standings:
        low, high = one.interval
        counts = f"{one.wins:6}{one.draws:6}{one.losses:7}{one.points:8.1f}"
        where = "".join(f"{'—' if s is None else f'{s:.1%}':>8}" for s in one.seats)
        reach = f"(95%: {low:.1%} to {high:.1%})"
        print(f"  {one.agent:{width}}{counts}  {one.score:6.1%}  {reach:22}{where}")


def _print_pair(result: "MatchResult") -> None:
    from noughts.stats.elo import elo_words

    print(f"{result.game}: {result.first} against {result.second}, {result.games} games")
    for outcome in ("wins", "draws", "losses"):
        low, high = result.interval(outcome)
        count = getattr(result, outcome)
        print(
            f"  {outcome:7} {count:6}  {count / result.games:6.1%}  (95%: {low:.1%} to {high:.1%})"
        )
    low, high = result.score_interval
    print(f"  score   {result.score:14.1%}  (95%: {low:.1%} to {high:.1%}, over pairs)")
    print(f"  Elo     {elo_words(result.elo, result.elo_interval, 14)}")
