"""What the server's processes tell whoever runs them."""

import logging
from pathlib import Path

import pytest

from noughts.web import logs
from noughts.web.lab.jobs import Job, Jobs
from noughts.web.work.tasks import TASKS
from noughts.web.work.worker import answer


def test_a_task_that_fails_is_logged_with_its_traceback(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(workshop: object, data: object) -> dict[str, object]:
        raise ZeroDivisionError("of its own making")

    monkeypatch.setitem(TASKS, "move", fail)
    with caplog.at_level(logging.INFO, "noughts"):
        status, told = answer(None, "move", b"{}")  # type: ignore[arg-type]
    assert status == 422
    assert b"ZeroDivisionError: of its own making" in told
    assert "move has failed." in caplog.text
    assert "in fail" in caplog.text


def test_the_end_of_a_job_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    job = Job("match-1", tmp_path / "gone", {"command": "noughts match 3x3 random random"})
    with caplog.at_level(logging.INFO, "noughts"):
        Jobs(tmp_path, 1)._end(job, "failed", "It went wrong.")
    assert "match-1 is failed after" in caplog.text
    assert "It went wrong." in caplog.text


@pytest.mark.parametrize(("level", "is_set"), [("info", True), ("loud", False), ("", False)])
def test_only_a_level_that_exists_is_set(
    level: str, is_set: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setenv(logs.VARIABLE, level)
    monkeypatch.setattr(logging, "basicConfig", lambda **options: asked.append(options["level"]))
    logs.start_logging()
    assert asked == ([level.upper()] if is_set else [])
