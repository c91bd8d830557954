"""Machine code is kept per kernel file, and only with the sources it was made from."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from noughts.kernels import cache


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three kernel files: `top` calls `middle`, which calls `base`; `apart` calls nothing."""
    texts = {
        "base.py": "",
        "deep/middle.py": "from noughts.kernels.base import step\n",
        "top.py": "from noughts.kernels.deep import (\n    middle,\n)\n",
        "apart.py": "",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(cache, "_ROOT", tmp_path)
    return tmp_path


def folders() -> dict[str, Path]:
    """Today's folder of each file, as a new process would find it."""
    cache.module_cache_folder.cache_clear()
    cache._with_imports.cache_clear()
    modules = ("base", "deep.middle", "top", "apart")
    return {name: cache.module_cache_folder(f"noughts.kernels.{name}") for name in modules}


def test_an_edit_moves_the_folders_of_all_that_depend_on_it_and_no_others(sources: Path) -> None:
    before = folders()
    (sources / "base.py").write_text("step = 2\n")
    after = folders()
    moved = {name for name in before if before[name] != after[name]}
    assert moved == {"base", "deep.middle", "top"}


def test_an_edit_of_the_compiler_moves_them_all(
    sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = sources / "lean.py"
    compiler.write_text("")
    monkeypatch.setattr(cache, "_COMPILER", compiler)
    before = folders()
    compiler.write_text("is_lean = True\n")
    after = folders()
    assert not set(before.values()) & set(after.values())


def test_a_family_of_a_package_that_is_gone_leaves_the_cache_readable(tmp_path: Path) -> None:
    """Kernels are compiled for a family of another package, which is then taken away."""
    here = Path(__file__).parent
    family = (here / "toy_family.py").read_text(encoding="utf-8")
    (tmp_path / "gone_family.py").write_text(family, encoding="utf-8")
    count = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import numpy as np\n"
        "from noughts.kernels.rules import protocol\n"
        "from noughts.kernels.rng import seeded\n"
        "from noughts.kernels.search import random_games\n"
        "try:\n"
        "    from gone_family import ToyRules\n"
        "    rules = ToyRules(2, False)\n"
        "except ModuleNotFoundError:\n"
        "    import noughts\n"
        "    rules = noughts.game('3x3').rules\n"
        "facts = protocol.facts(rules)\n"
        "row, tally = protocol.new_row(facts), np.zeros(4, np.int64)\n"
        "row[9:10] = 1\n"
        "room = protocol.new(rules), protocol.new(rules)\n"
        "scratch = protocol.new_scratch(facts)\n"
        "random_games.playouts(rules, row, *room, 10, 99, scratch, seeded(1), tally)\n"
        "print(type(rules).__name__, tally[:3].sum())\n"
    )
    cold = {"NOUGHTS_CACHE": str(tmp_path / "cache"), "NOUGHTS_JIT": "always"}
    environment = {**os.environ, **cold}

    def run() -> str:
        command = [sys.executable, "-c", count, str(tmp_path)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run() == "ToyRules 10\n"
    (tmp_path / "gone_family.py").unlink()
    assert run() == "LineRules 10\n"
