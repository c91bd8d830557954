"""Every code block of the documentation runs; commands that take minutes are read by the parser.

A page's Python blocks share one namespace, from top to bottom. In `sh` blocks each `noughts` line
is run unless its comment says "takes minutes"; in `console` blocks what it prints is compared.
Commands elsewhere, in sentences and tables too, are read only: by the parser, and by the study or
the learner that they name.
"""

import re
import shlex
import textwrap
import tomllib
from pathlib import Path

import pytest

import noughts
from noughts.agents import BUILT_IN
from noughts.cli import build_parser, main
from noughts.commands import COMMANDS
from noughts.commands.work.study import ALL, _study_parser
from noughts.learn.frame.registry import learner as read_learner
from noughts.learn.frame.registry import listed_learners
from noughts.report import Figure

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^(?:    |\$ |)(noughts [a-z].*)$", re.MULTILINE)
INLINE = re.compile(r"(?<!`)`(noughts [a-z][^`]*)`(?!`)")
PLACEHOLDER = re.compile(r"…|\b[A-Z]{4,}\b|\b[NG]\b")  # such as SPEC, GAME and N
NAMES = {command.__name__.rpartition(".")[2] for command in COMMANDS}


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path, language: str) -> list[str]:
    found = FENCE.findall(page.read_text(encoding="utf-8"))
    return [textwrap.dedent(body) for _, kind, body in found if kind == language]


def words(line: str) -> list[str]:
    return shlex.split(line, comments=True)[1:]


@pytest.fixture
def plain_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing is most of the time of a short command, and is tested where figures are."""

    def plain(name: str, caption: str, *rest: object, **more: object) -> Figure:
        return Figure(name, caption, "<svg></svg>", b"png")

    for module in ("noughts.arena.figures", "noughts.learn.frame.report"):
        monkeypatch.setattr(f"{module}.draw_figure", plain)


@pytest.fixture
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


with_python = [page for page in PAGES if blocks(page, "python")]
with_shell = [page for page in PAGES if blocks(page, "sh")]


@pytest.mark.parametrize("page", with_python, ids=name)
def test_python_blocks_run(page: Path, empty_folder: Path) -> None:
    namespace: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page, "python"):
        exec(compile(block, name(page), "exec"), namespace)


@pytest.mark.parametrize("page", with_shell, ids=name)
def test_commands_run(page: Path, empty_folder: Path, plain_figures: None) -> None:
    for line in "\n".join(blocks(page, "sh")).splitlines():
        if line.startswith("noughts ") and "takes minutes" not in line:
            assert main(words(line)) == 0, line


def commands_of(page: Path) -> list[str]:
    """The commands of a page: lines that begin with one, and those in sentences and tables."""
    text = page.read_text(encoding="utf-8")
    inside = [" ".join(found.split()) for found in INLINE.findall(FENCE.sub("", text))]
    found = [*COMMAND.findall(text), *inside]
    return [line for line in found if not PLACEHOLDER.search(line.partition("#")[0])]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_command_on_a_page_is_one_that_exists(page: Path) -> None:
    for line in commands_of(page):
        command, *rest = words(line)
        if not rest:  # it is spoken of, not called
            assert command in NAMES
            continue
        given = build_parser().parse_args([command, *rest])
        if command == "study" and given.name not in (None, ALL):
            _study_parser(given.name).parse_args(given.rest)
        if command == "train" and given.learner is not None:
            read_learner(given.learner).check_game(noughts.game(given.game))


def test_the_commands_page_shows_what_bad_input_gets(capsys: pytest.CaptureFixture[str]) -> None:
    page = ROOT / "docs" / "commands.md"
    shown = [block for block in blocks(page, "") if block.startswith("$ ")]
    for block in shown:
        command, *answer = block.splitlines()
        assert main(words(command.removeprefix("$ "))) == 2
        assert capsys.readouterr().err.splitlines() == answer
    assert shown


with_answers = [page for page in PAGES if blocks(page, "console")]


@pytest.mark.parametrize("page", with_answers, ids=name)
def test_commands_print_what_pages_say(
    page: Path, empty_folder: Path, plain_figures: None, capsys: pytest.CaptureFixture[str]
) -> None:
    """In `console` blocks each line below a command begins a line that the command prints."""
    for block in blocks(page, "console"):
        printed: list[str] = []
        for line in block.splitlines():
            if line.startswith("$ "):
                assert main(words(line.removeprefix("$ "))) == 0, line
                printed = capsys.readouterr().out.splitlines()
            else:
                assert any(found.startswith(line) for found in printed), (line, printed)


def test_the_reference_names_everything_public() -> None:
    told = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    named = re.findall(r"^\.\. auto\w+:: noughts\.(\w+)$", told, re.MULTILINE)
    assert [public for public in noughts.__all__ if public not in named] == []


def test_there_is_something_to_run() -> None:
    assert len(with_python) >= 8
    assert len(with_shell) >= 8


@pytest.mark.parametrize("agent", [listing.name for listing in BUILT_IN])
def test_every_agent_has_a_page_with_its_options(agent: str) -> None:
    pages = [page for page in PAGES if page.stem == agent]
    assert any(f"{{{{ options {agent} }}}}" in page.read_text(encoding="utf-8") for page in pages)


@pytest.mark.parametrize("learner", [listing.name for listing in listed_learners()])
def test_every_learner_has_a_page_with_its_options(learner: str) -> None:
    pages = [page for page in PAGES if page.stem == learner]
    call = f"{{{{ training {learner} }}}}"
    assert any(call in page.read_text(encoding="utf-8") for page in pages)


def test_the_drawing_of_the_house_has_the_layers_that_are_checked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    checked = [part.strip() for layer in layers for part in layer.split("|")]
    drawing = (ROOT / "docs" / "figures" / "house.svg").read_text(encoding="utf-8")
    drawn = re.findall(r'class="ink name"[^>]*>(\w+)<', drawing)
    assert [f"noughts.{name}" for name in drawn] == checked
