"""Lockstep search, self-play and learning for any game."""

from dataclasses import asdict, replace
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

import noughts
from noughts.kernels.search.lockstep import Images
from noughts.learn.zero.batched.gumbel import halving_schedule
from noughts.learn.zero.batched.lockstep import Lockstep
from noughts.learn.zero.batched.lockstep_choice import best_moves, policies
from noughts.learn.zero.batched.lockstep_settings import (
    GUMBEL,
    PLAY,
    PUCT,
    R5,
    SearchSettings,
    to_play,
)
from noughts.learn.zero.batched.networks import Network, load_shipped, network_for, shipped_name


class Scrambled(Network):
    """Answers that depend on the features alone, to the last bit, whatever the batch."""

    name = "scrambled"

    def __init__(self, game: noughts.Game) -> None:
        real = network_for(game)
        self.inputs, self.policy = real.inputs, real.policy
        rng = np.random.default_rng(5)
        self.numbers = rng.integers(1, 1 << 20, (self.inputs, self.policy + 1))

    def sizes(self) -> dict[str, tuple[int, ...]]:
        return {}

    def forward(self, xp: Any, weights: Any, features: Any) -> tuple[Any, Any]:
        # Whole numbers: their sums do not depend on the order.
        mixed = (features * 8).astype(np.int64) @ self.numbers * 2654435761 % 4096 / 4096.0
        return (2 * mixed[:, :-1]).astype(np.float32), (mixed[:, -1] - 0.5).astype(np.float32)


def openings(game: noughts.Game, count: int, plies: int) -> list[noughts.Position]:
    found: list[noughts.Position] = []
    rng = np.random.default_rng(3)
    while len(found) < count:
        position = game.start()
        for _ in range(plies):
            position = position.sample(int(rng.choice(position.moves)), rng)[1]
            if position.result is not None:
                break
        else:
            found.append(position)
    return found


def visits(search: Lockstep, slots: list[int]) -> list[dict[int, int]]:
    roots = search.roots(slots)
    return [
        {int(m): int(n) for m, n in zip(moves, counts, strict=True) if m >= 0}
        for moves, counts in zip(roots.moves, roots.visits, strict=True)
    ]


GAMES = ("4x4", "3x3:misere", "3x3x3", "3x3:flip=0.1,fizzle=0.1", "3x3:fade=0.1", "ultimate",
         "ultimate:won=open,tiebreak=boards", "ultimate:flip=0.2")  # fmt: skip


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("settings", [replace(PLAY, leaves=4), GUMBEL], ids=["puct", "gumbel"])
def test_lockstep_searches_each_game_as_if_it_were_alone(
    spec: str, settings: SearchSettings
) -> None:
    game = noughts.game(spec)
    network = Scrambled(game)
    starts = openings(game, 5, 3)
    settings = replace(settings, simulations=60)
    together = Lockstep(game, network, {}, settings, 5)
    for slot, position in enumerate(starts):
        together.seat(slot, position, 9, slot)
    together.run(range(5))
    for slot, position in enumerate(starts):
        alone = Lockstep(game, network, {}, settings, 1)
        alone.seat(0, position, 9, slot)
        alone.run([0])
        assert visits(alone, [0]) == visits(together, [slot])


def test_lockstep_with_a_real_network_gives_the_moves_of_single_searches() -> None:
    game = noughts.game("ultimate")
    network = network_for(game)
    weights = network.initial(2)
    starts = openings(game, 6, 8)
    settings = replace(R5, simulations=40)

    def chosen(slots: int) -> list[int]:
        found: list[int] = []
        for first in range(0, len(starts), slots):
            search = Lockstep(game, network, weights, settings, slots)
            for slot in range(slots):
                search.seat(slot, starts[first + slot], 9, first + slot)
            search.run(range(slots))
            roots = search.roots(range(slots))
            found += roots.moves[np.arange(slots), best_moves(roots)].tolist()
        return found

    assert chosen(6) == chosen(1) == chosen(6)


@pytest.mark.parametrize("spec", ["3x3", "3x3:misere", "3x3:flip=0.25", "2x2:k=2,fizzle=0.3"])
def test_searches_to_the_end_find_the_exact_value(spec: str) -> None:
    """Whatever the network says: proofs, and averages over landings."""
    game = noughts.game(spec)
    solution = noughts.solve(game)
    search = Lockstep(game, Scrambled(game), {}, PLAY, 12)
    plies = 1 if game.cells == 4 else 5
    starts = openings(game, 12, plies)
    for slot, position in enumerate(starts):
        search.seat(slot, position, 1, slot)
    search.run(range(12), 3000)
    roots = search.roots(range(12))
    is_risky = game.risk.is_risky
    for slot, position in enumerate(starts):
        sign = 1.0 if position.turn == "X" else -1.0
        assert roots.is_proven[slot] or is_risky
        tolerance = 0.1 if is_risky else 1e-9
        assert sign * roots.value[slot] == pytest.approx(solution.value(position), abs=tolerance)
        move = int(roots.moves[slot, best_moves(roots)[slot]])
        best = max(sign * value for value in solution.values(position).values())
        allowed = 0.05 if is_risky else 1e-9
        assert sign * solution.values(position)[move] == pytest.approx(best, abs=allowed)


def test_faded_marks_are_averaged_over_samples() -> None:
    game = noughts.game("3x3:fade=0.2")
    position = game.parse("XX./OO./..X O to move")
    search = Lockstep(game, Scrambled(game), {}, PLAY, 1)
    search.seat(0, position, 1)
    search.run([0], 4000)
    roots = search.roots([0])
    assert int(roots.moves[0, best_moves(roots)[0]]) == 5  # wins at once


@pytest.mark.parametrize("spec", ["ultimate", "4x4:flip=0.1", "3x3:fade=0.1"])
def test_a_kept_subtree_is_what_it_was(spec: str) -> None:
    """After keeping it, every number of the next root is the child's, and the search goes on."""
    game = noughts.game(spec)
    settings = replace(PUCT, simulations=200, warm_moves=0, dirichlet=0.0)
    search = Lockstep(game, Scrambled(game), {}, settings, 2)
    for slot, position in enumerate(openings(game, 2, 3)):
        search.seat(slot, position, 4, slot)
    for _ in range(3):
        search.run([0, 1])
        roots = search.roots([0, 1])
        before = search.forest.visits.copy()
        moves = roots.moves[[0, 1], best_moves(roots)]
        assert not search.advance([0, 1], moves).any()
        forest = search.forest
        for slot in (0, 1):
            size, n_edges = forest.size[slot]
            assert forest.visits[slot, 0] in before[slot]
            for node in range(1, size):
                parent, edge = forest.parent[slot, node], forest.parent_edge[slot, node]
                first = forest.first_edge[slot, parent]
                assert parent < node
                assert first <= edge < first + forest.n_edges[slot, parent] <= n_edges
                assert forest.turn[slot, node] == 3 - forest.turn[slot, parent]
            total = forest.edge_visits[slot, : forest.n_edges[slot, 0]].sum()
            assert total == max(forest.visits[slot, 0] - 1, 0)


def test_a_batch_of_one_game_never_holds_a_position_twice() -> None:
    game = noughts.game("3x3x3")
    network = Scrambled(game)
    seen: list[bytes] = []

    def forward(xp: Any, weights: Any, features: Any) -> tuple[Any, Any]:
        rows = [row.tobytes() for row in features]
        assert len(rows) <= 8
        seen.append(b"|".join(rows))
        return Scrambled.forward(network, xp, weights, features)

    network.forward = forward  # type: ignore[method-assign]
    search = Lockstep(game, network, {}, replace(PLAY, leaves=8), 1)
    search.images = Images(*(table[:1] for table in search.images))  # equal means equal
    search.seat(0, game.start(), 1)
    search.run([0], 400)
    assert search.evaluations >= 350
    assert len(seen) < search.evaluations / 3  # leaves share batches
    assert search.forest.visits[0, 0] == 401


def test_sequential_halving_visits_the_considered_moves_evenly() -> None:
    plan = halving_schedule(16, 32)
    assert plan[16, :16].tolist() == [0] * 16  # each of 16 once
    assert plan[4].tolist()[:4] == [0, 0, 0, 0]
    assert plan[1].tolist() == list(range(32))
    game = noughts.game("4x4")
    search = Lockstep(game, Scrambled(game), {}, replace(GUMBEL, simulations=16), 1)
    search.seat(0, game.start(), 1)
    search.run([0])
    assert sorted(visits(search, [0])[0].values(), reverse=True)[:2] != [16, 0]
    assert sum(visits(search, [0])[0].values()) == 16


def test_a_policy_leaves_out_moves_that_are_proven_to_lose() -> None:
    """X must stop O on 5.

    X . .
    O O .
    . . X
    """
    game = noughts.game("3x3")
    for settings in (GUMBEL, PUCT):
        search = Lockstep(game, Scrambled(game), {}, settings, 1)
        search.seat(0, game.parse("X../OO./..X X to move"), 1)
        search.run([0], 200)
        roots = search.roots([0])
        shares = dict(zip(roots.moves[0].tolist(), policies(settings, roots)[0], strict=True))
        assert shares[5] == pytest.approx(1.0)


def small_learner(**options: Any) -> Any:
    from noughts.learn.zero.batched.learner import BatchedLearner

    quick = {"simulations": 8, "round": 16, "batch": 32, "hidden": 8}
    return BatchedLearner(**(quick | options))


@pytest.mark.parametrize("spec", ["3x3", "3x3:fade=0.05"])
def test_learning_goes_on_exactly_from_its_arrays(spec: str) -> None:
    pytest.importorskip("jax")
    game = noughts.game(spec)
    options = {"gate": 16, "gate_games": 4} if spec == "3x3" else {}
    one = small_learner(**options)
    one.begin(game, "self", 3)
    one.learn(32)
    two = small_learner(**options)
    two.restore(game, "self", {name: array.copy() for name, array in one.arrays().items()})
    losses = [learner.learn(16)["policy_loss"] for learner in (one, two)]
    assert losses[0] == losses[1]
    arrays = two.arrays()
    for name, array in one.arrays().items():
        if name not in ("counters", "log"):  # which hold seconds
            np.testing.assert_array_equal(array, arrays[name], err_msg=name)
    if options:
        assert len(one.log) == 3
        assert {"gate_seconds", "gate_score", "is_best"} <= set(one.log[0])


def test_self_play_is_the_same_in_one_process_and_in_units() -> None:
    from noughts.learn.zero.batched.self_play import play_games

    game = noughts.game("3x3")
    weights = network_for(game).initial(1)
    search = asdict(replace(GUMBEL, simulations=8))
    whole, facts = play_games(weights, "3x3", 5, 6, search=search)
    again, _ = play_games(weights, "3x3", 5, 6, search=search)
    assert facts["games"] == facts["x"] + facts["draws"] + facts["o"] == 6
    for name, array in whole.items():
        np.testing.assert_array_equal(array, again[name])
    parts = [play_games(weights, "3x3", 5, 3, first, search=search)[0] for first in (0, 3)]
    rows = sorted(row.tobytes() for part in parts for row in part["rows"])
    assert rows == sorted(row.tobytes() for row in whole["rows"])
    np.testing.assert_allclose(whole["policies"].sum(axis=1, dtype=np.float32), 1.0, atol=0.01)
    legal = np.unpackbits(whole["legal"], axis=1, count=9)
    np.testing.assert_array_equal(legal, whole["rows"][:, :9] == 0)


def test_a_network_against_itself_is_even_over_pairs() -> None:
    from noughts.learn.zero.batched.self_play import play_match

    weights = network_for(noughts.game("3x3")).initial(1)
    search = asdict(replace(PLAY, simulations=30, leaves=1, reuse=False))
    wins, draws, losses = play_match((weights, weights), "3x3", 1, 6, search, opening=2)
    assert wins + draws + losses == 12
    assert abs(wins - losses) <= 4


def test_the_player_is_reproducible_and_keeps_its_tree() -> None:
    pytest.importorskip("jax")
    learner = small_learner()
    learner.begin(noughts.game("3x3"), "self", 1)
    learner.learn(16)
    game = noughts.game("3x3")
    games = []
    for _ in range(2):
        player, position, moves = learner.player(), game.start(), []
        rng = np.random.default_rng(4)
        while position.result is None:
            moves.append(player.choose(position, rng))
            position = position.play(moves[-1])
        games.append(moves)
    assert games[0] == games[1]
    values = player.values(game.parse("XX./OO./... X to move"))
    assert values[2] == 1.0
    with pytest.raises(noughts.NoughtsError, match="cannot play 4x4"):
        player.choose(noughts.game("4x4").start(), rng)


def test_it_learns_only_from_itself() -> None:
    pytest.importorskip("jax")
    with pytest.raises(noughts.NoughtsError, match="itself"):
        small_learner().begin(noughts.game("3x3"), "random", 1)


def test_the_shipped_network_plays_perfect_tic_tac_toe() -> None:
    """In all 4,520 running positions, with 50 simulations."""
    shipped = load_shipped(noughts.game("3x3"))
    assert shipped is not None
    network, weights = shipped
    assert regret_of_all_positions(weights, network) == 0.0


DATA = files("noughts.learn.zero").joinpath("data")
SHIPPED = ("3x3", "3x3x3", "4x4:flip=0.1", "qubic")


def test_every_shipped_network_is_looked_at() -> None:
    """Ultimate's is of another kind, and has tests of its own."""
    shipped = {place.name for place in DATA.iterdir() if not place.name.startswith("ultimate")}
    assert shipped == {shipped_name(noughts.game(spec)) for spec in SHIPPED}


@pytest.mark.parametrize("spec", SHIPPED)
def test_a_shipped_network_is_small_and_completes_a_line(spec: str) -> None:
    """Both sides lack one mark; the side to move takes its own, with few simulations and with none.

    X X X .
    O O O .
    """
    game = noughts.game(spec)
    assert len(DATA.joinpath(shipped_name(game)).read_bytes()) <= 300_000
    row = game.shape[1]
    position = game.start()
    for cell in range(row - 1):
        position = position.play(cell).play(row + cell)
    player, rng = noughts.agent("zero:simulations=20"), np.random.default_rng(1)
    assert player.choose(position, rng) == row - 1
    shipped = load_shipped(game)
    assert shipped is not None
    network, weights = shipped
    search = Lockstep(game, network, weights, to_play(1), 1)
    search.seat(0, position, 1, 0)
    search.run([0])
    roots = search.roots([0])
    assert roots.moves[0, roots.priors[0].argmax()] == row - 1


@pytest.mark.slow
def test_zero_learns_perfect_tic_tac_toe() -> None:
    """No regret in any reachable position with 50 simulations."""
    pytest.importorskip("jax")
    from noughts.learn.zero.batched.learner import BatchedLearner

    game = noughts.game("3x3")
    learner = BatchedLearner(simulations=50, samples=16)
    learner.begin(game, "self", 1)
    learner.learn(4096)
    assert regret_of_all_positions(learner.weights(), learner.network) == 0.0


def regret_of_all_positions(weights: Any, network: Network) -> float:
    game = noughts.game("3x3")
    solution = noughts.solve(game)
    found, todo = {game.start()}, [game.start()]
    while todo:
        position = todo.pop()
        after = {position.play(move) for move in position.moves}
        new = {child for child in after if child.result is None} - found
        found |= new
        todo += new
    positions = sorted(found, key=str)
    assert len(positions) == 4520
    search = Lockstep(game, network, weights, to_play(50), len(positions))
    for slot, position in enumerate(positions):
        search.seat(slot, position, 1, slot)
    search.run(range(len(positions)))
    roots = search.roots(range(len(positions)))
    moves = roots.moves[np.arange(len(positions)), best_moves(roots)]
    regret = 0.0
    for position, move in zip(positions, moves, strict=True):
        sign = 1.0 if position.turn == "X" else -1.0
        values = {m: sign * v for m, v in solution.values(position).items()}
        regret += max(values.values()) - values[int(move)]
    return regret
