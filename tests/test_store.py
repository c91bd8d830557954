"""The store of solved tables: its limit, what goes first, what is never kept, what never goes."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import noughts
from noughts.cli import main
from noughts.commands.house.store import read_size, shown_size
from noughts.errors import NoughtsError, NoughtsWarning, ParseError
from noughts.files import replacing, save_arrays, sweep
from noughts.games.line_game import LineGame
from noughts.solve.solution import Solution
from noughts.solve.written.store import (
    LIMIT,
    clear_store,
    set_store_limit,
    store_folder,
    store_limit,
    stored_tables,
    sweep_home,
    trim_store,
)
from noughts.solve.written.stored import keep, load_stored, solution_path, stored_solution


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NOUGHTS_HOME", str(tmp_path))
    return tmp_path


def table(spec: str, seconds: float = 10.0) -> Solution:
    """A table whose solving is said to have taken a while, so that it is kept."""
    solved = noughts.solve(spec)
    return Solution(
        solved.game, solved.table, solved.table, solved.method, 0.0, solved.running_boards, seconds
    )


def line_game(spec: str) -> LineGame:
    found = noughts.game(spec)
    assert isinstance(found, LineGame)
    return found


def put(*specs: str) -> list[Path]:
    """Tables in the store, each used later than the one before."""
    paths = []
    for number, spec in enumerate(specs):
        keep(table(spec))
        paths.append(solution_path(line_game(spec)))
        os.utime(paths[-1], (1000.0 + number, 1000.0 + number))
    return paths


def test_the_least_recently_used_go_first() -> None:
    first, second, third = put("2x3", "3x2", "2x3:misere")
    size = first.stat().st_size
    assert load_stored(line_game("2x3")) is not None  # now it is the youngest
    set_store_limit(2 * size)
    assert (first.exists(), second.exists(), third.exists()) == (True, False, True)
    assert trim_store(coming=size) == [third]
    assert [table.path for table in stored_tables()] == [first]


def test_nothing_but_solved_tables_goes(home: Path) -> None:
    others = [home / "tables" / "mine.safetensors", home / "learned" / "table.safetensors"]
    others += [home / "proofs" / "qubic-0.noughts", home / "solutions" / "notes.txt"]
    for path in others:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("precious")
    put("2x3")
    set_store_limit(0)
    clear_store()
    assert stored_tables() == []
    assert all(path.read_text() == "precious" for path in others)
    keep(table("2x3"))
    assert stored_tables() == []  # it does not fit


def test_what_is_solved_sooner_than_read_is_not_kept() -> None:
    keep(table("2x3", seconds=0.0))
    assert stored_tables() == []
    keep(table("2x3", seconds=1.0))
    assert len(stored_tables()) == 1


def test_a_broken_limit_is_the_usual_one(home: Path) -> None:
    assert store_limit() == LIMIT
    for text in ("", "{", "[]", '{"limit": -1}', '{"limit": "x"}', "[" * 100_000):
        (home / "store.json").write_text(text)
        assert store_limit() == LIMIT
    with pytest.raises(NoughtsError, match="not -1"):
        set_store_limit(-1)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    put("2x3", "3x2")
    assert main(["store", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (len(told["tables"]), told["limit"]) == (2, LIMIT)
    assert main(["store", "--limit", "1GB"]) == 0
    assert "2 solved tables, " in capsys.readouterr().out
    assert store_limit() == 10**9
    assert main(["store", "--clear"]) == 0
    assert "2 removed, 0 solved tables, 0 B of 1 GB" in capsys.readouterr().out
    assert main(["store", "--limit", "much"]) == 2
    assert "is not a size such as" in capsys.readouterr().err


def test_sizes() -> None:
    assert [read_size(text) for text in ("7", "1.5kb", "2 GB")] == [7, 1500, 2 * 10**9]
    assert [shown_size(size) for size in (0, 999, 172 * 10**6)] == ["0 B", "999 B", "172 MB"]
    with pytest.raises(ParseError):
        read_size("-1")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_what_cannot_be_kept_is_used(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """A full or read-only disk costs no game."""

    def refuse(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(sys.modules[keep.__module__], "KEEP_CELLS", 1)
    monkeypatch.setattr(sys.modules[keep.__module__], "READ_RATE", 1e30)
    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.warns(NoughtsWarning, match="is used and not kept: .* cannot be written"):
        found = stored_solution(line_game("2x3"))
    assert found.value(found.game.start()) == noughts.solve("2x3").value(found.game.start())
    assert list(store_folder().glob("*.tmp")) == stored_tables() == []


def test_a_home_that_is_a_file_costs_no_game(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_HOME", str(home / "file"))
    (home / "file").write_text("")
    monkeypatch.setattr(sys.modules[keep.__module__], "KEEP_CELLS", 1)
    with pytest.warns(NoughtsWarning, match="cannot be written"):
        assert stored_solution(line_game("2x3")) is not None


KILLED = """
import os, signal, sys
from pathlib import Path
from noughts.files import replacing
with replacing(Path(sys.argv[1])) as file:
    file.write("half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_leftovers_are_swept_and_the_living_are_not(home: Path) -> None:
    folder = home / "solutions"
    subprocess.run([sys.executable, "-c", KILLED, str(folder / "a")], check=False)
    assert len(list(folder.glob(".*.tmp"))) == 1
    with replacing(folder / "b") as file:
        file.write("whole")
        assert sweep_home() == 1
        assert sweep(folder) == 0
    assert [path.name for path in folder.iterdir()] == ["b"]


def test_a_table_of_another_game_is_not_believed() -> None:
    ours, other = put("2x3", "3x2")
    ours.write_bytes(other.read_bytes())
    assert load_stored(line_game("2x3")) is None
    save_arrays(ours, "solution", {"game": "2x3"}, {"table": np.zeros((1, 5))})
    assert load_stored(line_game("2x3")) is None


def test_tables_are_named_by_their_games(capsys: pytest.CaptureFixture[str]) -> None:
    """Several games share a board, and so the first part of the name of a file."""
    for spec in ("4x3:flip=0.1", "4x3:misere"):
        game = noughts.game(spec)
        noughts.solve(game).save(solution_path(game))
    assert main(["store"]) == 0
    told = capsys.readouterr().out
    assert "4x3:flip=0.1\n" in told
    assert "4x3:misere\n" in told
