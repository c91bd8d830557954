"""What the page tells of a job that is done; with reports of those that a terminal only prints."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noughts.report import Answer, Block, Report, Table
from noughts.report.run import write_report

if TYPE_CHECKING:
    from noughts.arena import MatchResult, Tournament
    from noughts.learn.frame.training import Training
    from noughts.solve import Solution

Told = dict[str, Any]  # {"answers", "facts"}


def match_report(result: "MatchResult") -> Report:
    """What a match found."""
    if len(result.agents) > 2:
        return _standings_report(result)
    low, high = result.score_interval
    answer = (
        f"**{result.first}** scored {result.score:.1%} against {result.second} "
        f"(95%: {low:.1%} to {high:.1%}): {result.wins} won, {result.draws} drawn, "
        f"{result.losses} lost."
    )
    rows = []
    for outcome in ("wins", "draws", "losses"):
        count, (lowest, highest) = getattr(result, outcome), result.interval(outcome)
        rows.append((outcome, count, count / result.games, lowest, highest))
    shares = dict.fromkeys(("share", "from", "to"), ".1%")
    results = Table("results", ("outcome", "games", "share", "from", "to"), rows, shares)
    blocks: list[Block] = [Answer(answer), results, _efforts(result)]
    lead = f"{result.games} games of {result.game}, half of them with the seats swapped."
    return Report(f"{result.first} – {result.second}", lead, blocks, {"seed": str(result.seed)})


def _standings_report(result: "MatchResult") -> Report:
    """The same where more than two play."""
    marks = result.records[0].marks
    best = max(result.standings, key=lambda one: one.score)
    low, high = best.interval
    answer = f"**{best.agent}** scored {best.score:.1%} (95%: {low:.1%} to {high:.1%})."
    columns = ("agent", "wins", "draws", "losses", "points", "score", "from", "to")
    rows = [
        (one.agent, one.wins, one.draws, one.losses, one.points, one.score, *one.interval,
         *one.seats)
        for one in result.standings
    ]  # fmt: skip
    seats = tuple(f"at {mark}" for mark in marks)
    formats = dict.fromkeys(("score", "from", "to", *seats), ".1%") | {"points": ".1f"}
    standings = Table("standings", (*columns, *seats), rows, formats)
    blocks: list[Block] = [Answer(answer), standings, _efforts(result)]
    lead = f"{result.games} games of {result.game}, in every seating alike."
    return Report(" – ".join(result.agents), lead, blocks, {"seed": str(result.seed)})


def _efforts(result: "MatchResult") -> Table:
    return Table(
        "efforts",
        ("agent", "moves", "seconds per move", "nodes per move", "faults"),
        [
            (name, effort.moves, effort.seconds, effort.nodes, effort.faults)
            for name, effort in zip(result.agents, result.efforts, strict=True)
        ],
    )


def solution_report(solution: "Solution") -> Report:
    """The value of every first move."""
    game, start = solution.game, solution.game.start()
    value, best = solution.value(start), set(solution.best_moves(start))
    answer = f"**{game}** is worth {value:+.6g} for X under best play of both."
    rows = [
        (game.cell_of(move), game.wait_of(move), found, move in best)
        for move, found in solution.values(start).items()
    ]
    table = Table("values", ("cell", "wait", "value", "best"), rows, {"value": "+.6f"})
    blocks: list[Block] = [Answer(answer), table]
    if solution.sweeps:
        log = [(n, s.max_difference, s.mean_difference) for n, s in enumerate(solution.sweeps, 1)]
        blocks.append(Table("sweeps", ("sweep", "max difference", "mean difference"), log))
    lead = f"{solution.states:,} states in {solution.seconds:.3f} s by {solution.method}."
    return Report(f"The values of {game}", lead, blocks)


def _tell_match(result: "MatchResult", folder: Path) -> Told:
    report = match_report(result)
    write_report(folder, report)
    return {"answers": report.answers, "facts": result.to_dict()}


def _tell_tournament(played: "Tournament", folder: Path) -> Told:
    return {"answers": played.report().answers}


def _tell_solution(solution: "Solution", folder: Path) -> Told:
    report, start = solution_report(solution), solution.game.start()
    write_report(folder, report)
    facts = {"value": solution.value(start), "best": list(solution.best_moves(start))}
    facts |= {"states": solution.states, "seconds": solution.seconds, "method": solution.method}
    return {"answers": report.answers, "facts": facts}


def _tell_study(done: tuple[Path, Report], folder: Path) -> Told:
    return {"answers": done[1].answers}


def _tell_training(training: "Training", folder: Path) -> Told:
    from noughts.learn.frame.report import grade_sentences

    answers = [*grade_sentences(training.grades), f"Play it as `{training.agent}`."]
    return {"answers": answers, "facts": {"games": training.games, "agent": training.agent}}


TOLD: dict[str, Callable[[Any, Path], Told]] = {
    "match": _tell_match,
    "tournament": _tell_tournament,
    "solve": _tell_solution,
    "study": _tell_study,
    "train": _tell_training,
}
