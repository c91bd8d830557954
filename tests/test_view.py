"""How games are drawn and clicked: sheets, names, choices and targets follow from the rules."""

import numpy as np
import pytest

import noughts
from noughts.games.view import game_view, move_name, position_view

GAMES = ("3x3", "4x4", "6x5:k=4", "3x3x3", "qubic", "ultimate", "3x3:hazard=0.2,limit=2,ticks=4")


@pytest.mark.parametrize("spec", GAMES)
def test_every_cell_lies_on_one_sheet_and_has_a_name(spec: str) -> None:
    game = noughts.game(spec)
    view = game_view(game)
    cells = [cell for sheet in view.sheets for cell in sheet.cells]
    assert sorted(cells) == list(range(game.cells))
    assert len(set(view.names)) == len(set(view.spoken)) == game.cells
    assert all(len(sheet.cells) == sheet.rows * sheet.columns for sheet in view.sheets)


def test_names_are_those_that_people_use() -> None:
    assert game_view(noughts.game("3x3")).names[4] == "centre"
    assert game_view(noughts.game("4x4")).names[5] == "b2"
    cube, ultimate = (game_view(noughts.game(spec)) for spec in ("3x3x3", "ultimate"))
    assert (cube.names[13], cube.spoken[13]) == ("2·b2", "layer 2, b2")
    assert ultimate.names[9 * 4 + 2] == "centre › top right"
    assert ultimate.spoken[2] == "mini board top left, top right"
    assert [(sheet.row, sheet.column) for sheet in ultimate.sheets] == [
        divmod(mini, 3) for mini in range(9)
    ]
    assert [sheet.layer for sheet in cube.sheets] == [0, 1, 2]


@pytest.mark.parametrize("spec", ["ultimate", "ultimate:won=open"])
def test_targets_are_where_the_next_player_may_play(spec: str) -> None:
    rng, position = np.random.default_rng(3), noughts.game(spec).start()
    while position.result is None:
        view = position_view(position)
        assert [choice.move for choice in view.choices] == list(position.moves)
        assert view.forced == position.zone
        for choice in view.choices:
            after = position.play(choice.move)
            minis = {cell // 9 for cell in after.open_cells} if after.result is None else set()
            assert set(choice.targets or ()) == minis
        position = position.play(int(rng.choice(position.moves)))
    assert position_view(position).choices == ()


def test_a_win_is_a_line_of_cells_or_of_sheets() -> None:
    won = noughts.game("3x3").parse("XXX/OO./...")
    assert position_view(won).winning_cells == (0, 1, 2)
    assert position_view(won).winning_sheets == ()


def test_a_clock_is_no_choice_between_moves_of_a_cell() -> None:
    position = noughts.game("3x3:hazard=0.2,limit=2,ticks=4").start()
    assert [choice.move for choice in position_view(position).choices] == list(range(9))
    assert move_name(position, position.game.move_at(4, 3)) == "centre +3"
