"""Contempt: a draw counts as a small loss in the search, and as a draw in what is reported."""

import numpy as np
import pytest
from folded_positions import endgame, lively_weights, random_position

import noughts
from noughts.kernels.zero.folded import FoldedNet
from noughts.kernels.zero.mini_boards import DRAW, UNKNOWN
from noughts.learn.zero.folded.network import fold
from noughts.learn.zero.folded.player import FoldedPlayer
from noughts.learn.zero.folded.search_tree import ZeroTree

NODES = 50_000


@pytest.fixture(scope="module")
def net() -> FoldedNet:
    return fold(lively_weights())


def grown(net: FoldedNet, seed: int, contempt: float, visits: int = 400) -> ZeroTree:
    """A tree over a position in the middle of a game."""
    tree = ZeroTree(net, NODES)
    tree.begin(random_position(seed, 30 + seed % 2), contempt=contempt)
    tree.run(visits, 0.8)
    return tree


def test_what_is_proven_is_as_true_as_without(net: FoldedNet) -> None:
    exact, found = noughts.agent("alphabeta"), set()
    for seed in range(12):
        position = endgame(seed, "ultimate")
        values = exact.values(position)
        sign = 1.0 if position.turn == "X" else -1.0
        best = max(sign * value for value in values.values())
        for contempt in (0.2, 1.0):
            tree = ZeroTree(net, NODES)
            tree.begin(position, contempt=contempt)
            tree.run(50_000, 0.8)
            assert tree.is_proven
            assert tree.value == best == sign * values[tree.best]
            assert all(
                record.value == sign * values[record.move]
                for record in tree.records()
                if record.is_exact
            )
        found.add(best)
    assert found >= {0.0, 1.0}


def test_an_evaluation_is_reported_as_without_contempt(net: FoldedNet) -> None:
    for seed in range(20):
        plain, proud = (grown(net, seed, contempt, visits=1) for contempt in (0.0, 0.3))
        assert proud.value == pytest.approx(plain.value, abs=1e-6)


def test_more_contempt_leads_to_fewer_draws(net: FoldedNet) -> None:
    chances = [
        np.mean([grown(net, seed, contempt)._tree.draws[0] for seed in range(30)])
        for contempt in (0.0, 0.3, 1.0)
    ]
    assert chances[0] > chances[1] > chances[2]


def test_the_worth_of_a_draw_is_that_of_who_moved(net: FoldedNet) -> None:
    drawn = 0
    for seed in range(16):
        tree = ZeroTree(net, NODES)
        tree.begin(random_position(seed, 40 + seed % 2), contempt=0.3)
        tree.run(3000, 0.8)
        drawn += check_nodes(tree)
        if followed(tree):
            tree.run(tree.visits + 500, 0.8)
            drawn += check_nodes(tree)
    assert drawn > 50


def followed(tree: ZeroTree) -> bool:
    """Two moves on, where the same player thinks again."""
    after = tree.position.play(tree.best)
    replies = after.open_cells if after.result is None else ()
    return any(tree.follow(after.play(reply)) for reply in replies)


def check_nodes(tree: ZeroTree) -> int:
    """Every node's value fits its chance of a draw; how many nodes are proven draws."""
    nodes, on_turn, drawn = tree._tree, tree.position.turn, 0
    worth = {on_turn: -0.3, "O" if on_turn == "X" else "X": 0.3}
    left = [(0, "O" if on_turn == "X" else "X")]  # with the player who moved there
    while left:
        node, mover = left.pop()
        without = nodes.value[node] - worth[mover] * nodes.draws[node]
        if nodes.proof[node] == DRAW:
            drawn += 1
            assert without == pytest.approx(0.0, abs=1e-6)
        elif nodes.visits[node]:
            assert abs(without) <= 1.0 - nodes.draws[node] + 1e-4
        first = int(nodes.first[node])
        other = "O" if mover == "X" else "X"
        left += [(child, other) for child in range(first, first + int(nodes.n_children[node]))]
    return drawn


def test_a_sure_draw_is_played_rather_than_what_seems_worse_to_the_search(net: FoldedNet) -> None:
    for contempt, takes_the_draw in ((0.0, True), (0.2, False)):
        tree = grown(net, 4, contempt)
        nodes, first = tree._tree, int(tree._tree.first[0])
        most, other = sorted(
            range(first, first + int(nodes.n_children[0])), key=lambda node: -nodes.visits[node]
        )[:2]
        nodes.proof[first : first + int(nodes.n_children[0])] = UNKNOWN
        nodes.value[most], nodes.proof[other] = -0.1, DRAW
        drawn = next(r.move for r in tree.records() if r.is_exact)
        assert (tree.best == drawn) == takes_the_draw


def test_a_tree_with_contempt_belongs_to_one_player(net: FoldedNet) -> None:
    position = random_position(3, 20)
    for contempt in (0.0, 0.2):
        tree = ZeroTree(net, NODES)
        tree.begin(position, contempt=contempt)
        tree.run(500, 0.8)
        after = position.play(tree.best)
        assert tree.follow(after) == (contempt == 0.0)
    followed = [tree.follow(after.play(reply)) for reply in after.open_cells]
    assert any(followed)  # two moves on, the same player thinks


def test_values_of_moves_have_no_contempt(net: FoldedNet) -> None:
    position = random_position(5, 25)
    found = [
        FoldedPlayer(simulations=300, contempt=contempt, net=net).values(position)
        for contempt in (0.0, 1.0)
    ]
    assert found[0] == found[1]
