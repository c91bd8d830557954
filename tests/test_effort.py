"""Interpreting where that is sooner: the estimate, the command's choice, and its override."""

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import noughts
from noughts.effort import choosing, counting, is_sooner_interpreted, solving
from noughts.kernels.cache import is_noted, note_compiled

LOOK = """
import sys
from noughts.cli import main
code = main()
sys.stderr.write("numba" if "numba" in sys.modules else "no numba")
sys.exit(code)
"""


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Nothing is compiled, and nothing noted."""
    from noughts.kernels import cache

    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path))
    cache.kernel_cache_folder.cache_clear()
    yield tmp_path
    cache.kernel_cache_folder.cache_clear()


def work(agent: str, game: str, moves: float = 1) -> object:
    return choosing(noughts.agent(agent), noughts.game(game), moves)


SMALL = [
    solving(noughts.game("3x3")),
    solving(noughts.game("3x3:flip=0.1"), rounds=10),
    counting(noughts.game("3x3"), 4),
    work("uct", "3x3"),
    work("uct:simulations=600", "ultimate"),
    work("alphabeta", "3x3", moves=20),
    work("optimal", "3x3"),
    work("random", "qubic", moves=1e6),
]
LARGE = [
    solving(noughts.game("4x4")),
    solving(noughts.game("3x3:fade=0.1")),
    counting(noughts.game("ultimate"), 6),
    work("uct:simulations=1000000", "3x3"),
    work("uct:time=1", "3x3"),
    work("alphabeta", "15x15:k=5"),
    work("zero", "ultimate"),
    work("optimal", "4x4:flip=0.1"),
]


@pytest.mark.parametrize("small", SMALL, ids=str)
def test_small_work_is_interpreted(empty_cache: Path, small: object) -> None:
    assert is_sooner_interpreted([small])


@pytest.mark.parametrize("large", LARGE, ids=str)
def test_large_work_is_compiled(empty_cache: Path, large: object) -> None:
    assert not is_sooner_interpreted([large])


def test_every_agent_says_what_it_needs_compiled() -> None:
    """Those that have no kernels are known; another package's has none unless it says so."""
    without = {"random", "fixed", "human", "external"}
    for listing in noughts.agents.BUILT_IN:
        assert bool(listing.resolve().kernels) == (listing.name not in without), listing.name

    def last(position: noughts.Position, rng: object) -> int:
        return position.moves[-1]

    plain = choosing(noughts.agent(last), noughts.game("qubic"), moves=1e6)
    assert (plain.seconds, plain.compiling) == (0.0, 0.0)
    assert is_sooner_interpreted([plain])


def test_what_is_compiled_already_is_interpreted_only_if_numba_takes_longer_to_load(
    empty_cache: Path,
) -> None:
    between, tiny = work("uct:simulations=2000", "ultimate"), work("uct:simulations=100", "3x3")
    assert is_sooner_interpreted([between])
    note_compiled(between.kernels)
    note_compiled(tiny.kernels)
    assert is_noted(between.kernels)
    assert not is_sooner_interpreted([between])
    assert is_sooner_interpreted([tiny])


def test_one_large_part_decides() -> None:
    assert math.isinf(work("zero", "ultimate").seconds)
    assert not is_sooner_interpreted([SMALL[0], work("zero", "ultimate")])


def command(cache: Path, *words: str) -> tuple[str, str]:
    """What a command prints, and whether it loaded numba."""
    done = subprocess.run(
        [sys.executable, "-c", LOOK, *words],
        env={**os.environ, "NOUGHTS_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout, done.stderr


def test_a_small_command_loads_no_numba_and_prints_the_same(tmp_path: Path) -> None:
    """And what a command had to compile is noted for the next."""
    words = ("perft", "2x3:k=3", "4", "--json")
    told, loaded = [], []
    for jit in ((), ("--jit", "always"), ("--jit", "never")):
        printed, numba = command(tmp_path, *words, *jit)
        told.append([(row["depth"], row["count"]) for row in json.loads(printed)["perft"]])
        loaded.append(numba)
    assert loaded == ["no numba", "numba", "no numba"]
    assert told[0] == told[1] == told[2] == [(0, 1), (1, 6), (2, 30), (3, 120), (4, 360)]
    assert [path.name for path in tmp_path.rglob("perft-*")] == ["perft-LineGame-plain"]
