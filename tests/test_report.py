"""What a run leaves behind: tables, figures, the page, and a log that can be gone on with."""

import csv
import io
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import openpyxl
import pytest
from pyarrow import parquet

from noughts import NoughtsError, ParseError
from noughts.commands.terminal.progress import Bar, progress_bar
from noughts.report import (
    Answer,
    Heading,
    Report,
    Run,
    Table,
    Text,
    Unit,
    draw_figure,
    new_folder,
    unit_seed,
)
from noughts.report.workbook import excel_format

TABLE = Table(
    "odds",
    ["world", "X wins", "games", "inside", "note"],
    [["classic", 0.1 + 0.2, 12_345, True, None], ["blind & <co>", -1e-9, 7, False, "a,b"]],
    {"X wins": "+.2f", "games": ","},
    "Who `wins` **most**.",
)


def draw_line(canvas: object) -> None:
    axes = canvas.subplots()  # type: ignore[attr-defined]
    axes.plot([0, 1, 2], [3, 1, 2], label="a curve")
    axes.set_title("A title")
    axes.legend()


def test_csv_keeps_every_bit() -> None:
    rows = list(csv.reader(io.StringIO(TABLE.to_csv())))
    assert rows[0] == list(TABLE.columns)
    assert float(rows[1][1]) == 0.1 + 0.2
    assert rows[2][4] == "a,b"
    assert rows[1][4] == ""


def test_text_aligns_numbers_to_the_right() -> None:
    assert TABLE.to_text().splitlines() == [
        "world         X wins   games  inside  note",
        "────────────  ──────  ──────  ──────  ────",
        "classic        +0.30  12,345  yes",
        "blind & <co>    0.00       7  no      a,b",
    ]


def test_xlsx_is_formatted_and_frozen() -> None:
    sheet = openpyxl.load_workbook(io.BytesIO(TABLE.to_xlsx())).active
    assert sheet.title == "odds"
    assert [cell.value for cell in sheet[1]] == list(TABLE.columns)
    assert sheet["A1"].font.bold
    assert sheet.freeze_panes == "A2"
    assert sheet["B2"].value == pytest.approx(0.3, abs=1e-15)
    assert sheet["B2"].number_format == "+0.00;-0.00;0.00"
    assert sheet["C2"].value == 12_345
    assert sheet["C2"].number_format == "#,##0"
    assert sheet["E2"].value is None
    assert TABLE.to_xlsx() == TABLE.to_xlsx()


@pytest.mark.parametrize(
    ("spec", "expected"),
    [("", "General"), (".6g", "General"), (".1%", "0.0%"), (",.2f", "#,##0.00"), (".0f", "0")],
)
def test_excel_formats(spec: str, expected: str) -> None:
    assert excel_format(spec) == expected


def test_parquet_keeps_types() -> None:
    columns = parquet.read_table(io.BytesIO(TABLE.to_parquet())).to_pydict()
    assert columns["X wins"] == [0.1 + 0.2, -1e-9]
    assert columns["games"] == [12_345, 7]
    assert columns["note"] == [None, "a,b"]


def test_rows_and_formats_must_fit() -> None:
    with pytest.raises(NoughtsError, match="1 cells for 2 columns"):
        Table("bad", ["a", "b"], [[1]])
    with pytest.raises(NoughtsError, match="no column c"):
        Table("bad", ["a"], [[1]], {"c": ".2f"})


def test_figures_are_the_same_every_time() -> None:
    one, two = (draw_figure("line", "A line.", draw_line) for _ in range(2))
    assert one == two
    assert one.png.startswith(b"\x89PNG")
    assert ">A title<" in one.svg  # text stays text
    assert "dc:date" not in one.svg


class Reader(HTMLParser):
    """Collects what a page would fetch, its ids and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            is_link = name in ("src", "href", "xlink:href", "srcset")
            if is_link and not re.match("#|data:", value or ""):
                self.fetched.append(f"{tag} {value}")

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def make_report() -> Report:
    figures = [draw_figure(name, f"Figure {name}.", draw_line) for name in ("one", "two")]
    blocks = [Answer("It is **so**."), TABLE, Heading("More"), Text("See `x < y`."), *figures]
    return Report("A & B", "What we found.", blocks, {"command": "noughts study x"})


def test_the_page_holds_everything_and_fetches_nothing() -> None:
    page = make_report().to_html()
    reader = Reader()
    reader.feed(page)
    assert reader.fetched == []
    assert "script" not in reader.tags
    assert "@import" not in page
    assert not re.search(r"url\((?!#)", page)
    assert reader.tags.count("svg") == 2
    assert len(reader.ids) == len(set(reader.ids))
    text = " ".join(reader.words)
    for words in ("A & B", "blind & <co>", "+0.30", "x < y", "noughts study x", "Figure two."):
        assert words in text
    assert "<strong>so</strong>" in page


def counted(calls: list[int], number: int) -> Callable[[], dict[str, float]]:
    def work() -> dict[str, float]:
        calls.append(number)
        return {"root": number**0.5}

    return work


def test_a_killed_run_goes_on_with_what_is_left(tmp_path: Path) -> None:
    calls: list[int] = []
    units = [Unit(f"unit {i}", counted(calls, i)) for i in range(4)]

    def stop_before_three(done: int, total: int, text: str) -> None:
        if text == "unit 2":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Run(tmp_path, {"a": 1}).results(units, stop_before_three)
    assert calls == [0, 1]
    log = tmp_path / "log.jsonl"
    assert [json.loads(line)["unit"] for line in log.read_text().splitlines()] == [
        "unit 0",
        "unit 1",
    ]
    with log.open("a") as file:
        file.write('{"unit": "unit 2", "resu')  # the machine went down while this was written
    seen: list[tuple[int, int]] = []
    run = Run(tmp_path, {"a": 1})
    assert run.finished == 2
    results = run.results(units, lambda done, total, text: seen.append((done, total)))
    assert calls == [0, 1, 2, 3]
    assert seen == [(2, 4), (3, 4), (4, 4)]
    assert results == {f"unit {i}": {"root": i**0.5} for i in range(4)}
    assert Run(tmp_path, {"a": 1}).results(units) == results
    assert calls == [0, 1, 2, 3]


def test_a_run_folder_takes_no_other_question(tmp_path: Path) -> None:
    Run(tmp_path, {"seed": 1})
    with pytest.raises(NoughtsError, match="another config: seed is 1 there and 2 here"):
        Run(tmp_path, {"seed": 2})
    with pytest.raises(NoughtsError, match="games is not given there and 3 here"):
        Run(tmp_path, {"seed": 1, "games": 3})
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(ParseError, match="not a config"):
        Run(tmp_path, {"seed": 1})


def test_a_foreign_log_is_refused(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text('{"unit": "a", "result": 1}\nhello\n')
    with pytest.raises(ParseError, match="Line 2"):
        Run(tmp_path, {})


def test_a_file_is_no_run_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NoughtsError, match="cannot be a run folder"):
        Run(tmp_path / "file", {})


def test_everything_is_written(tmp_path: Path) -> None:
    Run(tmp_path, {}).write(make_report())
    written = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("[!.]*.*"))
    assert written == sorted(
        ["config.json", "report.html"]
        + [f"tables/odds.{kind}" for kind in ("csv", "parquet", "xlsx")]
        + [f"figures/{name}.{kind}" for name in ("one", "two") for kind in ("svg", "png")]
    )
    assert (tmp_path / "tables/odds.csv").read_text() == TABLE.to_csv()


def test_folders_are_numbered_upwards(tmp_path: Path) -> None:
    for name in ("study-2", "study-x", "other-9"):
        (tmp_path / name).mkdir()
    assert new_folder("study", tmp_path) == tmp_path / "study-3"
    assert new_folder("study", tmp_path) == tmp_path / "study-4"


def test_unit_seeds_differ_and_repeat() -> None:
    seeds = [unit_seed(seed, index) for seed in (1, 2) for index in range(50)]
    assert len(set(seeds)) == 100
    assert seeds == [unit_seed(seed, index) for seed in (1, 2) for index in range(50)]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar_is_silent_when_nobody_looks() -> None:
    stream = io.StringIO()
    with progress_bar(stream) as bar:
        bar(1, 2, "half")
    assert stream.getvalue() == ""


def test_the_bar_shows_share_and_time_and_clears_itself() -> None:
    stream = Terminal()
    with progress_bar(stream) as bar:
        bar(0, 4, "first")
        bar(4, 4, "last")
    assert "100%" in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[K")
    bar = Bar(Terminal())
    bar(10, 100, "resumed")
    assert "1:20 left" in bar.line(20, 100, "", 10.0)  # ten more took ten seconds, eighty are left
    assert bar.line(20, 100, "", 10.0).count("█") == 5
    assert bar.line(3, 0, "sweep 3", 65.0) == "1:05  sweep 3"
