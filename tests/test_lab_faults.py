"""The Lab where things go wrong: killed servers, odd folders, a full disk, links, clocks, swaps."""

import errno
import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from web_server import wait_until

import noughts
from noughts.owning import is_owned, own
from noughts.report.log import read_log
from noughts.web.lab import job as lab_job
from noughts.web.lab.jobs import Jobs
from noughts.web.lab.models import RunsAnswer
from noughts.web.problems import Problem
from noughts.web.work import worker

SERVER = """
import json, sys
from pathlib import Path
from noughts.web.lab import job as lab_job
from noughts.web.lab.jobs import Jobs
jobs = Jobs(Path(sys.argv[1]), at_once=1)
jobs.start(json.loads(sys.argv[2]))
sys.stdin.read()
"""


def long_match(games: int, seed: int = 1) -> dict[str, Any]:
    options = {"game": "3x3", "first": "random", "second": "random", "games": games, "seed": seed}
    options |= {"openings": None, "move_time": None, "jobs": 1}
    return {"kind": "match", "name": "match", "title": "", "command": "", "options": options}


def is_over(jobs: Jobs, id: str) -> bool:
    return jobs.describe(id)["state"] not in ("waiting", "running")


def test_a_job_ends_with_a_server_that_is_killed(tmp_path: Path) -> None:
    folder, games = tmp_path / "match-1", 3000
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, str(tmp_path), json.dumps(long_match(games))],
        stdin=subprocess.PIPE,
    ) as server:
        wait_until((folder / "log.jsonl").exists)
        assert is_owned(folder)
        server.kill()
    wait_until(lambda: not is_owned(folder))
    jobs = Jobs(tmp_path, at_once=1)
    assert jobs.take_up() == ["match-1"]
    wait_until(lambda: is_over(jobs, "match-1"))
    assert jobs.describe("match-1")["state"] == "done"
    units = [line["unit"] for line in read_log(folder / "log.jsonl")]
    assert units == [f"0.{index}" for index in range(games)]


def test_every_odd_folder_is_one_row(tmp_path: Path) -> None:
    """Whatever lies among the runs, the list is whole, and each row says what is wrong."""
    deep = "[" * 100_000 + "]" * 100_000
    texts = {
        "empty-plan": {"job.json": '{"plan": {}}'},
        "deep": {"config.json": deep},
        "deep-job": {"job.json": deep},
        "infinite": {"config.json": '{"match": "3x3", "games": Infinity, "agents": [1e999]}'},
        "no-agents": {"config.json": '{"tournament": 7, "agents": {}}', "log.jsonl": '{"a": 1}'},
        "lines": {"config.json": '{"match": "3x3"}', "log.jsonl": '{"result": {"pairing": 1e999}}'},
        ".trash": {"config.json": "{}"},
        os.fsdecode(b"not-utf-8-\xff"): {"config.json": '{"match": "3x3"}'},
        "good": {"config.json": '{"match": "3x3", "agents": ["random", "fixed"], "games": 2}'},
    }
    for name, files in texts.items():
        (tmp_path / name).mkdir()
        for file, text in files.items():
            (tmp_path / name / file).write_text(text + "\n")
    (tmp_path / "link").symlink_to(tmp_path / "good", target_is_directory=True)
    jobs = Jobs(tmp_path, at_once=1)
    assert jobs.take_up() == []
    told = RunsAnswer.model_validate({"runs": jobs.listed()}).model_dump()["runs"]
    rows = {row["id"]: row for row in told}
    json.dumps(rows, allow_nan=False).encode()
    assert len(rows) == 10
    for name in ("empty-plan", "deep", "deep-job", ".trash", "link"):
        assert rows[name]["state"] == "failed", name
        assert rows[name]["message"].startswith("This folder cannot be shown: ")
    assert (rows["good"]["state"], rows["good"]["title"]) == ("stopped", "random – fixed on 3x3")
    assert rows["not-utf-8-?"]["title"]
    for name in texts:
        if not name.startswith(".") and name.isascii():
            json.dumps(jobs.describe(name, True, True), allow_nan=False)


def test_a_full_disk_starts_no_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = Jobs(tmp_path, at_once=1)

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", refuse)
        with pytest.raises(Problem, match="No space left") as refused:
            jobs.start(long_match(5))
        assert (refused.value.status, list(tmp_path.iterdir())) == (507, [])
        assert jobs.listed() == []
    here, sync = threading.get_ident(), os.fsync

    def refuse_elsewhere(file: int) -> None:
        if threading.get_ident() == here:
            sync(file)
        else:
            refuse()

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", refuse_elsewhere)  # it ends, and its listener cannot note that
        id = jobs.start(long_match(5))["id"]
        wait_until(lambda: is_over(jobs, id))
        told = jobs.describe(id)
    assert told["state"] == "done"
    assert "could not be noted" in told["message"]
    process = jobs._jobs[id].process
    assert process is not None
    wait_until(lambda: process.returncode is not None)  # its listener lives, and buries it


def test_a_link_in_a_run_folder_shows_nothing_from_outside(tmp_path: Path) -> None:
    folder, secret = tmp_path / "runs" / "match-1", tmp_path / "secret.csv"
    secret.write_text("a,b\n1,2\n")
    noughts.match("3x3", "random", "fixed", games=2, folder=folder)
    (folder / "tables").mkdir()
    (folder / "tables" / "secret.csv").symlink_to(secret)
    told = Jobs(tmp_path / "runs", at_once=1).describe("match-1", True, True)
    assert "tables" not in told["partial"]
    assert all("secret" not in file["path"] for file in told["files"])


def test_a_log_from_the_future_is_not_running(tmp_path: Path) -> None:
    folder = tmp_path / "match-1"
    noughts.match("3x3", "random", "fixed", games=2, folder=folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"games": 9}))
    os.utime(folder / "log.jsonl", (4e9, 4e9))
    assert Jobs(tmp_path, at_once=1).describe("match-1")["state"] == "stopped"
    with own(folder):
        assert Jobs(tmp_path, at_once=1).describe("match-1")["state"] == "running"


def test_what_another_run_left_is_not_shown(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path, at_once=2)
    first, second = (jobs.start(long_match(4, seed))["id"] for seed in (1, 2))
    wait_until(lambda: is_over(jobs, first) and is_over(jobs, second))
    assert jobs.describe(second, True)["partial"]["answers"]
    for name in ("result.json", "log.jsonl", "job.json"):
        (tmp_path / second / name).write_bytes((tmp_path / first / name).read_bytes())
    told = Jobs(tmp_path, at_once=1).describe(second, True)
    assert "two different runs" in told["message"]
    assert not {"answers", "pairs"} & set(told["partial"])


def test_a_fault_of_ours_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The page is told in a sentence; the traceback is for whoever runs the server."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError("of ours")

    (tmp_path / "job.json").write_text(json.dumps({"plan": long_match(2)}))
    monkeypatch.setattr(lab_job, "carry_out", fail)
    lines = io.StringIO()
    assert lab_job.work(tmp_path, lines) == 1
    monkeypatch.setitem(worker.TASKS, "move", fail)
    status, told = worker.answer(worker.Workshop(tmp_path), "move", b"{}")
    assert (status, lines.getvalue()) == (422, "")
    assert json.loads(told)["detail"] == "The engine failed: ZeroDivisionError: of ours"
    levels = [(record.levelname, record.exc_info is not None) for record in caplog.records]
    assert levels == [("ERROR", True), ("ERROR", True)]
