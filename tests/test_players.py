"""A player that cannot play is refused at the door, and so is a game that cannot end."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import noughts
from noughts.agents import agent, check_player
from noughts.arena import match, tournament
from noughts.cli import main
from noughts.errors import NoughtsError
from noughts.jobs import Match


@pytest.mark.parametrize(
    "line",
    [
        "match 4x4 minimax random --games 2",
        "match 20x20:k=5 random minimax --games 2",
        "match 3x3 fixed:weights=1/2 random --games 2",
        "tournament 4x4 random minimax heuristic --games 2",
        "play 20x20:k=5 --x minimax",
        "play 4x4 --x random --o minimax",
        "match 3x3 optimal random --openings 9",
        "tournament 3x3 optimal random --openings 9",
        "match 3x3:fizzle=1 random random",
        "tournament 3x3:fade=1 random uct",
        "play 3x3:fade=1 --x random --o random",
    ],
)
def test_refused_in_one_sentence_and_nothing_is_written(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(line.split()) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_the_library_and_the_lab_refuse_the_same(tmp_path: Path) -> None:
    with pytest.raises(NoughtsError, match="2e\\+13 lines of play on 4x4"):
        match("4x4", "minimax", "random", games=2)
    with pytest.raises(NoughtsError, match="lines of play"):
        tournament("4x4", ["minimax", "random"], games=2)
    job = Match(game="4x4", agents=("minimax", "random"))
    with pytest.raises(NoughtsError, match="lines of play"):
        job.check()
    with pytest.raises(NoughtsError, match="can never end"):
        replace(job, game="3x3:fizzle=1").check()
    assert replace(job, game="3×3").check() == replace(job, game="3x3")


def test_who_can_play_from_a_position_is_not_refused_there() -> None:
    """Minimax cannot begin on 4×4; with four marks on the board it can."""
    position = noughts.game("4x4").start()
    with pytest.raises(NoughtsError, match="lines of play"):
        check_player(agent("minimax"), position)
    for move in (0, 1, 2, 4):
        position = position.play(move)
    check_player(agent("minimax"), position)
    check_player(agent("minimax:depth=3"), noughts.game("20x20:k=5"))


@pytest.mark.parametrize("spec", ["3x3", "4x4", "ultimate", "3x3:flip=0.1", "3x3:misere"])
@pytest.mark.parametrize(
    "name",
    ["random", "heuristic:depth=1", "uct:simulations=3", "table", "q-net", "fixed:weights=1/1"],
)
def test_who_is_let_in_can_choose(name: str, spec: str) -> None:
    player, position = agent(name), noughts.game(spec).start()
    try:
        check_player(player, position)
    except NoughtsError:
        return
    assert player.choose(position, np.random.default_rng(1)) in position.moves


@pytest.mark.parametrize(
    ("spec", "ends"),
    [
        ("3x3:fizzle=0.99", True),
        ("3x3:fizzle=1", False),
        ("3x3:fade=1", False),
        ("3x3:fade=1/0/0/0/0/0/0/0/0", True),
        ("3x3:fizzle=1/0/0/0/1/0/0/0/1", False),  # every line has such a cell
        ("3x3:fizzle=1/0/0/0/0/0/0/0/0", True),
        ("1x3:k=1,fade=1", True),
        ("ultimate:fizzle=1", False),
        ("ultimate:flip=0.5", True),
    ],
)
def test_which_games_can_end(spec: str, ends: bool) -> None:
    assert noughts.game(spec).can_end() is ends


def test_as_many_openings_as_there_are_still_work() -> None:
    played = match("3x3", "optimal", "random", games=2, openings=8)
    assert [len(record.opening) for record in played.records] == [8, 8]
