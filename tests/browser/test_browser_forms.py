"""Every form of the Lab to its end, the curves of a learner, and a win that is proven."""

from browser_table import Table
from playwright.sync_api import Page, expect

import noughts

#  · · · · · ·     Four in a row win, X is to move: either end of the
#  · · · · · ·     pair makes three with both sides open, and O can
#  · · X X · ·     stop one of them only.
OPEN_TWO = "#/play?game=6x6:k=4&x=you&o=you&moves=14.0.15.1"


def start(page: Page, title: str) -> None:
    """Press Start and wait for the end of the run; the form was filled in before."""
    page.click("#lab-start")
    page.wait_for_selector("#run-state[data-state=running], #run-state[data-state=done]")
    page.wait_for_selector("#run-state[data-state=done], #run-state[data-state=failed]")
    expect(page.locator("#run-state")).to_contain_text("done")
    expect(page.locator("#run-title")).to_contain_text(title)


def open_form(open_table, kind: str) -> Page:
    page = open_table("#/lab").page
    page.check(f"input[name=lab-kind][value={kind}]")
    return page


def test_a_proven_win_is_shown_with_its_line(open_table):
    page = open_table(OPEN_TWO).page
    page.wait_for_selector("#play-status[data-ply='4']")
    page.click("#values")
    expect(page.locator(".proof")).to_have_text("Proven win: b3, a3, e3.")
    expect(page.locator("#values-source")).to_contain_text("Exact: from a forced line.")


def test_a_game_is_solved_in_the_lab(open_table):
    page = open_form(open_table, "solve")
    page.fill("input[name=game]", "3x3:flip=0.25")
    start(page, "the values of 3x3:flip=0.25")
    solution = noughts.solve("3x3:flip=0.25")
    shown = page.locator("#lab-run .facts div", has=page.get_by_text("value", exact=True))
    expect(shown.locator("dd")).to_have_text(f"{solution.value(solution.game.start()):.5g}")


def test_a_study_is_run_in_the_lab(open_table):
    page = open_form(open_table, "study")
    page.select_option("#lab-variant", "danger-curve")
    page.check("input[name=quick]")
    start(page, "danger-curve")
    expect(page.locator("#lab-run .answers li").first).to_be_visible()
    expect(page.locator("#lab-run .figures img").first).to_be_visible()
    expect(page.locator("#lab-run a.button", has_text="Report")).to_be_visible()


def test_a_learner_is_trained_in_the_lab_and_its_curves_are_drawn(open_table):
    page = open_form(open_table, "train")
    page.select_option("#lab-variant", "td-table")
    page.fill("input[name=games]", "200")
    start(page, "td-table")
    expect(page.locator("#run-state")).to_contain_text("200 of 200")
    drawn = page.locator("#lab-run .run-result .chart svg path")
    assert drawn.count() > 0
    assert all("L" in path.get_attribute("d") for path in drawn.all())


def test_the_curves_of_the_own_table_grow_with_every_game(open_table):
    page = open_table("#/learn").page
    table = Table(page, "learn")
    table.frame.locator(".cell.open").first.wait_for()
    table.finish_by_mouse()
    expect(page.locator(".change-list li").first).to_be_visible()
    charts = page.locator("#learn-strength .chart")
    expect(charts).to_have_count(2)
    for opponent, chart in zip(("optimal", "random"), charts.all(), strict=True):
        label = chart.locator("svg").get_attribute("aria-label")
        assert label.startswith(f"Score against the {opponent} player: as X ")
        drawn = [path.get_attribute("d") for path in chart.locator("svg path").all()]
        assert len(drawn) == 2
        assert all(path.count("L") == 1 for path in drawn), "before the game, and after it"
    table.forget_lessons()


def test_a_form_that_cannot_be_run_says_why(open_table):
    page = open_form(open_table, "solve")
    page.fill("input[name=game]", "9x9")
    page.click("#lab-start")
    expect(page.locator(".notice.error")).to_contain_text("9x9 has 81 cells")
