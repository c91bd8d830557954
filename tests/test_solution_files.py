"""Solutions on the disk: whole or absent, checked byte by byte, and dumped state by state."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

import noughts
from noughts.files import load_arrays, save_arrays
from noughts.solve.written.dump import dump

SPECS = [
    "3x3:flip=stochastic",
    "3x3:misere",
    "2x3:k=2,fade=0.1,fizzle=0.1",
    "2x3:k=2,hazard=0.2,limit=2,ticks=3",
]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "risky.noughts"
    noughts.solve("3x3:flip=stochastic").save(path)
    return path


@pytest.mark.parametrize("spec", SPECS)
def test_what_is_saved_is_loaded(spec: str, tmp_path: Path) -> None:
    solution = noughts.solve(spec)
    path = tmp_path / "new" / "folder" / "solution.noughts"
    solution.save(path)
    loaded = noughts.Solution.load(path)
    np.testing.assert_array_equal(loaded.table, solution.table)
    np.testing.assert_array_equal(loaded.arrivals, solution.arrivals)
    for fact in ("game", "method", "bound", "running_boards", "seconds", "states", "tie"):
        assert getattr(loaded, fact) == getattr(solution, fact)
    assert isinstance(loaded.table, np.memmap)
    assert loaded.table.dtype == solution.table.dtype
    start = solution.game.start()
    assert loaded.values(start) == solution.values(start)
    assert [entry.name for entry in path.parent.iterdir()] == ["solution.noughts"]


def test_a_loaded_solution_plays_and_is_saved_again(saved: Path, tmp_path: Path) -> None:
    loaded = noughts.Solution.load(saved)
    assert noughts.odds(loaded.game, loaded, "random") == noughts.odds(
        loaded.game, "optimal", "random"
    )
    copy = tmp_path / "copy.noughts"
    loaded.save(copy)
    assert copy.read_bytes() == saved.read_bytes()
    with pytest.raises(ValueError, match="read-only"):
        loaded.table[0, 0] = 1.0


def test_float32_tables_keep_their_type(tmp_path: Path) -> None:
    solution = noughts.solve("3x3:flip=0.1", dtype="float32")
    solution.save(tmp_path / "s")
    assert noughts.Solution.load(tmp_path / "s").table.dtype == np.float32


def test_a_flipped_byte_is_detected_wherever_it_is(saved: Path, tmp_path: Path) -> None:
    """Every byte of the header's text, some of its padding, and places all over the table."""
    good = saved.read_bytes()
    text = len(good[:4096].rstrip())
    assert good[4095:4096] == b"\n"
    table = range(4096, len(good), 1009)
    places = [*range(text), text, 3000, 4094, 4095, *table, len(good) - 1]
    path = tmp_path / "damaged.noughts"
    for place in places:
        for change in (0x01, 0x80) if place < 4096 else (0x10,):
            damaged = bytearray(good)
            damaged[place] ^= change
            path.write_bytes(damaged)
            with pytest.raises(noughts.ParseError, match=r"damaged|not a file|version|holds"):
                noughts.Solution.load(path)
    path.write_bytes(good)
    assert noughts.Solution.load(path).running_boards == 11_093


def test_spaces_that_became_tabs_are_detected(saved: Path, tmp_path: Path) -> None:
    """A header that still reads the same is damaged too."""
    path = tmp_path / "tabs.noughts"
    path.write_bytes(saved.read_bytes().replace(b"  \n", b"\t \n", 1))
    with pytest.raises(noughts.ParseError, match="damaged"):
        noughts.Solution.load(path)


@pytest.mark.parametrize("length", [0, 1, 100, 4095, 4096, 4097, 100_000, -4096, -1])
def test_a_truncated_file_is_detected(saved: Path, tmp_path: Path, length: int) -> None:
    path = tmp_path / "short.noughts"
    path.write_bytes(saved.read_bytes()[:length])
    with pytest.raises(noughts.ParseError, match=r"damaged|not a file"):
        noughts.Solution.load(path)


def test_a_longer_file_is_detected(saved: Path, tmp_path: Path) -> None:
    path = tmp_path / "long.noughts"
    path.write_bytes(saved.read_bytes() + b"\0")
    with pytest.raises(noughts.ParseError, match="damaged"):
        noughts.Solution.load(path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"{}\n",
        b"[1, 2]\n",
        b"null\n",
        b'{"format": "other"}\n',
        b"\xff\xfe\n",
        bytes(9),
    ],
)
def test_a_foreign_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(content)
    with pytest.raises(noughts.ParseError, match="not a file that Noughts wrote"):
        noughts.Solution.load(path)


def test_files_that_are_not_there_or_not_solutions(tmp_path: Path) -> None:
    with pytest.raises(noughts.ParseError, match="cannot be read: No such file"):
        noughts.Solution.load(tmp_path / "nothing")
    with pytest.raises(noughts.ParseError, match="cannot be read: Is a directory"):
        noughts.Solution.load(tmp_path)
    save_arrays(tmp_path / "weights", "network", {"layers": 2}, {"w": np.arange(3.0)})
    with pytest.raises(noughts.ParseError, match="holds a network, not a solution"):
        noughts.Solution.load(tmp_path / "weights")
    facts, arrays = load_arrays(tmp_path / "weights", "network")
    assert facts == {"layers": 2}
    assert arrays["w"].tolist() == [0.0, 1.0, 2.0]


def test_a_table_of_another_size_is_refused(tmp_path: Path) -> None:
    facts = {"game": "3x3", "method": "sweep", "bound": 0, "running_boards": 1, "seconds": 0}
    save_arrays(tmp_path / "small", "solution", facts, {"table": np.zeros((1, 3**8))})
    with pytest.raises(noughts.ParseError, match="does not hold a table of 3x3"):
        noughts.Solution.load(tmp_path / "small")


def test_another_version_is_refused(saved: Path, tmp_path: Path) -> None:
    path = tmp_path / "later.noughts"
    path.write_bytes(saved.read_bytes().replace(b'"version": 1', b'"version": 9', 1))
    with pytest.raises(noughts.ParseError, match="has version 9; this reads 1"):
        noughts.Solution.load(path)


SAVE_FOR_EVER = """
import sys
from pathlib import Path
from noughts import files

target, *sources = map(Path, sys.argv[1:])
solutions = [files.load_arrays(source, "solution") for source in sources]
contents = files._contents

def told(arrays):
    for piece in contents(arrays):
        print("piece", flush=True)
        yield piece

files._contents = told
for turn in range(1000):
    files.save_arrays(target, "solution", *solutions[turn % 2])
    print("saved", flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
def test_a_killed_process_leaves_no_file_or_a_good_one(tmp_path: Path) -> None:
    """Kill a process that saves two solutions in turn, after it said so many words.

    A save says "piece" twice while it takes the checksum, twice while it writes, and then "saved".
    """
    sources = [tmp_path / "first", tmp_path / "second"]
    for source, spec in zip(sources, ("3x3:flip=0.1", "3x3:flip=0.2"), strict=True):
        noughts.solve(spec).save(source)
    good = {source.read_bytes() for source in sources}
    left = set()
    for words in [0, 1, 3, 4, 5, 6, 8, 9, 10, 14]:
        target = tmp_path / f"killed after {words}"
        command = [sys.executable, "-c", SAVE_FOR_EVER, target, *sources]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            saves = sum(process.stdout.readline() == "saved\n" for _ in range(words))
            os.kill(process.pid, signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
        if target.exists():
            assert target.read_bytes() in good
            noughts.Solution.load(target)
        else:
            assert saves == 0
        left.add(target.exists())
    assert left == {False, True}


def test_saving_that_fails_leaves_the_old_file(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "kept.noughts"
    shutil.copy(saved, path)
    solution = noughts.solve("3x3")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(
        noughts.NoughtsError, match=r"kept.noughts cannot be written: No space left"
    ):
        solution.save(path)
    assert path.read_bytes() == saved.read_bytes()
    assert [entry.name for entry in tmp_path.iterdir()] == ["kept.noughts"]


def rows_of(path: Path) -> list[dict[str, str]]:
    if path.suffix == ".parquet":
        rows = pyarrow.parquet.read_table(path).to_pylist()
        return [{key: str(value) for key, value in row.items()} for row in rows]
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    names = ("board", "turn", "value", "move")
    lines = path.read_text(encoding="utf-8").splitlines()
    return [dict(zip(names, line.split(), strict=True)) for line in lines]


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".txt"])
def test_a_dump_holds_every_state(suffix: str, tmp_path: Path) -> None:
    solution = noughts.solve("3x3:flip=stochastic")
    path = tmp_path / f"states{suffix}"
    assert dump(solution, path) == 22_186
    rows = rows_of(path)
    assert len(rows) == 22_186
    assert len({(row["board"], row["turn"]) for row in rows}) == 22_186
    digits = 1e-12 if suffix == ".txt" else 0.0
    for row in rows[:: 7 if suffix == ".csv" else 97]:
        position = solution.game.position_from_dict({"board": row["board"], "turn": row["turn"]})
        assert position.result is None
        assert abs(float(row["value"]) - solution.value(position)) <= digits
        assert int(row["move"]) == solution.best(position)


@pytest.mark.parametrize(
    "spec",
    [
        "2x2:hazard=0.5,limit=2,ticks=3",
        "2x2:misere,hazard=0.5/2/1/0,turn_limit=2,ticks=2",
        "2x2:fade=0.1,flip=0.2",
    ],
)
def test_a_dump_of_any_kind_of_risk(spec: str, tmp_path: Path) -> None:
    solution = noughts.solve(spec)
    game, path = solution.game, tmp_path / "states.csv"
    rows = []
    dump(solution, path)
    for row in rows_of(path):
        tick = int(row.get("tick", 0))
        data = {"board": row["board"], "turn": row["turn"], "tick": tick}
        position = game.position_from_dict(data)
        rows.append(position)
        assert float(row["value"]) == pytest.approx(solution.value(position), abs=1e-15)
        best = solution.best_moves(position)
        assert game.move_at(int(row["move"]), int(row.get("wait", 0))) == best[0]
    assert len(set(rows)) == len(rows)
    if game.risk.last_tick is not None:
        assert len(rows) == 2 * solution.running_boards * len(solution.table)


class Enough(Exception):
    """Raised by a caller who has seen enough."""


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".txt"])
def test_an_interrupted_dump_leaves_nothing(suffix: str, tmp_path: Path) -> None:
    solution = noughts.solve("3x3:hazard=1,limit=1,ticks=2")
    written: list[int] = []

    def stop(done: int, total: int, text: str) -> None:
        written.append(done)
        assert total == 3 * 22_186
        if len(written) == 2:
            raise Enough

    with pytest.raises(Enough):
        dump(solution, tmp_path / f"states{suffix}", stop)
    assert written == [22_186, 2 * 22_186]
    assert list(tmp_path.iterdir()) == []


def test_a_dump_needs_an_ending_that_is_known(tmp_path: Path) -> None:
    solution = noughts.solve("2x2")
    with pytest.raises(noughts.NoughtsError, match=r"ending must be \.csv, \.parquet, \.txt"):
        dump(solution, tmp_path / "states.xlsx")


def test_the_header_is_one_line_of_json(saved: Path) -> None:
    with saved.open("rb") as file:
        line = file.readline()
    assert len(line) % 4096 == 0
    header = json.loads(line)
    assert header["kind"] == "solution"
    assert header["facts"]["game"] == "3x3:flip=stochastic"
    assert header["arrays"]["table"]["shape"] == [1, 3**9]


def test_a_file_that_cannot_be_written_is_called_by_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(noughts.NoughtsError, match=r"table\.noughts cannot be written: "):
        noughts.solve("2x2").save(tmp_path / "file" / "table.noughts")
