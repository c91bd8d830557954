"""A monkey at the page: seeded walks of clicks and keys, after each of which nothing may be wrong.

Nothing in the console, no red notice, and no number that is shown as exact outside of what
`noughts.known_moves` knows. A walk goes on at once or waits until the agent on turn has moved,
as the dice say, but not for long: no clock decides anything.
"""

import re
from contextlib import suppress

import numpy as np
import pytest
from playwright.sync_api import TimeoutError

from noughts.knowledge import known_moves
from noughts.knowledge.limits import Budget
from noughts.web.play.places import positions_of

# What a click may be on. Runs of the Lab and files are left alone, and values stay on.
CLICKABLE = (
    "button:not([disabled]), a[href^='#/'], summary, .cell.open, .choice, .dot, "
    "select:not([disabled]), input[type=radio], input[type=checkbox], input[type=range]"
)
SPARED = "#values, #lab-start, #load, #replay-file, #save, .saves *, .skip, #run-delete, #lab-run *"
LIGHT = ["you", "random", "uct", "optimal", "alphabeta", "flat", "auto", "uct:simulations=2000"]
PATIENCE = 1500  # ms, after which a monkey clicks on
QUIET = """() => !document.querySelector('.seat.thinking')
  && !/work(ing|ed)/.test(document.querySelector('#values-source').textContent)"""
KEYS = ("u", "r", "n", "h", "b", "ArrowLeft", "ArrowDown", "PageDown", "Enter", "Escape")
KNOWING = Budget(2.0, 400, 0)  # tables and certificates; a search of its own would take too long

ACT = """([pick, value, clickable, spared, light]) => {
  const dialog = document.querySelector("dialog[open]");
  const found = [...(dialog ?? document).querySelectorAll(clickable)]
    .filter((one) => !one.matches(spared) && one.getClientRects().length);
  const one = found[Math.floor(pick * found.length)];
  if (!one) return "nothing";
  const tell = (kind) => one.dispatchEvent(new Event(kind, { bubbles: true }));
  if (one instanceof HTMLSelectElement) {
    const isHeavy = (o) => one.closest(".seat, .value-panel") && !light.includes(o.value);
    const options = [...one.options].filter((o) => !o.disabled && !isHeavy(o));
    if (!options.length) return "no option";
    one.value = options[Math.floor(value * options.length)].value;
    tell("change");
  } else if (one.type === "range") {
    one.value = Number(one.min) + value * (Number(one.max) - Number(one.min));
    tell("input");
    tell("change");
  } else one.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  return one.id || one.dataset.cell || one.dataset.spec || one.textContent.slice(0, 30);
}"""
SEEN = """() => ({
  hash: location.hash,
  ply: Number(document.querySelector("#play-status")?.dataset.ply ?? -1),
  isPlay: !document.querySelector("#view-play").hidden,
  errors: [...document.querySelectorAll(".notice.error")].map((one) => one.textContent),
  exact: [...document.querySelectorAll("#view-play .board-frame .cell")]
    .filter((cell) => cell.querySelector(".value.exact"))
    .map((cell) => [Number(cell.dataset.cell), cell.querySelector(".value-text").textContent]),
})"""


def place_of(seen: dict) -> dict:
    """The game and its moves up to the moment on show, from the address."""
    parts = dict(word.partition("=")[::2] for word in seen["hash"].partition("?")[2].split("&"))
    moves = [int(move) for move in parts.get("moves", "").split(".") if move][: seen["ply"]]
    landings = [text for text in parts.get("landings", "").split(".") if text][: seen["ply"]]
    return {
        "game": parts["game"],
        "moves": moves,
        "landings": [
            re.sub("_", ":", text, count=1).replace("_", "/").replace("n", "-") for text in landings
        ],
    }


def check_exact(seen: dict) -> int:
    """Nothing solid contradicts what is known; how many numbers were looked at."""
    if not seen["isPlay"] or not seen["exact"]:
        return 0
    place = place_of(seen)
    if place["game"].startswith("wild"):  # a package that the server has, and this process has not
        return 0
    position = positions_of(place)[-1]
    cell_of = position.game.cell_of
    told = known_moves(position, KNOWING)
    for cell, text in seen["exact"]:
        value = float(text.replace("−", "-"))
        rows = [one for move, one in told.items() if cell_of(move) == cell]
        bounds = (max((r.low for r in rows), default=-1), min((r.high for r in rows), default=1))
        if len(rows) > 1:  # several moves or times share the cell
            bounds = (min(r.low for r in rows), max(r.high for r in rows))
        assert bounds[0] - 0.0051 <= value <= bounds[1] + 0.0051, (place, cell, text, rows)
    return len(seen["exact"])


def walk(open_table, seed: int, clicks: int) -> int:
    rng = np.random.default_rng(seed)
    page = open_table("#/play?game=3x3&x=you&o=random").page
    page.click("#values")
    page.wait_for_selector(".value.exact")
    looked, done = check_exact(page.evaluate(SEEN)), []
    for _ in range(clicks):
        pick, value, kind, patience = rng.random(4)
        if kind < 0.15:
            key = KEYS[int(pick * len(KEYS))]
            page.keyboard.press(key)
            done.append(key)
        else:
            done.append(page.evaluate(ACT, [pick, value, CLICKABLE, SPARED, LIGHT]))
        if patience < 0.5:
            with suppress(TimeoutError):  # agents that play each other go on and on
                page.wait_for_function(QUIET, timeout=PATIENCE)
        seen = page.evaluate(SEEN)
        assert not seen["errors"], f"{seen['errors']} at {seen['hash']} after {done[-12:]}"
        looked += check_exact(seen)
    return looked


def test_three_short_walks(open_table):
    for seed in (1, 2, 3):
        assert walk(open_table, seed, 50) >= 9, "those of the beginning, at least"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 150))
def test_a_long_walk(open_table, seed):
    assert walk(open_table, seed, 200) >= 9
