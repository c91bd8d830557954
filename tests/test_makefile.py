"""Installing, by uv and by pip: stand-ins for both write down what they are asked, so that no
network is needed and nothing is installed.
"""

import os
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FALLBACK = "uv cannot be had: pip installs, which takes a minute longer."

# Makes venvs with itself as their python; "installs" uv, where it can be had, as another of itself.
STAND_IN = """#!/bin/sh
echo "$(basename "$0") $*${{PYTHONDONTWRITEBYTECODE:+, every module translated again}}" >>"{log}"
case "$*" in
    *" print("*) echo 3 11 ;;
    "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    *" uv") {uv} && cp "$0" "$(dirname "$0")/uv" ;;
esac
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def install(project: Path, *words: str, has_uv: bool) -> tuple[list[str], list[str]]:
    """What make said, and what the stand-ins were asked, for the packages of the page."""
    python, log = project / "python3", project / "log"
    python.write_text(STAND_IN.format(log=log, uv="true" if has_uv else "false"))
    python.chmod(0o755)
    log.write_text("")
    # What make was told to run these tests is not for this one.
    told = {name for name in os.environ if name.startswith("MAKE")} | {"UV", "VENV"}
    clean = {name: value for name, value in os.environ.items() if name not in told}
    clean["PYTHONDONTWRITEBYTECODE"] = "1"  # as in many containers; not for what make starts
    command = ["make", "--silent", f"PYTHON={python}", *words, ".venv/.installed-web"]
    done = subprocess.run(
        command, cwd=project, env=clean, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    asked = [line for line in log.read_text().splitlines() if " -c " not in line]
    return done.stdout.splitlines(), asked


def test_uv_installs_where_it_can_be_had(project: Path) -> None:
    said, asked = install(project, has_uv=True)
    assert said == []
    assert asked == [
        "python3 -m venv .venv",
        "python -m pip install --quiet --disable-pip-version-check uv",
        "uv pip install --quiet --python .venv/bin/python --editable .[web]",
    ]


def test_pip_installs_where_uv_cannot_be_had(project: Path) -> None:
    said, asked = install(project, has_uv=False)
    assert said == [FALLBACK]
    assert asked == [
        "python3 -m venv .venv",
        "python -m pip install --quiet --disable-pip-version-check uv",
        "python -m pip install --quiet --disable-pip-version-check --upgrade pip>=25.1",
        "python -m pip install --quiet --disable-pip-version-check --editable .[web]",
    ]


def test_whoever_wants_pip_is_not_offered_uv(project: Path) -> None:
    said, asked = install(project, "UV=no", has_uv=True)
    assert said == [FALLBACK]
    assert not any(line.startswith("uv ") or line.endswith(" uv") for line in asked)
    assert asked[-1].endswith(
        "-m pip install --quiet --disable-pip-version-check --editable .[web]"
    )


@pytest.mark.parametrize("has_uv", [True, False])
def test_what_is_installed_is_not_installed_again(project: Path, has_uv: bool) -> None:
    install(project, has_uv=has_uv)
    assert install(project, has_uv=has_uv) == ([], [])
    os.utime(project / ".venv" / ".installed-web", (1, 1))  # pyproject.toml has changed since
    _, asked = install(project, has_uv=has_uv)
    assert len(asked) == 1, "other packages are wanted; the venv and its installer stay"
    assert asked[0].endswith("--editable .[web]")


def test_what_the_makefile_imports_is_there() -> None:
    """`make run` translates modules ahead; one that was moved would end it."""
    text = (Path(__file__).parents[1] / "Makefile").read_text(encoding="utf-8")
    names = [name for line in re.findall(r"-c 'import ([^']*)'", text) for name in line.split(", ")]
    ours = [name for name in names if name.startswith("noughts.")]
    assert ours
    for name in ours:
        assert find_spec(name) is not None, name
