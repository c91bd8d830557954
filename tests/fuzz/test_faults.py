"""Damaged files and killed processes: a few of each here, many under `-m slow`."""

import random
import signal
from pathlib import Path

import fuzz_damage
import fuzz_kills
import pytest

import noughts
from noughts.errors import NoughtsError
from noughts.learn.table.taught.files import table_path
from noughts.learn.table.taught.named import NamedTable
from noughts.report import Figure

needs_kill = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")


def check_damage(kind: fuzz_damage.Kind, folder: Path, damages: int, seed: int) -> None:
    score = fuzz_damage.torture(kind, folder, damages, seed)
    assert score.crashed == score.wrong == 0, score.first
    assert score.refused > damages / 3


@pytest.mark.parametrize("kind", fuzz_damage.KINDS, ids=lambda kind: kind.name)
def test_damage_is_refused_or_harmless(kind: fuzz_damage.Kind, tmp_path: Path) -> None:
    check_damage(kind, tmp_path, damages=40, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", fuzz_damage.KINDS, ids=lambda kind: kind.name)
def test_much_damage_is_refused_or_harmless(kind: fuzz_damage.Kind, tmp_path: Path) -> None:
    check_damage(kind, tmp_path, damages=2000, seed=2)


def test_the_torture_would_notice_a_careless_reader(tmp_path: Path) -> None:
    """A reader without checks gives wrong answers and crashes, and both are counted."""

    def make(folder: Path) -> Path:
        path = folder / "numbers"
        path.write_text(" ".join(str(n) for n in range(100)))
        return path

    kind = fuzz_damage.Kind("careless", make, lambda p: sum(map(int, p.read_text().split())))
    score = fuzz_damage.torture(kind, tmp_path, 60, 1)
    assert score.crashed > 5
    assert score.wrong > 5


def test_two_lines_that_grew_together_are_no_game(tmp_path: Path) -> None:
    """The front of one line and the record of the next: both were good, and a game is missing."""
    log = fuzz_damage.make_games(tmp_path)
    lines = log.read_text().splitlines()
    front = lines[0].partition('"result"')[0]
    grown = front + lines[1].removeprefix(lines[1].partition('"result"')[0])
    log.write_text("\n".join([grown, *lines[2:]]) + "\n")
    with pytest.raises(NoughtsError, match=r"Line 1 of .* do not match its check"):
        fuzz_damage.read_games(log)


def test_a_damaged_past_of_the_pages_table_begins_anew() -> None:
    """A wrong curve would look like any other; of a new table it is the one point that is drawn."""
    expected = NamedTable.begin("past", noughts.game("2x2"), "constant").data()
    past, rng = table_path("past").with_suffix(".json"), random.Random(1)
    good = past.read_bytes()
    for _ in range(40):
        way, content = fuzz_damage.damaged(good, rng)
        past.write_bytes(content)
        assert NamedTable.load("past").data() == expected, way


@needs_kill
def test_a_kill_while_saving_leaves_a_whole_file_or_none(tmp_path: Path) -> None:
    assert fuzz_kills.kill_saving(tmp_path, random.Random(4))


def plain_figure(name: str, caption: str, *rest: object, **more: object) -> Figure:
    return Figure(name, caption, "<svg></svg>", b"png")


@needs_kill
@pytest.mark.parametrize("words", [fuzz_kills.TOURNAMENT, fuzz_kills.TRAINING], ids=str.split)
def test_a_killed_command_goes_on(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("noughts.arena.figures", "noughts.learn.frame.report"):  # most of the time
        monkeypatch.setattr(f"{module}.draw_figure", plain_figure)
    killer = fuzz_kills.Killer(words, tmp_path)
    assert killer("killed", random.Random(6))


@needs_kill
@pytest.mark.slow
def test_many_kills(tmp_path: Path) -> None:
    for name, kill in fuzz_kills.kinds(tmp_path).items():
        killed = [kill(f"{name} {n}", random.Random(n)) for n in range(10)]
        assert sum(killed) > 5, name
