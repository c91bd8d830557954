"""Expectiminimax against the exact tables, and the plain one where no kernel searches."""

import numpy as np
import pytest

import noughts
from noughts.games.game import Position
from noughts.search.alphabeta import AlphaBetaAgent
from noughts.search.engines.choice import make_engine
from noughts.search.engines.listed import ListedEngine


def _some_positions(spec: str, count: int, seed: int) -> list[Position]:
    rng = np.random.default_rng(seed)
    found: list[Position] = []
    while len(found) < count:
        position = noughts.game(spec).start()
        for _ in range(int(rng.integers(0, 8))):
            if position.result is None:
                position = position.sample(int(rng.choice(position.moves)), rng)[1]
        if position.result is None:
            found.append(position)
    return found


@pytest.mark.parametrize(
    "spec",
    [
        "3x3:flip=stochastic",
        "3x3:flip=0.1",
        "3x3:flip=blind",
        "3x3:flip=reverse",
        "3x3:misere,flip=random,seed=3",
        "2x4:k=3,flip=random,seed=1",
    ],
)
def test_flip_is_solved_exactly(spec: str) -> None:
    solution = noughts.solve(spec)
    agent = AlphaBetaAgent(time=600.0)
    rng = np.random.default_rng(0)
    start = noughts.game(spec).start()
    assert agent.values(start) == pytest.approx(solution.values(start), abs=1e-12)
    assert agent.values_are_exact
    for index, position in enumerate(_some_positions(spec, 40, seed=1)):
        if index % 8 == 0:
            agent.reset()
        move = agent.choose(position, rng)
        assert agent.last is not None
        assert agent.last.is_exact
        assert agent.last.value == pytest.approx(solution.value(position), abs=1e-12)
        assert solution.values(position)[move] == pytest.approx(solution.value(position), abs=1e-12)


def test_pruning_saves_most_of_the_work() -> None:
    """The best move alone takes far fewer positions than the values of all moves."""
    game = noughts.game("3x3:flip=0.2")
    pruned, full = make_engine(game, 16, 0), make_engine(game, 16, 0)
    pruned.look(game.start(), 9)
    full.values_at(game.start(), 9)
    assert 0 < pruned.nodes < full.nodes


@pytest.mark.parametrize("spec", ["3x3:fizzle=0.1", "3x3:flip=0.1,fizzle=0.2"])
def test_fizzle_comes_close_with_depth(spec: str) -> None:
    solution = noughts.solve(spec)
    for position in _some_positions(spec, 6, seed=4):
        agent = AlphaBetaAgent(depth=9)
        values = agent.values(position)
        assert values == pytest.approx(solution.values(position), abs=0.2)


@pytest.mark.parametrize("spec", ["3x3:fade=0.1", "3x3:hazard=0.2,limit=2,ticks=2"])
def test_plain_expectimax_is_right_at_its_depth(spec: str) -> None:
    """One move deep: wins and losses of the next landing count, everything else is 0."""
    for position in _some_positions(spec, 5, seed=2):
        worth = {"X": 1.0, "O": -1.0}
        wanted = {
            move: sum(p * worth.get(q.result or "", 0.0) for p, q in position.landings(move))
            for move in position.moves
        }
        assert ListedEngine().values_at(position, 1)[0] == pytest.approx(wanted)
        best, move = max if position.turn == "X" else min, ListedEngine().look(position, 1).move
        assert move is not None
        assert wanted[move] == best(wanted.values())


def test_short_clocks_are_solved() -> None:
    """A clock makes the game finite, so deep looks near its end are exact."""
    game = noughts.game("2x2:hazard=0.5,limit=2,ticks=2")
    solution = noughts.solve(game)
    agent = AlphaBetaAgent(depth=4)
    assert agent.values(game.start()) == pytest.approx(solution.values(game.start()), abs=1e-12)
    assert agent.values_are_exact


@pytest.mark.parametrize("spec", ["ultimate:flip=0.1", "3x3:fade=0.05", "4x4:flip=0.3"])
def test_it_plays_every_game_in_time(spec: str) -> None:
    rng = np.random.default_rng(0)
    agent = AlphaBetaAgent(time=0.05)
    position: Position = noughts.game(spec).start()
    for _ in range(6):
        if position.result is None:
            move = agent.choose(position, rng)
            assert move in position.moves
            position = position.sample(move, rng)[1]
