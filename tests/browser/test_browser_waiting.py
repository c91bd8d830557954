"""Nobody waits without a word, and the newest wish wins.

Requests are held back here and let go by the test, so that nothing hangs on how fast anything is.
"""

import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

KEEP_TEXTS = """(selector) => {
  const element = document.querySelector(selector);
  window.texts = [element.textContent];
  const keep = () => window.texts.push(element.textContent);
  const all = { childList: true, subtree: true, characterData: true };
  new MutationObserver(keep).observe(element, all);
}"""


def hold(page: Page, address: str, is_held: Callable[[Route], bool]) -> list[Route]:
    """Requests that are held back, as they come."""
    held: list[Route] = []

    def on_route(route: Route) -> None:
        if is_held(route):
            held.append(route)
        else:
            route.fallback()

    page.route(address, on_route)
    return held


def asks_for(game: str) -> Callable[[Route], bool]:
    return lambda route: route.request.post_data_json["game"] == game


def let_go(held: list[Route]) -> None:
    for route in held:
        route.continue_()


def test_two_fast_links_end_at_the_second(open_table):
    table = open_table("#/play?game=3x3&x=you&o=you")
    held = hold(table.page, "**/api/game", asks_for("4x4"))
    with table.page.expect_request("**/api/game"):
        table.page.evaluate("location.hash = '#/play?game=4x4&x=you&o=you'")
    table.page.evaluate("location.hash = '#/play?game=3x3x3&x=you&o=you'")
    expect(table.frame.locator(".cell")).to_have_count(27)
    let_go(held)
    expect(table.page.locator(".notice")).to_have_count(0)
    assert "game=3x3x3" in table.page.url


def test_who_goes_back_before_the_other_game_came_stays(open_table):
    table = open_table("#/play?game=3x3&x=you&o=you&moves=4")
    here = table.page.url
    held = hold(table.page, "**/api/game", asks_for("4x4"))
    with table.page.expect_request("**/api/game"):
        table.page.evaluate("location.hash = '#/play?game=4x4&x=you&o=you'")
    table.page.evaluate("(address) => { location.href = address; }", here)
    table.page.wait_for_function("(address) => location.href === address", arg=here)
    let_go(held)
    table.click(0)
    assert [table.mark(cell) for cell in (0, 4)] == ["O", "X"]
    expect(table.page.locator(".notice")).to_have_count(0)


def test_fast_clicks_on_cards_end_at_the_last(open_table):
    table = open_table("#/play?game=3x3&x=you&o=you")
    held = hold(table.page, "**/api/game", lambda route: not asks_for("3x3x3")(route))
    for spec in ("qubic", "4x4:flip=0.1", "ultimate", "3x3x3"):
        table.page.click(f'.card[data-spec="{spec}"]')
    expect(table.frame.locator(".cell")).to_have_count(27)
    let_go(held)
    expect(table.page.locator('.card[data-spec="3x3x3"]')).to_have_attribute("aria-pressed", "true")
    # The risky card turns values on; it was overtaken.
    expect(table.page.locator("#values")).to_have_attribute("aria-pressed", "false")
    expect(table.page.locator(".notice")).to_have_count(0)


def test_who_leaves_while_an_agent_thinks_hears_no_complaint(open_table):
    table = open_table("#/play?game=3x3&x=you&o=random")
    held = hold(table.page, "**/api/move", lambda _: True)
    with table.page.expect_request("**/api/move"):
        table.cell(4).click()
    table.pick("3x3x3")
    let_go(held)
    expect(table.status).to_have_text("X to move: you.")
    expect(table.page.locator(".notice")).to_have_count(0)


def test_estimates_are_refined_until_the_answer(open_table):
    table = open_table("#/play?game=6x5:k=4&x=you&o=you")
    table.page.evaluate(KEEP_TEXTS, "#values-source")
    table.page.click("#values")
    source = table.page.locator("#values-source")
    expect(source).to_contain_text("from a search by uct:simulations=20000")
    expect(table.frame.locator(".value-text")).to_have_count(30)
    texts = " ".join(table.page.evaluate("window.texts"))
    efforts = re.findall(r"≈ Estimated from ([0-9,]+) simulations; better values", texts)
    assert efforts
    table.page.click("#values-expected summary")
    line = table.page.locator("#values-expected p")
    expect(line).to_be_visible()
    assert len(line.text_content().split(", ")) > 1


def test_the_newest_question_is_answered(open_table):
    """Values of a position that was left are not drawn on the next one."""
    table = open_table("#/play?game=3x3&x=you&o=you")
    held = hold(table.page, "**/api/values/stream", lambda r: not r.request.post_data_json["moves"])
    with table.page.expect_request("**/api/values/stream"):
        table.page.click("#values")
    table.click(4)
    expect(table.frame.locator(".value-text")).to_have_count(8)
    let_go(held)
    expect(table.page.locator("#values-source")).to_contain_text("Exact")
    expect(table.frame.locator(".value-text")).to_have_count(8)


PREPARING = {"what": "optimal for 3x3", "seconds": 2.4}


def tell_status(page: Page, **told: object) -> None:
    """Let the server's status say something."""

    def on_route(route: Route) -> None:
        answer = route.fetch().json() | told
        route.fulfill(body=json.dumps(answer), content_type="application/json")

    page.route("**/api/status", on_route)


def test_what_a_reply_waits_for_is_named_with_seconds(open_table):
    table = open_table("#/play?game=3x3&x=you&o=optimal")
    held = hold(table.page, "**/api/move", lambda _: True)
    tell_status(table.page, preparing=[PREPARING, {"what": "optimal for 4x4", "seconds": 50}])
    table.cell(4).click()
    expect(table.status).to_have_text("O plays in about 3 s: optimal is being prepared.")
    let_go(held)
    table.wait_for_turn(1)


def test_after_a_restart_the_page_says_what_is_going_on(open_table):
    table = open_table("#/lab")
    line = table.page.locator("#server-status")
    tell_status(table.page, ready=False, preparing=[], message="The engines are starting.")
    expect(line).to_have_text("The engines are starting.")
    expect(line).to_be_visible()


RUN = {
    "id": "match-1", "kind": "match", "title": "a match", "state": "running", "message": None,
    "done": 0, "total": 10, "text": "starting", "seconds": 0.3, "started": None, "changed": "",
    "from_page": True, "can_resume": False, "options": {}, "command": None, "partial": {},
    "files": [],
}  # fmt: skip


def test_the_clock_of_a_run_goes_on_while_nothing_is_told(open_table):
    page = open_table("#/lab", width=1270).page  # a window of its own: its clock is not given back
    body = json.dumps(RUN)
    page.route("**/api/jobs/match-1", lambda route: route.fulfill(body=body))
    hold(page, "**/api/jobs/match-1/events", lambda _: True)
    page.clock.install()
    page.evaluate("location.hash = '#/lab/match-1'")
    state = page.locator("#run-state")
    expect(state).to_contain_text("0 of 10 · starting · 0.")
    page.clock.fast_forward(12_000)
    expect(state).to_contain_text(re.compile(r"starting · 12\.[0-9] s"))
