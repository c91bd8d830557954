"""`noughts train GAME LEARNER`: let a learner play, and keep what it learns."""

import argparse
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from noughts.commands.arguments import (
    Subparsers,
    add_adopt,
    add_json,
    print_json,
    whole_number,
)
from noughts.commands.progress import progress_bar

if TYPE_CHECKING:
    from noughts.learn.training import Plan, Training


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "train",
        help="let a learner play and keep what it learns",
        description="Let a learner play games and write a run folder: checkpoints, learning "
        "curves, report.html. The result plays at once in every command as LEARNER:run=FOLDER. "
        "'noughts train --list' lists the learners and their options.",
        epilog="Example: noughts train 3x3:flip=0.1 td-table --games 100000 --seed 1",
    )
    parser.add_argument("game", nargs="?", help="a spec such as 3x3:flip=0.1")
    parser.add_argument("learner", nargs="?", help="a spec such as table or td-table:trace=0.8")
    parser.add_argument("--list", action="store_true", help="list the learners and their options")
    parser.add_argument(
        "--games",
        type=whole_number(1),
        help="how many games to learn from; this, --minutes, or both",
    )
    parser.add_argument("--minutes", type=float, help="how long to learn, grading not counted")
    parser.add_argument("--seed", type=whole_number(0), default=0, help="all that is random (0)")
    parser.add_argument(
        "--opponent", default="self", help="an agent to play against (self: the learner itself)"
    )
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        help="the run folder, ./runs/LEARNER-N unless given; a run that was stopped there goes on",
    )
    parser.add_argument(
        "--checkpoints", type=whole_number(1), default=20, metavar="K",
        help="how many times the player is graded and kept on the way (20)",
    )  # fmt: skip
    parser.add_argument(
        "--jobs", type=whole_number(1), default=1,
        help="processes that play, for zero with a network that is read in batches (1)",
    )  # fmt: skip
    parser.add_argument("--cluster", metavar="ray", help="let a cluster play in their place")
    parser.add_argument(
        "--reset",
        action="store_true",
        help="forget the table of this game that learned from you (table:learn)",
    )
    add_adopt(parser)
    add_json(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    from noughts.errors import NoughtsError
    from noughts.learn.training import make_plan, run_plan
    from noughts.report import new_folder

    if options.list:
        _list_learners()
        return 0
    if options.reset:
        return _reset(options.game, options.learner)
    if options.game is None or options.learner is None:
        raise NoughtsError("Name a game and a learner, such as: noughts train 3x3 table.")
    plan = make_plan(
        options.game,
        options.learner,
        games=options.games,
        minutes=options.minutes,
        seed=options.seed,
        opponent=options.opponent,
        checkpoints=options.checkpoints,
    )
    _hand_out(plan, options.jobs, options.cluster)
    folder = Path(options.out) if options.out is not None else new_folder(plan.learner.name)
    try:
        with progress_bar() as bar:
            training = run_plan(plan, folder, bar, options.adopt)
    except NoughtsError:
        if options.out is None:
            with suppress(OSError):
                folder.rmdir()  # unless something is in it already
        raise
    except KeyboardInterrupt:
        print(f"Stopped. To go on where it stopped: {plan.command} --out {folder}")
        raise
    _print(plan, training, options.json)
    return 0


def _hand_out(plan: "Plan", jobs: int, cluster: str | None) -> None:
    """Let others play the games, where the learner can hand them out."""
    from noughts.errors import NoughtsError
    from noughts.parallel import check_seam

    check_seam(jobs, cluster)
    if (jobs > 1 or cluster is not None) and not plan.learner.hands_out:
        raise NoughtsError(
            f"{plan.learner.name} plays in this process; leave out jobs and cluster."
        )
    plan.learner.jobs, plan.learner.cluster = jobs, cluster
    plan.learner.check_game(plan.game)  # not every network of a learner is read elsewhere


def _print(plan: "Plan", training: "Training", as_json: bool) -> None:
    from noughts.learn.training_report import grade_sentences

    name = f"{plan.learner.name}:run={training.folder}"
    if as_json:
        print_json(
            {
                **plan.config,
                "folder": str(training.folder),
                "agent": name,
                "games": training.games,
                "seconds": training.seconds,
                "grades": training.grades,
            }
        )
        return
    rate = training.games / max(training.seconds, 1e-9)
    print(
        f"{plan.learner} on {plan.game}: {training.games:,} games in {training.seconds:.2f} s "
        f"({rate:,.0f} games/s)."
    )
    for sentence in grade_sentences(training.grades):
        print(sentence)
    print(f"Play it as {name}; the learning curves are in {training.folder / 'report.html'}")


def _reset(game: str | None, learner: str | None) -> int:
    from noughts.errors import NoughtsError
    from noughts.games import game as read_game
    from noughts.learn.table import check_table_game
    from noughts.learn.table_lesson import forget_own_table

    if game is None or learner not in (None, "table"):
        raise NoughtsError("Name the game whose table is to be forgotten: train 3x3 --reset.")
    chosen = check_table_game(read_game(game))
    forget_own_table(chosen)
    print(f"Your table of {chosen} is forgotten; table:learn starts anew.")
    return 0


def _list_learners() -> None:
    from noughts.learn.registry import listed_learners

    for listing in listed_learners():
        print(f"{listing.name:14}{listing.summary}")
        for option in listing.options:
            has_more = option.choices and option.default is not None
            taken = f" ({', '.join(option.choices)})" if has_more else ""
            print(f"    {option.usage:24} {option.help}{taken}")
