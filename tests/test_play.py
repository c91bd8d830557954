"""A game in the terminal, typed into a pipe."""

import sys

import pytest

from noughts.cli import main


@pytest.fixture
def typed(monkeypatch, capsys):
    """Play with these lines typed; what was printed."""

    def play(arguments: str, *lines: str) -> str:
        answers = iter(lines)

        def answer(prompt: str) -> str:
            sys.stdout.write(f"{prompt}\n")
            try:
                return next(answers)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)
        assert main(["play", *arguments.split()]) == 0
        return capsys.readouterr().out

    return play


def test_a_person_plays_to_the_end(typed):
    printed = typed("3x3 --o human", "4", "0", "2", "6", "8", "3")
    assert printed.endswith("O wins.\n")
    assert "X (human) plays 4." in printed


def test_whoever_names_x_alone_sits_at_o(typed):
    assert "3x3: X random, O human" in typed("3x3 --x random --seed 1", "q")
    assert "3x3: X human, O uct:simulations=1000" in typed("3x3", "q")


def test_illegal_and_unreadable_answers_are_explained(typed):
    printed = typed("3x3 --o human", "4", "4", "ten", "9", "q")
    assert "Cell 4 holds X" in printed
    assert "'ten' is not a cell" in printed
    assert "Cell 9 is not on the board" in printed
    assert printed.endswith("Good-bye.\n")


def test_take_back_returns_to_the_persons_last_turn(typed):
    printed = typed("3x3 --o random --seed 1", "u", "4", "u", "0", "q")
    assert "There is nothing to take back." in printed
    assert "X (human) plays 0." in printed


def test_values_and_hints_are_exact_on_a_small_board(typed):
    printed = typed("3x3:flip=0.25 --o human", "v", "h", "q")
    assert "Values for X: known from table." in printed
    assert "Cell 4: +0.066 for X (table)." in printed


def test_a_hint_in_qubic_is_the_certificates(typed):
    printed = typed("qubic --o human", "h", "v", "q")
    assert "Cell 0: +1.000 for X (certificate); 15 other cells are as good." in printed
    assert printed.count("+1.00 ") + printed.count("+1.00\n") == 16
    assert "those without ≈ are known, the others are estimated by uct" in printed


def test_an_estimate_says_that_it_is_one(typed):
    printed = typed("5x5:k=4 --o human", "h", "q")
    assert ": ≈" in printed
    assert "(uct:simulations=5000)" in printed


def test_the_dice_are_shown(typed):
    printed = typed("3x3:flip=1 --o human", "4", "q")
    assert "X (human) plays 4, and it flips to O (chance 1.00)." in printed


def test_a_wait_is_typed_after_the_cell(typed):
    printed = typed("3x3:hazard=0.2,limit=10,ticks=10 --o human", "4 3", "q")
    assert "X (human) plays 4 after 3 ticks" in printed
    assert "at tick 3" in printed


def test_ultimate_takes_mini_board_and_cell(typed):
    printed = typed("ultimate --o human", "4 0", "1 1", "0 4", "q")
    assert "X (human) plays 36." in printed
    assert "this move must be in 0" in printed
    assert "O (human) plays 4." in printed


def test_two_agents_play_by_themselves_and_a_seed_repeats_it(typed):
    first = typed("3x3 --x random --o random --seed 5")
    assert first == typed("3x3 --x random --o random --seed 5")
    assert first.rstrip().endswith(("wins.", "draw."))


def test_numbers_off_the_board_never_become_another_cell(typed):
    clocked = typed("3x3:hazard=0.2,limit=10,ticks=10 --o human", "12", "12 3", "q")
    assert clocked.count("Cell 12 is not on the board") == 2
    assert "plays 3" not in clocked
    assert "is not a mini board 0 to 8" in typed("ultimate --o human", "0 40", "q")
    assert "Row 4, column 1 is not on the board" in typed("3x3 --o human", "4 1", "q")


def test_a_cell_may_be_typed_as_row_and_column(typed):
    assert "X (human) plays 5." in typed("3x3 --o human", "1 2", "q")


def test_the_risk_of_every_cell_is_shown_before_the_game(typed):
    printed = typed("3x3:flip=stochastic,fizzle=0.02 --o human", "q")
    assert "0.90 0.30 0.50" in printed
    assert "fizzle 0.02 in every cell" in printed


def test_an_agent_that_cannot_play_the_game_is_refused_at_once(capsys):
    assert main(["play", "5x5", "--o", "optimal"]) == 2
    assert "5x5 has 25 cells" in capsys.readouterr().err


def test_taking_back_before_the_first_own_turn_changes_nothing(typed):
    printed = typed("3x3 --x random --o human --seed 3", "u", "q")
    assert "There is nothing to take back." in printed
    assert printed.count("X (random) plays") == 1


def test_advice_where_no_table_exists_comes_from_a_search(typed):
    spec = "3x3:hazard=0.2,turn_limit=1,ticks=3,fizzle=0.1"
    assert "(uct:simulations=5000)" in typed(f"{spec} --o human", "h", "q")


def test_advice_on_ultimate_comes_from_its_own_network(typed):
    assert "(zero:simulations=5000)" in typed("ultimate --o human", "h", "q")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("3x3", "or its row and column"),
        ("ultimate", "or its mini board and its cell there"),
        ("qubic", "Type the number of a cell. Also"),
        ("3x3:hazard=0.2,turn_limit=1,ticks=3", "and the ticks to wait if any"),
    ],
)
def test_the_help_says_what_this_game_takes(typed, spec, words):
    assert words in typed(f"{spec} --o human", "q")
