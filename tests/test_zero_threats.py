"""What the search for Ultimate sees without its network is true."""

import numpy as np
import pytest
from folded_positions import endgame, lively_weights, random_position

import noughts
from noughts.games.ultimate import UltimateGame, UltimatePosition, has_line
from noughts.kernels.zero.folded import FoldedNet
from noughts.kernels.zero.mini_boards import LOSS, STATE, TURN, UNKNOWN, moves_of
from noughts.kernels.zero.nodes import LEAF
from noughts.kernels.zero.selfplay import PlaySettings
from noughts.kernels.zero.threats import is_answered_by_a_win, winning_minis, wins_in_three
from noughts.learn.zero.folded.configurations import board_tables, game_tables, state_of
from noughts.learn.zero.folded.network import fold
from noughts.learn.zero.folded.player import FoldedPlayer
from noughts.learn.zero.folded.puct_tree import self_play
from noughts.learn.zero.folded.search_tree import ZeroTree

SPECS = [
    "ultimate",
    "ultimate:won=open",
    "ultimate:tiebreak=boards",
    "ultimate:won=open,tiebreak=boards",
]


@pytest.fixture(scope="module")
def net() -> FoldedNet:
    return fold(lively_weights())


def can_win(position: UltimatePosition) -> bool:
    """May the player on turn complete a line of mini boards, by the rules alone?"""
    later = [position.play(move) for move in position.open_cells]
    return any(has_line(p.x_minis if position.turn == "X" else p.o_minis) for p in later)


@pytest.mark.parametrize("spec", SPECS)
def test_moves_that_let_the_opponent_win_are_seen(spec: str) -> None:
    game = noughts.game(spec)
    assert isinstance(game, UltimateGame)
    tables, seen = game_tables(game), 0
    for seed in range(150):
        position = random_position(seed, 30 + seed % 40, spec)
        state = state_of(position)
        threats = winning_minis(tables, state, 1 - state[TURN])
        for move in position.open_cells:
            after = position.play(move)
            mini = move // 9
            is_decided = after.owners[mini] != "." or not after.free_cells(mini)
            decides = is_decided and position.owners[mini] == "."
            loses = after.result is None and any(
                after.play(reply).result == after.turn for reply in after.open_cells
            )
            found = bool(is_answered_by_a_win(tables, state, move, threats))
            assert found == (loses and not decides)
            seen += found
    assert seen > 5


def test_a_move_that_is_surely_lost_is_not_played_while_others_are_open() -> None:
    weights = lively_weights()
    weights["value_out_bias"] = np.array([-9.0, -9.0, 9.0], np.float32)  # all seems lost
    player, seen = FoldedPlayer(simulations=1, net=fold(weights)), 0
    for seed in range(60):
        position, rng = random_position(seed, 30 + seed), np.random.default_rng(seed)
        player.reset()
        move = player.choose(position, rng)
        records = player._trees[0].records()
        lost = {record.move for record in records if record.is_exact and record.value == -1.0}
        if lost and len(lost) < len(records):
            assert move not in lost
            seen += 1
    assert seen > 5


@pytest.mark.parametrize("spec", SPECS)
def test_wins_with_the_next_move_are_seen(spec: str) -> None:
    game = noughts.game(spec)
    assert isinstance(game, UltimateGame)
    tables, seen = game_tables(game), 0
    moves, ahead = np.zeros(81, np.int16), np.zeros((2, STATE), np.int32)
    for seed in range(250):
        position = random_position(seed, 40 + seed % 30, spec)
        if can_win(position):
            continue
        wins = set()
        for move in position.open_cells:
            after = position.play(move)
            if after.result is None and all(
                later.result == position.turn or (later.result is None and can_win(later))
                for later in (after.play(answer) for answer in after.open_cells)
            ):
                wins.add(move)
        n = moves_of(state_of(position), moves)
        found = wins_in_three(tables, state_of(position), moves, n, ahead)
        assert (int(moves[found]) in wins) if found >= 0 else not wins
        seen += bool(wins)
    assert seen > 5


@pytest.mark.parametrize("spec", SPECS)
def test_proofs_are_true(net: FoldedNet, spec: str) -> None:
    exact, values, proven = noughts.agent("alphabeta"), set(), 0
    for seed in range(24):
        position = endgame(seed, spec)
        tree = ZeroTree(net, 400_000)
        tree.begin(position)
        tree.run(20_000, 1.2)
        if not tree.is_proven:  # a sure draw is visited again and again
            continue
        proven += 1
        found = exact.values(position)
        best = max(found.values()) if position.turn == "X" else -min(found.values())
        assert tree.value == best
        sign = 1.0 if position.turn == "X" else -1.0
        assert sign * found[tree.best] == best
        for record in tree.records():
            assert not record.is_exact or sign * found[record.move] == record.value
        values.add(best)
    assert proven >= 10
    assert len(values) >= 2


def test_a_win_at_once_is_taken_before_a_win_that_takes_longer(net: FoldedNet) -> None:
    player, seen = FoldedPlayer(simulations=20, net=net), 0
    for seed in range(120):
        position = random_position(seed, 40 + seed % 30)
        if can_win(position):
            player.reset()
            after = position.play(player.choose(position, np.random.default_rng(seed)))
            assert after.result == position.turn
            seen += 1
    assert seen > 20


def test_a_proven_position_teaches_its_result(net: FoldedNet) -> None:
    settings = PlaySettings(30, 15, 1.2, 0.3, 0.25, 0.8, 6, 4, 0.5)
    samples, _, _ = self_play(net, board_tables(), settings, 1, 0, 150)
    is_lost = samples.policy.max(axis=1) == 0  # no move is worth learning
    assert is_lost.sum() > 20
    assert (samples.odds[is_lost] == [0.0, 0.0, 1.0]).all()


def test_a_full_tree_still_evaluates(net: FoldedNet) -> None:
    for seed in range(20):
        tree = ZeroTree(net, 1000)
        tree.begin(random_position(seed, 40))
        tree.run(10_000, 1.2)
        assert tree.is_over
        assert tree._tree.size[0] <= 1000


def test_where_one_move_is_left_the_walk_goes_on(net: FoldedNet) -> None:
    seen = 0
    for seed in range(30):
        tree = ZeroTree(net, 50_000)
        tree.begin(random_position(seed, 40))
        done = tree.run(400, 1.2)
        assert tree.evaluations <= done + 1
        nodes = tree._tree
        for node in range(1, int(nodes.size[0])):
            children = slice(nodes.first[node], nodes.first[node] + nodes.n_children[node])
            visits, proofs = nodes.visits[children], nodes.proof[children]
            is_left = (proofs != LOSS) | (visits > 0)
            if nodes.first[node] != LEAF and is_left.sum() == 1:
                assert visits[is_left][0] == nodes.visits[node]
                seen += nodes.proof[node] == UNKNOWN
    assert seen > 20
