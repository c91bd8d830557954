"""Moves that are sure without a tree: chains of threats, exact endgames of Ultimate."""

import numpy as np
import pytest

import noughts
from noughts.games import UltimatePosition
from noughts.search.shortcuts import sure_move


def late_ultimate(seed: int, free: int) -> UltimatePosition:
    """A running position of random play with at most so many free cells."""
    rng = np.random.default_rng(seed)
    while True:
        position = noughts.game("ultimate").start()
        while position.result is None:
            left = sum(position.free_cells(mini).bit_count() for mini in range(9))
            if left <= free:
                return position
            position = position.play(int(rng.choice(position.moves)))


def plain_value(position: UltimatePosition) -> int:
    """Minimax by recursion."""
    if position.result is not None:
        return {"X": 1, "O": -1, "draw": 0}[position.result]
    best = max if position.turn == "X" else min
    return best(plain_value(position.play(move)) for move in position.moves)


@pytest.mark.parametrize("seed", range(6))
def test_uct_solves_late_endgames_of_ultimate(seed):
    position = late_ultimate(seed, 8)
    player = noughts.agent("uct:simulations=1,endgame=12")
    move = player.choose(position, np.random.default_rng(0))
    assert player.last.is_exact
    assert "exact endgame" in player.last.note
    assert plain_value(position.play(move)) == plain_value(position) == player.last.value


def test_no_endgame_unless_it_is_asked_for():
    position = late_ultimate(1, 8)
    assert sure_move(position, 0) is None
    assert sure_move(position, 8) is not None


def test_a_chain_of_threats_is_played_with_a_single_simulation():
    # X: 0 1 make a threat at 2 or 3; each forced reply leaves a second line of three.
    position = noughts.game("5x5:k=4").parse("XX.../X..../X..../...../..... O to move")
    assert sure_move(position, 0) is None  # O has nothing to force
    attack = noughts.game("5x5:k=4").parse("XXX../O..../O..../...../..... X to move")
    assert sure_move(attack, 0).move == 3
    assert sure_move(noughts.game("5x5:k=4,misere").parse(attack.to_text()), 0) is None
    assert sure_move(noughts.game("5x5:k=4,flip=0.1").parse(attack.to_text()), 0) is None
