"""How moves end, how soon, and how sure an estimate is: against other ways to find the same."""

from functools import cache

import numpy as np
import pytest

import noughts
from noughts.games.game import Position
from noughts.knowledge import claimed, judge, known_moves
from noughts.knowledge.asking import alike
from noughts.knowledge.outlook import move_odds
from noughts.solve.ahead import odds_ahead
from noughts.solve.distance import plies_to_win
from noughts.stats.means import standard_error

RISKY = ("3x3:flip=0.1", "3x3:flip=stochastic", "3x3:flip=0.1,fizzle=0.2", "3x3:misere,flip=0.3")


@pytest.mark.parametrize("spec", RISKY)
def test_odds_ahead_are_those_of_two_optimal_players(spec: str) -> None:
    solution = noughts.solve(spec)
    start = solution.game.start()
    found = odds_ahead(solution, start, start.moves)
    assert found is not None
    both = noughts.odds(spec, x="optimal", o="optimal")
    best = found[solution.best(start)]
    assert (best.x, best.draw, best.o) == pytest.approx((both.x, both.draw, both.o), abs=1e-9)
    for move, value in solution.values(start).items():
        assert found[move].value == pytest.approx(value, abs=1e-9)
        assert found[move].x + found[move].draw + found[move].o == pytest.approx(1.0, abs=1e-9)


def test_without_dice_odds_are_the_result_that_is_known() -> None:
    position = noughts.game("3x3").parse("X.O/.X./... O to move")
    odds = move_odds(position, known_moves(position))
    assert {move: one.x for move, one in odds.items() if one.x} == dict.fromkeys(
        (1, 3, 5, 6, 7), 1.0
    )
    assert odds[8].draw == 1.0


@pytest.mark.parametrize("spec", ["3x3:fade=0.05", "3x3:hazard=0.2,limit=2,ticks=2"])
def test_odds_that_nobody_knows_are_not_told(spec: str) -> None:
    start = noughts.game(spec).start()
    assert move_odds(start, known_moves(start)) == {}


@cache
def plainly(position: Position) -> tuple[str, int]:
    """Result and length of best play by plain minimax: quick wins, slow losses."""
    if position.result is not None:
        return position.result, 0
    found = [plainly(position.play(move)) for move in position.moves]
    wins = [plies for result, plies in found if result == position.turn]
    if wins:
        return position.turn, 1 + min(wins)
    if any(result == "draw" for result, _ in found):
        return "draw", 0
    return found[0][0], 1 + max(plies for _, plies in found)


@pytest.mark.parametrize("spec", ["3x3", "3x3:misere"])
def test_distances_are_those_of_plain_minimax(spec: str) -> None:
    solution, rng, seen = noughts.solve(spec), np.random.default_rng(4), 0
    for _ in range(60):
        position = solution.game.start()
        for _ in range(int(rng.integers(1, 7))):
            if position.result is None:
                position = position.play(int(rng.choice(position.moves)))
        result, plies = plainly(position)
        if position.result is None and result != "draw":
            assert plies_to_win(solution, position, 10**6) == plies
            seen += 1
    assert seen > 10


def test_known_wins_of_a_table_say_how_soon() -> None:
    position = noughts.game("3x3").parse("XX./OO./... X to move")
    assert known_moves(position)[2].plies == 1
    assert known_moves(position)[8].plies == 2, "O completes his line"


def test_estimates_of_like_moves_are_alike_and_none_is_best_by_chance() -> None:
    start = noughts.game("6x7:k=4").start()
    judged = judge(start, lambda: noughts.agent("uct:simulations=400"))
    kinds = alike(start)
    assert all(judged.values[move] == judged.values[kinds[move]] for move in start.moves)
    assert all(0.0 < judged.spreads[move] < 0.6 for move in start.moves)
    assert len(judged.best) > 4, "a few games do not tell them apart"
    assert not judged.is_clear
    first = judged.values[judged.best[0]]
    assert first == max(judged.values.values())


def test_a_move_that_nobody_tried_has_the_estimate_of_those_like_it() -> None:
    start = noughts.game("6x7:k=4").start()
    agent = noughts.agent("uct:simulations=20")
    said, judged, kinds = claimed(start, agent), judge(start, lambda: agent), alike(start)
    tried = {kinds[move] for move in said.values}
    assert set(judged.values) == {move for move in start.moves if kinds[move] in tried}
    assert len(said.values) < len(judged.values) == len(judged.spreads)
    assert all(judged.values[move] == judged.values[kinds[move]] for move in judged.values)


def test_optimal_names_the_proof_that_it_plays_by() -> None:
    told = {
        spec: claimed(noughts.game(spec).start(), noughts.agent("optimal"))
        for spec in ("3x3", "qubic")
    }
    assert told["3x3"].source == "the exact table of 3x3"
    assert told["qubic"].source == "the certificate of a proof", "there is no table of Qubic"


def test_a_standard_error_is_that_of_counting() -> None:
    draws = np.random.default_rng(1).choice([-1.0, 1.0], (4000, 50), p=[0.3, 0.7])
    assert standard_error(0.4, 50) == pytest.approx(draws.mean(axis=1).std(), rel=0.05)
    assert standard_error(1.0, 3) > 0.3, "three wins are no certainty"


def test_a_quick_answer_that_is_exact_tells_the_odds_too() -> None:
    """Where the table is at hand, the first look is the last; the page draws its bars from it."""
    from noughts.web.play.answers import values_data
    from noughts.web.play.values import Judge

    start = noughts.game("3x3:flip=0.1").start()
    judged = Judge(noughts.agent, "auto", start.game, is_quick=True).judge(start)
    told = values_data(start, judged, 0.0)
    assert told["exact"]
    assert all(sum(row["odds"]) == pytest.approx(1.0) for row in told["values"])
