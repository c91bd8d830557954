"""Every code block of the documentation runs; commands that take minutes are read by the parser.

A page's Python blocks share one namespace, from top to bottom. In `sh` blocks each `noughts` line
is run unless its comment says "takes minutes". Commands elsewhere on a page are read only.
"""

import re
import shlex
import textwrap
import tomllib
from pathlib import Path

import pytest

from noughts.agents import BUILT_IN
from noughts.cli import build_parser, main
from noughts.learn.registry import listed_learners

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^(?:    |\$ |)(noughts [a-z].*)$", re.MULTILINE)


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path, language: str) -> list[str]:
    found = FENCE.findall(page.read_text(encoding="utf-8"))
    return [textwrap.dedent(body) for _, kind, body in found if kind == language]


def words(line: str) -> list[str]:
    return shlex.split(line, comments=True)[1:]


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
def test_commands_run(page: Path, empty_folder: Path) -> None:
    for line in "\n".join(blocks(page, "sh")).splitlines():
        if line.startswith("noughts ") and "takes minutes" not in line:
            assert main(words(line)) == 0, line


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_command_on_a_page_is_one_that_exists(page: Path) -> None:
    for line in COMMAND.findall(page.read_text(encoding="utf-8")):
        if "…" not in line and "NAME" not in line:
            build_parser().parse_args(words(line))


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
