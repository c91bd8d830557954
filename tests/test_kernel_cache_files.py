"""Machine code on the disk: ours alone, checked before it is believed, compiled anew if damaged."""

import importlib.util
import os
import random
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numba")

from noughts.kernels import cache
from noughts.kernels.checked import own_cache_folder
from noughts.kernels.lean import compiled_kernel

SOURCE = "def weigh(a, b):\n    return 3 * a + b\n"


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A function in a file of its own, and a cache folder for it."""
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path / "cache"))
    _forget()
    (tmp_path / "toy_kernel.py").write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("toy_kernel", tmp_path / "toy_kernel.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "toy_kernel", module)
    spec.loader.exec_module(module)
    yield module
    _forget()


def _forget() -> None:
    cache.kernel_cache_folder.cache_clear()
    cache.module_cache_folder.cache_clear()


def hits(toy: Any) -> int:
    """Call the kernel as a new process would; how often it was found on the disk."""
    kernel: Any = compiled_kernel(toy.weigh, {})
    assert kernel(2, 5) == 11
    return sum(kernel.stats.cache_hits.values())


def files() -> list[Path]:
    folder = cache.module_cache_folder("toy_kernel")
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_whole_files_are_found_again(toy: Any) -> None:
    assert hits(toy) == 0
    assert {path.suffix for path in files()} == {".index", ".code"}
    assert hits(toy) == 1


def test_damaged_files_are_compiled_anew(toy: Any) -> None:
    hits(toy)
    rng = random.Random(1)
    for path in files():
        whole = path.read_bytes()
        damaged = [b"", whole[:40], whole[: len(whole) // 2], whole + b"x", b"\x80"]
        for _ in range(10):
            place = rng.randrange(len(whole))
            damaged.append(
                whole[:place] + bytes([whole[place] ^ 1 << rng.randrange(8)]) + whole[place + 1 :]
            )
        for content in damaged:
            path.write_bytes(content)
            assert hits(toy) == 0
            assert hits(toy) == 1  # it was mended


def test_the_folder_is_ours_alone(toy: Any) -> None:
    before = os.umask(0)
    try:
        hits(toy)
        folder = cache.module_cache_folder("toy_kernel")
        for place in (folder, folder.parent):
            assert stat.S_IMODE(place.stat().st_mode) == 0o700
        folder.chmod(0o777)
        hits(toy)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    finally:
        os.umask(before)


def test_a_folder_of_somebody_else_is_not_used(toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    hits(toy)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert not own_cache_folder(cache.module_cache_folder("toy_kernel"))
    assert hits(toy) == 0


def test_a_cache_that_cannot_be_is_none(toy: Any, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    assert hits(toy) == hits(toy) == 0
