"""Training: a learner plays games in chunks, is graded now and then, and can be killed any time.

    train("3x3", "table", games=20_000, seed=1, out="runs/mine")

After every chunk the log and a checkpoint are on the disk. The same call goes on from there, and
ends with the same weights and the same log as if it had never been stopped. A budget in minutes
counts the seconds of learning, also those before a stop; grading is not counted.
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from noughts.agents import Agent, check_player, listed_agents
from noughts.agents import agent as read_agent
from noughts.errors import NoughtsError, ParseError
from noughts.games.game import Game, check_two
from noughts.games.registry import game as read_game
from noughts.jobs.job import Ready
from noughts.jobs.train import CHECKPOINTS, SELF, Train
from noughts.learn.frame.checkpoint import (
    checkpoint_path,
    checkpoints_in,
    load_checkpoint,
    save_checkpoint,
)
from noughts.learn.frame.learner import Learner
from noughts.learn.frame.registry import learner as read_learner
from noughts.learn.frame.registry import listed_learner, listed_learners
from noughts.learn.frame.runs import (
    TrainingLog,
    adopt_checkpoints,
    check_checkpoint,
    check_line,
    restore,
)
from noughts.parallel import check_seam
from noughts.report.run import Progress, Run, new_folder

CHUNKS = 100  # how many checkpoints a run of known length writes, if the learner does not say
TIMED_CHUNK = 1000  # games between two checkpoints of a run whose length nobody knows


@dataclass(frozen=True)
class Training:
    """What a run of training has come to."""

    folder: Path
    game: Game
    learner: Learner
    log: TrainingLog

    @property
    def games(self) -> int:
        return self.log.games

    @property
    def seconds(self) -> float:
        return self.log.seconds

    @property
    def curve(self) -> list[dict[str, Any]]:
        """The log: games, seconds, the learner's own curves, and grades where there are any."""
        return self.log.results

    @property
    def grades(self) -> Mapping[str, Any]:
        """The last grading."""
        return last_grades(self.log)

    @property
    def agent(self) -> str:
        """The spec that plays it; learners of other packages have no agent of their name."""
        names = {listing.name for listing in listed_agents()}
        name = self.learner.name if self.learner.name in names else "learner"
        return f"{name}:run={self.folder}"

    def player(self) -> Agent:
        """Plays what has been learned."""
        return self.learner.player()


@dataclass(frozen=True)
class Plan:
    """One training, checked: the game, the learner, and all that was asked for."""

    game: Game
    learner: Learner
    asked: Train

    @property
    def games(self) -> int | None:
        return self.asked.games

    @property
    def minutes(self) -> float | None:
        return self.asked.minutes

    @property
    def checkpoints(self) -> int:
        return self.asked.checkpoints

    @property
    def chunk(self) -> int:
        """Games between two checkpoints."""
        if self.learner.chunk_games:
            return self.learner.chunk_games
        return TIMED_CHUNK if self.games is None else math.ceil(self.games / CHUNKS)

    def is_milestone(self, chunk: int) -> bool:
        """Whether the checkpoint after this chunk, counted from 1, is graded and kept.

        Milestones stand at equal ratios, as learning curves are read: with an end, `checkpoints` of
        them between the first chunk and the last; without one, two for every doubling.
        """
        if self.games is None:
            steps, ratio = round(2 * math.log2(chunk)), math.sqrt(2.0)
        else:
            chunks = math.ceil(self.games / self.chunk)
            if chunks <= self.checkpoints or self.checkpoints < 2:
                return chunk == chunks or self.checkpoints >= chunks
            ratio = chunks ** (1.0 / (self.checkpoints - 1))
            steps = round(math.log(chunk) / math.log(ratio))
        return any(round(ratio**step) == chunk for step in (steps - 1, steps, steps + 1))

    def is_over(self, games: int, seconds: float) -> bool:
        """Whether the budget of games or of time is used up."""
        if self.games is not None and games >= self.games:
            return True
        return self.minutes is not None and games > 0 and seconds >= 60.0 * self.minutes


def make_plan(
    game: Game | str,
    learner: Learner | str,
    *,
    games: int | None = None,
    minutes: float | None = None,
    seed: int = 0,
    opponent: str = SELF,
    checkpoints: int = CHECKPOINTS,
) -> Plan:
    """Check every word of a training before anything is written."""
    played, chosen = read_game(game), read_learner(learner)
    asked = Train(
        game=str(played), learner=str(chosen), games=games, minutes=minutes, seed=seed,
        opponent=opponent, checkpoints=checkpoints,
    )  # fmt: skip
    return _checked(played, chosen, asked)


def _checked(game: Game, learner: Learner, asked: Train) -> Plan:
    """A plan that can be carried out, in canonical words."""
    if asked.games is None and asked.minutes is None:
        raise NoughtsError("Training needs an end: give games, minutes, or both.")
    if learner.most_seats == 2:
        check_two(game, str(learner))
    game.check_ends()
    learner.check_game(game)
    _hand_out(game, learner, asked)
    opponent = asked.opponent
    if opponent != SELF:
        other = read_agent(opponent)
        if other.name == "human":
            raise NoughtsError(
                "A person teaches by playing: noughts play 3x3 --x human --o table:learn."
            )
        check_player(other, game)
        opponent = str(other)
    return Plan(game, learner, replace(asked, opponent=opponent))


def _hand_out(game: Game, learner: Learner, asked: Train) -> None:
    """Let others play the games, where the learner can hand them out."""
    check_seam(asked.jobs, asked.cluster)
    if asked.jobs == 1 and asked.cluster is None:
        return
    if not learner.hands_out:
        raise NoughtsError(f"{learner.name} plays in this process; leave out jobs and cluster.")
    learner.jobs, learner.cluster = asked.jobs, asked.cluster
    learner.check_game(game)  # not every network of a learner is read elsewhere


def plan_of(job: Train) -> Plan:
    """The plan of a training that was asked for as a job."""
    game, learner = read_game(job.game), read_learner(job.learner)
    return _checked(game, learner, replace(job, game=str(game), learner=str(learner)))


def prepare(job: Train) -> Ready[Train]:
    """A training that can be carried out, in canonical words."""
    plan = plan_of(job)
    return Ready(plan.asked, partial(run_plan, plan))


variants, variant = listed_learners, listed_learner  # as jobs call them


def train(
    game: Game | str,
    learner: Learner | str,
    *,
    games: int | None = None,
    minutes: float | None = None,
    seed: int = 0,
    opponent: str = SELF,
    out: str | Path | None = None,
    checkpoints: int = CHECKPOINTS,
    adopt: bool = False,
    progress: Progress | None = None,
) -> Training:
    """Train a learner into a run folder, or go on with a run of the same words.

    `opponent` is an agent's spec, or "self". `out` is the folder, ./runs/LEARNER-N unless given;
    `adopt` lets it take over a folder of before runs had an identity.
    `progress(done, total, text)` is called after every chunk; raising from it stops the run, which
    can be taken up again later.
    """
    plan = make_plan(
        game, learner, games=games, minutes=minutes, seed=seed, opponent=opponent,
        checkpoints=checkpoints,
    )  # fmt: skip
    folder = Path(out) if out is not None else new_folder(plan.learner.name)
    return run_plan(plan, folder, progress, adopt)


def run_plan(
    plan: Plan, folder: Path, progress: Progress | None = None, adopt: bool = False
) -> Training:
    """Carry out a training, or the rest of it, and write its report."""
    from noughts.learn.frame.report import training_report

    plan.learner.game = plan.game
    is_new = not checkpoints_in(folder)
    if is_new:  # before anything is written: what the learner refuses leaves nothing behind
        plan.learner.begin(plan.game, plan.asked.opponent, plan.asked.seed)
    asked = plan.asked
    with Run(folder, asked.config, asked.identity, check_line if adopt else None) as run:
        if adopt:
            facts = (asked.game, asked.learner, asked.opponent, asked.seed)
            adopt_checkpoints(folder, facts, run.digest)
        log = TrainingLog(folder, run.digest)
        if is_new and not checkpoints_in(folder):  # nobody else has begun it meanwhile
            log.cut(0)
        else:
            _take_up(plan, folder, log)
        _learn(plan, folder, log, progress)
        training = Training(folder, plan.game, plan.learner, log)
        run.write(training_report(plan, training))
    return training


def _take_up(plan: Plan, folder: Path, log: TrainingLog) -> None:
    """Restore the youngest checkpoint and drop what the log says beyond it."""
    found = checkpoints_in(folder)
    checkpoint = load_checkpoint(found[-1][1])
    check_checkpoint(found[-1][1], checkpoint, log.run)
    log.cut(checkpoint.games)
    if log.games != checkpoint.games:
        raise ParseError(
            f"{folder} has a checkpoint of {checkpoint.games} games, but its log ends at "
            f"{log.games}; choose another folder."
        )
    restore(plan.learner, checkpoint, folder)
    _drop_passed_checkpoints(folder, log)


def _learn(plan: Plan, folder: Path, log: TrainingLog, progress: Progress | None) -> None:
    from noughts.learn.frame.grading.grader import Grader

    grader = Grader(plan.game, plan.asked.seed, plan.learner.grading_games)
    tell = _teller(plan, log, progress)
    tell()
    while not plan.is_over(log.games, log.seconds):
        chunk, games = len(log.lines) + 1, log.games
        count = plan.chunk if plan.games is None else min(plan.chunk, plan.games - games)
        began = time.perf_counter()
        curves = plan.learner.learn(count)
        seconds = time.perf_counter() - began
        games += count
        is_last = plan.is_over(games, log.seconds + seconds)
        is_milestone = is_last or plan.is_milestone(chunk)
        if is_last:
            tell("the last grading")  # of every position, which on 4×4 takes minutes
        grades = grader.grade(plan.learner.player(), is_last) if is_milestone else None
        result = {"games": games, "curves": _plain(curves), "grades": grades}
        _keep(plan, folder, log, seconds, result)
        tell()


def _keep(
    plan: Plan, folder: Path, log: TrainingLog, seconds: float, result: Mapping[str, Any]
) -> None:
    """Write a chunk's line, then its checkpoint; then the one before may go."""
    log.append(seconds, result)
    games, asked = int(result["games"]), plan.asked
    save_checkpoint(
        checkpoint_path(folder, games), asked.game, asked.learner, asked.opponent, asked.seed,
        games, plan.learner.arrays(), log.run,
    )  # fmt: skip
    _drop_passed_checkpoints(folder, log)


def _drop_passed_checkpoints(folder: Path, log: TrainingLog) -> None:
    """Only milestones and the youngest stay; a kill may have left one more for the next start."""
    passed = [line["result"] for line in log.lines[:-1]]
    ungraded = {int(result["games"]) for result in passed if result["grades"] is None}
    for games, path in checkpoints_in(folder):
        if games in ungraded:
            path.unlink(missing_ok=True)


def _plain(curves: Mapping[str, float]) -> dict[str, float | None]:
    """JSON has no word for a number that is none."""
    return {name: float(value) if math.isfinite(value) else None for name, value in curves.items()}


def last_grades(log: TrainingLog) -> Mapping[str, Any]:
    """The youngest grading; nothing before the first."""
    found: Mapping[str, Any] = {}
    for line in reversed(log.lines):
        if line["result"]["grades"]:
            found = line["result"]["grades"]
            break
    return found


def strength(grades: Mapping[str, Any]) -> str:
    """How good the player is, in a few words."""
    if "regret_mean" in grades:
        return f"mean regret {grades['regret_mean']:.4f}"
    if "score" in grades:
        return f"score {grades['score']:.3f} against random"
    return ""


def _teller(plan: Plan, log: TrainingLog, progress: Progress | None) -> Callable[..., None]:
    """Says how far a run is, in games or in seconds, how fast it goes, and how strong it is."""

    def tell(now: str = "") -> None:
        if progress is None:
            return
        grades = last_grades(log)
        words = [f"{log.games:,} games"]
        if log.lines and log.seconds > 0.0:
            words.append(f"{log.games / log.seconds:,.0f} games/s")
        words += [word for word in (strength(grades), now) if word]
        if plan.minutes is not None:
            done, total = round(log.seconds), max(1, round(60.0 * plan.minutes))
            if plan.games is not None and log.games * total > done * plan.games:
                done, total = log.games, plan.games  # whichever ends first
            progress(min(done, total), total, ", ".join(words))
        else:
            progress(log.games, plan.games or 0, ", ".join(words))

    return tell
