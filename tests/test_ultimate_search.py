"""Ultimate by alpha-beta: endgames against plain recursion, tactics, and limits."""

import numpy as np
import pytest

import noughts
from noughts.games.ultimate import UltimateGame, UltimatePosition
from noughts.search.alphabeta import AlphaBetaAgent
from noughts.search.deepening import deepen

WORTH = {"X": 1.0, "O": -1.0, "draw": 0.0}


def _free(position: UltimatePosition) -> int:
    return sum(position.free_cells(mini).bit_count() for mini in range(9))


def _endgame(spec: str, cells: int, rng: np.random.Generator) -> UltimatePosition:
    """A random running position with at most so many free cells."""
    game = noughts.game(spec)
    assert isinstance(game, UltimateGame)
    while True:
        position = game.start()
        while position.result is None and _free(position) > cells:
            position = position.play(int(rng.choice(position.moves)))
        if position.result is None:
            return position


def _value(position: UltimatePosition) -> float:
    if position.result is not None:
        return WORTH[position.result]
    values = [_value(position.play(move)) for move in position.moves]
    return max(values) if position.turn == "X" else min(values)


@pytest.mark.parametrize("spec", ["ultimate", "ultimate:won=open", "ultimate:tiebreak=boards"])
def test_endgames_are_exact(spec: str) -> None:
    rng = np.random.default_rng(8)
    agent = AlphaBetaAgent(time=60.0, memory=4)
    for _ in range(25):
        position = _endgame(spec, 7, rng)
        answer, _ = deepen(agent.engine(position.game), position, None, None)
        assert answer.is_proven
        assert answer.value == _value(position), position
        assert answer.move is not None
        assert _value(position.play(answer.move)) == answer.value, position


def test_values_of_an_endgame() -> None:
    rng = np.random.default_rng(3)
    position = _endgame("ultimate", 6, rng)
    agent = AlphaBetaAgent(memory=4)
    assert agent.values(position) == {m: _value(position.play(m)) for m in position.moves}
    assert agent.values_are_exact


def test_endgames_of_sixteen_cells_take_a_moment() -> None:
    rng = np.random.default_rng(1)
    agent = AlphaBetaAgent(time=30.0, memory=16)
    for _ in range(3):
        agent.choose(_endgame("ultimate", 16, rng), rng)
        assert agent.last is not None
        assert agent.last.is_exact


def test_depth_limit() -> None:
    start = noughts.game("ultimate").start()
    agent = AlphaBetaAgent(depth=3)
    assert agent.choose(start, np.random.default_rng(0)) in start.moves
    assert agent.last is not None
    assert agent.last.depth == 3
    assert not agent.last.is_exact
