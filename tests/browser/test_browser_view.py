"""A game that the page was never told of: what it draws and asks comes from the server's view."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

SCRIPTS = Path(__file__).parents[2] / "src" / "noughts" / "web" / "static" / "js"


@pytest.fixture
def wild(open_table):
    table = open_table("#/play?game=3x3&x=you&o=you")
    table.pick("wild")
    return table


def choose(table, cell: int, mark: str) -> None:
    before = table.ply
    table.cell(cell).click()
    choices = table.frame.locator(".choice")
    expect(choices).to_have_count(2)
    choices.filter(has=table.page.locator(f".mark-{mark.lower()}")).click()
    table.wait_for_turn(before)


def test_wild_is_played_by_mouse(wild):
    choose(wild, 4, "O")
    assert wild.mark(4) == "O"
    expect(wild.page.locator(".moves .move-name")).to_have_text("centre O")
    choose(wild, 0, "X")
    choose(wild, 8, "X")
    assert [wild.mark(cell) for cell in (0, 4, 8)] == ["X", "O", "X"]
    choose(wild, 3, "O")
    choose(wild, 5, "O")  # three rings, and X placed the last
    expect(wild.status).to_have_text("X wins.")
    wild.page.click("#share")
    assert "moves=13.0.8.12.14" in wild.page.url


def test_wild_is_played_by_keys_against_an_agent(wild):
    page = wild.page
    page.select_option(".seat[data-seat=O] select", "random")
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    expect(wild.frame.locator(".choice")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(wild.frame.locator(".choice")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    wild.wait_for_turn(0)
    assert wild.mark(4) == "O"
    assert wild.ply == 2


def test_values_of_moves_that_share_a_cell(wild):
    choose(wild, 4, "X")
    wild.page.click("#values")
    wild.cell(0).locator(".value-text").wait_for()
    wild.cell(0).click()
    expect(wild.frame.locator(".choice .value-text")).to_have_count(2)
    expect(wild.page.locator("#values-source")).to_contain_text(re.compile("Exact|Estimated"))


def test_no_rule_of_a_game_stands_in_a_script():
    told = re.compile(r"won=|ultimate|qubic|3x3x3|% 9\b|/ 9\)|Math\.exp")
    for path in sorted(SCRIPTS.rglob("*.js")):
        text = path.read_text(encoding="utf-8")
        assert not told.findall(text), path.name
