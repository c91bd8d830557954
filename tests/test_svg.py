"""Drawings say exactly what the board says, and are sound SVG for every game."""

import itertools
import re
from collections.abc import Iterator
from functools import cache
from xml.etree import ElementTree

import numpy as np
import pytest

import noughts
from noughts import Game, Landing, Position
from noughts.games import Board, LineGame
from noughts.games.grammar import parse_spec
from noughts.games.risk import read_risk
from noughts.games.svg import draw
from noughts.games.svg.sheets import bounds, lay_out

SPECS = [
    "1x1",
    "1x20:k=3",
    "3x3",
    "3x3:misere",
    "6x5:k=4",
    "15x15:k=5",
    "20x20",
    "3x3x3",
    "qubic",
    "2x7x3",
    "1x1x20:k=4",
    "ultimate",
    "ultimate:won=open",
    "ultimate:tiebreak=boards",
    "3x3:flip=stochastic",
    "4x4:flip=random,seed=7",
    "3x3:flip=0/0/0/0/0.5/0/0/0/0",
    "3x3:flip=noisy-reverse",
    "3x3:flip=0.1,fizzle=0.1",
    "3x3:fade=0.05",
    "3x3:hazard=0.2,limit=10,ticks=100",
    "3x3:hazard=0.2,turn_limit=1",
    "3x3x3:flip=reverse",
    "ultimate:flip=random,fade=0.01",
]


def walk(game: Game, seed: int, turns: int = 400) -> Iterator[Position]:
    """A random game from its start to its end."""
    rng = np.random.default_rng(seed)
    position = game.start()
    yield position
    for _ in range(turns):
        if position.result is not None:
            return
        cell = int(rng.choice(position.open_cells))
        wait = int(rng.integers(game.risk.waits(position.tick) + 1))
        _, position = position.sample(game.move_at(cell, min(wait, 3)), rng)
        yield position


@cache
def moments(spec: str) -> list[Position]:
    """The start, the middle and the end of two games."""
    found: list[Position] = []
    for seed in (1, 2):
        path = list(walk(noughts.game(spec), seed))
        found += [path[0], path[len(path) // 2], path[-1]]
    return found


def play(spec: str, *moves: int) -> Position:
    position = noughts.game(spec).start()
    for move in moves:
        position = position.play(move)
    return position


def elements(position: Position) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(draw(position)).iter())


def carrying(position: Position, key: str) -> list[str]:
    """The values of an attribute, in drawing order."""
    return [element.attrib[key] for element in elements(position) if key in element.attrib]


def words(position: Position) -> list[str]:
    return [element.text or "" for element in elements(position) if element.tag.endswith("}text")]


@pytest.mark.parametrize("spec", SPECS)
def test_is_a_standalone_picture(spec: str) -> None:
    for position in moments(spec):
        root = ElementTree.fromstring(draw(position))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.attrib["role"] == "img"
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        assert [float(word) for word in root.attrib["viewBox"].split()] == [0, 0, width, height]
        title, desc = root[0], root[1]
        assert title.tag.endswith("}title")
        assert (title.text or "").startswith(f"{position.game}: ")
        assert desc.text == repr(position)
        tags = {element.tag.partition("}")[2] for element in root.iter()}
        assert tags <= {"svg", "title", "desc", "g", "rect", "path", "line", "text"}


@pytest.mark.parametrize("spec", SPECS)
def test_nothing_leaves_the_paper(spec: str) -> None:
    for position in moments(spec):
        root = ElementTree.fromstring(draw(position))
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        for element in root.iter():
            points = re.findall(r"(-?[\d.]+) (-?[\d.]+)", element.attrib.get("d", ""))
            assert all(0 <= float(x) <= width and 0 <= float(y) <= height for x, y in points)


@pytest.mark.parametrize("spec", SPECS)
def test_draws_the_marks_of_the_board(spec: str) -> None:
    for position in moments(spec):
        marks = carrying(position, "data-mark")
        assert marks.count("X") == position.board.count("X")
        assert marks.count("O") == position.board.count("O")
        assert "".join(marks) == position.board.replace(".", "")


@pytest.mark.parametrize("spec", SPECS)
def test_strikes_the_line_exactly_when_there_is_one(spec: str) -> None:
    for position in moments(spec):
        lines = carrying(position, "data-line")
        assert len(lines) == (position.winning_line is not None)  # type: ignore[attr-defined]


@pytest.mark.parametrize("spec", SPECS)
def test_hatches_exactly_the_cells_with_a_risk(spec: str) -> None:
    for position in moments(spec):
        game = position.game
        risks = [game.risk.loss_odds(cell, position.tick) for cell in range(game.cells)]
        hatched = [float(text) for text in carrying(position, "data-risk")]
        assert hatched == pytest.approx([risk for risk in risks if risk > 0], rel=1e-3)
        if not position.game.risk.is_risky:
            assert hatched == []
            assert not any(text.startswith("hatched") for text in words(position))


@pytest.mark.parametrize("spec", SPECS)
def test_two_drawings_never_clash_and_never_differ(spec: str) -> None:
    for position in moments(spec):
        drawing = draw(position)
        assert drawing == draw(position) == position._repr_svg_()
        attributes = {key for element in elements(position) for key in element.attrib}
        assert not attributes & {"id", "class", "href", "style"}
        assert "url(" not in drawing
        again = Position.from_json(position.to_json())
        assert draw(again) == drawing


def test_risk_combines_landing_and_fading() -> None:
    position = noughts.game("3x3:flip=0.1,fizzle=0.2,fade=0.5").start()
    assert position.game.risk.loss_odds(0, position.tick) == pytest.approx(1 - 0.7 * 0.5)
    assert "0.65" in words(position)
    assert "hatched: chance to flip, fizzle or fade" in words(position)


def test_a_hazard_grows_with_the_clock() -> None:
    game = noughts.game("3x3:hazard=0.2,limit=10,ticks=100")
    early, late = game.start(), game.start().play(game.move_at(4, 50))
    assert carrying(early, "data-risk") == []
    assert carrying(late, "data-risk") == ["0.6321"] * 9
    assert "X to move · tick 0 of 100" in words(early)
    assert "O to move · tick 50 of 100" in words(late)


def test_hatches_are_denser_where_the_risk_is_higher() -> None:
    paths = [
        element.attrib["d"].count("M")
        for element in elements(noughts.game("3x3:flip=0/0.1/0.3/0.4/0.5/0.6/0.7/0.9/1").start())
        if "data-risk" in element.attrib
    ]
    assert paths == sorted(paths)
    assert len(paths) == 8
    assert paths[-1] > 5 * paths[0]


def test_no_risk_is_called_none_or_certain_by_rounding() -> None:
    position = noughts.game("3x3:flip=0.001/0.999/0/1/0/0/0/0/0").start()
    assert [text for text in words(position) if "." in text][:3] == ["<0.01", ">0.99", "1.00"]


def test_numbers_stand_in_the_open_cells_of_small_boards() -> None:
    assert [text for text in words(play("3x3", 4, 0)) if text.isdigit()] == list("1235678")
    assert [text for text in words(play("ultimate", 40, 36)) if text.isdigit()] == list("012345678")
    assert "0" not in words(play("3x3", 4, 1, 0, 8, 6, 2, 3))


def test_rows_and_columns_name_the_cells_of_large_boards() -> None:
    shown = words(noughts.game("15x15:k=5").start())
    assert shown[:3] == ["0", "15", "30"]
    assert shown[15:18] == ["+0", "+1", "+2"]


def test_last_move_is_highlighted() -> None:
    assert carrying(play("3x3"), "data-last") == []
    assert carrying(play("3x3", 4, 0), "data-last") == ["0"]
    assert carrying(play("ultimate", 40, 36), "data-last") == ["36"]


@pytest.mark.parametrize(
    ("spec", "moves", "caption"),
    [
        ("3x3", (), "X to move"),
        ("3x3", (4,), "O to move"),
        ("3x3", (4, 1, 0, 8, 6, 2, 3), "X wins"),
        ("3x3:misere", (4, 1, 0, 8, 6, 2, 3), "O wins: X made a line"),
        ("3x3", (4, 0, 8, 2, 1, 7, 3, 5, 6), "Draw"),
        ("ultimate", (), "X to move anywhere"),
        ("ultimate", (40, 36), "X to move in mini board 0"),
    ],
)
def test_caption(spec: str, moves: tuple[int, ...], caption: str) -> None:
    assert caption in words(play(spec, *moves))


def test_says_what_went_astray() -> None:
    start = noughts.game("3x3:flip=0.3,fizzle=0.2").start()
    assert not any("last mark" in text for text in words(start.play(4)))
    assert "the last mark flipped" in words(start.play(4, Landing("O")))
    assert "the last mark fizzled" in words(start.play(4, Landing(None)))
    fading = noughts.game("3x3:fade=0.5").start().play(4, Landing("X", (4,)))
    assert "the last mark faded" in words(fading)


def ultimate_with(won: str, marks: dict[int, str], status: str = "") -> Position:
    """An Ultimate position whose mini boards in `marks` have been won along their first row."""
    board = "".join(f"{marks[m] * 3}......" if m in marks else "." * 9 for m in range(9))
    return noughts.game(won).parse(f"{board} {status}".strip())


def test_won_mini_boards_wear_a_big_mark() -> None:
    position = ultimate_with("ultimate", {0: "X", 4: "O", 5: "X"}, "X to move in mini board 1")
    assert carrying(position, "data-owner") == ["X", "O", "X"]
    assert carrying(position, "data-line") == []


def test_line_of_mini_boards_is_struck_in_its_own_mark() -> None:
    position = ultimate_with("ultimate", {0: "O", 4: "O", 8: "O", 1: "X"}, "X next")
    assert position.result == "O"
    assert carrying(position, "data-line") == ["O"]


def test_all_but_the_forced_mini_board_are_dimmed() -> None:
    assert carrying(play("ultimate"), "opacity").count("0.7") == 0
    assert carrying(play("ultimate", 40), "opacity").count("0.7") == 8
    assert carrying(ultimate_with("ultimate", {0: "X"}), "opacity").count("0.7") == 0


def test_line_through_space_is_one_straight_stroke() -> None:
    position = play("3x3x3", 13, 1, 0, 2, 26)
    group = next(e for e in elements(position) if "data-line" in e.attrib)
    points = [tuple(map(float, p.split())) for p in group[0].attrib["d"].strip("M").split("L")]
    (x0, y0), (x1, y1), (x2, y2) = points
    assert (x1 - x0) * (y2 - y0) == pytest.approx((x2 - x0) * (y1 - y0), abs=5)
    assert y0 < y1 < y2


@pytest.mark.parametrize("spec", ["3x3x3", "qubic", "2x7x3", "4x5x20:k=4", "ultimate"])
def test_sheets_do_not_cover_each_other(spec: str) -> None:
    boxes = [bounds([sheet]) for sheet in lay_out(noughts.game(spec).start())]
    for one, two in itertools.combinations(boxes, 2):
        assert one[2] < two[0] or two[2] < one[0] or one[3] < two[1] or two[3] < one[1]


def test_boards_of_other_people_are_drawn_too() -> None:
    board = Board("<bent>", (2, 2, 1), ((0, 1, 3),))
    game = LineGame(board, False, read_risk(parse_spec("2x2"), 4))
    position = game.start().play(0).play(2).play(1)
    assert carrying(position, "data-line") == []
    assert carrying(game.position_from_dict({"board": "XXOX", "turn": "O"}), "data-line") == ["X"]
    assert (ElementTree.fromstring(draw(position))[0].text or "").startswith("<bent>")
