"""Replays: every recorded game plays back, and what cannot be true is noticed."""

import dataclasses
import json
from pathlib import Path

import pytest

import noughts
from noughts.arena import GameRecord, match, read_records, replay
from noughts.arena.record import read_landing, write_landing
from noughts.cli import main
from noughts.errors import ParseError
from noughts.games import Landing

GAMES = (
    "3x3",
    "4x4:misere",
    "ultimate",
    "3x3:flip=0.3,fizzle=0.2",
    "3x3:fade=0.2",
    "3x3:hazard=0.2,limit=10,ticks=20",
)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_plays_back(game: str) -> None:
    for record in match(game, "random", "fixed", games=6, seed=1).records:
        read = GameRecord.from_json(record.to_json())
        positions = replay(read)
        assert positions[0] == noughts.game(game).start()
        assert positions[-1].result == record.result
        assert len(positions) == len(record.moves) + 1


def test_openings_and_faults_play_back() -> None:
    def broken(position, rng):
        raise RuntimeError("no idea")

    for record in match("3x3", "minimax", "heuristic", games=4, seed=1).records:
        assert len(replay(record)) == 1 + len(record.opening) + len(record.moves)
    for record in match("3x3", "random", broken, games=2, seed=1).records:
        assert replay(record)[-1].result is None


def test_landings_round_trip() -> None:
    for landing in (Landing("X"), Landing("O", (3, 4)), Landing(None), Landing(None, (0,))):
        assert read_landing(write_landing(landing)) == landing
    with pytest.raises(ParseError, match="'Z' is not a landing"):
        read_landing("Z")


def test_what_cannot_be_true_is_noticed() -> None:
    record = match("3x3", "random", "random", games=1, seed=1).records[0]
    other = {"X": "O", "O": "X", "draw": "X"}[record.result]
    wrong = {
        "the record says": {"result": other},
        "Turn 2 of the record is impossible": {"moves": (record.moves[0],) * len(record.moves)},
        "cannot land as nothing": {"landings": (Landing(None), *record.landings[1:])},
        "cannot fade": {"landings": (Landing("X", (0,)), *record.landings[1:])},
        "is not over": {
            key: getattr(record, key)[:-1] for key in ("moves", "landings", "seconds", "nodes")
        },
        "does not fit the result": {"reason": "X: time-out: more than 1 s for a move"},
    }
    for message, change in wrong.items():
        forged = dataclasses.replace(record, **change)
        with pytest.raises(ParseError, match=message):
            replay(GameRecord.from_json(forged.to_json()))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    match("3x3:flip=0.4", "random", "random", games=5, seed=1, folder=folder)
    log = folder / "log.jsonl"
    assert main(["replay", str(log)]) == 0
    assert main(["replay", str(log.parent)]) == 0  # the run's folder
    assert capsys.readouterr().out.startswith("5 games, all as recorded: ")
    assert main(["replay", str(log), "--game", "3"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("3x3:flip=0.4: X random, O random\n\n1. X plays ")
    assert "and it lands as" in shown
    assert main(["replay", str(log), "--game", "3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["positions"]) == len(told["moves"]) + 1
    assert main(["replay", str(log), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 5

    record = read_records(log)[2]
    forged = dataclasses.replace(record, result="draw" if record.result != "draw" else "X")
    lines = log.read_text().splitlines()
    (tmp_path / "forged.jsonl").write_text("\n".join([*lines[:2], forged.to_json()]) + "\n")
    (tmp_path / "damaged.jsonl").write_text(lines[0].replace('"pair": 0', '"pair": 1') + "\n")
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe\x00")
    for arguments, message in (
        (["forged.jsonl"], "Game 2 of"),
        (["damaged.jsonl"], "do not match its check"),
        (["empty.jsonl"], "holds no games"),
        (["binary.jsonl"], "is not a text"),
        (["missing.jsonl"], "cannot be read"),
        (["run/log.jsonl", "--game", "5"], "games: 0 to 4"),
    ):
        assert main(["replay", str(tmp_path / arguments[0]), *arguments[1:]]) == 2
        said = capsys.readouterr().err
        assert message in said
        assert said.count("\n") == 1
