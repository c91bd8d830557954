"""Three and four players on boards of lines: rules, texts, drawings, refusals."""

import itertools
import json
from fractions import Fraction

import numpy as np
import pytest

import noughts
from noughts.errors import NoughtsError, ParseError
from noughts.games.game import Landing, Position
from noughts.games.svg.ink import COLOURS
from noughts.knowledge.plain import line_masks
from noughts.search.shortcuts import sure_move
from noughts.search.threats import forced_win
from noughts.solve.numbering import board_number
from noughts.testing import check_game

SPECS = (
    "3x3:players=3",
    "3x3:players=4",
    "2x4:k=3,players=3,flip=0.1,fizzle=0.2",
    "3x4:k=3,players=4,flip=random,seed=3",
    "2x3:k=2,players=3,fade=0.1",
    "3x3:players=3,hazard=0.2,limit=2,ticks=3",
    "3x3x3:players=3",
)


@pytest.mark.parametrize("spec", SPECS)
def test_promises_of_every_game(spec: str) -> None:
    check_game(spec, positions=80)


def test_specs() -> None:
    assert str(noughts.game("3x3:flip=0.1,players=3")) == "3x3:players=3,flip=0.1"
    assert noughts.game("3x3:players=2") == noughts.game("3x3")
    assert str(noughts.game("ultimate:players=2")) == "ultimate"
    assert noughts.game("3x3:players=3") != noughts.game("3x3")
    assert noughts.game("6x7:k=4,players=4").seats == 4
    assert noughts.game("3x3").seats == noughts.game("ultimate").seats == 2


@pytest.mark.parametrize(
    ("spec", "named"),
    [
        ("3x3:players=1", "players=1"),
        ("3x3:players=9", "2 to 4"),
        ("3x3:players", "players"),
        ("3x3:misere,players=3", "misere is for two players"),
        ("ultimate:players=3", "ultimate is for two players"),
    ],
)
def test_refused_specs(spec: str, named: str) -> None:
    with pytest.raises(ParseError, match=named):
        noughts.game(spec)


def test_turns_results_and_texts() -> None:
    game = noughts.game("3x3:players=3")
    position = game.start()
    for move in (0, 3, 6, 1, 4, 7):
        position = position.play(move)
    # X O T
    assert str(position) == "X X .\nO O .\nT T .\nX to move"
    assert position.play(2).result == "X"
    third = position.play(8).play(2).play(5)
    assert (third.result, third.turn) == ("draw", "X")
    won = game.parse("XX./O.O/TTT")
    assert won.result == "T"
    assert str(won).endswith("T wins, O next")
    assert game.parse(str(won)) == won
    assert game.parse("X../.O./... T to move").turn == "T"
    assert game.parse("xo./t../...").board == "XO.T....."
    again = Position.from_json(won.to_json())
    assert again == won
    assert json.loads(won.to_json())["result"] == "T"


def test_refused_texts() -> None:
    game = noughts.game("3x3:players=3")
    for text, named in (
        ("XOS/.../...", "'S' is not a mark; a board is drawn with X, O, T"),
        ("XXX/OOO/...", "Both X and O"),
        ("XO./TTT/XXX", "Both X and T"),
        ("XO./.../... S to move", "'T to move'"),
    ):
        with pytest.raises(ParseError, match=named):
            game.parse(text)
    with pytest.raises(ParseError, match='"turn"'):
        game.position_from_dict({"board": "." * 9, "turn": "S"})
    with pytest.raises(ParseError, match="'T' is not a mark"):
        noughts.game("3x3").parse("XOT/.../...")
    with pytest.raises(NoughtsError, match="'X', 'O' or None"):
        noughts.game("3x3").start().play(0, Landing("T"))


def test_texts_of_two_players_are_as_before() -> None:
    """Written down before there were more: files and links that are out there."""
    old = '{"game": "3x3", "board": "XO.......", "turn": "X", "last": 1, "result": null}'
    position = Position.from_json(old)
    assert position.to_json() == old
    assert repr(position) == "noughts.game('3x3').parse('XO./.../... X to move')"
    assert str(noughts.playouts("3x3", 10, seed=1)).startswith("Tally(x=")


def test_a_flip_is_anybodys() -> None:
    position = noughts.game("2x2:players=4,flip=0.3,fizzle=0.1").start().play(0)
    assert position.outcomes(1) == [
        (pytest.approx(0.6), Landing("O")),
        (pytest.approx(0.1), Landing("T")),
        (pytest.approx(0.1), Landing("S")),
        (pytest.approx(0.1), Landing("X")),
        (0.1, Landing(None)),
    ]


def test_worth_sums_to_nothing() -> None:
    game = noughts.game("3x3:players=4")
    assert game.worth("draw") == (0.0, 0.0, 0.0, 0.0)
    assert game.worth("T") == (-1 / 3, -1 / 3, 1.0, -1 / 3)
    assert noughts.game("3x3").worth("O") == (-1.0, 1.0)


def test_random_games_end_as_counted_by_hand() -> None:
    """Of all orders of nine cells 2/21, 37/420 and 37/420 are won, by X, O and T."""
    tally = noughts.playouts("3x3:players=3", 400_000, seed=1)
    exact = (Fraction(2, 21), Fraction(37, 420), Fraction(37, 420), Fraction(51, 70))
    assert sum(exact) == 1
    for seen, share in zip((*tally.wins[:3], tally.draws), exact, strict=True):
        spread = 4.0 * np.sqrt(float(400_000 * share * (1 - share)))
        assert abs(seen - 400_000 * share) < spread


@pytest.mark.parametrize("spec", ["3x3:players=3", "2x4:k=2,players=4", "3x3:players=3,flip=0.5"])
def test_counts_of_sequences(spec: str) -> None:
    def count(position: Position, depth: int) -> int:
        if depth == 0:
            return 1
        cells = () if position.result is not None else position.open_cells
        return sum(count(position.play(cell), depth - 1) for cell in cells)

    start = noughts.game(spec).start()
    for depth in range(6):
        assert noughts.perft(spec, depth) == count(start, depth)


# How colours look to who lacks one kind of cone (Machado, Oliveira and Fernandes 2009), linear RGB.
_SIGHTS = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "no green": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "no blue": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def _lab(colour: str, sight: str) -> np.ndarray:
    channels = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(_SIGHTS[sight]) @ linear, 0, 1)
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    x, y, z = np.cbrt(to_xyz @ seen / np.array([0.9505, 1.0, 1.089]))
    return np.array([116 * y, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("sight", _SIGHTS)
def test_colours_of_marks_are_told_apart(sight: str) -> None:
    for first, second in itertools.combinations(COLOURS.values(), 2):
        assert np.linalg.norm(_lab(first, sight) - _lab(second, sight)) > 18.0


def test_drawings_show_every_mark() -> None:
    drawn = noughts.game("3x3:players=4").parse("XOT/S../...")._repr_svg_()
    shapes = [part.split('"')[1] for part in drawn.split("<path ")[1:] if "data-mark" in part]
    assert len(set(shapes)) == 4
    for mark, colour in COLOURS.items():
        assert f'data-mark="{mark}"' in drawn
        assert colour in drawn


def test_what_is_made_for_two_is_asked_no_more() -> None:
    start = noughts.game("5x5:k=3,players=3").start()
    with pytest.raises(NoughtsError, match="This numbering of boards is for two players"):
        board_number(start)
    with pytest.raises(NoughtsError, match="force a win by threats"):
        forced_win(start)
    assert line_masks(start.game) is None
    assert sure_move(start, endgame=25) is None
