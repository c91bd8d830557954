"""Chains of threats: each forces the reply, and the last makes two at once."""

import numpy as np
import pytest

import noughts
from noughts.games.line_game import LinePosition
from noughts.search.threats import forced_win


def _position(spec: str, text: str) -> LinePosition:
    position = noughts.game(spec).parse(text)
    assert isinstance(position, LinePosition)
    return position


@pytest.mark.parametrize(
    ("spec", "text", "length"),
    [
        ("3x3", "XX./OO./...", 1),
        # A fork in one move, then the win.
        ("3x3", "X.O/.../O.X", 3),
        ("5x5:k=4", "...../..X../.XX../..O../OO...", 3),
        ("3x3x3", ".../.../.../.../.X./.../.../.../O..", 7),
    ],
)
def test_chain_is_found_and_wins(spec: str, text: str, length: int) -> None:
    position = _position(spec, text)
    line = forced_win(position)
    assert line is not None
    assert len(line) <= length
    mark = position.turn
    for index, move in enumerate(line):
        if index % 2 == 1:
            # Every other reply loses at once.
            for reply in position.moves:
                if reply != move:
                    after = position.play(reply)
                    assert after.result is None
                    assert any(after.play(m).result == mark for m in after.moves)
        position = position.play(move)
    assert position.result == mark


@pytest.mark.parametrize("spec", ["3x3", "5x5:k=4", "qubic"])
def test_no_chain_from_the_start(spec: str) -> None:
    start = noughts.game(spec).start()
    assert isinstance(start, LinePosition)
    assert forced_win(start) is None


def test_a_chain_is_a_true_win() -> None:
    """On small boards every chain that is found is a win by full search as well."""
    rng = np.random.default_rng(5)
    found = 0
    for _ in range(300):
        position = noughts.game("4x4:k=3").start()
        for _ in range(int(rng.integers(2, 7))):
            if position.result is None:
                position = position.play(int(rng.choice(position.moves)))
        if position.result is not None:
            continue
        assert isinstance(position, LinePosition)
        line = forced_win(position)
        if line is not None:
            found += 1
            agent = noughts.agent("alphabeta")
            agent.choose(position, rng)
            assert agent.last is not None
            assert agent.last.value == (1.0 if position.turn == "X" else -1.0)
    assert found > 50


def test_misere_has_no_threats() -> None:
    with pytest.raises(noughts.NoughtsError, match="threat"):
        forced_win(_position("3x3:misere", "XX./OO./..."))
