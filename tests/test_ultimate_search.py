"""Ultimate by alpha-beta: endgames against plain recursion, tactics, and limits."""

import numpy as np
import pytest

import noughts
from noughts.games.ultimate import UltimateGame, UltimatePosition
from noughts.search.alphabeta import AlphaBetaAgent
from noughts.search.engines.deepening import deepen

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
    agent = AlphaBetaAgent(time=600.0, memory=4)
    for _ in range(25):
        position = _endgame(spec, 7, rng)
        answer, _ = deepen(agent.engine(position.game), position, None, None)
        assert answer.is_proven
        assert answer.value == _value(position), position
        assert answer.move is not None
        assert _value(position.play(answer.move)) == answer.value, position


def _score(position: UltimatePosition) -> int:
    """For the player on turn: 100 - n is a win in n moves, n - 100 a loss; 0 is a draw."""
    best = -100
    for move in position.moves:
        after = position.play(move)
        if after.result is None:
            score = -_score(after)
        else:
            score = round(100 * WORTH[after.result]) * (1 if position.turn == "X" else -1)
        best = max(best, score - (score > 0) + (score < 0))
    return best


LAST_MARK_LOSES = (  # with tiebreak=boards whoever must fill the last cell may lose by it
    "XXOX.OX../.O..OO.O./XXOXXX.X./OX..OOXX./XX.XXOOX./OXOO.XXX./O..O.XO../OXOOO.X.X/....O.OOO "
    "X to move anywhere",
    "..XXX.X.X/.XO..O..O/OOX.O.OOX/OOX.O.XOX/OOOOXXX../.XXX..O.X/OXXXXOOO./.X.X.OX.X/OOXO.OO.. "
    "X to move anywhere",
)


@pytest.mark.parametrize("spec", ["ultimate", "ultimate:won=open", "ultimate:tiebreak=boards"])
def test_distances_of_endgames_are_exact(spec: str) -> None:
    rng, game = np.random.default_rng(8), noughts.game(spec)
    positions = [_endgame(spec, 5, rng) for _ in range(40)]
    if spec.endswith("boards"):
        positions += [game.parse(text) for text in LAST_MARK_LOSES]
    engine = AlphaBetaAgent(memory=4).engine(game)
    for position in positions:
        answer, score = engine.look(position, 81), _score(position)
        assert answer.distance == (None if score == 0 else 100 - abs(score)), position


def test_values_of_an_endgame() -> None:
    rng = np.random.default_rng(3)
    position = _endgame("ultimate", 6, rng)
    agent = AlphaBetaAgent(memory=4)
    assert agent.values(position) == {m: _value(position.play(m)) for m in position.moves}
    assert agent.values_are_exact


def test_endgames_of_sixteen_cells_take_a_moment() -> None:
    rng = np.random.default_rng(1)
    agent = AlphaBetaAgent(time=600.0, memory=16)
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
