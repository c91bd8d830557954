"""Reports of jobs that the command line only prints: a match, a solve."""

from typing import TYPE_CHECKING

from noughts.report import Answer, Block, Report, Table

if TYPE_CHECKING:
    from noughts.arena import MatchResult
    from noughts.solve import Solution


def match_report(result: "MatchResult") -> Report:
    """What a match found."""
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
    efforts = Table(
        "efforts",
        ("agent", "moves", "seconds per move", "nodes per move", "faults"),
        [
            (name, effort.moves, effort.seconds, effort.nodes, effort.faults)
            for name, effort in zip((result.first, result.second), result.efforts, strict=True)
        ],
    )
    blocks: list[Block] = [Answer(answer), results, efforts]
    lead = f"{result.games} games of {result.game}, half of them with the seats swapped."
    return Report(f"{result.first} – {result.second}", lead, blocks, {"seed": str(result.seed)})


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
