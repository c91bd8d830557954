"""Wrong arguments of the public functions: one sentence, never a foreign exception."""

import pytest

import noughts

WRONG = {
    "a negative seed": (lambda: noughts.playouts("3x3", 1, seed=-1), "seed=-1"),
    "half a game": (lambda: noughts.playouts("3x3", 1.5), "games=1.5"),
    "no thread": (lambda: noughts.playouts("3x3", 1, threads=0), "threads=0"),
    "half a move deep": (lambda: noughts.perft("3x3", 2.5), "depth=2.5"),
    "a mark as landing": (lambda: noughts.game("3x3").start().play(4, "O"), "noughts.Landing"),
    "True as a move": (lambda: noughts.game("3x3").start().play(True), "whole number"),
    "a cell off the board": (lambda: noughts.game("3x3").move_at(9), "Cell 9"),
    "a negative wait": (lambda: noughts.game("3x3").move_at(0, -1), "at least 0"),
    "deep JSON": (lambda: noughts.Position.from_json("[" * 100_000), "not JSON"),
    "a wait below a tick": (
        lambda: noughts.game("3x3:hazard=1,limit=10,turn_limit=0.01,ticks=10"),
        "shorter than a tick",
    ),
}


@pytest.mark.parametrize(("call", "named"), WRONG.values(), ids=WRONG.keys())
def test_wrong_arguments_are_named(call, named):
    with pytest.raises(noughts.NoughtsError, match=named):
        call()


def test_perft_deeper_than_any_game_is_nothing():
    assert noughts.perft("3x3", 10**9) == 0
    assert noughts.perft("ultimate", 82) == 0


def test_a_hazard_like_the_stochastic_world_reads_back():
    spec = "3x3:hazard=0.9/0.3/0.5/0.2/0.95/0.7/0.6/0.45/0.1,limit=10"
    assert noughts.game(str(noughts.game(spec))) == noughts.game(spec)


def test_a_very_long_turn_limit_is_the_whole_clock():
    game = noughts.game("3x3:hazard=1,limit=1e-9,turn_limit=1e9,ticks=100000")
    assert game.risk.longest_wait == 100_000
    assert noughts.playouts(game, 10).games == 10


@pytest.mark.parametrize("spec", ["2x2x2", "ultimate"])
def test_cells_in_their_order_may_have_the_status_on_a_line_of_its_own(spec):
    game = noughts.game(spec)
    text = game.start().play(3).to_text()
    cells, _, status = text.partition(" ")
    assert game.parse(f"{cells}\n{status}") == game.parse(text) == game.start().play(3)


def test_a_board_of_one_row_may_be_drawn_with_spaces():
    game = noughts.game("1x5")
    assert game.parse("X . . . .") == game.start().play(0)
    assert game.parse("X . . . . O to move") == game.start().play(0)


def test_agents_and_their_specs_are_the_same_players_in_odds():
    random = noughts.agent("random")
    assert noughts.odds("3x3", x=random, o=random) == noughts.odds("3x3", x="random", o="random")
    weights = "fixed:weights=1/2/3/4/5/6/7/8/9"
    assert noughts.odds("3x3", noughts.agent(weights), "random") == noughts.odds(
        "3x3", weights, "random"
    )
    assert noughts.odds("4x3", noughts.agent("optimal"), "random").o == 0.0
    assert noughts.odds("3x3", "fixed", "random") == noughts.odds("3x3", "random", "random")


@pytest.mark.parametrize("player", ["uct:simulations=10", "human"])
def test_players_who_do_not_always_answer_alike_have_no_exact_odds(player):
    with pytest.raises(noughts.NoughtsError, match="does not always answer alike"):
        noughts.odds("3x3", x=player)


def test_a_fixed_player_never_waits():
    game = "2x2:hazard=1,limit=4,ticks=4"
    assert noughts.odds(game, "fixed", "fixed").x == 1.0


def test_games_that_may_never_end_have_no_certified_value():
    with pytest.raises(noughts.NoughtsError, match="may go on for ever"):
        noughts.solve("2x2:k=2,fade=1")


def test_value_iteration_refuses_turns_that_surely_fizzle():
    with pytest.raises(noughts.NoughtsError, match="surely fizzles"):
        noughts.solve("3x3:fizzle=0/0/0/0/1/0/0/0/0", "value-iteration")


def test_value_iteration_takes_doubles_on_any_board():
    assert noughts.solve("2x7:k=2", "value-iteration").table.dtype == "float64"
