"""Whole games on every kind of board, with the mouse and with the keys."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

import noughts

# spec, rows and columns of one sheet, cells
CARDS = [
    ("3x3", 3, 3, 9),
    ("4x4", 4, 4, 16),
    ("3x3x3", 3, 3, 27),
    ("qubic", 4, 4, 64),
    ("ultimate", 3, 3, 81),
    ("3x3:misere", 3, 3, 9),
]
OVER = re.compile("X wins|O wins|A draw")


def check_end(table):
    expect(table.status).to_have_text(OVER)
    expect(table.page.locator("#announcer")).to_have_text(re.compile(r"wins\.|draw\."))
    won = "draw" not in table.status.inner_text()
    expect(table.frame.locator(".win")).to_have_count(1 if won else 0)
    assert table.frame.locator(".cell.open").count() == 0


@pytest.mark.parametrize(("spec", "rows", "columns", "cells"), CARDS)
def test_a_game_by_mouse(open_table, spec, rows, columns, cells):
    table = open_table()
    table.page.select_option(".seat[data-seat=O] select", "random")
    if spec != "3x3":
        table.pick(spec)
    expect(table.frame.locator(".cell")).to_have_count(cells)
    table.finish_by_mouse()
    check_end(table)


def late(spec: str, plies: int = 10) -> str:
    """The moves of a random game but for the last few, as a link has them."""
    position, moves, rng = noughts.game(spec).start(), [], np.random.default_rng(1)
    while position.result is None:
        moves.append(int(rng.choice(position.moves)))
        position = position.play(moves[-1])
    kept = moves[: max(len(moves) - plies, 0) // 2 * 2]  # X is a person, and to move
    return ".".join(map(str, kept))


@pytest.mark.parametrize(("spec", "rows", "columns", "cells"), CARDS)
def test_a_game_by_keys(open_table, spec, rows, columns, cells):
    """A long one from its last moves on; all of it is played by mouse."""
    table = open_table(f"#/play?game={spec}&x=you&o=random&moves={late(spec)}")
    table.finish_by_keys(rows, columns)
    check_end(table)


def test_a_board_of_ones_own(open_table):
    table = open_table("#/play?game=3x3&x=you&o=random")
    table.page.click("#custom-panel summary")
    table.page.fill("#custom-rows", "3")
    table.page.fill("#custom-columns", "5")
    table.page.fill("#custom-k", "4")
    table.page.click("#custom-panel button")
    expect(table.frame.locator(".cell")).to_have_count(15)
    table.finish_by_mouse()
    check_end(table)
    assert "game=3x5:k=4" in table.page.url


def test_a_wrong_game_is_refused_in_a_sentence(open_table):
    table = open_table()
    table.page.click("#custom-panel summary")
    table.page.fill("#custom-spec", "3x")
    table.page.click("#custom-panel button")
    expect(table.page.locator("#notice .error")).to_contain_text("'3x'")
    expect(table.frame.locator(".cell")).to_have_count(9)


def test_the_first_visit(open_table):
    table = open_table(moves=True)
    assert table.page.locator("dialog[open]").count() == 0
    expect(table.status).to_have_text("X to move: you.")
    expect(table.frame.locator(".cell.open")).to_have_count(9)
    expect(table.page.locator("#values")).to_have_class(re.compile("pulse"))
    table.page.reload()
    table.page.wait_for_selector("html[data-ready=yes]")
    expect(table.page.locator("#values")).not_to_have_class(re.compile("pulse"))


def test_space_lights_the_column_and_the_lines(open_table):
    table = open_table("#/play?game=3x3x3&x=you&o=you")
    table.click(13)
    table.cell(4).hover()
    expect(table.frame.locator("[data-column]")).to_have_count(3)
    # Through the middle of the top layer: four in the layer, one down through the centre.
    expect(table.frame.locator(".through")).to_have_count(5)
    expect(table.frame.locator(".through.mark-x")).to_have_count(1)


def test_ultimate_shows_where_one_must_play_and_where_one_sends(open_table):
    table = open_table("#/play?game=ultimate&x=you&o=you")
    table.click(9 * 4 + 2)
    expect(table.frame.locator(".sheet.forced")).to_have_count(1)
    expect(table.frame.locator(".sheet.dimmed")).to_have_count(8)
    expect(table.frame.locator(".cell.open")).to_have_count(9)
    table.cell(9 * 2 + 6).hover()
    expect(table.frame.locator(".send")).to_have_count(1)
