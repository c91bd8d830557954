"""Expectimax over verbs against plain recursion over listed landings, under every risk."""

import numpy as np
import pytest

import noughts
from noughts.games import LineGame, LinePosition
from noughts.games.game import Position
from noughts.search.engines.choice import make_engine
from noughts.search.engines.expectimax import ExpectimaxEngine
from noughts.search.engines.listed import ListedEngine


def _some_positions(spec: str, count: int, plies: int) -> list[Position]:
    rng, found = np.random.default_rng(6), []
    while len(found) < count:
        position = noughts.game(spec).start()
        for _ in range(int(rng.integers(0, plies))):
            if position.result is None:
                position = position.sample(int(rng.choice(position.moves)), rng)[1]
        if position.result is None:
            found.append(position)
    return found


@pytest.mark.parametrize(
    ("spec", "depth"),
    [
        ("3x3:flip=0.1", 3),
        ("3x3:flip=0.1,fizzle=0.1", 3),
        ("3x3:misere,flip=random,seed=3", 4),
        ("3x3:fade=0.05", 2),
        ("2x2:fade=1,flip=0.1", 4),
        ("2x3:k=2,fade=0/0.2/0.4/0.6/0.8/1,flip=0.1,fizzle=0.1", 3),
        ("3x3:hazard=0.2,limit=2,ticks=4", 2),
        ("3x3:hazard=0.2,turn_limit=2,ticks=3,fizzle=0.1,fade=0.1", 1),
        ("ultimate:flip=0.1", 2),
        ("ultimate:won=open,tiebreak=boards,flip=0.2,fizzle=0.1,fade=0.3", 1),
        ("ultimate:hazard=0.2,limit=2,ticks=3", 1),
    ],
)
def test_values_are_those_of_plain_recursion(spec: str, depth: int) -> None:
    for position in _some_positions(spec, 5, 8):
        wanted, is_exact, _ = ListedEngine().values_at(position, depth)
        engine = ExpectimaxEngine(position.game, 2, weighs=False)
        found, claims_exact, is_finished = engine.values_at(position, depth)
        assert is_finished
        assert found == pytest.approx(wanted, abs=1e-12), position
        assert claims_exact == is_exact, position
        best = (max if position.turn == "X" else min)(wanted.values())
        answer = ExpectimaxEngine(position.game, 2, weighs=False).look(position, depth)
        assert answer.value == pytest.approx(best, abs=1e-12), position
        assert answer.move is not None
        assert wanted[answer.move] == pytest.approx(best, abs=1e-12), position


def test_more_cells_than_can_be_listed_are_sampled_and_nothing_is_called_exact() -> None:
    position = noughts.game("qubic:fade=0.05").start()
    for move in (0, 21, 42, 5, 9, 30, 33, 12, 50, 61, 7, 18, 27):
        position = position.play(move)
    assert position.result is None
    told = []
    for _ in range(2):
        engine = ExpectimaxEngine(position.game, 2)
        answer = engine.look(position, 1)
        values, is_exact, is_finished = engine.values_at(position, 1)
        assert is_finished
        assert not is_exact
        assert not answer.is_proven
        told.append((answer.move, answer.value, values))
    assert told[0] == told[1]


class FallenPosition(LinePosition):
    """Marks rest on the lowest row, or on other marks."""

    @property
    def open_cells(self) -> tuple[int, ...]:  # type: ignore[override]
        filled, columns = self.x_mask | self.o_mask, self.game.shape[1]
        below = filled | sum(1 << cell + self.game.cells for cell in range(columns))
        return tuple(
            cell
            for cell in range(self.game.cells)
            if not filled >> cell & 1 and below >> cell + columns & 1
        )


class Falling(LineGame):
    """A game whose rules no kernel knows."""

    def start(self) -> LinePosition:
        return FallenPosition(game=self, turn="X", x_mask=0, o_mask=0, result=None)


@pytest.mark.parametrize("spec", ["3x3", "3x3:flip=0.1"])
def test_a_game_with_rules_of_its_own_is_played_by_them(spec: str) -> None:
    plain = noughts.game(spec)
    assert isinstance(plain, LineGame)
    game = Falling(plain.board, plain.is_misere, plain.risk)
    assert isinstance(make_engine(game, 1, 8), ListedEngine)
    position, agent = game.start(), noughts.agent("alphabeta:depth=2")
    while position.result is None:
        assert len(position.moves) <= 3
        position = position.play(agent.choose(position, np.random.default_rng(0)))
