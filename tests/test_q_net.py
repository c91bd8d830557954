"""The Q-network: its rows against positions, its targets by hand, and going on bit by bit."""

import sys
from typing import Any

import numpy as np
import pytest

import noughts
from noughts.errors import NoughtsError
from noughts.games.game import Landing
from noughts.learn.frame.features import Encoder
from noughts.learn.frame.memory import Memory
from noughts.learn.net.games import Batch
from noughts.learn.net.learner import QNet
from noughts.learn.net.lessons import Lesson, draw_lesson, residual, targets, transitions
from noughts.learn.net.network import forward, initial

RISKY = "3x3:flip=0.2,fizzle=0.1"
CLOCK = "3x3:hazard=0.3,limit=4,ticks=3"
GAMES = ["3x3", RISKY, CLOCK, "4x3:k=3,misere", "ultimate", "ultimate:won=open,tiebreak=boards"]
RISKY_ULTIMATE = "ultimate:flip=0.2,fizzle=0.1"

SMALL: dict[str, Any] = {"hidden": (8,), "batch": 16, "parallel": 4, "memory": 300, "refresh": 5}


def some_positions(spec: str, many: int) -> list[noughts.Position]:
    game, rng = noughts.game(spec), np.random.default_rng(4)
    found: list[noughts.Position] = []
    while len(found) < many:
        position = game.start()
        while position.result is None:
            found.append(position)
            _, position = position.sample(int(rng.choice(position.moves)), rng)
    return found[:many]


def drawn_network(batch: Batch) -> dict[str, Any]:
    rng = np.random.default_rng(2)
    made = initial(batch.encoder.size, (8,), batch.moves, rng)
    return {name: 0.3 * rng.standard_normal(array.shape) for name, array in made.items()}


@pytest.mark.parametrize("kind", ["raw", "cells", "lines"])
@pytest.mark.parametrize("spec", [*GAMES, RISKY_ULTIMATE])
def test_rows_say_what_positions_say(spec: str, kind: str) -> None:
    positions = some_positions(spec, 25)
    batch = Batch(Encoder(noughts.game(spec), kind))
    rows = np.stack([batch.row_of(position) for position in positions])
    seen, allowed = batch.encode(rows), batch.allowed(rows)
    for position, row, x, moves in zip(positions, rows, seen, allowed, strict=True):
        assert batch.position_of(row) == position
        np.testing.assert_allclose(x, batch.encoder.encode(position), atol=1e-6)
        assert tuple(np.flatnonzero(moves)) == position.moves


@pytest.mark.parametrize("spec", [*GAMES, RISKY_ULTIMATE])
def test_landings_are_those_of_the_rules(spec: str) -> None:
    batch, rng = Batch(Encoder(noughts.game(spec), "cells")), np.random.default_rng(3)
    state = np.array([7], np.uint64)
    for position in some_positions(spec, 60):
        move = int(rng.choice(position.moves))
        landed = batch.land(batch.row_of(position)[None], np.array([move]), 3, state)
        marks = (position.turn, "O" if position.turn == "X" else "X", None)
        chances = {landing.mark: chance for chance, landing in position.outcomes(move)}
        for k, mark in enumerate(marks):
            assert landed.chance[0, k] == pytest.approx(chances.get(mark, 0.0), abs=1e-6)
            if mark not in chances:
                continue
            after = position.play(move, Landing(mark))  # type: ignore[arg-type]
            won = {position.turn: 1.0, None: 0.0, "draw": 0.0}.get(after.result, -1.0)
            assert (landed.is_over[0, k], landed.reward[0, k]) == (after.result is not None, won)
            if after.result is None:
                assert (landed.rows[0, k] == batch.row_of(after)).all()
        assert landed.chance[0, landed.drawn[0]] > 0


@pytest.mark.parametrize("spec", ["3x3:fade=0.3", "ultimate:fade=0.3"])
def test_marks_fade_as_often_as_they_should(spec: str) -> None:
    batch = Batch(Encoder(noughts.game(spec), "cells"))
    position = noughts.game(spec).start().play(4).play(0 if spec[0] == "3" else 40)
    rows = np.tile(batch.row_of(position), (2000, 1))
    moves = np.full(2000, position.moves[-1])
    after = batch.land(rows, moves, 1, np.array([1], np.uint64)).rows[:, 0]
    boards = [batch.position_of(row).board for row in after]
    left = np.mean([[letter != "." for letter in board] for board in boards], axis=0)
    filled = [cell for cell, letter in enumerate(position.board) if letter != "."]
    filled.append(position.moves[-1])
    np.testing.assert_allclose(left[filled], 0.7, atol=0.05)


@pytest.mark.parametrize("spec", ["3x3", RISKY, CLOCK, "ultimate"])
def test_targets_by_hand(spec: str) -> None:
    """y = Σ chance · (r - max Q(s')), one position at a time."""
    game = noughts.game(spec)
    batch, rng = Batch(Encoder(game, "lines")), np.random.default_rng(3)
    network = drawn_network(batch)
    positions = some_positions(spec, 20)
    rows = np.stack([batch.row_of(position) for position in positions])
    moves = np.array([int(rng.choice(position.moves)) for position in positions])
    memory = Memory(20)
    memory.add(transitions(rows, moves, batch.land(rows, moves, 3, np.array([1], np.uint64))))

    class InOrder:
        def integers(self, _: int, size: int) -> Any:
            return np.arange(size)

    lesson = draw_lesson(memory, batch, 20, False, InOrder())  # type: ignore[arg-type]
    for y, position, move in zip(targets(np, network, lesson), positions, moves, strict=True):
        by_hand = 0.0
        for chance, after in position.landings(int(move)):
            if after.result is not None:
                won = {position.turn: 1.0, "draw": 0.0}.get(after.result, -1.0)
                by_hand += chance * won
            else:
                q = forward(np, network, batch.encoder.encode(after))
                by_hand -= chance * max(q[list(after.moves)])
        assert y == pytest.approx(np.clip(by_hand, -1, 1), abs=1e-5)


def a_lesson(batch: Batch, many: int = 12) -> Lesson:
    positions = some_positions(str(batch.encoder.game), many)
    rows = np.stack([batch.row_of(position) for position in positions])
    moves = np.array([position.moves[0] for position in positions])
    memory = Memory(many)
    memory.add(transitions(rows, moves, batch.land(rows, moves, 3, np.array([1], np.uint64))))
    return draw_lesson(memory, batch, many, False, np.random.default_rng(0))


def test_the_gradient_is_that_of_the_residual() -> None:
    """JAX's gradient against central differences of the same residual in NumPy."""
    jax = pytest.importorskip("jax")
    import jax.numpy as jnp

    batch = Batch(Encoder(noughts.game(RISKY), "cells"))
    network, lesson = drawn_network(batch), a_lesson(batch)
    y = targets(np, network, lesson)
    gradient = jax.grad(lambda p: residual(jnp, p, lesson, y))(network)
    assert residual(jnp, network, lesson, y) == pytest.approx(residual(np, network, lesson, y))
    rng, small = np.random.default_rng(6), 1e-5
    for name, array in network.items():
        for _ in range(6):
            place = tuple(rng.integers(size) for size in array.shape)
            around = []
            for step in (small, -small):
                moved = {**network, name: array.copy()}
                moved[name][place] += step
                around.append(residual(np, moved, lesson, y))
            slope = (around[0] - around[1]) / (2 * small)
            assert gradient[name][place] == pytest.approx(slope, abs=1e-4, rel=1e-3)


def test_a_turned_lesson_is_of_the_same_game() -> None:
    for spec in ("3x3", "ultimate"):
        batch = Batch(Encoder(noughts.game(spec), "lines"))
        positions = some_positions(spec, 30)
        rows = np.stack([batch.row_of(position) for position in positions])
        seen, symmetries = batch.encode(rows), noughts.game(spec).symmetries()
        which = np.arange(30) % len(symmetries)
        moves = np.array([position.moves[-1] for position in positions])
        turned, turned_moves = batch.turned(seen, which), batch.turned_moves(moves, which)
        allowed = batch.turned_masks(batch.allowed(rows), which)
        for i, position in enumerate(positions):
            image = position.permuted(symmetries[which[i]])
            assert (turned[i] == batch.encode(batch.row_of(image))).all()
            assert tuple(np.flatnonzero(allowed[i])) == image.moves
            assert turned_moves[i] == symmetries[which[i]][moves[i]]


@pytest.mark.parametrize(
    ("spec", "opponent", "options"),
    [
        ("3x3:flip=0.1", "self", {"symmetric": "yes"}),
        ("3x3", "random", {"seat": "o"}),
        ("3x3:fade=0.05", "flat:playouts=2", {"features": "raw"}),
        ("ultimate", "self", {"hidden": (8, 4)}),
    ],
)
def test_a_restored_learner_goes_on_bit_by_bit(
    spec: str, opponent: str, options: dict[str, Any]
) -> None:
    pytest.importorskip("jax")
    game = noughts.game(spec)
    whole, first, second = (QNet(**{**SMALL, **options}) for _ in range(3))
    whole.begin(game, opponent, seed=7)
    whole.learn(12)
    first.begin(game, opponent, seed=7)
    first.learn(6)
    kept = first.arrays()
    first.learn(3)  # what was handed out stays as it was
    second.restore(game, opponent, kept)
    told = second.learn(6)
    assert told["x"] + told["o"] + told["draw"] == pytest.approx(1.0)
    after = second.arrays()
    for key, array in whole.arrays().items():
        assert (array == after[key]).all(), key
    assert whole.lessons > 0


@pytest.mark.parametrize("seat", ["x", "o"])
def test_the_opponent_moves_in_his_seat(seat: str) -> None:
    pytest.importorskip("jax")
    learner = QNet(**{**SMALL, "seat": seat, "epsilon_decay": 1.0})
    learner.begin(noughts.game("3x3"), "heuristic:depth=4", seed=1)
    told = learner.learn(8)
    assert told[seat] == 0
    assert told["o" if seat == "x" else "x"] >= 0.7
    kept = learner.remembered
    mine = 1 if seat == "x" else 2
    assert (kept.in_order()["before"][:, -2] == mine).all()
    assert kept.in_order()["reward"].min() == -1


def test_it_learns_to_take_a_win_and_plays_without_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("jax")
    game = noughts.game("3x3")
    learner = QNet(features="lines", symmetric="yes", rate=0.003, epsilon_decay=0.998)
    learner.begin(game, "self", seed=1)
    learner.learn(1500)
    kept = learner.arrays()
    alone = QNet(features="lines", symmetric="yes", rate=0.003, epsilon_decay=0.998)
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "jax", None)
        alone.restore(game, "self", kept)
        player: Any = alone.player()
        with pytest.raises(NoughtsError, match=r"noughts\[learn\]"):
            alone.learn(1)
    found = []
    for position in some_positions("3x3", 150):
        wins = [m for m in position.moves if position.play(m).result == position.turn]
        move = player.choose(position, np.random.default_rng(0))
        digits = [0 if c == "." else 1 if c == position.turn else 2 for c in position.board]
        number = np.array([sum(d * 3**i for i, d in enumerate(digits))])
        assert player.choices(number, position.turn)[0] == move
        assert set(player.values(position)) == set(position.moves)
        if wins:
            found.append(move in wins)
    assert np.mean(found) > 0.8


def test_wrong_input_is_told_in_a_sentence() -> None:
    with pytest.raises(NoughtsError, match="whole numbers"):
        QNet(hidden=(6.5,)).check_game(noughts.game("3x3"))
    learner = QNet(**SMALL)
    learner.begin(noughts.game("3x3"), "self", 1)
    with pytest.raises(NoughtsError, match="cannot play"):
        learner.player().choose(noughts.game("4x4").start(), np.random.default_rng(0))
    with pytest.raises(NoughtsError, match="were not learned"):
        QNet(**{**SMALL, "hidden": (9,)}).restore(noughts.game("3x3"), "self", learner.arrays())
