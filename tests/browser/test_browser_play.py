"""Risk, values, time and memory of a game, as a person sees them on the page."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

LANDINGS = [("flip=1", "O", "flipped (1.00)"), ("fizzle=1", ".", "fizzled (1.00)")]


@pytest.mark.parametrize("moves", [False, True], ids=["still", "moving"])
@pytest.mark.parametrize(("risk", "mark", "words"), LANDINGS)
def test_how_a_mark_lands(open_table, risk, mark, words, moves):
    table = open_table(f"#/play?game=3x3:{risk}&x=you&o=you", moves=moves)
    table.click(4)
    expect(table.frame.locator(".mark")).to_have_count(0 if mark == "." else 1)
    assert table.mark(4) == mark
    expect(table.cell(4).locator(".caption")).to_have_text(words.split()[0])
    expect(table.page.locator(".moves .landing").first).to_have_text(words)
    expect(table.page.locator("#announcer")).to_contain_text("It " + words.split()[0])


def test_marks_fade(open_table):
    table = open_table("#/play?game=3x3:fade=1&x=you&o=you")
    table.click(4)
    expect(table.page.locator(".moves .landing").first).to_have_text("centre faded")
    expect(table.frame.locator(".mark")).to_have_count(0)


def test_nothing_moves_when_motion_is_off(open_table):
    table = open_table("#/play?game=3x3:flip=1&x=you&o=you", moves=True)
    running = "() => document.getAnimations().filter((a) => a.effect.target.closest('svg')).length"
    table.cell(0).click()
    table.page.wait_for_selector("#play-status[data-ply='1'], .moves li")
    assert table.page.evaluate(running) > 0
    table.wait_for_turn(0)
    table.page.click("#button-motion")
    table.cell(1).click()
    table.page.wait_for_selector(".moves li:nth-child(2)")
    assert table.page.evaluate(running) == 0


def test_values_are_those_of_the_exact_table(open_table, served):
    table = open_table("#/play?game=3x3:flip=stochastic&x=you&o=you")
    table.page.click("#values")
    expect(table.frame.locator(".value-text")).to_have_count(9)
    told = served.post("/api/values", game="3x3:flip=stochastic").json()
    for entry in told["values"]:
        shown = table.cell(entry["cell"]).locator(".value-text").text_content()
        assert float(shown.replace("−", "-")) == pytest.approx(entry["value"], abs=0.005)
    best = table.frame.locator(".cell:has(.best)")
    assert [int(best.first.get_attribute("data-cell"))] == told["best"]
    expect(table.page.locator("#values-source")).to_contain_text("Exact")
    table.page.click("#values")
    expect(table.frame.locator(".value-text")).to_have_count(0)


def test_one_click_to_a_risky_board_with_every_value_exact(open_table):
    table = open_table()
    table.pick("4x4:flip=0.1")
    expect(table.frame.locator(".value.exact")).to_have_count(16)
    expect(table.frame.locator(".hatch")).to_have_count(16)
    table.click(5)
    expect(table.frame.locator(".value.exact").first).to_be_visible()
    assert table.ply == 2


def test_back_and_forth(open_table):
    table = open_table("#/play?game=3x3&x=you&o=random")
    table.click(4)
    first = [table.mark(cell) for cell in range(9)]
    table.click(table.first_open())
    table.page.keyboard.press("u")
    assert [table.mark(cell) for cell in range(9)] == first
    table.page.keyboard.press("u")
    expect(table.frame.locator(".mark")).to_have_count(0)
    table.page.click("#redo")
    assert [table.mark(cell) for cell in range(9)] == first
    table.page.locator(".dot").first.click()
    expect(table.frame.locator(".mark")).to_have_count(0)
    table.click(0)
    assert table.ply == 2
    table.page.click("#restart")
    expect(table.frame.locator(".mark")).to_have_count(0)


def test_after_the_game_the_dearest_moves_are_named(open_table):
    # X gives the centre and both sides away; 3x3 is solved, so the regret is exact.
    table = open_table("#/play?game=3x3&x=you&o=you&moves=1.4.7.0.3")
    table.click(8)
    expect(table.status).to_have_text("O wins.")
    lesson = table.page.locator("#lesson")
    expect(lesson).to_contain_text("Exact regret")
    lesson.locator("button").first.click()
    expect(table.status).to_contain_text("Looking back")


def test_a_link_brings_the_whole_game_back(open_table):
    table = open_table("#/play?game=3x3:flip=0.5,fizzle=0.3&x=you&o=you")
    for _ in range(4):
        if not table.is_over:
            table.click(table.first_open())
    table.page.click("#share")
    shown = [table.mark(cell) for cell in range(9)]
    landings = table.page.locator(".moves .landing").all_inner_texts()
    assert {word.split()[0] for word in landings} - {"held"}
    again = open_table(table.page.url.partition("/#")[2].join(["#", ""]))
    assert [again.mark(cell) for cell in range(9)] == shown
    assert again.page.locator(".moves .landing").all_inner_texts() == landings


def test_a_replay_is_saved_and_loaded(open_table, tmp_path: Path):
    table = open_table("#/play?game=3x3&x=you&o=random")
    table.finish_by_mouse()
    expect(table.page.locator("#lesson .lesson")).to_be_visible()  # blunders are marked by then
    moves = table.page.locator(".moves .move-name").all_inner_texts()
    with table.page.expect_download() as saved:
        table.page.click("#save")
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    table.pick("4x4")
    table.page.set_input_files("#replay-file", file)
    expect(table.frame.locator(".cell")).to_have_count(9)
    assert table.page.locator(".moves .move-name").all_inner_texts() == moves


def test_risk_is_painted(open_table):
    table = open_table("#/play?game=3x3&x=you&o=you")
    table.page.click("#risk-panel summary")
    paint = table.page.locator(".paint")
    table.page.fill("#risk-brush", "0.6")
    paint.scroll_into_view_if_needed()
    start, end = (paint.locator(f'[data-cell="{cell}"]').bounding_box() for cell in (0, 2))
    table.page.mouse.move(start["x"] + 20, start["y"] + 20)
    table.page.mouse.down()
    table.page.mouse.move(end["x"] + 20, end["y"] + 20, steps=12)
    table.page.mouse.up()
    table.page.click("text=Play with these risks")
    expect(table.frame.locator(".hatch")).to_have_count(3)
    assert "flip=0.6/0.6/0.6/0/0/0/0/0/0" in table.page.url
    table.page.select_option("#risk-world", "blind")
    expect(table.frame.locator(".hatch")).to_have_count(9)


def test_agents_play_by_themselves(open_table):
    table = open_table("#/play?game=3x3&x=random&o=random")
    table.page.click("#self-step")
    expect(table.frame.locator(".mark")).to_have_count(1)
    table.page.fill("#speed", "2000")
    table.page.click("#self-play")
    expect(table.status).to_have_text(re.compile("wins|draw"))


def test_waiting_under_a_clock(open_table):
    table = open_table("#/play?game=3x3:hazard=0.2,limit=10,ticks=10&x=you&o=you")
    table.page.fill("#wait", "4")
    table.click(4)
    expect(table.page.locator(".moves .move-name").first).to_have_text("centre +4")
    expect(table.page.locator(".clock")).to_contain_text("4 of 10")


def test_options_of_an_agent_are_a_form(open_table):
    table = open_table("#/play?game=3x3&x=you&o=random")
    seat = table.page.locator(".seat[data-seat=O]")
    seat.locator("select").first.select_option("uct")
    seat.locator("summary").click()
    seat.locator("input[name=simulations]").fill("77")
    seat.locator("input[name=simulations]").press("Tab")
    expect(seat.locator("summary")).to_contain_text("simulations 77")
    assert "o=uct:simulations=77" in table.page.url
