"""`noughts values`, and that an estimate beside what is known stays within it."""

import json
import re
from collections.abc import Callable

import numpy as np
import pytest

import noughts
from noughts.agents import Agent
from noughts.cli import main
from noughts.games.game import Position
from noughts.knowledge import claimed, judge

LIKE_A_CORNER = [0, 3, 12, 15, 21, 22, 25, 26, 37, 38, 41, 42, 48, 51, 60, 63]

Printed = Callable[..., str]


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Printed:
    def run(*arguments: str) -> str:
        assert main(["values", *arguments]) == 0
        return capsys.readouterr().out

    return run


def test_qubic_in_the_terminal(printed: Printed) -> None:
    data = json.loads(printed("qubic", "--json"))
    known = [row["cell"] for row in data["moves"] if row["exact"]]
    assert known == data["best"] == LIKE_A_CORNER
    assert (data["value"], data["exact"], data["source"]) == (1.0, True, "certificate")
    assert all(row["low"] <= row["value"] <= row["high"] for row in data["moves"])
    text = printed("qubic")
    assert f"+1.000000  certificate  cells {', '.join(map(str, LIKE_A_CORNER))}" in text
    assert "Position: +1.000000 for X (certificate)." in text
    assert "≈" in text


def test_the_cube_in_the_terminal(printed: Printed) -> None:
    data = json.loads(printed("3x3x3", "--json"))
    assert data["agent"] is None
    assert {row["cell"]: row["value"] for row in data["moves"]} == {
        cell: 1.0 if cell == 13 else -1.0 for cell in range(27)
    }


def test_a_table_in_the_terminal(printed: Printed) -> None:
    text = printed("3x3", "X.O/.X./... O to move")
    assert re.search(r"\+0.000000  table +cell 8\n", text)
    assert "+1.000000  table, decided in 2  cells 1, 3, 5, 6, 7" in text
    assert "Moves: known from table." in text
    assert "Position: +1.000000 for X (ended)." in printed("3x3", "XXX/OO./...")


def test_bounds_in_the_terminal(printed: Printed) -> None:
    text = printed("5x5:k=4")
    assert "for X, between +0 and +1 (theorem)." in text
    assert "Moves: estimated by uct:simulations=5000." in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["3x"], "is not a game"),
        (["3x3", "XX"], "cells"),
        (["3x3", "X......... X"], "cells"),
    ],
)
def test_wrong_input_is_one_sentence(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["values", *arguments]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1


class Liar(Agent):
    """Says of every move what its player would like best."""

    name = "liar"

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        return position.moves[0]

    def values(self, position: Position) -> dict[int, float]:
        return dict.fromkeys(position.moves, self.says)

    def __init__(self, says: float) -> None:
        self.says = says


def no_estimate_contradicts(position: Position, says: float) -> None:
    judged = judge(position, lambda: Liar(says))
    whole, sign = judged.whole, 1.0 if position.turn == "X" else -1.0
    for move, value in judged.values.items():
        told = judged.known.get(move)
        assert told is None or told.low <= value <= told.high
        assert sign * value <= sign * (whole.high if sign > 0 else whole.low)
    assert whole.low <= judged.value <= whole.high
    if judged.is_exact and judged.exact_moves:
        assert set(judged.best) <= judged.exact_moves or not any(
            judged.known[move].value == whole.value for move in judged.exact_moves
        )


@pytest.mark.parametrize(
    "spec", ["qubic", "3x3x3", "5x5:k=4", "ultimate", "5x5", "6x6:k=4,flip=0.1"]
)
@pytest.mark.parametrize("says", [-1.0, 1.0])
def test_no_estimate_contradicts_what_is_known(spec: str, says: float) -> None:
    game, rng = noughts.game(spec), np.random.default_rng(7)
    for length in (0, 1, 4, 9, 14):
        position = game.start()
        for _ in range(length):
            if position.result is None:
                position = position.play(int(rng.choice(position.moves)))
        if position.result is None:
            no_estimate_contradicts(position, says)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["3x3", "4x4", "3x3:flip=0.1", "3x3x3", "qubic"])
def test_no_estimate_contradicts_in_a_thousand_positions(spec: str) -> None:
    """Of games that are solved or proven: whatever is said, what is shown lies within."""
    game, rng = noughts.game(spec), np.random.default_rng(8)
    for _ in range(1000):
        position = game.start()
        for _ in range(int(rng.integers(0, game.cells // 2))):
            _, after = position.sample(int(rng.choice(position.moves)), rng)
            if after.result is not None:
                break
            position = after
        no_estimate_contradicts(position, float(rng.choice([-1.0, 1.0])))


def test_cells_that_share_a_row_are_ascending(
    printed: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the last are a little better, by less than is shown."""

    class Fine(Liar):
        def values(self, position: Position) -> dict[int, float]:
            return {move: self.says + move * 1e-5 for move in position.moves}

    monkeypatch.setattr("noughts.commands.exact.values.agent", lambda _: Fine(0.5))
    cells = ", ".join(map(str, range(30)))
    assert f"cells {cells}\n" in printed("6x5:k=4,flip=0.1")


def test_a_proof_of_an_agent_is_known_from_its_search() -> None:
    position = noughts.game("3x3").start()
    found = claimed(position, noughts.agent("alphabeta"))
    assert {one.source for one in found.known.values()} == {"search"}
    assert found.is_exact
    assert not claimed(position, Liar(0.5)).known
