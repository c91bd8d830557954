"""Positions: their texts, what may be played in them, and what a move turns into."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import noughts
from noughts.games import UltimatePosition

SPECS = [
    *("3x3", "4x4:k=3", "1x5:k=2", "5x1", "3x3:misere", "3x3x3", "2x3x4:k=2", "qubic", "6x5:k=4"),
    *("3x3:flip=0.1", "3x3:flip=0.2,fizzle=0.3", "3x3:fade=0.3", "2x2:fade=1"),
    *("3x3:hazard=0.5,limit=2,ticks=4", "3x3:hazard=0.5,turn_limit=2,ticks=2"),
    *("ultimate", "ultimate:won=open", "ultimate:fade=0.05", "ultimate:flip=0.4,fizzle=0.3"),
    "ultimate:won=open,flip=0.3,hazard=0.2,limit=2,ticks=3,tiebreak=boards",
]


@given(st.sampled_from(SPECS), st.integers(0, 120), st.integers(0, 2**32))
def test_texts_and_json_round_trip(spec: str, turns: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    position = noughts.game(spec).start()
    for _ in range(turns):
        if position.result is not None:
            break
        position = position.sample(int(rng.choice(position.moves)), rng)[1]
    for again in (
        position.game.parse(str(position)),
        eval(repr(position), {"noughts": noughts}),
        noughts.Position.from_json(position.to_json()),
    ):
        assert again == position
        assert hash(again) == hash(position)
        assert (again.result, again.moves) == (position.result, position.moves)
        assert str(again) == str(position)


def test_a_drawing_and_a_line_say_the_same() -> None:
    game = noughts.game("3x3")
    drawing = """
        X . .
        . O .
        . . .
        X to move
    """
    assert game.parse(drawing) == game.parse("X../.O./... X to move")
    assert str(game.parse(drawing)) == "X . .\n. O .\n. . .\nX to move"
    assert repr(game.parse(drawing)) == "noughts.game('3x3').parse('X../.O./... X to move')"


def test_the_turn_follows_from_the_marks_unless_it_is_said() -> None:
    game = noughts.game("3x3:flip=0.1")
    assert game.parse("X........").turn == "O"
    assert game.parse("XO.......").turn == "X"
    assert game.parse("X........ X to move").turn == "X"


def test_small_letters_and_underscores_are_read() -> None:
    game = noughts.game("3x3")
    assert game.parse("x _ _\n_ o _\n_ _ o") == game.parse("X../.O./..O O to move")
    assert game.parse("x__\n_o_\nx_x\nO to move") == game.parse("X../.O./X.X O to move")


def test_layers_stand_side_by_side() -> None:
    game = noughts.game("2x3x2:k=3")
    position = game.start().play(0).play(5).play(7)
    assert str(position) == "X . .   . X .\n. . O   . . .\nO to move"
    assert game.parse(str(position)) == position
    assert position.board == "X....O.X...."


def test_an_ended_game_says_so() -> None:
    game = noughts.game("3x3")
    won = game.parse("XXX/OO./...")
    assert won.result == "X"
    assert str(won).splitlines()[-1] == "X wins, O next"
    assert game.parse("XXX/OO./... O to move") == won
    draw = game.parse("XOX/XOO/OXX")
    assert draw.result == "draw"
    assert str(draw).splitlines()[-1] == "draw, O next"
    misere = noughts.game("3x3:misere").parse("XXX/OO./...")
    assert misere.result == "O"
    assert str(misere).splitlines()[-1] == "O wins, O next"


ULTIMATE = """
    X O X | . . . | . . .
    . X . | . . . | . . .
    . . X | . . . | . . .
    ------+-------+------
    . . . | O . . | . . .
    . . . | O . . | . . .
    . . . | O . . | . . .
    ------+-------+------
    . . . | . . . | . . X
    . . . | . . . | . . .
    . . . | . . . | . . .
    X to move in mini board 2
"""


def test_ultimate_draws_three_by_three() -> None:
    game = noughts.game("ultimate")
    position = game.parse(ULTIMATE)
    assert isinstance(position, UltimatePosition)
    assert position.owners == "X...O...."
    assert position.forced == 2
    assert position.board[9 * 8 + 2] == "X"
    assert position.board[:9] == "XOX.X...X"
    assert [line.strip() for line in ULTIMATE.strip().splitlines()] == str(position).splitlines()


def test_ultimate_remembers_who_was_first_in_an_open_mini_board() -> None:
    game = noughts.game("ultimate:won=open")
    both = "XXX/OOO/..." + "/" + "/".join(["........."] * 8)
    with pytest.raises(noughts.ParseError, match="Both X and O have a line in mini board 0"):
        game.parse(both)
    for first in "XO":
        position = game.parse(f"{both} X to move anywhere; won {first}........")
        assert isinstance(position, UltimatePosition)
        assert position.owners == f"{first}........"
        assert game.parse(str(position)) == position


EMPTY_ULTIMATE = "/".join(["........."] * 9)

BAD_TEXTS = [
    ("3x3", "", "is empty"),
    ("3x3", "  \n ", "is empty"),
    ("3x3", "XO", "has 2 cells; 3x3 has 9"),
    ("3x3", "X" * 10, "has 10 cells"),
    ("3x3", "XOZ......", "'Z' is not a mark"),
    ("3x3", "XO7......", "'7' is not a mark"),
    ("3x3", "X........ Z to move", "'Z to move' does not say whose turn"),
    ("3x3", "X........ perhaps", "'perhaps' does not say whose turn"),
    ("3x3", "XXX/OOO/...", "Both X and O have a line"),
    ("3x3", "X../.O./... X wins, O next", "says that X wins"),
    ("3x3", "X../.O./... draw, O next", "says a draw"),
    ("3x3", "XXX/OO./... O wins, O next", "says that O wins"),
    ("3x3", "......... X to move in mini board 3", "Mini boards belong to ultimate"),
    ("3x3", "......... X to move anywhere", "Mini boards belong to ultimate"),
    ("3x3", "......... X to move at tick 1", "Tick 1 is not on the clock"),
    ("3x3", "......... X to move at tick ٣", "does not say whose turn"),
    ("3x3:hazard=1,limit=1,ticks=4", "......... X to move at tick 5", "ticks are 0 to 4"),
    ("ultimate", "XOX", "has 3 cells; ultimate has 81"),
    ("ultimate", "XXX/OOO/.../" + EMPTY_ULTIMATE[10:], "Both X and O have a line in mini board 0"),
    (
        "ultimate",
        "XXX....../" + EMPTY_ULTIMATE[10:] + " O to move in mini board 0",
        "takes no marks",
    ),
    ("ultimate", EMPTY_ULTIMATE + " X to move in mini board 9", "does not say whose turn"),
    (
        "ultimate",
        EMPTY_ULTIMATE + " X to move anywhere; won X........",
        "does not show that X won mini board 0",
    ),
    (
        "ultimate",
        "/".join(["XXX......"] * 3 + ["OOO......"] * 3 + ["........."] * 3),
        "three mini boards in a line",
    ),
]


@pytest.mark.parametrize(("spec", "text", "words"), BAD_TEXTS)
def test_a_bad_text_gets_one_sentence(spec: str, text: str, words: str) -> None:
    with pytest.raises(noughts.ParseError) as caught:
        noughts.game(spec).parse(text)
    assert words in str(caught.value)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("text", [None, 3, b"........."])
def test_a_position_is_read_from_text(text: object) -> None:
    with pytest.raises(noughts.ParseError, match="read from text"):
        noughts.game("3x3").parse(text)  # type: ignore[arg-type]


GOOD = {"game": "3x3", "board": "X...O....", "turn": "X"}
GOOD_ULTIMATE = {"game": "ultimate", "board": "X" + "." * 80, "turn": "O", "forced": 0}
TIMED = {"game": "3x3:hazard=1,turn_limit=1", "board": "." * 9, "turn": "X"}

BAD_JSON = [
    ("{", "is not JSON"),
    ('{"tick": ' + "9" * 5000 + "}", "is not JSON"),
    ("[]", '"game"'),
    ("{}", '"game"'),
    ('{"game": 3}', '"game"'),
    ({**GOOD, "game": "3x"}, "'3x' is not a game"),
    ({"game": "3x3"}, '"board"'),
    ({**GOOD, "board": 9}, '"board"'),
    ({**GOOD, "board": "x........"}, '"board"'),
    ({**GOOD, "board": "X"}, "has 1 cells"),
    ({**GOOD, "turn": "Z"}, "\"turn\" is 'Z'"),
    ({**GOOD, "turn": ["X"]}, '"turn"'),
    ({**GOOD, "tick": 1}, "Tick 1 is not on the clock"),
    ({**GOOD, "tick": "1"}, '"tick"'),
    ({**GOOD, "tick": True}, '"tick"'),
    ({**TIMED, "tick": -1}, '"tick"'),
    ({**TIMED, "tick": 10**9}, '"tick"'),
    ({**GOOD, "last": 9}, '"last"'),
    ({**GOOD, "last": "4"}, '"last"'),
    ({**GOOD, "result": "X"}, "says that X wins"),
    ({**GOOD, "result": "lost"}, '"result"'),
    ({**GOOD_ULTIMATE, "forced": 9}, '"forced"'),
    ({**GOOD_ULTIMATE, "forced": "0"}, '"forced"'),
    ({**GOOD_ULTIMATE, "owners": "X"}, '"owners"'),
    ({**GOOD_ULTIMATE, "owners": 3}, '"owners"'),
    ({**GOOD_ULTIMATE, "owners": "X........"}, "does not show"),
    ({**GOOD_ULTIMATE, "result": "draw"}, "says a draw"),
]


@pytest.mark.parametrize(("data", "words"), BAD_JSON, ids=range(len(BAD_JSON)))
def test_bad_json_gets_one_sentence(data: str | dict[str, object], words: str) -> None:
    text = data if isinstance(data, str) else json.dumps(data)
    with pytest.raises(noughts.ParseError) as caught:
        noughts.Position.from_json(text)
    assert words in str(caught.value)


def test_good_json_is_read() -> None:
    assert noughts.Position.from_json(json.dumps(GOOD)) == noughts.game("3x3").start().play(0).play(
        4
    )
    assert noughts.Position.from_json(json.dumps(GOOD_ULTIMATE)) == noughts.game(
        "ultimate"
    ).start().play(0)
    assert noughts.Position.from_json(json.dumps({**TIMED, "tick": 7})).tick == 7


def test_play_gives_a_new_position() -> None:
    start = noughts.game("3x3").start()
    after = start.play(4)
    assert start == noughts.game("3x3").start()
    assert (after.board, after.turn, after.last) == ("....X....", "O", 4)
    assert start.moves == tuple(range(9))
    assert after.moves == (0, 1, 2, 3, 5, 6, 7, 8)
    with pytest.raises(AttributeError):
        after.turn = "X"  # type: ignore[misc]


def test_numpy_numbers_are_moves() -> None:
    assert noughts.game("3x3").start().play(np.int64(4)).board[4] == "X"  # type: ignore[arg-type]


def test_positions_with_different_pasts_are_equal() -> None:
    start = noughts.game("3x3").start()
    one, two = start.play(0).play(4).play(8), start.play(8).play(4).play(0)
    assert one == two
    assert hash(one) == hash(two)
    assert (one.last, two.last) == (8, 0)
    assert one != start.play(0).play(4)
    assert one != noughts.game("3x3:misere").start().play(0).play(4).play(8)


ILLEGAL = [
    ("3x3", "X../.../... O to move", 0, "Cell 0 holds X; open cells: 1, 2, 3, 4, 5, 6, 7, 8."),
    ("3x3", "X../.../... O to move", -1, "Move -1 is not on the board; moves are 0 to 8."),
    ("3x3", "X../.../... O to move", 9, "Move 9 is not on the board"),
    ("3x3", "X../.../... O to move", 10**30, "is not on the board"),
    ("3x3", "X../.../... O to move", "4", "A move is a whole number, not '4'."),
    ("3x3", "X../.../... O to move", 4.0, "A move is a whole number, not 4.0."),
    ("3x3", "X../.../... O to move", None, "A move is a whole number, not None."),
    ("3x3", "X../.../... O to move", np.array([1, 2]), "A move is a whole number"),
    ("3x3", "XXX/OO./...", 8, "The game has been won by X; no move is allowed."),
    ("3x3", "XOX/XOO/OXX", 0, "The game is a draw; no move is allowed."),
    ("ultimate", ULTIMATE, 0, "Cell 0 is in mini board 0; this move must be in 2."),
    ("ultimate", ULTIMATE.replace("in mini board 2", "anywhere"), 3, "which is won"),
    ("ultimate", ULTIMATE.replace("in mini board 2", "anywhere"), 74, "Cell 74 holds X"),
]


@pytest.mark.parametrize(("spec", "text", "move", "words"), ILLEGAL)
def test_an_illegal_move_gets_one_sentence(spec: str, text: str, move: int, words: str) -> None:
    position = noughts.game(spec).parse(text)
    for call in (position.play, position.landings, position.outcomes, position.check_move):
        with pytest.raises(noughts.IllegalMove) as caught:
            call(move)
        assert words in str(caught.value)
    with pytest.raises(noughts.IllegalMove):
        position.sample(move, np.random.default_rng(0))
