"""The tables: hand-written updates, kernels against plain Python, and what they come to."""

from pathlib import Path as File

import numpy as np
import pytest

import noughts
from noughts.agents import Agent
from noughts.cli import main
from noughts.errors import NoughtsError, ParseError
from noughts.games import Landing
from noughts.games.compiled import row_of
from noughts.kernels.learn import table as kernels
from noughts.kernels.learn.table import Lessons, Path
from noughts.kernels.learn.table_q import q_update
from noughts.kernels.rng import seeded
from noughts.kernels.rules.codes import DRAW, O, X
from noughts.learn.frame.grading.grader import grade
from noughts.learn.frame.registry import learner
from noughts.learn.table.games import play_for_q
from noughts.learn.table.player import QTablePlayer, first_values, table_entries
from noughts.learn.table.taught.lesson import table_lesson
from noughts.learn.table.taught.own import own_table_path
from noughts.solve.numbering import board_number, landing_vectors, numbered_position

GAME = noughts.game("3x3")


def number(text: str) -> int:
    """A board seen from X."""
    return sum(".XO".index(letter) * 3**cell for cell, letter in enumerate(text))


def test_first_values_are_the_published_ones() -> None:
    values = first_values(GAME)
    assert values.shape == (2, 19683)
    assert values[0, number("XXXOO....")] == 1.0
    assert values[0, number("OOOXX.X..")] == 0.0
    assert values[0, number("XOXXOOOXX")] == 0.5
    assert values[0, 0] == 0.5
    assert first_values(noughts.game("3x3:misere"))[0, number("XXXOO....")] == 0.0


def path_of(*steps: tuple[int, bool]) -> Path:
    """X's path; O's is empty."""
    path = Path(np.zeros((2, 8), np.int64), np.zeros((2, 8), np.bool_), np.zeros(2, np.int64))
    for step, (board, is_probe) in enumerate(steps):
        path.boards[0, step], path.is_probe[0, step] = board, is_probe
    path.length[0] = len(steps)
    return path


def test_every_visited_board_moves_toward_the_result() -> None:
    values = np.full((2, 10), 0.5)
    lessons = Lessons(0.4, 0.01, 0.0, 0.0, False, False, 0.0)
    kernels.teach(lessons, 0, X, path_of((3, False), (7, True)), values)
    assert values[0, [3, 7]].tolist() == [0.7, 0.7]
    kernels.teach(lessons, 10, DRAW, path_of((3, False)), values)  # a draw is 0, the step 0.3
    assert values[0, 3] == pytest.approx(0.7 - 0.3 * 0.7)
    kernels.teach(lessons, 40, O, path_of((3, False)), values)  # the step has shrunk to nothing
    assert values[0, 3] == pytest.approx(0.49)
    assert (values[1] == 0.5).all()
    careful = lessons._replace(only_after_probe=True)
    values[:] = 0.5
    kernels.teach(careful, 0, X, path_of((3, False), (7, True), (8, False)), values)
    assert values[0, [3, 7, 8]].tolist() == [0.5, 0.7, 0.7]


def test_td_lambda_by_hand() -> None:
    """Two lessons: 0.6 - 0.5 for the first board; 1 - 0.6 for the second, half of it for both."""
    values = np.full((2, 10), 0.5)
    values[0, 7] = 0.6
    lessons = Lessons(0.1, 0.0, 0.0, 0.5, True, True, 0.5)
    kernels.teach(lessons, 0, X, path_of((3, False), (7, False)), values)
    assert values[0, 7] == pytest.approx(0.6 + 0.1 * 0.4)
    assert values[0, 3] == pytest.approx(0.5 + 0.1 * 0.1 + 0.5 * 0.1 * 0.4)
    values[:] = 0.5
    kernels.teach(lessons, 0, X, path_of((3, False), (7, True)), values)  # the trace is cut
    assert values[0, [3, 7]].tolist() == [0.5, 0.55]


def test_q_learning_by_hand() -> None:
    values = np.zeros((3**9, 9))
    before = number("XX.OO....")
    assert q_update(values, before, 2, 1.0, 0.5) == 0.5
    assert values[before, 2] == 0.5
    assert q_update(values, before, 2, -1.0, 0.5) == 0.75
    assert values[before, 2] == -0.25


class Scripted(Agent):
    """Plays the moves that it was given."""

    name = "scripted"

    def __init__(self, *moves: int) -> None:
        self.moves = list(moves)

    @property
    def is_deterministic(self) -> bool:
        return True

    def choose(self, position: noughts.Position, rng: np.random.Generator) -> int:
        return self.moves.pop(0)


def test_q_learning_takes_the_best_reply_for_what_it_means() -> None:
    values = np.zeros((3**9, 9))
    values[:, 3] = 0.25  # the table, at O, answers 8 and then 3
    values[number("O........"), 8] = 0.5
    player = QTablePlayer(GAME, values, "q-table")
    play_for_q(player, Scripted(0, 1, 2), 1, 0.5, 0.0, np.random.default_rng(0))
    assert values[0, 0] == 0.5 * -0.5
    assert values[number("XX.O....O"), 2] == 0.5


def play_in_python(spec: str, name: str, games: int, seed: int) -> np.ndarray:
    """The self-play of a table, from the same random stream, move by move on positions."""
    game = noughts.game(spec)
    chosen = learner(name)
    chosen.begin(game, "self", seed)
    lessons, entries = chosen.lessons, table_entries(game, chosen.is_shared)
    values, odds = chosen.values.copy(), landing_vectors(game)
    state = int(seeded(seed)[0])

    def word() -> int:
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % 2**64
        return z ^ (z >> 31)

    def below(n: int) -> int:
        return ((word() >> 32) * n) >> 32

    def uniform() -> float:
        return (word() >> 11) / 2**53

    for index in range(games):
        position = game.start()
        path = Path(np.zeros((2, 16), np.int64), np.zeros((2, 16), np.bool_), np.zeros(2, np.int64))
        while position.result is None:
            side, own = "XO".index(position.turn), board_number(position)
            is_probe = uniform() < lessons.probe
            best, equals, move = -1.0, 0, -1
            if is_probe:
                move = position.moves[below(len(position.moves))]
            for cell in () if is_probe else position.moves:
                meant = own + 3**cell
                value = (
                    odds.own[cell] * values[side, entries[meant]]
                    + odds.flip[cell] * values[side, entries[meant + 3**cell]]
                    + odds.fizzle[cell] * values[side, entries[own]]
                )
                if value > best:
                    best, equals, move = value, 1, cell
                elif value == best:
                    equals += 1
                    move = cell if below(equals) == 0 else move
            mark = position.turn
            if game.risk.is_risky and uniform() >= odds.own[move]:
                mark = "O" if mark == "X" else "X"
            digit = 1 if mark == position.turn else 2
            path.boards[side, path.length[side]] = entries[own + digit * 3**move]
            path.is_probe[side, path.length[side]] = is_probe
            path.length[side] += 1
            position = position.play(move, Landing(mark))
        result = {"X": X, "O": O, "draw": DRAW}[position.result]
        kernels.teach(lessons, index, result, path, values)
    return values


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("3x3", "table"),
        ("3x3:flip=0.2", "td-table"),
        ("3x3:misere", "table:r3"),
        ("2x3:k=2", "td-table"),
    ],
)
def test_kernel_is_plain_python(game: str, name: str) -> None:
    chosen = learner(name)
    chosen.begin(noughts.game(game), "self", 9)
    chosen.learn(60)
    assert np.array_equal(chosen.arrays()["values"], play_in_python(game, name, 60, 9))


def test_turned_boards_share_an_entry() -> None:
    entries = table_entries(GAME, True)
    corners = {int(entries[number(board)]) for board in ("X........", "..X......", "........X")}
    assert len(corners) == 1
    assert len(set(entries.tolist())) == 2862  # 19,683 colourings of 3×3 under 8 symmetries
    risky = noughts.game("3x3:flip=0.1/0/0/0/0/0/0/0/0")
    assert table_entries(risky, True)[3**2] != table_entries(risky, True)[3**0]


@pytest.mark.parametrize("seed", [1, 2])
def test_twenty_thousand_games_lose_at_most_one_in_a_hundred(seed: int) -> None:
    chosen = learner("table")
    chosen.begin(GAME, "self", seed)
    chosen.learn(20_000)
    as_x = noughts.odds("3x3", x=chosen.player(), o="random")
    as_o = noughts.odds("3x3", x="random", o=chosen.player())
    assert as_x.o <= 0.01
    assert as_o.x <= 0.01


def test_published_settings() -> None:
    lessons = learner("table:r3").lessons
    assert lessons == Lessons(1.0, 0.01, 0.05, 0.0, False, False, 0.0)
    assert not learner("table:r3").is_shared
    assert learner("table:r3,step=0.3,shrink=0").lessons[:2] == (0.3, 0.0)
    assert str(learner("table:r3,step=0.3")) == "table:r3,step=0.3"


@pytest.mark.parametrize("name", ["td-table", "q-table"])
def test_the_others_learn_too(name: str) -> None:
    chosen = learner(name)
    chosen.begin(GAME, "self", 1)
    chosen.learn(20_000)
    grades = grade(GAME, chosen.player())
    assert grades["regret_mean"] < 0.05
    assert grades["optimal_x"][2] == 0.0
    assert grades["optimal_o"][2] == 0.0


@pytest.mark.parametrize("name", ["table", "td-table", "q-table"])
@pytest.mark.parametrize("game", ["3x3:fade=0.1", "3x3:flip=0.1,fizzle=0.2", "3x4:misere"])
def test_risks_and_other_boards(name: str, game: str) -> None:
    for opponent in ("self", "random", "fixed:weights=1"):
        chosen = learner(name)
        chosen.begin(noughts.game(game), opponent, 1)
        curves = chosen.learn(20)
        assert curves["X wins"] + curves["draws"] + curves["O wins"] == pytest.approx(1.0)
        assert curves["change of a value"] > 0.0
        assert np.isfinite(chosen.arrays()["values"]).all()


def test_games_against_an_agent_teach_one_seat_or_both() -> None:
    for seat, taught in (("x", [True, False]), ("o", [False, True]), ("both", [True, True])):
        chosen = learner(f"table:seat={seat}")
        chosen.begin(GAME, "fixed:weights=1", 1)
        chosen.learn(6)
        changed = (chosen.arrays()["values"] != first_values(GAME)).any(axis=1)
        assert changed.tolist() == taught


def test_choices_are_what_choose_says() -> None:
    rng = np.random.default_rng(0)
    for name in ("table", "q-table"):
        chosen = learner(name)
        chosen.begin(GAME, "self", 2)
        chosen.learn(500)
        player = chosen.player()
        boards = np.array([0, number("X...O...."), number("XOX.O....")])
        for turn in ("X", "O"):
            asked = [player.choose(numbered_position(GAME, int(b), turn), rng) for b in boards]
            assert player.choices(boards, turn).tolist() == asked


def test_a_lesson_alters_nothing_and_says_what_changes() -> None:
    moves = [(cell, Landing(mark)) for cell, mark in zip((0, 4, 1, 8, 2), "XOXOX", strict=True)]
    values = first_values(GAME)[0]
    kept = values.copy()
    changes = table_lesson(GAME, values, "X", moves, step=0.25)
    assert np.array_equal(values, kept)
    assert [change.board for change in changes] == ["X........", "XX..O...."]
    assert [(change.before, change.after) for change in changes] == [(0.5, 0.625)] * 2
    lost = table_lesson(GAME, values, "O", moves, step=0.25)
    assert [change.after for change in lost] == [0.375, 0.375]
    known = values.copy()
    for change in changes:
        known[change.entry] = change.after
    again = table_lesson(GAME, known, "X", moves, step=0.25)
    assert again[0].before == 0.625
    flipped = [(0, Landing("O"))] + [(cell, Landing("O")) for cell in (1, 2)]
    assert table_lesson(noughts.game("3x3:flip=0.5"), values, "X", flipped)[0].board == "O........"


def test_a_person_teaches_in_the_terminal(
    tmp_path: File, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NOUGHTS_HOME", str(tmp_path))
    shown = []
    for _ in range(2):
        answers = iter(["4", "0", "8", "2", "1", "7", "6", "3", "5"])
        monkeypatch.setattr("builtins.input", lambda prompt, answers=answers: next(answers))
        words = "play 3x3 --x human --o table:learn,probe=0 --seed 1"
        assert main(words.split()) == 0
        shown.append(capsys.readouterr().out)
    assert "has learned from 1 game; the last one changed" in shown[0]
    assert "0.500 → " in shown[0]
    assert "has learned from 2 games" in shown[1]
    assert own_table_path(GAME).is_relative_to(tmp_path)
    assert main(["train", "3x3", "--reset"]) == 0
    assert not own_table_path(GAME).exists()
    assert main(["train", "3x3", "--reset"]) == 2
    assert "no table of 3x3" in capsys.readouterr().err


def test_an_untaught_table_plays_and_says_what_it_cannot() -> None:
    agent = noughts.agent("table")
    assert agent.choose(GAME.start(), np.random.default_rng(0)) == 0
    assert agent.choose(GAME.parse("XX./OO./..."), np.random.default_rng(0)) == 2
    assert agent.is_deterministic
    assert not noughts.agent("table:learn").is_deterministic
    with pytest.raises(NoughtsError, match="up to 12 cells"):
        agent.check_game(noughts.game("4x4"))
    with pytest.raises(ParseError, match="not both"):
        noughts.agent("table:learn,run=somewhere")


def test_the_kernel_of_random_opponents_teaches_the_table_alone() -> None:
    values, tally = first_values(GAME), np.zeros(5)
    lessons = Lessons(0.1, 0.0, 0.1, 0.5, True, False, 0.0)
    start = kernels.new_start(GAME.rules, row_of(GAME.start()))
    table = kernels.Table(values, table_entries(GAME, False))
    contest = kernels.Contest(kernels.RANDOM, O, 0, 200)
    path = kernels.new_path()
    kernels.learn_table(GAME.rules, start, table, lessons, contest, seeded(1), path, tally)
    assert tally[:3].sum() == 200
    assert np.array_equal(values[0], first_values(GAME)[0])
    assert not np.array_equal(values[1], first_values(GAME)[1])
