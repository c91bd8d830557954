"""Tables that learn games of three and four."""

import numpy as np
import pytest

import noughts
from noughts.agents import check_player
from noughts.errors import NoughtsError, ParseError
from noughts.games.compiled import row_of
from noughts.games.game import Landing
from noughts.kernels.learn import table as kernels
from noughts.kernels.rules import protocol
from noughts.learn.frame.grading import grader
from noughts.learn.frame.registry import learner
from noughts.learn.frame.training import make_plan, train
from noughts.learn.table.games import after_own_move, path_of
from noughts.learn.table.player import TablePlayer, first_values, table_entries
from noughts.learn.table.taught.lesson import table_lesson
from noughts.solve.numbering import numbered_rows
from noughts.solve.seats.blocks import seat_number

GAME = "2x3:k=2,players=3,flip=0.1"


def test_boards_have_one_number_in_python_and_in_kernels() -> None:
    rng, game = np.random.default_rng(1), noughts.game("2x3:players=4,k=3,flip=0.3,fizzle=0.1")
    state = protocol.new(game.rules)
    for _ in range(30):
        position = game.start()
        while position.result is None:
            move = int(rng.choice(position.moves))
            landing, after = position.sample(move, rng)
            loaded = protocol.load(game.rules, row_of(position), state)
            seat = 1 + game.marks.index(position.mover)
            number = seat_number(position)
            assert protocol.number(game.rules, loaded, seat) == number
            assert numbered_rows(game, np.array([number]), position.mover)[0].tolist() == list(
                position.to_row()
            )
            landed = protocol.load(game.rules, row_of(after), state)
            assert protocol.number(game.rules, landed, seat) == after_own_move(
                position, move, landing
            )
            position = after


def test_first_values_know_who_has_a_line() -> None:
    game = noughts.game("2x2:players=3")
    values = first_values(game, 0.25)
    assert values.shape == (3, 4**4)
    own, another = (seat_number(game.parse(f"{b} X to move")) for b in ("XX/O.", "OO/X."))
    assert values[:, own].tolist() == [1.0] * 3
    assert values[:, another].tolist() == [0.0] * 3
    assert values[0, 0] == pytest.approx(1 / 3)
    wide = noughts.game("1x4:k=3,players=3")
    drawn = seat_number(wide.parse("XOTX X to move"))
    assert first_values(wide, 0.25)[0, drawn] == 0.25


def test_a_move_is_worth_the_mean_of_its_landings() -> None:
    game = noughts.game(GAME)
    player = TablePlayer(game, first_values(game, 1 / 3), "table", is_shared=True)
    position = game.parse("X../O.T X to move")
    values = player.values(position)
    # Own lines end the game; a flip may complete one of another's.
    for move, value in values.items():
        worth = sum(
            p * (game.worth(q.result)[0] if q.result else 0.0) for p, q in position.landings(move)
        )
        assert value == pytest.approx(worth)
    chosen = player.choose(position, np.random.default_rng(1))
    assert values[chosen] == max(values.values())


@pytest.mark.parametrize("spec", ["table", "td-table"])
def test_tables_learn(spec: str, monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setattr(grader, "SEAT_SAMPLE", 80)
    training = train(GAME, spec, games=400, seed=1, checkpoints=2, out=tmp_path / "run")
    first, *_, last = (line["grades"] for line in training.curve if line["grades"])
    assert last["regret_mean"] < first["regret_mean"]
    assert last["regret_mean"] < 0.01
    assert last["optimal_share"] > first["optimal_share"]
    assert last["games_played"] == 198
    assert {"random_x", "random_o", "random_t"} <= set(last)
    assert last["score_low"] > 1 / 3
    curves = training.curve[-1]["curves"]
    results = ("X wins", "O wins", "T wins", "draws")
    assert sum(curves[name] for name in results) == pytest.approx(1)
    player = noughts.agent(f"{spec}:run={tmp_path / 'run'}")
    check_player(player, noughts.game(GAME))
    result = noughts.match(GAME, player, "random", "random", games=12, seed=1)
    assert result.reasons == {}
    assert result.score > 1 / 3


def test_a_table_learns_against_others_and_goes_on() -> None:
    game = noughts.game("2x2:players=3")
    chosen = learner("table:seat=t")
    chosen.begin(game, "fixed", 1)
    chosen.learn(20)
    changed = (chosen.arrays()["values"] != first_values(game, 1 / 3)).any(axis=1)
    assert changed.tolist() == [False, False, True]
    again = learner("table:seat=t")
    again.restore(game, "fixed", chosen.arrays())
    chosen.learn(5)
    again.learn(5)
    assert np.array_equal(again.arrays()["values"], chosen.arrays()["values"])


def test_what_a_game_teaches_whoever_won_it() -> None:
    """A win of the second player is a win, not a draw."""
    game = noughts.game("2x2")
    moves = [(0, Landing("X")), (1, Landing("O")), (2, Landing("O"))]
    played, ended = path_of(game, moves)
    assert ended == 2
    boards = [[own.board for own in played if own.seat == mark] for mark in game.marks]
    values = first_values(game)
    path = kernels.new_path()
    for side in (0, 1):
        path.boards[side, : len(boards[side])] = boards[side]
        path.length[side] = len(boards[side])
    before = values.copy()
    kernels.teach(learner("table").lessons, 0, ended, path, values)
    assert values[0, boards[0][0]] < before[0, boards[0][0]]
    assert values[1, boards[1][0]] > before[1, boards[1][0]]


def test_a_lesson_of_three() -> None:
    game = noughts.game("2x2:players=3")
    values = first_values(game, 1 / 3)[2]
    moves = [(0, Landing("X")), (1, Landing("O")), (2, Landing("T")), (3, Landing("X"))]
    (change,) = table_lesson(game, values, "T", moves)
    assert change.board == "XOT."
    assert change.after == pytest.approx(0.75 / 3)
    assert table_entries(game, True)[change.entry] == change.entry


def test_refusals() -> None:
    with pytest.raises(NoughtsError, match="q-table is for two players"):
        make_plan("3x3:players=3", "q-table", games=1)
    with pytest.raises(NoughtsError, match="values; 8,388,608 are allowed"):
        make_plan("3x4:k=3,players=3", "table", games=1)
    with pytest.raises(ParseError, match="seat=s is none of the 3 seats"):
        make_plan("3x3:players=3", "table:seat=s", games=1)
    with pytest.raises(ParseError, match="seat=t is none of the 2 seats"):
        make_plan("3x3", "td-table:seat=t", games=1)
