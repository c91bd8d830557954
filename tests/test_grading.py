"""Grades are exact: held against the solution, the odds and plain walks over all positions."""

import numpy as np
import pytest

import noughts
from noughts.agents import Agent
from noughts.errors import NoughtsError
from noughts.learn.frame.grading.grader import Grader, grade
from noughts.learn.frame.grading.judge import judge_of
from noughts.solve.policies import reachable


class Lowest(Agent):
    """Plays the lowest open cell."""

    name = "lowest"

    @property
    def is_deterministic(self) -> bool:
        return True

    def choose(self, position, rng):
        return position.moves[0]


class Bulk(Lowest):
    """The same, about many boards at once."""

    def __init__(self, cells: int = 9) -> None:
        self.cells = cells

    def choices(self, boards, turn):
        digits = boards[:, None] // 3 ** np.arange(self.cells) % 3
        return (digits == 0).argmax(axis=1)


@pytest.mark.parametrize("spec", ["2x3:k=2,flip=0.1", "2x4:k=3,misere", "2x3:k=2,fizzle=0.3"])
def test_regret_over_all_positions(spec: str) -> None:
    game = noughts.game(spec)
    solution = noughts.solve(game)
    losses = []
    for position in reachable(game):
        sign = 1.0 if position.turn == "X" else -1.0
        values = {move: sign * value for move, value in solution.values(position).items()}
        losses.append(max(values.values()) - values[position.moves[0]])
    losses = np.array(losses)
    losses[losses < solution.tie] = 0.0
    found = grade(game, Lowest())
    assert found["graded"] == "all positions"
    assert found["positions"] == len(losses)
    assert found["regret_mean"] == pytest.approx(losses.mean(), abs=1e-12)
    assert found["regret_worst"] == pytest.approx(losses.max(), abs=1e-12)
    assert found["optimal_share"] == pytest.approx((losses == 0.0).mean())
    odds = noughts.odds(game, x=Lowest(), o="optimal")
    assert found["optimal_x"] == pytest.approx([odds.x, odds.draw, odds.o])
    odds = noughts.odds(game, x="random", o=Lowest())
    assert found["random_o"] == pytest.approx([odds.o, odds.draw, odds.x])


def test_bulk_answers_are_the_same() -> None:
    assert grade(noughts.game("3x3"), Bulk()) == grade(noughts.game("3x3"), Lowest())
    odds = [noughts.odds("3x3", x=player, o="random") for player in (Bulk(), Lowest())]
    assert odds[0] == odds[1]


def test_the_optimal_player_has_no_regret() -> None:
    found = grade(noughts.game("2x3:k=2,flip=0.1"), noughts.agent("optimal"))
    assert found["regret_mean"] == 0.0
    assert found["own_regret"] == found["own_worst"] == 0.0
    assert found["optimal_share"] == 1.0


def test_own_games_of_a_bad_player_cost_something() -> None:
    found = grade(noughts.game("3x3"), Lowest(), seed=1)
    assert 0.0 < found["own_regret"] < found["own_worst"] <= found["regret_worst"]
    assert found["own_moves"] > 1000
    assert found == grade(noughts.game("3x3"), Lowest(), seed=1)


def test_games_that_fade_are_graded_over_all_boards() -> None:
    game = noughts.game("2x2:k=2,fade=0.2")
    found = grade(game, Lowest())
    running = sum(1 for _ in reachable(game))
    assert found["positions"] >= running
    assert sum(found["random_x"]) == pytest.approx(1.0)


def test_unsolved_games_are_graded_by_play() -> None:
    game = noughts.game("5x5:k=4")
    found = Grader(game, seed=1, games=20).grade(noughts.agent("heuristic:depth=1"))
    assert found["graded"] == "games"
    assert found["games_played"] == 20
    assert found["score"] > 0.8
    assert found["score_low"] <= found["score"] <= found["score_high"]
    again = Grader(game, seed=1, games=20).grade(noughts.agent("heuristic:depth=1"))
    assert again == found
    assert Grader(game, games=0).grade(Lowest()) == {"graded": "nothing"}


def test_players_that_draw_at_random_are_graded_by_play() -> None:
    found = Grader(noughts.game("3x3"), games=10).grade(noughts.agent("random"))
    assert found["graded"] == "games"


def test_larger_boards_are_sampled_until_the_end() -> None:
    game = noughts.game("2x7:k=3")  # 14 cells
    found = Grader(game, seed=1).grade(Bulk(14), is_last=False)
    assert found["graded"] == "a sample of positions"
    assert found["positions"] == 20_000
    assert 0.0 < found["regret_mean"] < 1.0
    assert "random_x" not in found


def test_a_closed_cell_is_refused() -> None:
    class Stubborn(Bulk):
        def choices(self, boards, turn):
            return np.zeros(len(boards), np.int64)

    with pytest.raises(NoughtsError, match="not open"):
        grade(noughts.game("3x3"), Stubborn())


def test_reachable_positions_of_3x3() -> None:
    positions = judge_of(noughts.game("3x3")).positions
    assert [len(part) for part in positions] == [2423, 2097]  # 4,520 of 5,478 run


def test_many_threads_ask_as_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    game = noughts.game("3x3:flip=0.1")
    whole = grade(game, Bulk())
    monkeypatch.setattr("noughts.learn.frame.grading.judge.BATCH", 100)
    assert grade(game, Bulk()) == whole


def test_what_a_thread_raises_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Bulk):
        def choices(self, boards, turn):
            raise NoughtsError("There is no such board.")

    monkeypatch.setattr("noughts.learn.frame.grading.judge.BATCH", 100)
    with pytest.raises(NoughtsError, match="no such board"):
        grade(noughts.game("3x3:flip=0.1"), Broken())
