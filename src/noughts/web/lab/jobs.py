"""Long jobs: each in a process of its own, in a run folder that outlives page, job and server.

A folder has one owner: the server while its job waits, then the job. So two servers with the same
run folders cannot work on one run, nor delete it under each other. A job ends with its server, and
what it was working on, or waiting for, the next server takes up.
"""

import json
import logging
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree
from time import time
from typing import Any

from noughts.errors import NoughtsError
from noughts.files import replacing
from noughts.owning import Busy, Ownership, is_owned, own
from noughts.report.run import IDENTITY, new_folder
from noughts.web.lab.folders import Data, last_change, list_files, read_json, read_noted, stamp
from noughts.web.lab.rows import (
    ENDED,
    Followers,
    guarded,
    is_run,
    odd_row,
    run_data,
    told_folder,
    told_partial,
)
from noughts.web.problems import Problem

LOG = logging.getLogger(__name__)
MOST_RUNS = 200  # that are listed
MOST_WAITING = 20  # jobs that wait for their turn
STARTING, TAKEN_UP = "starting", "starting again where the last server ended"
_UNNOTED = "It could not be noted how it stands"


@dataclass(eq=False)
class Job:
    """A job of this server: waiting, running, or over."""

    id: str
    folder: Path
    plan: Data
    state: str = "waiting"
    message: str | None = None
    done: int = 0
    total: int = 0
    text: str = STARTING
    began: float = field(default_factory=time)
    ended: float | None = None
    process: "subprocess.Popen[bytes] | None" = None
    claim: Ownership | None = None  # of the folder, while it waits

    @property
    def is_over(self) -> bool:
        return self.state in ENDED

    def leave(self) -> None:
        """Let the job's process, or somebody else, have the folder."""
        if self.claim is not None:
            self.claim.release()
            self.claim = None


class Jobs:
    """The jobs of a server and the run folders beside them."""

    def __init__(self, runs: Path, at_once: int) -> None:
        self.runs, self.at_once = runs, at_once
        self._lock = threading.RLock()
        self._jobs: dict[str, Job] = {}
        self._followers = Followers()
        self._is_open = True

    def take_up(self) -> list[str]:
        """Go on with what an earlier server was doing when it ended; which runs that are."""
        with self._lock:
            for folder in sorted(self._folders(), key=_when):
                try:
                    noted = read_noted(folder)
                    if noted.get("state") in ("waiting", "running") and not is_owned(folder):
                        self._check_room()
                        self._enter(folder, noted["plan"], TAKEN_UP)
                except (NoughtsError, Problem, OSError):  # odd, somebody else's, or too many
                    continue
            return list(self._jobs)

    def start(self, plan: Data) -> Data:
        """Put a checked plan into a new folder, and begin as soon as there is room."""
        with self._lock:
            self._check_room()
            try:
                folder = new_folder(plan["name"], self.runs)
            except OSError as error:
                raise Problem(507, f"{self.runs} cannot be written: {error.strerror}.") from None
            try:
                return self._enter(folder, plan)
            except Problem:
                rmtree(folder, ignore_errors=True)
                raise

    def resume(self, id: str, plan: Data) -> Data:
        """Go on with a run that was stopped."""
        with self._lock:
            self._check_room()
            folder = self.folder(id)
            if self.describe(id)["state"] in ("waiting", "running"):
                raise Problem(409, f"{id} is running already.")
            return self._enter(folder, plan)

    def cancel(self, id: str) -> Data:
        """Stop a run; its folder stays and can go on later."""
        self.folder(id)
        with self._lock:
            job = self._jobs.get(id)
            if job is None or job.is_over:
                raise Problem(409, f"{id} is not running here.")
            self._stop(job)
            self._end(job, "stopped", None)
        return self.describe(id)

    def delete(self, id: str) -> None:
        """Remove a run and everything in its folder."""
        with self._lock:
            folder = self.folder(id)
            if self.describe(id)["state"] in ("waiting", "running"):
                raise Problem(409, f"{id} is running; stop it first.")
            with _claimed(folder):
                self._jobs.pop(id, None)
                self._followers.forget(id)
                try:
                    rmtree(folder)
                except OSError as error:
                    raise Problem(409, f"{id} cannot be deleted: {error.strerror}.") from None

    def close(self) -> None:
        """End every job with this server; what is noted of them lets the next one go on."""
        with self._lock:
            self._is_open = False
            for job in self._jobs.values():
                if not job.is_over:
                    self._stop(job)
                    job.state = "stopped"

    def folder(self, id: str) -> Path:
        """The folder of a run; a Problem when there is none."""
        folder = self.runs / id
        is_name = folder.name == id and not id.startswith(".")
        if not is_name or folder.is_symlink() or not is_run(folder):
            raise Problem(404, f"There is no run '{id}'.")
        return folder

    def listed(self) -> list[Data]:
        """All runs, the newest first."""
        folders = sorted(self._folders(), key=_when, reverse=True)[:MOST_RUNS]
        return [guarded(folder, self._told) for folder in folders]

    def _folders(self) -> list[Path]:
        try:
            return [path for path in self.runs.iterdir() if path.is_dir() and is_run(path)]
        except OSError:
            return []

    def describe(self, id: str, with_partial: bool = False, with_files: bool = False) -> Data:
        """A run for the page."""
        folder = self.folder(id)
        told = guarded(folder, self._told)
        try:
            if with_partial:
                told["partial"] = told_partial(folder, told["state"], self._followers)
            if with_files:
                told["files"] = list_files(folder)
        except Exception as error:  # what is told of it is less, and the page goes on
            return told | odd_row(folder, f"This folder cannot be shown: {type(error).__name__}.")
        return told

    def plan_noted(self, id: str) -> tuple[Data | None, Any]:
        """The plan of a page's run, and the config of any."""
        folder = self.folder(id)
        noted = read_noted(folder)["plan"] if (folder / "job.json").exists() else None
        return noted, read_json(folder / "config.json")

    def _check_room(self) -> None:
        waiting = sum(job.state == "waiting" for job in self._jobs.values())
        if waiting >= MOST_WAITING or not self._is_open:
            raise Problem(
                429, f"{waiting} jobs are waiting; let some end.", headers={"Retry-After": "30"}
            )

    def _enter(self, folder: Path, plan: Data, text: str = STARTING) -> Data:
        job = Job(folder.name, folder, plan, text=text, claim=_claimed(folder))
        try:
            (folder / "result.json").unlink(missing_ok=True)
            self._note(job)
        except (NoughtsError, OSError) as error:
            job.leave()
            raise Problem(507, f"The job cannot be noted: {error}") from None
        self._jobs[job.id] = job
        self._begin_next()
        return self.describe(job.id, with_partial=True, with_files=True)

    def _note(self, job: Job) -> None:
        """Write down what a job is and how it stands."""
        config = read_json(job.folder / "config.json")
        data = {
            "plan": job.plan, "state": job.state, "message": job.message, "done": job.done,
            "total": job.total, "began": job.began, "ended": job.ended,
            IDENTITY: config.get(IDENTITY) if isinstance(config, dict) else None,
        }  # fmt: skip
        with replacing(job.folder / "job.json") as file:
            json.dump(data, file, indent=1)

    def _begin_next(self) -> None:
        running = sum(job.state == "running" for job in self._jobs.values())
        for job in self._jobs.values():
            if running >= self.at_once or not self._is_open:
                return
            if job.state == "waiting":
                self._begin(job)
                running += job.state == "running"

    def _begin(self, job: Job) -> None:
        job.state, job.began = "running", time()
        LOG.info("%s begins: %s", job.id, job.plan["command"])
        with suppress(NoughtsError, OSError):  # as waiting it is taken up again just the same
            self._note(job)
        job.leave()
        try:
            job.process = subprocess.Popen(
                [sys.executable, "-m", "noughts.web.lab.job", str(job.folder)],
                stdin=subprocess.PIPE,  # which closes when this server ends, and the job ends then
                stdout=subprocess.PIPE,
                start_new_session=os.name == "posix",
            )
        except OSError as error:
            self._end(job, "failed", f"The job does not start: {error.strerror}.")
            return
        threading.Thread(target=self._listen, args=(job, job.process), daemon=True).start()

    def _listen(self, job: Job, process: "subprocess.Popen[bytes]") -> None:
        """Take in what a job tells until it ends."""
        assert process.stdout is not None
        assert process.stdin is not None
        for line in process.stdout:
            try:
                told = json.loads(line)
            except ValueError:
                continue
            with self._lock:
                if "done" in told:
                    job.done, job.total, job.text = told["done"], told["total"], told["text"]
                elif "failed" in told and not job.is_over:
                    self._end(job, "failed", told["failed"])
                elif "end" in told and not job.is_over:
                    self._end(job, "done", None)
        process.wait()
        process.stdout.close()
        process.stdin.close()
        with self._lock:
            if not job.is_over:
                self._end(job, "failed", "The job ended unexpectedly; it can be resumed.")
            self._begin_next()

    def _stop(self, job: Job) -> None:
        job.leave()
        if job.process is not None and job.process.poll() is None:
            if os.name == "posix":  # with the processes that it started itself
                with suppress(ProcessLookupError):
                    os.killpg(job.process.pid, signal.SIGKILL)
            else:
                job.process.kill()
            job.process.wait()

    def _end(self, job: Job, state: str, message: str | None) -> None:
        job.state, job.message, job.ended = state, message, time()
        LOG.info("%s is %s after %.1f s. %s", job.id, state, job.ended - job.began, message or "")
        if job.folder.is_dir():
            try:
                self._note(job)
            except (NoughtsError, OSError) as error:  # the disk is full, say; the work is done
                job.message = f"{message or ''} {_UNNOTED}: {error}".strip()

    def _told(self, folder: Path) -> Data:
        with self._lock:  # not while it is noted how a job stands: that may change its message
            job = self._jobs.get(folder.name)
            if job is not None:
                return _told_job(job)
        return told_folder(folder, self._followers)


def _told_job(job: Job) -> Data:
    """A job of this server as a row of the list of runs."""
    plan, now = job.plan, job.ended or time()
    return run_data(
        job.folder, kind=plan["kind"], title=plan["title"], state=job.state, message=job.message,
        done=job.done, total=job.total, text=job.text, seconds=max(now - job.began, 0.0),
        started=stamp(job.began), can_resume=job.state in ("stopped", "failed"),
        options=plan["options"], command=plan["command"], from_page=True,
    )  # fmt: skip


def _claimed(folder: Path) -> Ownership:
    """Be the one who works on a folder; a Problem when somebody else does, or nobody can."""
    try:
        return own(folder)
    except Busy as error:
        raise Problem(409, str(error)) from None
    except OSError as error:
        raise Problem(507, f"{folder} cannot be written: {error.strerror}.") from None


def _when(folder: Path) -> float:
    """When a folder changed; one that goes away meanwhile is the oldest."""
    try:
        return last_change(folder)
    except OSError:
        return 0.0
