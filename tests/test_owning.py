"""One owner of a run folder or a file, which is gone with its process."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import noughts
from noughts.errors import NoughtsError
from noughts.learn.table.taught.own import OwnTable
from noughts.owning import Busy, is_owned, own
from noughts.report.log import read_log

OWNER = """
import sys
from pathlib import Path
from noughts.owning import own
owned = own(Path(sys.argv[1]))
print("mine", flush=True)
sys.stdin.read()
"""


def started(code: str, *arguments: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("is_folder", [True, False])
def test_the_second_comer_is_told_who_is_there(tmp_path: Path, is_folder: bool) -> None:
    place = tmp_path if is_folder else tmp_path / "table"
    with started(OWNER, place) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == "mine\n"
        assert is_owned(place)
        with pytest.raises(Busy, match=f"worked on by process {owner.pid} on "):
            own(place, wait=0.0)
        os.kill(owner.pid, signal.SIGKILL)
    assert not is_owned(place)
    own(place).release()


def test_a_thread_may_own_again_and_others_may_not(tmp_path: Path) -> None:
    refused: list[str] = []

    def try_it() -> None:
        try:
            own(tmp_path, wait=0.0).release()
        except Busy as error:
            refused.append(str(error))

    def try_elsewhere() -> None:
        thread = threading.Thread(target=try_it)
        thread.start()
        thread.join()

    first, second = own(tmp_path), own(tmp_path)
    try_elsewhere()
    second.release()
    second.release()  # twice is once
    try_elsewhere()
    assert len(refused) == 2
    first.release()
    try_elsewhere()
    assert len(refused) == 2
    assert not (tmp_path / ".lock.owner").exists()


def test_a_match_that_is_being_played_takes_no_second_player(tmp_path: Path) -> None:
    with started(OWNER, tmp_path) as owner:
        assert owner.stdout is not None
        owner.stdout.readline()
        for begin in (
            lambda: noughts.match("3x3", "random", "random", games=2, folder=tmp_path),
            lambda: noughts.tournament("3x3", ["random", "fixed"], games=2, folder=tmp_path),
        ):
            with pytest.raises(NoughtsError, match="is being worked on by process"):
                begin()
        owner.kill()
    noughts.match("3x3", "random", "random", games=2, folder=tmp_path)
    assert len(read_log(tmp_path / "log.jsonl")) == 2


LESSONS = """
import sys
import noughts
from noughts.games.game import Landing
from noughts.learn.table.taught.own import OwnTable
game = noughts.game("2x2")
print("there", flush=True)
sys.stdin.readline()
for _ in range(int(sys.argv[1])):
    OwnTable(game).learn("X", [(0, Landing("X")), (1, Landing("O")), (2, Landing("X"))], 0.25)
"""


def test_no_lesson_of_two_processes_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOUGHTS_HOME", str(tmp_path))
    pair = [started(LESSONS, 12) for _ in range(2)]
    for teacher in pair:
        assert teacher.stdout is not None
        assert teacher.stdout.readline() == "there\n"
    for teacher in pair:  # only now, so that they meet
        assert teacher.stdin is not None
        teacher.stdin.write("go\n")
        teacher.stdin.flush()
    for teacher in pair:
        teacher.communicate()
        assert teacher.returncode == 0
    game = noughts.game("2x2")
    assert OwnTable(game).games == 24  # type: ignore[arg-type]


def test_a_config_is_not_written_by_who_may_not(tmp_path: Path) -> None:
    noughts.match("3x3", "random", "random", games=2, folder=tmp_path)
    before = (tmp_path / "config.json").read_text()
    with started(OWNER, tmp_path) as owner:
        assert owner.stdout is not None
        owner.stdout.readline()
        with pytest.raises(Busy):
            noughts.match("3x3", "random", "random", games=9, folder=tmp_path)
        owner.kill()
    assert json.loads((tmp_path / "config.json").read_text()) == json.loads(before)
