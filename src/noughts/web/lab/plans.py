"""From a form, or from a run folder, to a job and its doing.

A plan is a job as plain data, with what the page shows of it; `job.json` holds it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from noughts.jobs import KINDS, Job, job_of_config
from noughts.jobs.job import Progress
from noughts.web.lab.forms import PROPOSED, check_names, read_form
from noughts.web.lab.reports import TOLD

Plan = dict[str, Any]  # {"kind", "name" of the folder, "title", "command", "options"}


def plan_job(kind: str, options: Mapping[str, Any], runs: Path) -> Plan:
    """Check a form; everything that is needed to do it later, as plain data."""
    return _planned(read_form(kind, _as_now(kind, options)), runs)


def plan_of_config(config: Mapping[str, Any], runs: Path) -> Plan:
    """The plan of a run that the command line began, from its config."""
    return _planned(job_of_config(config), runs)


def _planned(job: Job, runs: Path) -> Plan:
    check_names(job, runs)
    checked = job.check()
    return {
        "kind": checked.kind,
        "name": checked.folder_name,
        "title": checked.title,
        "command": checked.command,
        "options": checked.values,
    }


def carry_out(plan: Plan, folder: Path, progress: Progress) -> Plan:
    """Do the work of a plan in its folder; answers and facts for the page."""
    job = job_of_plan(plan)
    return TOLD[job.kind](job.carry_out(folder, progress), folder)


def job_of_plan(plan: Plan) -> Job:
    """The job of a plan, also of one that an earlier version noted."""
    kind, options = KINDS[plan["kind"]], _as_now(plan["kind"], plan["options"])
    own = options.pop("own", {})
    if kind.kind == "study":
        options.setdefault("parameters", own)
    elif kind.kind == "train":
        options.pop("name", None)
    return kind.of(options)


def _as_now(kind: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options by their names of today: a match had a first and a second agent."""
    found = dict(options)
    if kind == "match" and {"first", "second"} & set(found):
        first, second = PROPOSED["match"]["agents"]
        found["agents"] = [found.pop("first", first), found.pop("second", second)]
    return found
