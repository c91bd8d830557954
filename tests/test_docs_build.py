"""`make docs` fails on what it should: five defects are planted, and each of them is named.

The build is the Makefile's own line, on a few pages of this test beside the project's conf.py.
"""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
HOME = "# Home\n\n[There](there.md), [its end](there.md#the-end)\n\n```{toctree}\nthere\n```\n"
API = "```{eval-rst}\n.. autofunction:: noughts.game\n.. class:: noughts.Game\n```\n"
THERE = f"# There\n\n## The end\n\n{API}"
DEFECTS = {
    "broken link": ("[nowhere](nowhere.md)", r"cross-reference target not found.*nowhere"),
    "broken anchor": ("[no end](there.md#no-end)", r"local id not found.*no-end"),
    "missing image": ("![gone](figures/gone.svg)", r"image file not readable: figures/gone\.svg"),
    "unknown name": (
        "```{eval-rst}\n.. autofunction:: noughts.unheard_of\n```",
        r"failed to import.*unheard_of",
    ),
    "orphan page": (None, r"orphan\.md: WARNING: document isn't included in any toctree"),
}


def build_command(source: Path, target: Path) -> list[str]:
    """The line of `make docs`, on other folders."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    line = re.findall(r"^\t\$\(BIN\)/(sphinx-build .*)$", makefile, re.MULTILINE)
    assert len(line) == 1, "the Makefile has one line that builds the documentation"
    words = shlex.split(line[0])
    assert words[-2:] == ["docs", "site"]
    assert words[words.index("-d") + 1] == "build/doctrees"
    words[words.index("-d") + 1] = str(target.parent / "doctrees")
    return [sys.executable, "-m", "sphinx", *words[1:-2], str(source), str(target)]


def build(folder: Path, home: str) -> subprocess.CompletedProcess[str]:
    source = folder / "docs"
    shutil.copytree(DOCS / "_static", source / "_static", dirs_exist_ok=True)
    for module in DOCS.glob("*.py"):
        shutil.copy(module, source)
    (source / "index.md").write_text(home, encoding="utf-8")
    (source / "there.md").write_text(THERE, encoding="utf-8")
    command = build_command(source, folder / "site")
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


def test_pages_without_a_defect_are_built(tmp_path: Path) -> None:
    done = build(tmp_path, HOME)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    page = (tmp_path / "site" / "there.html").read_text(encoding="utf-8")
    assert "The game that a spec names" in page  # the function, not a module of its name
    searched = (tmp_path / "site" / "searchindex.js").read_text(encoding="utf-8")
    assert searched.startswith("Search.setIndex(")  # a script: it loads from the disk, too


def test_each_planted_defect_is_caught(tmp_path: Path) -> None:
    planted = [text for text, _ in DEFECTS.values() if text is not None]
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "orphan.md").write_text("# Orphan\n", encoding="utf-8")
    done = build(tmp_path, "\n\n".join([HOME, *planted]))
    assert done.returncode != 0
    missed = [name for name, (_, told) in DEFECTS.items() if not re.search(told, done.stderr)]
    assert not missed, done.stderr


def test_one_defect_is_enough_to_fail(tmp_path: Path) -> None:
    text, told = DEFECTS["broken anchor"]
    done = build(tmp_path, f"{HOME}\n{text}\n")
    assert done.returncode != 0
    assert re.search(told, done.stderr)


def test_a_picture_in_plain_html_must_be_there(tmp_path: Path) -> None:
    done = build(tmp_path, f'{HOME}\n<p>\n<img src="lost.png" alt="lost">\n</p>\n')
    assert done.returncode != 0
    assert "index.html shows lost.png: no such file." in done.stderr


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.stem)
def test_pages_load_nothing_from_elsewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"(src|srcset)=.?https?:|!\[[^\]]*\]\(https?:", text)
