"""`noughts study all`: one folder per study, and a page that leads to each report."""

from importlib import import_module
from pathlib import Path

import pytest

from noughts.cli import main

registry = import_module("noughts.studies.study")  # the package has a function of that name


def test_every_study_has_a_report_that_the_page_leads_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    two = {name: registry.STUDIES[name] for name in ("classic-in-danger", "seven-worlds")}
    monkeypatch.setattr(registry, "STUDIES", two)
    assert main(["study", "all", "--quick", "--out", str(tmp_path / "all")]) == 0
    page = Path(capsys.readouterr().out.strip())
    text = page.read_text(encoding="utf-8")
    for name in two:
        assert f'href="{name}/report.html"' in text
        assert (page.parent / name / "report.html").exists()


def test_what_is_finished_is_not_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = {"seven-worlds": registry.STUDIES["seven-worlds"]}
    monkeypatch.setattr(registry, "STUDIES", one)
    arguments = ["study", "all", "--quick", "--out", str(tmp_path / "all")]
    assert main(arguments) == 0
    log = tmp_path / "all" / "seven-worlds" / "log.jsonl"
    before = log.read_bytes()
    assert main(arguments) == 0
    assert log.read_bytes() == before
