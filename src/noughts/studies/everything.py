"""Every study, one after the other, and one page that leads to all of their reports."""

import time
from pathlib import Path

from noughts.files import replacing
from noughts.report import Answer, Block, Heading, Link, Progress, Report, Table, Text
from noughts.studies.registry import StudyListing, listed_studies
from noughts.studies.running import run_study, study_parameters


def run_all_studies(
    is_quick: bool, folder: Path, progress: Progress | None = None, adopt: bool = False
) -> Path:
    """Run each study into a folder of its own below `folder`; the page that leads to them.

    What is finished is not done again, so a run that was stopped goes on.
    """
    blocks: list[Block] = []
    rows: list[tuple[str, float]] = []
    for listing in listed_studies():
        if listing.fault:  # of another package, and `noughts study` lists what is wrong with it
            continue
        began = time.perf_counter()
        report = _run_one(listing, is_quick, folder, progress, adopt)
        rows.append((listing.name, round(time.perf_counter() - began, 1)))
        blocks += _summary(listing, report)
    spent = Table("seconds", ("study", "seconds"), rows, caption="Seconds in this run.")
    page = Report(
        "Every study",
        "What each experiment found, and the way to its own report with all tables and figures.",
        [*blocks, Heading("Time"), spent],
        {"command": f"noughts study all{' --quick' if is_quick else ''}"},
    )
    path = folder / "report.html"
    with replacing(path) as file:
        file.write(page.to_html())
    return path


def _run_one(
    listing: StudyListing, is_quick: bool, folder: Path, progress: Progress | None, adopt: bool
) -> Report:
    def named(done: int, total: int, text: str) -> None:
        if progress is not None:
            progress(done, total, f"{listing.name} {text}".strip())

    parameters = study_parameters(listing.name, is_quick)
    _, report = run_study(listing.name, parameters, folder / listing.name, named, adopt)
    return report


def _summary(listing: StudyListing, report: Report) -> list[Block]:
    answers = [Answer(text) for text in report.answers]
    figures = report.figures[:1]
    link = Link(f"{report.title}: the whole report", f"{listing.name}/report.html")
    return [Heading(report.title), Text(report.lead), *answers, *figures, link]
