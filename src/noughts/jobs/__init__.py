"""Every kind of job; from one declaration come its command, its form, its config and its resuming.

Match(game="3x3", agents=("optimal", "uct")).check().carry_out(Path("runs/mine"))
job_of_config(read_config(Path("runs/mine")))       # the same job
"""

from collections.abc import Mapping
from typing import Any

from noughts.errors import ParseError
from noughts.jobs.contest import Match, Tournament
from noughts.jobs.job import Job, Ready
from noughts.jobs.prove import Prove
from noughts.jobs.solve import Solve
from noughts.jobs.study import Study
from noughts.jobs.train import Train

__all__ = [
    "KINDS",
    "Job",
    "Match",
    "Prove",
    "Ready",
    "Solve",
    "Study",
    "Tournament",
    "Train",
    "job_of_config",
    "kind_of_config",
]

KINDS: dict[str, type[Job]] = {
    job.kind: job for job in (Match, Tournament, Solve, Prove, Study, Train)
}


def kind_of_config(config: Any) -> type[Job] | None:
    """What kind of job a config asks for; None when it is not one."""
    if not isinstance(config, Mapping):
        return None
    return next((job for kind, job in KINDS.items() if kind in config), None)


def job_of_config(config: Any) -> Job:
    """The job that a config asks for; raises ParseError when that cannot be read."""
    found = kind_of_config(config)
    if found is None:
        raise ParseError("This run has no config of a job that is known here.")
    try:
        return found.from_config(config)
    except ParseError as error:
        raise ParseError(f"The config of this run cannot be read: {error}") from None
