"""Machine code is kept per kernel file, and only with the sources it was made from."""

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
