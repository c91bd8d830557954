"""True words and true values: what the page says is what is known, and fits the game."""

import re

import pytest
from browser_table import Table
from playwright.sync_api import expect

import noughts
from noughts.knowledge import known_moves

LIKE_A_CORNER = (0, 3, 12, 15, 21, 22, 25, 26, 37, 38, 41, 42, 48, 51, 60, 63)
EXACT = re.compile("^Exact: ")


def with_values(open_table, place: str, waits_for: str = ".value-text") -> Table:
    table = open_table(f"#/play?x=you&o=you&game={place}")
    table.page.click("#values")
    table.frame.locator(waits_for).first.wait_for()
    return table


def texts(table: Table) -> dict[int, str]:
    """What stands in each cell that has a value."""
    return table.page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('#view-play .cell')]
            .map((cell) => [cell.dataset.cell, cell.querySelector('.value-text')?.textContent])
            .filter(([, text]) => text))"""
    )


def test_learn_names_whoever_moved(open_table):
    table = Table(open_table("#/learn").page, "learn")
    table.frame.locator(".cell.open").first.wait_for()
    table.finish_by_mouse()
    changes = table.page.locator(".change-list li")
    changes.first.wait_for()
    for change in changes.all():
        board = change.locator(".little").get_attribute("aria-label").split()[1]
        mover = "X" if board.count("X") > board.count("O") else "O"
        assert change.locator(".numbers").inner_text().startswith(f"{mover} ")
        expect(change.locator(f".shift.mark-{mover.lower()}")).to_have_count(1)
    table.forget_lessons()


def test_a_draw_is_a_draw_and_equal_moves_are_equal(open_table):
    table = with_values(open_table, "3x3")
    expect(table.page.locator("#play-evaluation")).to_have_text("Exact: a draw with best play.")
    expect(table.page.locator("#values-source")).to_have_text("Exact: from the exact table of 3x3.")
    table.page.click("#hint")
    source = table.page.locator("#values-source")
    expect(source).to_have_text("All nine moves are equal: a draw with best play.")
    expect(table.frame.locator(".hint")).to_have_count(0)
    neutral = table.cell(0).locator(".value").get_attribute("fill")
    red, green, blue = map(int, re.findall(r"\d+", neutral))
    assert max(red, green, blue) - min(red, green, blue) < 16, "no tint of anybody's colour"
    table.click(4)
    table.page.click("#hint")
    expect(source).to_have_text(
        "Play top left, top right, bottom left or bottom right: they are equally good, "
        "a draw with best play."
    )
    expect(table.frame.locator(".hint")).to_have_count(4)


def test_a_win_says_how_soon_and_odds_are_bars(open_table):
    table = with_values(open_table, "3x3&moves=4.1")
    expect(table.page.locator("#play-evaluation")).to_have_text("Exact: X wins in 5.")
    expect(table.cell(0).locator(".detail")).to_have_text("X wins in 5")
    expect(table.cell(0).locator(".odds")).to_have_attribute("data-odds", "1.0000 0.0000 0.0000")
    expect(table.cell(7).locator(".odds")).to_have_attribute("data-odds", "0.0000 1.0000 0.0000")


def test_colours_and_odds_of_a_board_with_small_values(open_table):
    table = with_values(open_table, "4x4:flip=0.1", ".value.exact")
    corner, edge = table.cell(0), table.cell(1)
    fills = {cell.locator(".value").get_attribute("fill") for cell in (corner, edge)}
    assert len(fills) == 2, "the ramp runs over the values on show"
    legend = table.page.locator("#legend")
    expect(legend).to_contain_text(re.compile(r"colours:\s+\+0.018.*\+0.035", re.S))
    corner.hover()
    expect(corner.locator(".risk-number")).to_have_css("opacity", "1")
    expect(corner.locator(".risk-number")).to_have_text("flip 0.10")
    expect(legend).to_contain_text(re.compile(r"a1: flips 0.10; exact: X wins 0.035 more often"))
    odds = [float(part) for part in corner.locator(".odds").get_attribute("data-odds").split()]
    assert sum(odds) == pytest.approx(1.0, abs=2e-4)
    assert odds[0] - odds[2] == pytest.approx(0.0347, abs=2e-4)
    assert legend.inner_text().count("%") == 3


def test_proven_moves_of_the_cube_and_of_qubic(open_table):
    table = with_values(open_table, "3x3x3", ".value.exact")
    expect(table.frame.locator(".value.exact")).to_have_count(27)
    assert texts(table) == {str(cell): "+1.00" if cell == 13 else "−1.00" for cell in range(27)}
    expect(table.frame.locator(".best")).to_have_count(1)
    table.page.click('.card[data-spec="qubic"]')
    expect(table.frame.locator(".value.exact")).to_have_count(16)
    shown = texts(table)
    assert {int(cell) for cell, text in shown.items() if text == "+1.00"} == set(LIKE_A_CORNER)
    assert all(text.startswith("≈") for text in shown.values() if text != "+1.00")
    table.click(63)  # the image of a corner: nobody is accused, and the curve stays
    expect(table.page.locator("#play-evaluation")).to_have_text(re.compile("Exact: X wins"))
    expect(table.page.locator(".dot:not(.estimate)")).to_have_count(2)
    expect(table.page.locator(".grade")).to_have_count(0)


def test_no_move_is_best_by_chance(open_table, served):
    table = with_values(open_table, "6x7:k=4")
    expect(table.page.locator("#values-source")).to_contain_text("Estimated: from a search")
    told = served.post("/api/values", game="6x7:k=4").json()
    assert all(row["spread"] > 0 for row in told["values"])
    expect(table.frame.locator(".detail", has_text="± 0.0")).to_have_count(42)
    expect(table.frame.locator(".best")).to_have_count(len(told["best"]) if told["clear"] else 0)
    shown = texts(table)
    assert all(shown[str(7 * row + c)] == shown[str(7 * row + 6 - c)] for row in range(6)
               for c in range(7)), "mirror images are worth the same"  # fmt: skip
    expect(table.page.locator("#play-evaluation")).to_contain_text("±")


SAY_VALUES = """([told, isOpen]) => {
  const fetched = window.fetch;
  window.fetch = (address, ...more) => {
    if (!String(address).endsWith("values/stream")) return fetched(address, ...more);
    const body = new ReadableStream({ start(to) {
      to.enqueue(new TextEncoder().encode(JSON.stringify(told) + "\\n"));
      if (!isOpen) to.close();
    } });
    return Promise.resolve(new Response(body));
  };
}"""


def with_told_values(
    open_table, served, game: str, whole: dict, moves: dict, *, is_open: bool = False
) -> Table:
    """A table whose values are the server's but for what is changed; the first move stays."""
    told = served.post("/api/values", game=game).json() | whole
    first, *rest = told["values"]
    told["values"] = [first, *(row | moves for row in rest)]
    told |= {"final": not is_open, "effort": "48 simulations"}
    table = open_table(f"#/play?x=you&o=you&game={game}")
    table.page.evaluate(SAY_VALUES, [told, is_open])
    table.page.click("#values")
    table.frame.locator(".value-text").first.wait_for()
    return table


NOISE = {"value": -0.018, "exact": False, "spread": 0.13}


def test_what_may_be_chance_is_no_colour_and_no_third_decimal(open_table, served):
    table = with_told_values(open_table, served, "3x3", NOISE, NOISE)
    colour = table.cell(4).locator(".value").get_attribute("fill")
    red, green, blue = map(int, re.findall(r"\d+", colour))
    assert max(red, green, blue) - min(red, green, blue) < 16
    expect(table.cell(4).locator(".value-text")).to_have_text("≈−0.02")
    expect(table.cell(4).locator(".detail")).to_have_text("± 0.13")
    evaluation = table.page.locator("#play-evaluation")
    expect(evaluation).to_have_text("Estimated: about level (−0.02 ± 0.13).")


def test_an_estimate_under_risk_promises_no_more_than_it_knows(open_table, served):
    game = "3x3:flip=0.2"
    table = with_told_values(open_table, served, game, NOISE, NOISE)
    evaluation = table.page.locator("#play-evaluation")
    expect(evaluation).to_have_text("Estimated: X and O seem to win equally often (−0.02 ± 0.13).")


def test_a_hint_that_chance_may_have_chosen_says_so(open_table, served):
    whole = NOISE | {"best": list(range(9)), "clear": False, "source": "a search by uct"}
    table = with_told_values(open_table, served, "3x3", whole, NOISE)
    table.page.click("#hint")
    expect(table.page.locator("#values-source")).to_have_text(
        "Try top left: eight other moves are too close to tell from it; "
        "about level (−0.02 ± 0.13), estimated by a search by uct."
    )
    expect(table.frame.locator(".hint")).to_have_count(1)


def test_estimates_beside_what_is_exact_are_said_to_be_worked_on(open_table, served):
    """The position is known and its moves are not: both are said, while better ones come."""
    whole = {"exact": True, "source": "a theorem"}
    moves = {"exact": False, "spread": 0.13}
    table = with_told_values(open_table, served, "3x3", whole, moves, is_open=True)
    expect(table.page.locator("#values-source")).to_have_text(
        "Exact: from a theorem. Moves with ≈ are estimated from 48 simulations; "
        "better values are being worked out."
    )


def test_what_was_said_of_a_cell_ends_with_the_move_on_it(open_table):
    table = with_values(open_table, "3x3")
    looked = table.page.locator(".legend-looked")
    table.cell(4).hover()
    expect(looked).to_have_text("centre: exact: a draw with best play.")
    table.click(4)
    expect(looked).to_have_text("")


def test_nothing_is_promised_that_is_not_done(open_table):
    """A table of some 500 s is not made for a page of values; nor may it be asked for."""
    table = open_table("#/play?x=you&o=you&game=4x4:fade=0.01")
    said = "() => (window.said = [], new MutationObserver(() => window.said.push("
    said += "document.querySelector('#values-source').textContent)).observe(document.body, "
    said += "{childList: true, subtree: true, characterData: true}))"
    table.page.evaluate(said)
    table.page.click("#values")
    source = table.page.locator("#values-source")
    expect(source).to_contain_text(re.compile(r"Estimated: .* Solving it exactly takes about"))
    assert not [word for word in table.page.evaluate("() => window.said") if "Solving the" in word]
    options = table.page.locator("#values-agent option").all_inner_texts()
    assert "optimal" not in options
    assert not {"random", "fixed", "fallible"} & {option.split(":")[0] for option in options}


def test_who_is_asked_can_answer(open_table, served):
    table = with_values(open_table, "ultimate")
    names = table.page.locator("#values-agent option").all_inner_texts()[1:]
    refused = served.post("/api/game", game="ultimate").json()["agents"]
    assert {"uct:simulations=2000", "alphabeta:time=0.5"} <= set(names)
    assert not [name for name in names if refused[name.split(":")[0]]]


def test_the_end_of_a_game_does_not_outlast_it(open_table):
    table = with_values(open_table, "3x3&moves=1.4.7.0.3")
    table.click(8)
    source = table.page.locator("#values-source")
    expect(source).to_have_text("The game is over.")
    expect(table.page.locator("#lesson")).to_contain_text("turned a draw into a loss")
    table.page.locator(".dot").nth(2).click()
    table.frame.locator(".value-text").first.wait_for()
    expect(source).to_have_text(EXACT)
    expect(table.page.locator(".curve .grade")).to_have_text("??")
    expect(table.page.locator(".moves .grade")).to_contain_text("??")


def test_luck_is_told_from_skill(open_table, served):
    place = {"moves": [1, 4, 3, 0], "landings": ["X", "O", "O", "O"]}
    link = "#/play?game=3x3:flip=0.2&x=you&o=you&moves=1.4.3.0&landings=X.O.O.O"
    table = open_table(link)
    table.click(8)
    rows = table.page.locator("#luck-and-skill tr")
    expect(rows).to_have_count(5)
    shown = [float(row.locator(".number").inner_text().replace("−", "-")) for row in rows.all()]
    landing = served.post("/api/position", game="3x3:flip=0.2", **place).json()["history"][-1]
    assert landing["landing"] == "O"
    assert sum(shown[:-1]) == pytest.approx(shown[-1], abs=0.03), "rounding aside"
    assert shown[0] == pytest.approx(noughts.solve("3x3:flip=0.2").value(
        noughts.game("3x3:flip=0.2").start()), abs=0.005)  # fmt: skip
    expect(table.page.locator("#luck-and-skill")).to_contain_text("the dice gave O")
    expect(table.page.locator(".moves .grade")).to_contain_text("?")


def test_what_is_shown_exact_is_known(open_table):
    """Every solid number of a position in the middle of a game is the one that is known.

    Estimates may stand beside it for as long as the table is being solved; at last every number is
    solid.
    """
    table = with_values(open_table, "4x4&moves=5.0.10", ".value.exact")
    position = noughts.game("4x4").start().play(5).play(0).play(10)
    told = known_moves(position)
    for is_settled in (False, True):
        if is_settled:
            expect(table.frame.locator(".value.exact")).to_have_count(13)
        for cell, text in texts(table).items():
            if not text.startswith("≈"):
                value = float(text.replace("−", "-"))
                assert value == pytest.approx(told[int(cell)].value, abs=0.005)
