"""Batched networks: one forward pass for NumPy and JAX, files, and what each refuses."""

from pathlib import Path

import numpy as np
import pytest

import noughts
from noughts.games.compiled import row_of
from noughts.kernels.rules import protocol
from noughts.kernels.search import lockstep
from noughts.learn.zero.batched.lockstep import images_of
from noughts.learn.zero.batched.networks import (
    load_network,
    load_shipped,
    network_for,
    save_network,
    shipped_name,
)

GAMES = ("3x3", "4x3:k=3", "3x3x3", "4x4:flip=0.1", "3x3:hazard=0.2,limit=10,ticks=4", "ultimate")


def positions(spec: str, count: int) -> list[noughts.Position]:
    """Running positions of random games."""
    rng = np.random.default_rng(7)
    found: list[noughts.Position] = []
    while len(found) < count:
        position = noughts.game(spec).start()
        for _ in range(int(rng.integers(6))):
            after = position.sample(int(rng.choice(position.moves)), rng)[1]
            if after.result is not None:
                break
            position = after
        found.append(position)
    return found


def encoded(spec: str, found: list[noughts.Position], symmetry: int = 0) -> np.ndarray:
    game = noughts.game(spec)
    room = lockstep.new_room(game.rules, protocol.facts(game.rules))
    rows = np.array([row_of(position) for position in found])
    features = np.zeros((len(found), network_for(game).inputs), np.float32)
    choices = np.full(len(found), symmetry)
    lockstep.encode_all(game.rules, room, images_of(game), rows, choices, features)
    return features


@pytest.mark.parametrize("spec", GAMES)
def test_forward_is_the_same_in_numpy_and_jax(spec: str) -> None:
    jax = pytest.importorskip("jax")
    network = network_for(noughts.game(spec))
    weights = network.initial(3)
    features = encoded(spec, positions(spec, 5))
    logits, values = network.forward(np, weights, features)
    other_logits, other_values = network.forward(jax.numpy, weights, features)
    assert logits.shape == (5, network.policy)
    assert logits.dtype == np.float32
    assert np.abs(values).max() < 1.0
    np.testing.assert_allclose(logits, other_logits, atol=1e-5)
    np.testing.assert_allclose(values, other_values, atol=1e-5)


def test_ultimate_is_read_from_the_movers_side() -> None:
    """R5's input: 1 own, -1 the opponent's; a one-hot of the forced mini board, or zeros."""
    game = noughts.game("ultimate")
    start, after = game.start(), game.start().play(40).play(36)
    features = encoded("ultimate", [start, after])
    assert not features[0].any()
    assert features[1, 40] == 1.0  # X's own, and it is his turn
    assert features[1, 36] == -1.0
    assert features[1, 81:].tolist() == [1.0, 0, 0, 0, 0, 0, 0, 0, 0]
    assert network_for(game).inputs == 90


@pytest.mark.parametrize("spec", ["3x3", "ultimate"])
def test_a_symmetry_shows_the_permuted_position(spec: str) -> None:
    found = positions(spec, 4)
    symmetry = noughts.game(spec).symmetries()[3]
    moved = [position.permuted(symmetry) for position in found]
    np.testing.assert_array_equal(encoded(spec, found, symmetry=3), encoded(spec, moved))


def test_the_convolution_with_stride_three_is_shared_by_the_mini_boards() -> None:
    """Before the second convolution, equal mini boards have equal channels."""
    network = network_for(noughts.game("ultimate"))
    weights = network.initial(1)
    features = np.zeros((1, 90), np.float32)
    features[0, [4, 9 * 8 + 4]] = 1.0
    minis = features[:, :81].reshape(9, 9) @ weights["mini.weight"]
    np.testing.assert_array_equal(minis[0], minis[8])
    assert weights["mini.weight"].shape[0] == 9
    assert sum(name.startswith("hidden") for name in weights) == 8  # four layers and their biases


def test_lines_alone_know_how_to_complete_and_to_stop() -> None:
    """With a table for lines and nothing else, X completes his row before he stops O's.

    X X .
    O O .
    . . .
    """
    game = noughts.game("3x3")
    network = network_for(game)
    weights = {name: np.zeros_like(array) for name, array in network.initial(0).items()}
    table = weights["policy.lines"].reshape(4, 4)  # own missing, opponent's missing
    table[1, 3], table[3, 1] = 2.0, 1.0
    position = game.parse("XX./OO./... X to move")
    logits, _ = network.forward(np, weights, encoded("3x3", [position]))
    assert logits[0, list(position.moves)].tolist() == [2.0, 1.0, 0.0, 0.0, 0.0]


def test_files_round_trip_and_are_refused_for_another_game(tmp_path: Path) -> None:
    game = noughts.game("3x3x3")
    network = network_for(game, hidden=16)
    weights = network.initial(1)
    path = tmp_path / shipped_name(game)
    save_network(path, game, network, weights, "a test")
    loaded, kept = load_network(path, game)
    assert loaded.sizes() == network.sizes()
    for name, array in weights.items():
        np.testing.assert_array_equal(array, kept[name])
    with pytest.raises(noughts.NoughtsError, match="cannot play 3x3"):
        load_network(path, noughts.game("3x3"))
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    with pytest.raises(noughts.ParseError, match="damaged"):
        load_network(path, game)


def test_a_clock_with_too_many_moves_is_refused() -> None:
    with pytest.raises(noughts.NoughtsError, match="too many for a network"):
        network_for(noughts.game("3x3:hazard=0.1,limit=10,ticks=5000"))


def test_games_without_a_shipped_network_have_none() -> None:
    assert load_shipped(noughts.game("5x5:k=4")) is None
