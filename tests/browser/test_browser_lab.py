"""The learner opposite, long runs with live progress, and how all views look to everybody."""

from importlib.resources import files

import pytest
from browser_table import Table
from openpyxl import load_workbook
from playwright.sync_api import expect

VIEWS = ("play", "learn", "lab")


def play_and_learn(table: Table) -> None:
    table.finish_by_mouse()
    expect(table.page.locator(".change-list li").first).to_be_visible()


def test_the_table_learns_from_a_person(open_table):
    table = Table(open_table("#/learn").page, "learn")
    expect(table.page.locator("#learn-facts")).to_contain_text("0 games so far")
    table.frame.locator(".cell.open").first.wait_for()
    play_and_learn(table)
    expect(table.page.locator("#learn-facts")).to_contain_text("1 game so far")
    expect(table.page.locator(".change-list")).to_contain_text("0.50 →")
    expect(table.page.locator("#learn-strength tbody tr")).to_have_count(4)
    table.page.click("#learn-again")
    table.page.wait_for_selector("#learn-status[data-ply='0'][data-state=yours]")
    play_and_learn(table)
    expect(table.page.locator("#learn-facts")).to_contain_text("2 games so far")
    table.page.check("input[name=learn-step][value=constant]")
    table.forget_lessons()


def test_a_tournament_is_watched_and_taken_home(open_table, tmp_path):
    page = open_table("#/lab").page
    page.check("input[name=lab-kind][value=tournament]")
    while page.locator(".agent-row").count() > 2:
        page.locator(".agent-row button").last.click()
    page.locator(".agent-row select").nth(0).select_option("random")
    page.locator(".agent-row select").nth(1).select_option("alphabeta")
    page.fill("input[name=games]", "10")
    page.click("#lab-start")
    # A page that was kept waiting may have missed that it ran.
    page.wait_for_selector("#run-state[data-state=running], #run-state[data-state=done]")
    page.wait_for_selector("#run-state[data-state=done]")
    expect(page.locator("#run-state")).to_contain_text("10 of 10")
    expect(page.locator("#lab-run .chart").first).to_be_visible()
    with page.expect_download() as saved:
        page.locator("#lab-run a.button", has_text="Excel").click()
    saved.value.save_as(tmp_path / "tournament.xlsx")
    sheet = load_workbook(tmp_path / "tournament.xlsx").worksheets[0]
    assert sheet["A1"].value == "Algorithm1"
    expect(page.locator("#lab-runs a[aria-current]")).to_contain_text("done")
    others = page.locator("#lab-runs a").count() - 1
    page.click("#run-delete")
    page.click("#run-delete")
    expect(page.locator("#lab-runs a")).to_have_count(others)


def test_a_run_is_cancelled_and_resumed(open_table):
    page = open_table("#/lab").page
    page.fill("input[name=games]", "20000")
    page.click("#lab-start")
    page.click("#run-cancel")
    page.wait_for_selector("#run-state[data-state=stopped]")
    page.click("#run-resume")
    page.wait_for_selector("#run-state[data-state=running], #run-state[data-state=waiting]")
    page.click("#run-cancel")
    expect(page.locator("#run-state")).to_have_attribute("data-state", "stopped")


@pytest.mark.parametrize("view", VIEWS)
def test_a_phone_needs_no_sideways_scrolling(open_table, view):
    page = open_table(f"#/{view}", width=360, height=700).page
    shown = {"play": ".board-frame .cell", "learn": ".numbers-table", "lab": "#lab-start"}
    page.wait_for_selector(shown[view])
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360
    assert page.locator(f"#to-{view}").is_visible()


RUN = {
    "id": "match-1", "kind": "match", "title": "a match", "state": "done", "message": None,
    "done": 4, "total": 4, "text": "", "seconds": 1.0, "started": None, "changed": "",
    "from_page": True, "can_resume": False, "options": {}, "command": None, "files": [],
    "partial": {"answers": ["a draw"], "facts": {
        "game": "3x3", "wins": 4, "best": [0, 4], "sprt": None, "reasons": {},
        "intervals": {"wins": [0, 0.16843347251415253], "draws": [0.8315665274858475, 1]},
        "efforts": [{"moves": 180, "seconds": 0.0010787273833333332, "memory": 606252}],
    }},
}  # fmt: skip


@pytest.mark.parametrize("width", [320, 1280])
def test_a_result_is_told_in_words_and_fits(open_table, width):
    page = open_table("#/lab", width=width).page
    page.route("**/api/jobs/match-1", lambda route: route.fulfill(json=RUN))
    page.evaluate("location.hash = '#/lab/match-1'")
    expect(page.locator("#lab-run .facts dt")).to_have_text(["game", "wins", "best"])
    expect(page.locator("#lab-run .facts dd")).to_have_text(["3x3", "4", "0, 4"])
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_help_begins_at_its_beginning(open_table):
    page = open_table("", width=320, height=568).page
    page.click("#button-help")
    expect(page.locator("#help-title")).to_be_focused()
    expect(page.locator("#help-title")).to_be_in_viewport()


def test_a_board_beside_the_seats_leaves_no_gap(open_table):
    table = open_table("#/play?game=3x3&x=you&o=you", width=768, height=1000)
    frame, sheet = table.frame.bounding_box(), table.cell(0).bounding_box()
    assert sheet["y"] - frame["y"] < sheet["height"] / 2


def test_dark_follows_the_system_and_the_switch(open_table):
    page = open_table(dark=True).page
    paper = "() => getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(paper) == "rgb(23, 29, 36)"
    page.click("#button-theme")
    assert page.evaluate(paper) == "rgb(246, 239, 224)"
    page.reload()
    page.wait_for_selector("html[data-ready=yes]")
    assert page.evaluate(paper) == "rgb(246, 239, 224)"


@pytest.mark.parametrize("view", [*VIEWS, "values", "ultimate", "help"])
def test_axe_finds_nothing_serious(open_table, view):
    places = {"values": "#/play?game=3x3:flip=stochastic", "ultimate": "#/play?game=ultimate"}
    page = open_table(places.get(view, "" if view == "help" else f"#/{view}")).page
    if view == "values":
        page.click("#values")
        page.wait_for_selector(".value-text")
        page.click("#risk-panel summary")
    elif view == "help":
        page.keyboard.press("?")
    shown = {"learn": ".numbers-table", "lab": "#lab-start", "help": "dialog[open]"}
    page.wait_for_selector(shown.get(view, ".board-frame .cell"))
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    # Only the colours differ in the dark.
    for scheme, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_selector(f"html[data-theme={scheme}]", state="attached")
        found = page.evaluate("(rules) => axe.run(rules)", {"resultTypes": ["violations"], **rules})
        serious = [
            (violation["id"], [node["html"][:120] for node in violation["nodes"][:3]])
            for violation in found["violations"]
            if violation["impact"] in ("serious", "critical")
        ]
        assert serious == [], scheme
