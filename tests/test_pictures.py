"""README and home page say and show what the program says and shows.

Boards are drawn again and compared byte for byte. The numbers of the README are written again from
what its commands print: here and now where that takes seconds, else from the output that
`make pictures` stored beside the pictures. Nothing is timed.
"""

import re
import shlex
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image

import noughts
from noughts.cli import main

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
README = (ROOT / "README.md").read_text(encoding="utf-8")
SCHEMES = ("light", "dark")


def load(name: str) -> ModuleType:
    """A script of docs/pictures."""
    spec = spec_from_file_location(f"picture_of_{name}", PICTURES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    sys.path.insert(0, str(PICTURES))  # scripts import each other
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(PICTURES))
    return module


boards, readme = load("boards"), load("readme")


@pytest.fixture
def output(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What a command prints: now, or when it was last stored."""
    known: dict[str, str] = {}

    def run(command: str, *, anew: bool = False) -> str:
        if command in readme.LONG and not anew:
            return readme.stored(command)
        if command not in known:
            monkeypatch.chdir(tmp_path)
            capsys.readouterr()
            assert main(shlex.split(command)[1:]) == 0, command
            known[command] = capsys.readouterr().out
        return known[command]

    return run


@pytest.mark.parametrize("name", boards.BOARDS)
def test_boards_are_drawn_as_they_were(name: str) -> None:
    for file, drawing in boards.drawn(name).items():
        assert (PICTURES / file).read_text(encoding="utf-8") == drawing, (
            f"{file} is not what the program draws; make pictures PARTS=boards"
        )


def test_a_drawing_at_night_has_no_colour_of_the_day_left() -> None:
    for file in PICTURES.glob("*-dark.svg"):
        left = set(re.findall(r"#[0-9a-f]{6}\b", file.read_text(encoding="utf-8")))
        assert not left & set(boards.NIGHT), file.name


def test_the_numbers_of_the_readme_are_those_of_its_commands(output) -> None:
    assert readme.filled(README, output) == README, "make pictures PARTS=readme"


@pytest.mark.slow
def test_the_proof_is_still_what_was_stored(output) -> None:
    def without_seconds(text: str) -> str:
        return re.sub(r"in [\d.]+ s", "", text)

    again = output(readme.CHECK, anew=True)
    assert without_seconds(again) == without_seconds(readme.stored(readme.CHECK))


@pytest.mark.slow
def test_the_curve_is_still_what_was_stored(output, tmp_path: Path) -> None:
    again = output(f"{readme.CURVE} --out run")
    kept = [line for line in again.splitlines() if "report.html" not in line]
    assert "\n".join(kept).split() == readme.stored(readme.CURVE).split()
    day = (tmp_path / "run" / "figures" / "classic.svg").read_text(encoding="utf-8")
    shown = {scheme: f"danger-{scheme}.svg" for scheme in SCHEMES}
    assert (PICTURES / shown["light"]).read_text(encoding="utf-8") == day
    assert (PICTURES / shown["dark"]).read_text(encoding="utf-8") == boards.at_night(day)


def test_other_numbers_do_not_hide_in_the_readme() -> None:
    rest = re.sub(
        r"<!-- (\w+) -->.*?<!-- end \1 -->|```.*?```|<[^>]+>", "", README, flags=re.DOTALL
    )
    rest = re.sub(r"\d(×\d)+", "", rest)  # names of boards
    assert set(re.findall(r"\d[\d.,]*\d|\d", rest)) == {"3.11", "45", noughts.__version__}


def test_what_the_readme_shows_is_there_in_light_and_dark() -> None:
    shown = re.findall(r'(?:src|srcset)="([^"]+)"', README)
    assert len(shown) == 2 * len(set(re.findall(r"pictures/([\w-]+)-(?:light|dark)", README)))
    assert all((ROOT / path).is_file() for path in shown)
    assert len(re.findall(r'height="140"', README)) == 6  # the strip


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_animation_is_short_and_small(scheme: str) -> None:
    path = PICTURES / f"game-{scheme}.gif"
    assert path.stat().st_size < 1_000_000
    with Image.open(path) as film:
        seconds = []
        for frame in range(film.n_frames):
            film.seek(frame)
            seconds.append(film.info["duration"] / 1000)
    assert len(seconds) >= 6
    assert sum(seconds) < 30


def test_the_animated_game_is_a_game() -> None:
    page = load("page")
    position = noughts.game(page.GAME).start()
    for cell, mark in page.MOVES:
        position = position.play(cell, noughts.Landing(mark))
    assert position.result == "X"


def test_the_readme_says_what_it_is_in_a_sentence_of_twenty_words() -> None:
    sentence = re.findall(r"^\*\*(.+?)\*\*$", README, re.MULTILINE)[0]
    assert len(sentence.split()) <= 20


def test_the_version_is_the_same_everywhere() -> None:
    version = re.escape(noughts.__version__)
    assert re.search(rf"version {version}\.$", README, re.MULTILINE)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(rf"^version: {version}$", citation, re.MULTILINE)
    dated = re.findall(r"^date-released: (\S+)$", citation, re.MULTILINE)
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(rf"^## {version}, (\S+)$", changelog, re.MULTILINE) == dated


@pytest.mark.parametrize(("games", "value"), [(200, "-0.2"), (2_000, "+0.2")])
def test_the_lesson_tells_what_the_table_learned(output, games: int, value: str) -> None:
    lesson = (ROOT / "docs" / "teach.md").read_text(encoding="utf-8")
    spec = "3x3:flip=0/0/0/0/0.2/0/0/0/0"
    told = output(f"noughts train {spec} table --games {games} --seed 1 --out pupil")
    share = re.findall(r"([\d.]+%) of choices optimal", told)[0]
    odds = output(f"noughts odds {spec} --x table:run=pupil --o optimal")
    assert float(re.findall(r"value +(\S+) for X", odds)[0]) == pytest.approx(float(value))
    assert f"| {games:,} | {share} | {value} |" in lesson


def test_the_drawing_of_the_house_is_what_its_script_draws() -> None:
    house = load("house")
    assert house.DRAWING.read_text(encoding="utf-8") == house.house()
