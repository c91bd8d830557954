"""The engine under the environments, held against the positions that state the rules."""

import numpy as np
import pytest

import noughts
from noughts.adapters.batch import Batch, observation_shape
from noughts.adapters.render import CELL, picture
from noughts.games.game import Position

SPECS = [
    "3x3",
    "3x3:misere",
    "3x3x3:flip=0.2",
    "4x3:k=3,fizzle=0.2,fade=0.1",
    "2x3:hazard=0.3,limit=3,ticks=4",
    "2x3:hazard=0.3,turn_limit=1,ticks=2,flip=0.1",
    "ultimate",
    "ultimate:won=open",
    "ultimate:tiebreak=boards,flip=0.3,fade=0.05",
    "ultimate:hazard=0.1,limit=9,ticks=3",
]


def planes_of(position: Position, side: str) -> np.ndarray:
    """The observation written out from the position."""
    other = "O" if side == "X" else "X"
    board = np.array(list(position.board))
    opened = np.zeros(len(board), bool)
    if position.result is None:
        opened[list(position.open_cells)] = True
    columns = [board == side, board == other, opened]
    if hasattr(position, "owners"):
        owners = np.repeat(list(position.owners), 9)
        columns += [owners == side, owners == other]
    risk = position.game.risk
    if risk.has_clock:
        end = risk.last_tick or position.game.cells * risk.longest_wait
        columns.append(np.full(len(board), position.tick / end))
    return np.stack(columns, axis=1).astype(np.float32)


def check_faded(before: Position, after: Position, cell: int) -> None:
    """Where too many landings could be listed: marks vanish, and only one of them may be new."""
    assert after.turn != before.turn
    for place, (old, new) in enumerate(zip(before.board, after.board, strict=True)):
        assert new in (old, ".") or place == cell


@pytest.mark.parametrize("spec", SPECS)
def test_a_batch_plays_what_positions_allow(spec: str) -> None:
    """Every step of random games leads to one of the positions that the move may land in."""
    game = noughts.game(spec)
    size = 12 if game.cells < 30 else 4
    batch = Batch(game, size, seed=3)
    positions = [game.start() for _ in range(size)]
    rng, steps = np.random.default_rng(5), 0
    while any(position.result is None for position in positions) and steps < 40:
        moves = np.array([rng.choice(p.moves) if p.moves else 0 for p in positions])
        running = batch.results == 0
        is_legal, seen, masks = batch.step(moves)
        assert np.array_equal(is_legal, running)
        on_turn = batch.observe(batch.turns)
        assert np.array_equal(seen, on_turn[0])
        assert np.array_equal(masks, on_turn[1])
        for i in np.flatnonzero(running):
            before, after = positions[i], batch.position(i)
            if game.risk.fades and before.board.count(".") < game.cells - 5:
                check_faded(before, after, game.cell_of(int(moves[i])))
            else:
                assert after in [landed for _, landed in before.landings(int(moves[i]))]
            positions[i] = after
        for side in ("X", "O"):
            planes, masks = batch.observe(np.full(size, "XO".index(side) + 1, np.int8))
            for i, position in enumerate(positions):
                np.testing.assert_array_equal(planes[i], planes_of(position, side))
                assert tuple(np.flatnonzero(masks[i])) == position.moves
        steps += 1
    assert steps > 3


@pytest.mark.parametrize("spec", ["3x3", "2x3:hazard=0.3,limit=3,ticks=4", "ultimate"])
def test_an_illegal_move_changes_nothing(spec: str) -> None:
    game = noughts.game(spec)
    batch = Batch(game, 4, seed=1)
    batch.step(np.array([4, 4, 4, 4]))
    before = [batch.position(i) for i in range(4)]
    is_legal, _, _ = batch.step(np.array([4, -1, 10**6, 5 if spec == "ultimate" else 4]))
    assert not is_legal.any()
    assert [batch.position(i) for i in range(4)] == before


def test_chosen_moves_are_legal_and_all_of_them_come_up() -> None:
    batch = Batch(noughts.game("2x3:hazard=0.3,limit=3,ticks=2"), 600, seed=2)
    batch.step(np.full(600, 3))
    found = batch.choose()
    legal = np.flatnonzero(batch.observe(batch.turns)[1][0])
    assert set(found.tolist()) == set(legal.tolist())
    counts = np.bincount(found)[legal]
    assert counts.min() > 0.5 * 600 / len(legal)


@pytest.mark.parametrize("spec", ["3x3:flip=0.2", "ultimate"])
def test_a_random_opponent_answers_and_opens(spec: str) -> None:
    """The player is on turn after every step until the game is over, whichever seat is his."""
    batch = Batch(noughts.game(spec), 40, seed=6)
    sides = np.array([1, 2] * 20, np.int8)
    seen, masks = batch.begin(sides, answers=True)
    assert seen[:, :, :2].sum(axis=(1, 2)).tolist() == [0, 1] * 20
    restarts = np.zeros(40, np.bool_)
    for _ in range(60):
        moves = masks.argmax(axis=1)
        is_legal, seen, masks = batch.step(moves, restarts, sides, answers=True)
        assert is_legal.all()
        running = batch.results == 0
        assert np.array_equal(batch.turns[running], sides[running])
        assert np.array_equal(seen, batch.observe(sides)[0])
        restarts = ~running
    assert (batch.results == 0).any()


def test_marks_land_as_often_as_the_risk_says() -> None:
    batch = Batch(noughts.game("3x3:flip=0.3,fizzle=0.2"), 20_000, seed=4)
    batch.step(np.zeros(20_000, np.int64))
    marks, _ = batch.observe(np.ones(20_000, np.int8))
    own, other = marks[:, 0, :2].mean(axis=0)
    shares = [1.0 - own - other, own, other]
    np.testing.assert_allclose(shares, [0.2, 0.5, 0.3], atol=0.015)


def test_a_game_goes_the_same_way_in_a_batch_of_any_size() -> None:
    game = noughts.game("3x3:flip=0.3")
    alone, many = Batch(game, 1, seed=9), Batch(game, 50, seed=9)
    for _ in range(4):
        move = alone.choose()
        assert many.choose()[0] == move[0]
        alone.step(move)
        many.step(np.full(50, move[0]))
        assert many.position(0) == alone.position(0)


def test_pictures_show_the_marks_where_they_are() -> None:
    game = noughts.game("3x3")
    position = game.parse("X../.O./... X to move")
    pixels = picture(position)
    assert pixels.shape == (3 * CELL + 2, 3 * CELL + 2, 3)
    colours = [
        len(np.unique(pixels[r * CELL + 4 : r * CELL + 28, c * CELL + 4 : c * CELL + 28, 0]))
        for r in range(3)
        for c in range(3)
    ]
    assert colours == [2, 1, 1, 1, 2, 1, 1, 1, 1]
    assert not np.array_equal(pixels[1:CELL, 1:CELL], pixels[CELL + 1 : 2 * CELL, 1:CELL])
    for spec in ("qubic", "ultimate"):
        assert picture(noughts.game(spec).start()).ndim == 3


def test_observations_put_a_cell_where_its_move_is() -> None:
    for spec in ("4x3:k=3", "3x3x3", "ultimate"):
        game = noughts.game(spec)
        rows, columns, _ = observation_shape(game)
        assert rows * columns == game.cells
