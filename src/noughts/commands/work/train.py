"""`noughts train GAME LEARNER`: let a learner play, and keep what it learns."""

import argparse
from typing import TYPE_CHECKING

from noughts.commands.terminal.arguments import Subparsers, print_json
from noughts.commands.work.jobs import add_job, carry_out, read_job
from noughts.errors import NoughtsError
from noughts.games import game as read_game
from noughts.jobs import Train

if TYPE_CHECKING:
    from noughts.learn.frame.training import Training


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser = add_job(commands, Train, "LEARNER", needs_words=False)
    parser.add_argument("--list", action="store_true", help="list the learners and their options")
    parser.add_argument(
        "--reset",
        action="store_true",
        help="forget the table of this game that learned from you (table:learn)",
    )
    return parser


def run(options: argparse.Namespace) -> int:
    if options.list:
        _list_learners()
        return 0
    if options.reset:
        return _reset(options.game, options.learner)
    if options.game is None or options.learner is None:
        raise NoughtsError("Name a game and a learner, such as: noughts train 3x3 table.")
    ready = read_job(Train, options).prepare()
    _, training = carry_out(ready, options)
    _print(ready.job, training, options.json)
    return 0


def _print(job: Train, training: "Training", as_json: bool) -> None:
    from noughts.learn.frame.report import grade_sentences

    if as_json:
        print_json(
            {
                **job.config,
                "folder": str(training.folder),
                "agent": training.agent,
                "games": training.games,
                "seconds": training.seconds,
                "grades": training.grades,
            }
        )
        return
    rate = training.games / max(training.seconds, 1e-9)
    print(
        f"{job.learner} on {job.game}: {training.games:,} games in {training.seconds:.2f} s "
        f"({rate:,.0f} games/s)."
    )
    for sentence in grade_sentences(training.grades):
        print(sentence)
    print(
        f"Play it as {training.agent}; the learning curves are in {training.folder / 'report.html'}"
    )


def _reset(game: str | None, learner: str | None) -> int:
    from noughts.learn.table.learner import check_table_game
    from noughts.learn.table.taught.own import forget_own_table

    if game is None or learner not in (None, "table"):
        raise NoughtsError("Name the game whose table is to be forgotten: train 3x3 --reset.")
    chosen = check_table_game(read_game(game))
    forget_own_table(chosen)
    print(f"Your table of {chosen} is forgotten; table:learn starts anew.")
    return 0


def _list_learners() -> None:
    from noughts.learn.frame.registry import listed_learners

    for listing in listed_learners():
        print(f"{listing.name:14}{listing.summary}")
        for option in listing.options:
            has_more = option.choices and option.default is not None
            taken = f" ({', '.join(option.choices)})" if has_more else ""
            print(f"    {option.usage:24} {option.help}{taken}")
