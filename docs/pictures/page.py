"""Pictures of the page, taken in Chromium: the hero of the README, and one risky game as a GIF.

The server is `noughts serve` on a free port, with a data folder of its own. Games are named by the
page's own addresses, landings included, so that the same game is shown every time.
"""

import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from PIL import Image

HERE = Path(__file__).parent
sys.path.append(str(HERE.parents[1] / "tests" / "browser"))

from chromium import find, running  # noqa: E402 - from the folder above

SCHEMES = ("light", "dark")
HERO = "#/play?game=4x4:flip=0.1&x=you&o=optimal&moves=0.6.10.3.5.14.2.7&landings=X.O.X.O.X.O.O.O"
HERO_SIZE = {"width": 1240, "height": 780}
COLOURS = 160  # enough for paper and ink, and a quarter of the bytes
# One game of 3×3 where a quarter of the marks flip: (cell, the mark that landed).
GAME = "3x3:flip=0.25"
MOVES = ((4, "X"), (0, "O"), (2, "O"), (6, "O"), (3, "X"), (5, "X"))
MEANT, SEEN, LAST = 420, 1_250, 2_600  # milliseconds
WARM = 600  # seconds that compiling may take on a busy machine
MOST_BYTES = 1_000_000


def take() -> None:
    """Write every picture of the page."""
    with _served() as address, _chromium() as chromium:
        _wait_until_warm(address)
        for scheme in SCHEMES:
            _hero(chromium, address, scheme)
            _animation(chromium, address, scheme)


@contextmanager
def _served() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "noughts.cli", "serve", "--port", "0", "--no-browser"]
        process = subprocess.Popen(
            [*command, "--runs", f"{home}/runs"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "NOUGHTS_HOME": home},
        )
        assert process.stdout is not None
        try:
            yield re.findall(r"http://127\.0\.0\.1:[0-9]+/", process.stdout.readline())[0]
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=60)
            process.stdout.close()


def _wait_until_warm(address: str) -> None:
    """The page says so while it still compiles; the pictures are of what comes after."""
    until = time.monotonic() + WARM
    while time.monotonic() < until:
        with urlopen(f"{address}api/status", timeout=60) as answer:
            if json.load(answer)["ready"]:
                return
        time.sleep(1)
    raise SystemExit(f"The page was not warm after {WARM} seconds.")


@contextmanager
def _chromium() -> Iterator[Any]:
    path = find()
    if path is None:
        raise SystemExit("No chromium is installed, so the page cannot be pictured.")
    with running(path, besides=("--hide-scrollbars",)) as browser:
        yield browser


def _open(chromium: Any, address: str, scheme: str, size: dict[str, int], scale: float) -> Any:
    context = chromium.new_context(
        viewport=size, color_scheme=scheme, reduced_motion="reduce", device_scale_factor=scale
    )
    context.set_default_timeout(120_000)
    return context.new_page()


def _goto(page: Any, address: str, place: str, values: int) -> None:
    """Show a game; with its values, if there are to be some."""
    page.goto("about:blank")
    page.goto(address + place)
    page.wait_for_selector("html[data-ready=yes]")
    shown = page.get_attribute("#values", "aria-pressed") == "true"
    if shown != bool(values):
        page.click("#values")
    page.wait_for_function(
        "n => document.querySelectorAll('#view-play .board-frame .value-text').length === n",
        arg=values,
    )
    page.mouse.move(1, 1)
    page.evaluate("() => document.activeElement?.blur()")
    page.wait_for_timeout(400)


def _hero(chromium: Any, address: str, scheme: str) -> None:
    page = _open(chromium, address, scheme, HERO_SIZE, 2)
    open_cells = 16 - HERO.partition("moves=")[2].partition("&")[0].count(".") - 1
    _goto(page, address, HERO, open_cells)
    page.wait_for_selector("#view-play .board-frame .value.exact")
    page.wait_for_function("() => !document.querySelector('.curve .unknown')")
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    path = HERE / f"risky-{scheme}.png"
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    page.context.close()


def _animation(chromium: Any, address: str, scheme: str) -> None:
    page = _open(chromium, address, scheme, {"width": 1240, "height": 800}, 1)
    frames, lengths = [], []
    for count in range(len(MOVES) + 1):
        if count and MOVES[count - 1][1] != "XO"[(count - 1) % 2]:  # it will flip: as meant, first
            frames.append(_frame(page, address, count, as_meant=True))
            lengths.append(MEANT)
        frames.append(_frame(page, address, count, as_meant=False))
        lengths.append(LAST if count == len(MOVES) else SEEN)
    path = HERE / f"game-{scheme}.gif"
    first, *rest = [frame.quantize(64, dither=Image.Dither.NONE) for frame in frames]
    first.save(path, save_all=True, append_images=rest, duration=lengths, loop=0, optimize=True)
    if path.stat().st_size > MOST_BYTES:
        raise SystemExit(f"{path.name} has {path.stat().st_size:,} bytes, too many for a page.")
    page.context.close()


def _frame(page: Any, address: str, count: int, *, as_meant: bool) -> Image.Image:
    landings = [mark for _, mark in MOVES[:count]]
    if as_meant:
        landings[-1] = "XO"[(count - 1) % 2]
    moves = ".".join(str(cell) for cell, _ in MOVES[:count])
    place = f"#/play?game={GAME}&x=you&o=you"
    if count:
        place += f"&moves={moves}&landings={'.'.join(landings)}"
    is_last = count == len(MOVES)
    _goto(page, address, place, 0 if as_meant or is_last else 9 - count)
    shot = page.locator("#view-play .board-frame").screenshot()
    return Image.open(io.BytesIO(shot)).convert("RGB")


if __name__ == "__main__":
    take()
