"""Chromium, as the browser tests, `benchmarks/first_minute.py` and `docs/pictures` start it."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

ARGUMENTS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def find() -> str | None:
    """Where it is installed, if it is."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def running(path: str, *, besides: Sequence[str] = (), seconds: float = 30.0) -> Iterator[Any]:
    """A browser until the block is left. `seconds` it may take to start; `besides`: arguments."""
    from playwright.sync_api import Error, sync_playwright  # loads long: only who starts it waits

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=[*ARGUMENTS, *besides], timeout=1000 * seconds
        )
        try:
            yield browser
        finally:
            with suppress(Error):  # whoever stopped this process may have stopped it, too
                browser.close()
