"""The network `noughts`: rules, tables, search, self-play and training all say the same."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from folded_positions import SMALL, endgame, lively_weights, random_position

import noughts
from noughts.errors import NoughtsError, ParseError
from noughts.games.ultimate import UltimateGame
from noughts.kernels.zero.folded import FoldedNet, evaluate
from noughts.kernels.zero.mini_boards import (
    DRAW,
    FORCED,
    LOSS,
    TURN,
    UNKNOWN,
    WIN,
    moves_of,
    play,
)
from noughts.kernels.zero.selfplay import PlaySettings, Samples, fill_batch
from noughts.learn.zero.folded.aligned import CACHE_LINE
from noughts.learn.zero.folded.configurations import (
    augmentation,
    board_tables,
    configurations,
    features,
    game_tables,
    state_of,
)
from noughts.learn.zero.folded.files import load_weights, save_folded
from noughts.learn.zero.folded.learner import Settings, UltimateLearner, match
from noughts.learn.zero.folded.lessons import Positions, new_batch
from noughts.learn.zero.folded.network import Sizes, encode, fold, forward, new_weights
from noughts.learn.zero.folded.player import FoldedPlayer
from noughts.learn.zero.folded.puct_tree import new_tree, self_play
from noughts.learn.zero.folded.search_tree import ZeroTree, moves_between

PLAY = PlaySettings(12, 6, 1.2, 0.3, 0.25, 0.8, 6, 4, 0.5)


@pytest.fixture(scope="module")
def net() -> FoldedNet:
    return fold(lively_weights())


def test_there_are_as_many_configurations_as_the_recipe_says() -> None:
    assert len(configurations()) == 11_096


@pytest.mark.parametrize(
    "spec", ["ultimate", "ultimate:won=open", "ultimate:tiebreak=boards,won=open"]
)
def test_the_kernel_plays_by_the_rules(spec: str) -> None:
    game = noughts.game(spec)
    assert isinstance(game, UltimateGame)
    tables, rng = game_tables(game), np.random.default_rng(3)
    moves = np.zeros(81, np.int16)
    endings = set()
    for _ in range(40):
        position: Any = game.start()
        state, is_dead = state_of(position), False
        while position.result is None:
            n = moves_of(state, moves)
            assert tuple(moves[:n]) == position.open_cells
            mover, move = position.turn, int(rng.choice(position.open_cells))
            position = position.play(move)
            result = play(tables, state, move)
            is_dead = is_dead or (result == DRAW and position.result is None)
            if position.result is None:
                assert result in (UNKNOWN, DRAW)
                assert state.tolist() == state_of(position).tolist()
            elif not is_dead:
                expected = {mover: WIN, "draw": DRAW}.get(position.result, LOSS)
                assert result == expected
        assert not is_dead or position.result == "draw"
        endings.add(position.result)
    assert len(endings) == 3


def test_the_tables_give_what_the_network_computes(net: FoldedNet) -> None:
    weights = lively_weights()
    for seed in range(40):
        position = random_position(seed, seed)
        state, moves = state_of(position), np.array(position.open_cells, np.int16)
        value, draw, priors = evaluate(net, state, moves, len(moves))
        boards = state[9 * state[TURN] : 9 * state[TURN] + 9]
        forced = state[FORCED : FORCED + 1]
        odds, logits = forward(np, weights, features(), boards[None], forced)
        odds, logits = np.exp(odds[0] - odds.max()), np.exp(logits[0, moves] - logits.max())
        odds /= odds.sum()
        assert value == pytest.approx(odds[0] - odds[2], abs=2e-3)
        assert draw == pytest.approx(odds[1], abs=2e-3)
        assert priors == pytest.approx(logits / logits.sum(), abs=2e-3)


def test_rows_are_rounded_to_half_a_unit_and_nine_of_them_fit(net: FoldedNet) -> None:
    weights = lively_weights()
    code = encode(np, weights, features())
    for place in range(9):
        here = code @ weights["place"][place]
        forced = here + code @ weights["forced"][place]
        for row, exact in ((place, here), (place + 9, forced)):
            error = np.abs(net.rows[row] * net.unit - exact)
            assert (error <= 0.51 * net.unit).all()
    assert 9 * int(np.abs(net.rows).max()) <= np.iinfo(np.int16).max
    assert net.unit.max() < 1e-2


def test_rows_and_nodes_begin_with_a_line_of_the_cache(net: FoldedNet) -> None:
    assert net.rows.ctypes.data % CACHE_LINE == 0
    assert new_tree(100).value.ctypes.data % CACHE_LINE == 0


def test_weights_that_cannot_be_written_to_compile_nothing_anew(net: FoldedNet) -> None:
    """To numba an array that is read only has another type."""
    weights = lively_weights()
    for array in weights.values():
        array.flags.writeable = False
    assert [numba.typeof(part) for part in fold(weights)] == [numba.typeof(part) for part in net]


def test_a_batch_is_turned_as_positions_are() -> None:
    position = random_position(5, 17)
    state = state_of(position)
    first = 9 * state[TURN]
    policy = np.zeros((1, 81), np.uint8)
    policy[0, list(position.open_cells)] = np.arange(1, len(position.open_cells) + 1)
    samples = Samples(
        state[first : first + 9].astype(np.int16)[None],
        state[FORCED : FORCED + 1].astype(np.int8),
        policy,
        np.array([[0.5, 0.3, 0.2]], np.float32),
    )
    out = new_batch(8)
    fill_batch(samples, augmentation(), np.zeros(8, np.int64), np.arange(8), out)
    for turn, cells in enumerate(augmentation().cells):
        whole = tuple(int(9 * cells[m] + cells[c]) for m in range(9) for c in range(9))
        turned = position.permuted(whole)
        expected = state_of(turned)
        assert out[0][turn].tolist() == expected[first : first + 9].tolist()
        assert out[1][turn] == expected[FORCED]
        assert tuple(np.flatnonzero(out[2][turn])) == turned.open_cells
        assert [out[3][turn][whole[c]] for c in range(81)] == pytest.approx(
            policy[0] / policy.sum(), abs=1e-6
        )


def test_a_turned_view_of_a_turned_board_is_searched_alike(net: FoldedNet) -> None:
    position = random_position(2, 9)
    plain, turned = ZeroTree(net, 50_000), ZeroTree(net, 50_000)
    plain.begin(position, view=3)
    turned.begin(position.permuted(position.game.symmetries()[3]), view=0)
    plain.run(300, 1.2)
    turned.run(300, 1.2)
    symmetry = position.game.symmetries()[3]
    there = {symmetry[record.move]: record.visits for record in plain.records()}
    assert there == {record.move: record.visits for record in turned.records()}


def test_a_game_is_the_same_in_any_batch(net: FoldedNet) -> None:
    tables = board_tables()
    together, tally, _ = self_play(net, tables, PLAY, seed=4, first=0, games=6)
    first = 0
    for game in range(6):
        alone, own, _ = self_play(net, tables, PLAY, seed=4, first=game, games=1)
        assert own[0].tolist() == tally[game].tolist()
        n = int(own[0, 0])
        for a, b in zip(alone, together, strict=True):
            assert np.array_equal(a, b[first : first + n])
        first += n
    assert together.odds.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    other, _, _ = self_play(net, tables, PLAY, seed=5, first=0, games=6)
    assert not np.array_equal(other.boards, together.boards)


def tiny(seed: int = 1) -> UltimateLearner:
    return UltimateLearner(
        Settings(
            simulations=8, batch=32, samples=4.0, memory=2000, round=3, horizon=12, gates=2,
            **SMALL._asdict(),
        ),
        seed,
    )  # fmt: skip


@pytest.fixture(scope="module")
def taught() -> UltimateLearner:
    """A learner that knows something, for others to start from."""
    first = tiny()
    first.learn(6)
    return first


def test_learning_goes_on_exactly_after_a_stop() -> None:
    straight = tiny()
    straight.learn(6)
    straight.learn(6)
    stopped = tiny()
    stopped.learn(6)
    arrays = {name: np.array(array) for name, array in stopped.arrays().items()}
    taken_up = tiny(seed=99)
    taken_up.restore(arrays)
    taken_up.learn(6)
    there, here = straight.arrays(), taken_up.arrays()
    assert sorted(there) == sorted(here)
    assert all(np.array_equal(there[name], here[name]) for name in there)
    assert straight.steps > 0
    assert len(straight.snapshots) == 2
    before, after = new_weights(1, SMALL), straight.trainer.mean
    assert not np.allclose(before["place"], after["place"])


def test_a_second_run_starts_from_what_the_first_one_knows(taught: UltimateLearner) -> None:
    first, second = taught, tiny(seed=2)
    second.start_from(first)
    assert (second.games, second.seed, second.snapshots) == (0, 2, [])
    known, kept = first.arrays(), second.arrays()
    for name in known:
        if name.startswith(("weights/", "mean/", "optimiser/", "memory/")):
            assert np.array_equal(known[name], kept[name])
    seen, steps = second.memory.seen, second.steps
    second.learn(6)
    assert second.memory.seen > seen
    assert steps < second.steps <= second.memory.seen * 4.0 / 32


@pytest.mark.parametrize("sizes", [Sizes(19, 4), Sizes(8, 7), Sizes(16, 8)])
def test_a_wider_network_starts_with_what_the_narrow_one_says(
    taught: UltimateLearner, sizes: Sizes
) -> None:
    first = taught
    wide = UltimateLearner(replace(first.settings, **sizes._asdict()), 2)
    wide.start_from(first)
    position = random_position(3, 12)
    state, moves = state_of(position), np.array(position.open_cells, np.int16)
    value, draw, priors = evaluate(first.net, state, moves, len(moves))
    wide_value, wide_draw, wide_priors = evaluate(wide.net, state, moves, len(moves))
    assert (wide_value, wide_draw) == pytest.approx((value, draw), abs=0.001)
    assert wide_priors == pytest.approx(priors, abs=0.001)
    new_units = (
        wide.trainer.weights["policy"][SMALL.hidden :],
        wide.trainer.weights["own"][:, SMALL.code :],
    )
    assert [units.size > 0 for units in new_units] == [sizes.hidden > 8, sizes.code > 4]
    assert not any(units.any() for units in new_units)
    taken_up = UltimateLearner(first.settings, 3)
    taken_up.restore({name: np.array(array) for name, array in wide.arrays().items()})
    assert taken_up.sizes == sizes


def test_what_a_wider_network_has_more_learns(taught: UltimateLearner) -> None:
    wide = UltimateLearner(replace(taught.settings, **Sizes(19, 7)._asdict()), 2)
    wide.start_from(taught)
    wide.learn(6)
    assert wide.trainer.weights["policy"][SMALL.hidden :].any()
    assert wide.trainer.weights["own"][:, SMALL.code :].any()


@pytest.mark.parametrize("sizes", [Sizes(7, 4), Sizes(8, 3)])
def test_a_narrower_network_does_not_start_from_a_wide_one(sizes: Sizes) -> None:
    first = tiny()
    narrow = UltimateLearner(replace(first.settings, **sizes._asdict()), 1)
    with pytest.raises(NoughtsError, match="more, not fewer"):
        narrow.start_from(first)


def test_a_match_is_fair_and_repeatable(net: FoldedNet) -> None:
    wins, draws, losses = match(net, net, seed=1, pairs=5, visits=10)
    assert (wins, draws, losses) == match(net, net, seed=1, pairs=5, visits=10)
    assert wins == losses
    assert wins + draws + losses == 10


@pytest.mark.parametrize("spec", ["ultimate", "ultimate:won=open", "ultimate:tiebreak=boards"])
def test_few_free_cells_are_solved_exactly_when_asked(net: FoldedNet, spec: str) -> None:
    rng, position = np.random.default_rng(1), endgame(5, spec)
    exact = noughts.agent("alphabeta").values(position)
    solver, searcher = (FoldedPlayer(simulations=2, endgame=cells, net=net) for cells in (9, 1))
    move = solver.choose(position, rng)
    best = (max if position.turn == "X" else min)(exact.values())
    assert solver.last is not None
    assert solver.last.is_exact
    assert solver.last.value == exact[move] == best
    searcher.choose(position, rng)
    assert searcher.last is not None
    assert "endgame" not in searcher.last.note


def test_the_player_is_reproducible_and_keeps_its_tree(net: FoldedNet) -> None:
    def game() -> list[int]:
        player, rng = FoldedPlayer(simulations=50, net=net), np.random.default_rng(1)
        position, moves = random_position(1, 4), []
        while position.result is None:
            moves.append(player.choose(position, rng))
            position = position.play(moves[-1])
        return moves

    moves = game()
    assert moves == game()
    position = random_position(1, 4)
    player, rng = FoldedPlayer(simulations=400, net=net), np.random.default_rng(1)
    after = position.play(player.choose(position, rng))
    tree = player._trees[0]
    assert any(tree.follow(after.play(reply)) for reply in after.open_cells)
    later = tree.position
    assert 0 < tree.visits < 400
    kept = {record.move for record in tree.records()}
    assert kept == set(later.open_cells)


def test_moves_between_positions() -> None:
    position = random_position(1, 10)
    first = position.open_cells[0]
    after = position.play(first)
    later = after.play(after.open_cells[-1])
    assert moves_between(position, later) == [first, after.open_cells[-1]]
    assert moves_between(position, after) == [first]
    assert moves_between(later, position) == []
    assert moves_between(position, random_position(8, 12)) == []


def test_threads_add_up_and_do_not_depend_on_scheduling(net: FoldedNet) -> None:
    position = random_position(3, 12)
    answers = []
    for _ in range(2):
        player = FoldedPlayer(simulations=101, threads=2, net=net)
        move = player.choose(position, np.random.default_rng(5))
        assert player.last is not None
        answers.append((move, player.last.nodes, player.last.value))
    assert answers[0] == answers[1]
    assert answers[0][1] in (99, 101)  # the roots themselves are not simulated


def test_two_trees_without_a_visit_follow_their_policies(net: FoldedNet) -> None:
    firsts = 0
    for seed in range(12):
        position = random_position(seed, 8)
        player = FoldedPlayer(simulations=2, threads=2, net=net)
        move = player.choose(position, np.random.default_rng(seed))
        priors: dict[int, float] = {}
        for tree in player._trees:
            for record in tree.records():
                priors[record.move] = priors.get(record.move, 0.0) + record.prior
        assert move == max(priors, key=lambda cell: priors[cell])
        firsts += move == position.open_cells[0]
    assert firsts < 12


def test_one_simulation_is_the_bare_policy(net: FoldedNet) -> None:
    position = random_position(6, 8)
    bare = FoldedPlayer(simulations=1, net=net)
    tree = ZeroTree(net, 1000)
    views = []
    for view in range(8):
        tree.begin(position, view)
        tree.run(1, 1.2)
        assert sum(record.prior for record in tree.records()) == pytest.approx(1.0, abs=1e-5)
        views.append(max(tree.records(), key=lambda record: record.prior).move)
    assert bare.choose(position, np.random.default_rng(0)) in views


def test_values_see_a_win_at_once(net: FoldedNet) -> None:
    game = noughts.game("ultimate")
    letters = "XXX......" * 2 + "XX......." + "." * 54
    position = game.position_from_dict(
        {"game": "ultimate", "board": letters, "turn": "X", "forced": 2, "owners": None}
    )
    player = FoldedPlayer(simulations=90, net=net)
    assert player.choose(position, np.random.default_rng(0)) == 20
    assert player.last is not None
    assert player.last.is_exact
    assert player.last.value == 1.0
    assert player.values(position)[20] == 1.0
    assert set(player.values(position)) == set(position.open_cells)


def test_other_games_are_refused(net: FoldedNet) -> None:
    player = FoldedPlayer(net=net)
    for spec in ("3x3", "ultimate:flip=0.1"):
        with pytest.raises(NoughtsError, match="without risk, not"):
            player.check_game(noughts.game(spec))


def test_weights_come_back_from_their_file_and_damage_is_seen(tmp_path: Path) -> None:
    path, weights = tmp_path / "net.safetensors", lively_weights()
    save_folded(path, weights, "noughts train ultimate zero")
    assert all(np.array_equal(array, weights[name]) for name, array in load_weights(path).items())
    content = bytearray(path.read_bytes())
    content[-100] ^= 1
    path.write_bytes(bytes(content))
    with pytest.raises(ParseError, match="damaged"):
        load_weights(path)
    with pytest.raises(NoughtsError, match="'noughts': policy is wrong"):
        fold({**weights, "policy": weights["policy"][:, :80]})
    with pytest.raises(NoughtsError, match="damaged: bias"):
        fold({**weights, "bias": weights["bias"] * np.nan})


def test_memory_forgets_the_oldest() -> None:
    from noughts.learn.zero.folded.puct_tree import new_samples

    memory = Positions(most=5)
    for value in range(4):
        batch = new_samples(2)
        memory.add([replace_forced(batch, value)])
    assert memory.memory.in_order()["forced"].tolist() == [1, 2, 2, 3, 3]
    assert memory.seen == 8


def replace_forced(batch: Samples, value: int) -> Samples:
    return batch._replace(forced=np.full_like(batch.forced, value))
