"""A server as people start it, and a real Chromium.

Where there is no browser these tests are left out; with CI=true that is a failure instead.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import plugged
import pytest
from browser_table import Table
from chromium import find, running

SAME_SEED = "Math.random = () => 0.4217;"  # the page draws its seeds from it
# That something may take to appear; they bound a hang and decide nothing.
SECONDS = int(os.environ.get("NOUGHTS_BROWSER_SECONDS", "300"))


@dataclass(frozen=True)
class Served:
    """A server that answers."""

    address: str

    def post(self, path: str, /, **body: Any) -> httpx.Response:
        return httpx.post(self.address.rstrip("/") + path, json=body, timeout=SECONDS)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """`noughts serve` on a free port of this machine, with a data folder and runs of its own.

    Wild tic-tac-toe is installed for it: a game that the page was never told of.
    """
    home = tmp_path_factory.mktemp("browser-home")
    command = [sys.executable, "-m", "noughts.cli", "serve", "--port", "0", "--no-browser"]
    house = Path(__file__).parents[2]
    packages = plugged.install(house / "examples" / "wild", tmp_path_factory.mktemp("packages"))
    path = os.pathsep.join(map(str, [house / "src", packages]))
    process = subprocess.Popen(
        [*command, "--runs", str(home / "runs")],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "NOUGHTS_HOME": str(home), "PYTHONPATH": path},
    )
    assert process.stdout is not None
    try:
        yield Served(re.findall(r"http://127\.0\.0\.1:[0-9]+/", process.stdout.readline())[0])
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=SECONDS)
        process.stdout.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """One browser for all tests."""
    path = find()
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail("No chromium is installed, so the page was not tested in a browser.")
        pytest.skip("No chromium is installed.")
    from playwright.sync_api import expect

    expect.set_options(timeout=1000 * SECONDS)
    with running(path, seconds=SECONDS) as browser:
        yield browser


Looks = tuple[int, int, bool, bool]  # width, height, dark, moves


class Tabs:
    """Pages to open tables in, by what they look like; a tab is used again, for a new one costs
    the browser three times as much as another page in it."""

    def __init__(self, chromium: Any) -> None:
        self._chromium = chromium
        self._contexts: dict[Looks, Any] = {}
        self._free: dict[Looks, list[Any]] = {}

    def take(self, looks: Looks) -> Any:
        """An empty page as a new visitor has it."""
        free = self._free.setdefault(looks, [])
        return free.pop() if free else self._context(looks).new_page()

    def give_back(self, looks: Looks, page: Any) -> None:
        """Whatever was done in it is forgotten."""
        page.unroute_all(behavior="ignoreErrors")
        page.evaluate("() => (localStorage.clear(), sessionStorage.clear())")
        page.goto("about:blank")
        page.mouse.move(0, 0)
        self._free[looks].append(page)

    def _context(self, looks: Looks) -> Any:
        width, height, dark, moves = looks
        if looks not in self._contexts:
            context = self._chromium.new_context(
                viewport={"width": width, "height": height},
                color_scheme="dark" if dark else "light",
                reduced_motion="no-preference" if moves else "reduce",
            )
            context.set_default_timeout(1000 * SECONDS)
            context.add_init_script(SAME_SEED)
            self._contexts[looks] = context
        return self._contexts[looks]


@pytest.fixture(scope="session")
def tabs(chromium: Any) -> Tabs:
    """Kept from test to test: the page's files are fetched once."""
    return Tabs(chromium)


@pytest.fixture
def open_table(served: Served, tabs: Tabs) -> Iterator[Callable[..., Table]]:
    """Opens the page as a new visitor; an error in its scripts fails the test."""
    taken: list[tuple[Looks, Any]] = []
    errors: list[str] = []

    def on_error(error: Any) -> None:
        errors.append(str(error))

    def on_console(told: Any) -> None:
        if _is_complaint(told):
            errors.append(told.text)

    def open_page(
        place: str = "",
        *,
        moves: bool = False,
        dark: bool = False,
        width: int = 1280,
        height: int = 900,
    ) -> Table:
        looks = (width, height, dark, moves)
        page = tabs.take(looks)
        taken.append((looks, page))
        page.on("pageerror", on_error)
        page.on("console", on_console)
        page.goto(served.address + place)
        page.wait_for_selector("html[data-ready=yes]")
        return Table(page)

    yield open_page
    for looks, page in taken:
        page.remove_listener("pageerror", on_error)
        page.remove_listener("console", on_console)
        tabs.give_back(looks, page)
    assert not errors


def _is_complaint(told: Any) -> bool:
    # A refusal of the server is shown to the person; the console repeats it.
    return told.type in ("error", "warning") and "status of 422" not in told.text
