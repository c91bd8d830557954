"""Alpha-beta against plain recursion, position by position, and the values of the literature."""

import threading
from typing import Any

import numpy as np
import pytest

import noughts
from noughts.games.line_game import LineGame, LinePosition
from noughts.search.alphabeta import AlphaBetaAgent
from noughts.search.engines import deepening
from noughts.search.engines.deepening import deepen

SIGN = {"X": 1, "O": -1}
FAR = 1000  # a win in n moves scores FAR - n

Key = tuple[int, int]  # the cells of X and of O, as bits


def _later(score: int) -> int:
    return score - 1 if score > 0 else score + 1 if score < 0 else 0


def _score_after(game: LineGame, key: Key, cell: int, scores: dict[Key, int]) -> int:
    """What a move is worth to the player who makes it."""
    is_o = sum(key).bit_count() % 2
    own = key[is_o] | 1 << cell
    if any(line & own == line for line in game.board.masks_through[cell]):
        return 1 - FAR if game.is_misere else FAR - 1
    after = (key[0], own) if is_o else (own, key[1])
    if sum(after) == (1 << game.cells) - 1:
        return 0
    return _later(-_score(game, after, scores))


def _score(game: LineGame, key: Key, scores: dict[Key, int]) -> int:
    """The score for the player on turn, by plain recursion over all reachable positions."""
    if key not in scores:
        free = [cell for cell in range(game.cells) if not sum(key) >> cell & 1]
        scores[key] = max(_score_after(game, key, cell, scores) for cell in free)
    return scores[key]


def _game(spec: str) -> LineGame:
    game = noughts.game(spec)
    assert isinstance(game, LineGame)
    return game


def _check_every_position(spec: str, stride: int = 1) -> int:
    game = _game(spec)
    scores: dict[Key, int] = {}
    _score(game, (0, 0), scores)
    engine = AlphaBetaAgent().engine(game)
    for key in list(scores)[::stride]:
        score, turn = scores[key], "O" if sum(key).bit_count() % 2 else "X"
        position = LinePosition(
            game=game, turn="X" if turn == "X" else "O", x_mask=key[0], o_mask=key[1], result=None
        )
        answer, _ = deepen(engine, position, None, None)
        assert answer.is_proven, position
        assert answer.value == np.sign(score) * SIGN[turn], position
        assert answer.distance == (None if score == 0 else FAR - abs(score)), position
        assert answer.move is not None
        assert _score_after(game, key, answer.move, scores) == score, position
    return len(scores)


@pytest.mark.parametrize("spec", ["3x3", "3x3:misere"])
def test_value_distance_and_move_of_every_3x3_position(spec: str) -> None:
    assert _check_every_position(spec) == 4520


@pytest.mark.parametrize("spec", ["4x3", "4x3:misere"])
def test_value_distance_and_move_of_some_4x3_positions(spec: str) -> None:
    _check_every_position(spec, stride=17)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["4x3", "4x3:misere"])
def test_value_distance_and_move_of_every_4x3_position(spec: str) -> None:
    assert _check_every_position(spec) == 79563


@pytest.mark.parametrize(
    ("spec", "value", "distance"),
    [
        ("3x3", 0, None),
        ("3x3:misere", 0, None),
        ("4x4", 0, None),
        ("4x5:k=4", 0, None),
        ("4x6:k=4", 0, None),
        ("5x5:k=4", 0, None),
        ("3x4:k=3", 1, 7),
        ("4x4:k=3", 1, 5),
        ("5x6:k=4", 1, 11),
        ("6x6:k=4", 1, 11),
        ("3x3x3", 1, 7),
        pytest.param("4x7:k=4", 0, None, marks=pytest.mark.slow),
    ],
)
def test_values_of_the_literature(spec: str, value: float, distance: int | None) -> None:
    position = _game(spec).start()
    answer, _ = deepen(AlphaBetaAgent().engine(position.game), position, None, None)
    assert answer.is_proven
    assert (answer.value, answer.distance) == (value, distance)


@pytest.mark.parametrize("spec", ["3x3", "3x3:misere", "4x4:k=3", "3x3x3"])
def test_minimax_and_alphabeta_agree(spec: str) -> None:
    rng = np.random.default_rng(3)
    game = _game(spec)
    compared = 0
    while compared < 12:
        position = game.start()
        while position.result is None and len(position.moves) > 7:
            position = position.play(int(rng.choice(position.moves)))
        if position.result is not None:
            continue
        compared += 1
        alphabeta = AlphaBetaAgent()
        assert noughts.agent("minimax").values(position) == alphabeta.values(position)
        assert alphabeta.values_are_exact


def test_depth_and_time_limit_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    position = noughts.game("qubic").start()
    rng = np.random.default_rng(0)
    shallow = noughts.agent("alphabeta:depth=1,threats=0")
    assert shallow.choose(position, rng) in position.moves
    assert shallow.last is not None
    assert shallow.last.nodes <= 65
    assert not shallow.last.is_exact
    timed = AlphaBetaAgent(time=0.05)
    engine, watches = timed.engine(position.game), []
    look = engine.look

    class HeldWatch:
        """Ends the search when the third look begins, whatever the time is."""

        raised = None

        def __init__(self, stop: Any, seconds: float) -> None:
            self.stop, self.seconds, self.is_over = stop, seconds, threading.Event()
            watches.append(self)

        def start(self) -> None:
            monkeypatch.setattr(engine, "look", self.look)

        def look(self, position: Any, ahead: int) -> Any:
            if ahead == 3:
                self.stop[0] = 1
            return look(position, ahead)

        def join(self) -> None:
            assert self.is_over.is_set()

    monkeypatch.setattr(deepening, "_Watch", HeldWatch)
    assert timed.choose(position, rng) in position.moves
    assert timed.last is not None
    assert timed.last.nodes > 65
    assert not timed.last.is_exact
    assert [(watch.seconds, watch.is_over.is_set()) for watch in watches] == [(0.05, True)]


def test_same_depth_same_move() -> None:
    position = noughts.game("15x15:k=5").start().play(112).play(97)
    moves = {
        noughts.agent("alphabeta:depth=3").choose(position, np.random.default_rng(seed))
        for seed in range(2)
    }
    assert len(moves) == 1


def test_never_loses_on_3x3() -> None:
    """It meets random players from both seats, so it sees all kinds of mistakes."""
    rng = np.random.default_rng(11)
    agents = {"X": noughts.agent("alphabeta"), "O": noughts.agent("random")}
    for index in range(200):
        seats = agents if index % 2 == 0 else {"X": agents["O"], "O": agents["X"]}
        position = noughts.game("3x3").start()
        while position.result is None:
            position = position.play(seats[position.turn].choose(position, rng))
        assert position.result == "draw" or str(seats[position.result]) == "alphabeta"
