"""Perfect players never lose on 3×3: not in 1,000 games, and not to anybody who knows them."""

from itertools import product

import pytest

import noughts
from noughts.search.engines.negamax import AlphaBetaEngine

PLAYERS = ("alphabeta", "minimax", "optimal")


@pytest.mark.parametrize("spec", ["3x3", "3x3:misere"])
@pytest.mark.parametrize("player", PLAYERS)
def test_not_even_the_best_reply_beats_it(spec, player):
    assert noughts.best_response(spec, player, seat="X").odds.x == 0.0
    assert noughts.best_response(spec, player, seat="O").odds.o == 0.0


def test_alphabeta_never_loses_a_thousand_games_in_either_seat():
    first = noughts.policy("3x3", "alphabeta", seat="X")
    second = noughts.policy("3x3", "alphabeta", seat="O")
    assert noughts.simulate("3x3", first, "random", games=1000, seed=1).o == 0
    assert noughts.simulate("3x3", "random", second, games=1000, seed=2).x == 0


def test_heuristic_can_be_beaten_so_the_check_can_fail():
    assert noughts.best_response("3x3", "heuristic:depth=1", seat="X").odds.x > 0.0


@pytest.mark.parametrize("spec", ["3x3", "3x3:misere"])
def test_alphabeta_gives_the_value_of_the_sweep_on_every_board(spec):
    """Reachable or not, both turns: 11,093 running boards each."""
    game = noughts.game(spec)
    solution, engine = noughts.solve(game), AlphaBetaEngine(game, 1)
    boards = 0
    for letters in product(".XO", repeat=9):
        for turn in "XO":
            try:
                position = game.parse(f"{''.join(letters)} {turn} to move")
            except noughts.ParseError:  # both have a line
                continue
            if position.result is None:
                boards += 1
                assert engine.look(position, 9).value == solution.value(position)
    assert boards == 2 * 11_093
