"""Long jobs: each in a process of its own, in a run folder that outlives page, job and server."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree
from time import time
from typing import Any

from noughts.files import replacing
from noughts.report.run import new_folder
from noughts.web.lab.folders import (
    Data,
    LogFollower,
    is_fresh,
    last_change,
    list_files,
    read_json,
    read_tables,
    run_kind,
    run_title,
    run_total,
    stamp,
)
from noughts.web.problems import Problem

MOST_RUNS = 200  # that are listed
MOST_WAITING = 20  # jobs that wait for their turn
MOST_FOLLOWED = 32  # logs that are kept in mind


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
    text: str = "starting"
    began: float = field(default_factory=time)
    ended: float | None = None
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def is_over(self) -> bool:
        return self.state not in ("waiting", "running")


class Jobs:
    """The jobs of a server and the run folders beside them."""

    def __init__(self, runs: Path, at_once: int) -> None:
        self.runs, self.at_once = runs, at_once
        self._lock = threading.RLock()
        self._jobs: dict[str, Job] = {}
        self._followed: OrderedDict[str, LogFollower] = OrderedDict()
        self._is_open = True

    def start(self, plan: Data) -> Data:
        """Put a checked plan into a new folder, and begin as soon as there is room."""
        with self._lock:
            self._check_room()
            folder = new_folder(plan["name"], self.runs)
            return self._enter(folder, plan)

    def resume(self, id: str, plan: Data) -> Data:
        """Go on with a run that was stopped."""
        with self._lock:
            self._check_room()
            folder = self.folder(id)
            if self.describe(id)["state"] in ("waiting", "running"):
                raise Problem(409, f"{id} is running already.")
            (folder / "result.json").unlink(missing_ok=True)
            return self._enter(folder, plan)

    def cancel(self, id: str) -> Data:
        """Stop a run; its folder stays and can go on later."""
        self.folder(id)
        with self._lock:
            job = self._jobs.get(id)
            if job is None or job.is_over:
                raise Problem(409, f"{id} is not running here.")
            self._stop(job)
        return self.describe(id)

    def delete(self, id: str) -> None:
        """Remove a run and everything in its folder."""
        with self._lock:
            folder = self.folder(id)
            if self.describe(id)["state"] in ("waiting", "running"):
                raise Problem(409, f"{id} is running; stop it first.")
            self._jobs.pop(id, None)
            self._followed.pop(id, None)
            rmtree(folder)

    def close(self) -> None:
        """Stop everything; folders can be taken up again."""
        with self._lock:
            self._is_open = False
            for job in self._jobs.values():
                if not job.is_over:
                    self._stop(job)

    def folder(self, id: str) -> Path:
        """The folder of a run; a Problem when there is none."""
        folder = self.runs / id
        is_name = folder.name == id and not id.startswith(".")
        if not is_name or folder.is_symlink() or not self._is_run(folder):
            raise Problem(404, f"There is no run '{id}'.")
        return folder

    def listed(self) -> list[Data]:
        """All runs, the newest first."""
        if not self.runs.is_dir():
            return []
        folders = [path for path in self.runs.iterdir() if path.is_dir() and self._is_run(path)]
        folders.sort(key=last_change, reverse=True)
        return [self.describe(folder.name) for folder in folders[:MOST_RUNS]]

    def describe(self, id: str, with_partial: bool = False, with_files: bool = False) -> Data:
        """A run for the page."""
        folder = self.folder(id)
        told = self._told(folder)
        if with_partial:
            told["partial"] = self._partial(folder, told["state"])
        if with_files:
            told["files"] = list_files(folder)
        return told

    @staticmethod
    def _is_run(folder: Path) -> bool:
        return any((folder / name).is_file() for name in ("config.json", "job.json"))

    def _check_room(self) -> None:
        waiting = sum(job.state == "waiting" for job in self._jobs.values())
        if waiting >= MOST_WAITING or not self._is_open:
            raise Problem(
                429, f"{waiting} jobs are waiting; let some end.", headers={"Retry-After": "30"}
            )

    def _enter(self, folder: Path, plan: Data) -> Data:
        job = Job(folder.name, folder, plan)
        self._jobs[job.id] = job
        self._note(job)
        self._begin_next()
        return self.describe(job.id, with_partial=True, with_files=True)

    def _note(self, job: Job) -> None:
        """Write down what a job is and how it stands."""
        data = {
            "plan": job.plan, "state": job.state, "message": job.message, "done": job.done,
            "total": job.total, "began": job.began, "ended": job.ended,
        }  # fmt: skip
        with replacing(job.folder / "job.json") as file:
            json.dump(data, file, indent=1)

    def _begin_next(self) -> None:
        running = sum(job.state == "running" for job in self._jobs.values())
        for job in self._jobs.values():
            if running >= self.at_once or not self._is_open:
                return
            if job.state == "waiting":
                job.process = subprocess.Popen(
                    [sys.executable, "-m", "noughts.web.lab.job", str(job.folder)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    start_new_session=os.name == "posix",
                )
                job.state, job.began = "running", time()
                running += 1
                threading.Thread(target=self._listen, args=(job, job.process), daemon=True).start()

    def _listen(self, job: Job, process: "subprocess.Popen[bytes]") -> None:
        """Take in what a job tells until it ends."""
        assert process.stdout is not None
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
        with self._lock:
            if not job.is_over:
                self._end(job, "failed", "The job ended unexpectedly; it can be resumed.")
            self._begin_next()

    def _stop(self, job: Job) -> None:
        if job.process is not None and job.process.poll() is None:
            if os.name == "posix":  # with the processes that it started itself
                os.killpg(job.process.pid, signal.SIGKILL)
            else:
                job.process.kill()
            job.process.wait()
        self._end(job, "stopped", None)

    def _end(self, job: Job, state: str, message: str | None) -> None:
        job.state, job.message, job.ended = state, message, time()
        if job.folder.is_dir():
            self._note(job)

    def _told(self, folder: Path) -> Data:
        noted, config = read_json(folder / "job.json"), read_json(folder / "config.json")
        noted = noted if isinstance(noted, dict) and isinstance(noted.get("plan"), dict) else None
        job = self._jobs.get(folder.name)
        if job is not None:
            return self._told_job(folder, job)
        if noted is not None:
            return self._told_noted(folder, noted)
        kind = run_kind(config) or "other"
        follower = self._follower(folder, kind, config or {})
        total = run_total(config or {}, kind)
        is_done = (folder / "report.html").exists() or 0 < total <= follower.done
        state = "done" if is_done else "running" if is_fresh(folder) else "stopped"
        title = folder.name if kind == "other" else run_title(config, kind)
        return _run_data(
            folder, kind=kind, title=title, state=state, done=follower.done, total=total,
            can_resume=state == "stopped" and kind != "other", options=config, from_page=False,
        )  # fmt: skip

    def _told_job(self, folder: Path, job: Job) -> Data:
        plan, now = job.plan, job.ended or time()
        return _run_data(
            folder, kind=plan["kind"], title=plan["title"], state=job.state, message=job.message,
            done=job.done, total=job.total, text=job.text, seconds=max(now - job.began, 0.0),
            started=stamp(job.began), can_resume=job.state in ("stopped", "failed"),
            options=plan["options"], command=plan["command"], from_page=True,
        )  # fmt: skip

    def _told_noted(self, folder: Path, noted: Data) -> Data:
        """A job of an earlier server: what was running then has been stopped since."""
        plan, state = noted["plan"], noted.get("state")
        state = state if state in ("done", "failed", "stopped") else "stopped"
        began, ended = noted.get("began"), noted.get("ended")
        return _run_data(
            folder, kind=plan.get("kind"), title=plan.get("title"), state=state,
            message=noted.get("message"), done=noted.get("done", 0), total=noted.get("total", 0),
            seconds=max(ended - began, 0.0) if began and ended else None,
            started=stamp(began) if began else None, can_resume=state != "done",
            options=plan.get("options"), command=plan.get("command"), from_page=True,
        )  # fmt: skip

    def plan_noted(self, id: str) -> tuple[Data | None, Any]:
        """The plan of a page's run, and the config of any."""
        folder = self.folder(id)
        noted = read_json(folder / "job.json")
        plan = noted.get("plan") if isinstance(noted, dict) else None
        return plan, read_json(folder / "config.json")

    def _partial(self, folder: Path, state: str) -> Data:
        config = read_json(folder / "config.json")
        kind = run_kind(config)
        found: Data = {}
        if kind is not None:
            found = self._follower(folder, kind, config).partial()
        if state != "running":
            tables = read_tables(folder)
            found |= {"tables": tables} if tables else {}
            result = read_json(folder / "result.json")
            if isinstance(result, dict):
                found |= {key: result[key] for key in ("answers", "facts") if key in result}
        return found

    def _follower(self, folder: Path, kind: str, config: Any) -> LogFollower:
        with self._lock:
            found = self._followed.pop(folder.name, None)
            if found is None or found.kind != kind or found.config != config:
                found = LogFollower(folder, kind, config)
            self._followed[folder.name] = found
            while len(self._followed) > MOST_FOLLOWED:
                self._followed.popitem(last=False)
            found.follow()
            return found


def _run_data(folder: Path, **known: Any) -> Data:
    """A Run with all its keys."""
    changed = stamp(last_change(folder))
    data: Data = {
        "id": folder.name, "kind": "other", "title": folder.name, "state": "stopped",
        "message": None, "done": 0, "total": 0, "text": "", "seconds": None, "started": None,
        "changed": changed, "from_page": False, "can_resume": False, "options": {}, "command": None,
    }  # fmt: skip
    return data | known
