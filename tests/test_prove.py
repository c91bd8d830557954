"""Proofs by search, and certificates that a checker replays."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import noughts
from noughts.cli import main
from noughts.games.line_game import LinePosition
from noughts.prove.certificate import Certificate, check_certificate
from noughts.prove.who_wins import Prover, prove, prove_with_certificate

CENTRE = 13  # of 3×3×3


@pytest.mark.parametrize(
    ("spec", "result", "winning"),
    [
        ("3x3", "draw", 0),
        ("3x3:misere", "draw", 0),
        ("4x4", "draw", 0),
        ("3x4:k=3", "X", 10),
        ("4x4:k=3", "X", 16),
        ("4x5:k=4", "draw", 0),
        ("1x1", "X", 1),
        ("1x2:k=2", "draw", 0),
        ("2x2:misere", "O", 0),
    ],
)
def test_result_and_winning_moves(spec: str, result: str, winning: int) -> None:
    proof = prove(spec)
    assert proof.result == result
    assert len(proof.winning_moves) == winning
    assert len(proof.first_moves) == noughts.game(spec).cells
    assert prove(spec, all_moves=False).result == result


def test_the_cube_belongs_to_the_centre() -> None:
    """X wins in the centre; elsewhere he loses, and only the centre refutes him."""
    proof = prove("3x3x3")
    assert proof.winning_moves == (CENTRE,)
    assert {r for move, r in proof.first_moves.items() if move != CENTRE} == {"O"}
    prover = Prover("3x3x3")
    for first in (0, 1, 4):  # a corner, an edge and a face: every other cell is like one of them
        position = prover.game.start().play(first)
        refuting = [m for m in position.moves if prover.result(position.play(m)) == "O"]
        assert refuting == [CENTRE]


@pytest.mark.parametrize(
    "spec",
    [
        *("3x3", "3x3:misere", "3x4:k=3", "3x3x3", "4x4", "2x2:misere"),
        pytest.param("5x6:k=4", marks=pytest.mark.slow),
    ],
)
def test_certificate_is_complete(spec: str, tmp_path: Path) -> None:
    proof, certificate = prove_with_certificate(spec, all_moves=False)
    path = tmp_path / "proof.json"
    certificate.save(path)
    loaded = Certificate.load(path)
    assert loaded == certificate
    assert loaded.result == proof.result
    assert check_certificate(loaded, noughts.game(spec)) >= sum(
        len(strategy.moves) for strategy in loaded.strategies
    )


def _won_3x4() -> Certificate:
    return prove_with_certificate("3x4:k=3", all_moves=False)[1]


def test_checker_notices_a_missing_move() -> None:
    certificate = _won_3x4()
    strategy = certificate.strategies[0]
    for board in list(strategy.moves)[:10]:
        moves = {b: m for b, m in strategy.moves.items() if b != board}
        holed = replace(certificate, strategies=(replace(strategy, moves=moves),))
        with pytest.raises(noughts.NoughtsError, match="no move"):
            check_certificate(holed, noughts.game("3x4:k=3"))


def test_checker_notices_a_wrong_move() -> None:
    certificate = _won_3x4()
    strategy = certificate.strategies[0]
    board = next(b for b in strategy.moves if b.count(".") <= 6)
    wrong = next(c for c, letter in enumerate(board) if letter != ".")
    moves = {**strategy.moves, board: wrong}
    with pytest.raises(noughts.NoughtsError, match="not empty"):
        check_certificate(
            replace(certificate, strategies=(replace(strategy, moves=moves),)),
            noughts.game("3x4:k=3"),
        )


def test_checker_notices_a_false_claim() -> None:
    certificate = _won_3x4()
    for result in ("O", "draw"):
        with pytest.raises(noughts.NoughtsError, match="lacks"):
            check_certificate(replace(certificate, result=result), noughts.game("3x4:k=3"))
    hold = prove_with_certificate("3x3", all_moves=False)[1]
    claims = tuple(replace(s, goal="win") for s in hold.strategies[1:])
    with pytest.raises(noughts.NoughtsError):
        check_certificate(replace(hold, result="O", strategies=claims), noughts.game("3x3"))
    with pytest.raises(noughts.NoughtsError, match="not 4x4"):
        check_certificate(certificate, noughts.game("4x4"))


def test_damaged_and_foreign_files(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    _won_3x4().save(path)
    data = json.loads(path.read_text())
    data["result"] = "O"
    path.write_text(json.dumps(data))
    with pytest.raises(noughts.ParseError, match="damaged"):
        Certificate.load(path)
    path.write_text("{}")
    with pytest.raises(noughts.ParseError, match="not a certificate"):
        Certificate.load(path)
    path.write_bytes(b"\x00\x01")
    with pytest.raises(noughts.ParseError, match="not JSON"):
        Certificate.load(path)
    with pytest.raises(noughts.NoughtsError, match="cannot be read"):
        Certificate.load(tmp_path / "nowhere.json")


def test_prover_settles_any_position() -> None:
    prover = Prover("3x3")
    position = prover.game.parse("X.O/.../O.X")
    assert isinstance(position, LinePosition)
    assert prover.result(position) == "X"
    assert prover.result(prover.game.parse("XXX/OO./...")) == "X"
    with pytest.raises(noughts.NoughtsError, match="without risk"):
        Prover("3x3:flip=0.1")


def test_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "cube.json"
    assert main(["prove", "3x3x3", "--json", "--certificate", str(path)]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["result"] == "X"
    assert data["winning_moves"] == [CENTRE]
    assert data["nodes"] > 0
    assert data["seconds"] > 0
    assert main(["check", str(path)]) == 0
    assert "every reply is answered" in capsys.readouterr().out
    assert main(["check", str(tmp_path / "nowhere.json")]) == 2
    certificate = Certificate.load(path)
    strategy = replace(certificate.strategies[0], moves={})
    replace(certificate, strategies=(strategy,)).save(path)
    assert main(["check", str(path)]) == 1
    assert "no move" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "result"), [("5x5:k=4", "draw"), ("4x7:k=4", "draw"), ("6x6:k=4", "X")]
)
def test_big_boards(spec: str, result: str) -> None:
    assert prove(spec, all_moves=False).result == result
