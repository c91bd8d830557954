"""The progress bar of every command: on standard error, and only when a person is looking.

    with progress_bar() as progress:
        solve(game, progress=progress)

`progress(done, total, text)` is what the library calls; a total of 0 means that nobody knows it.
"""

import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

_WIDTH = 28
_EVERY = 0.1  # seconds between two drawings
_PARTS = " ▏▎▍▌▋▊▉"


class Bar:
    """One line that is drawn over and over, and is gone at the end."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.is_shown = stream.isatty()
        self._began = 0.0
        self._first = -1  # what was done when the bar first heard of it
        self._drawn = 0.0

    def __call__(self, done: int, total: int, text: str) -> None:
        if not self.is_shown:
            return
        now = time.monotonic()
        if self._first < 0 or done < self._first:
            self._first, self._began = done, now
        if now - self._drawn < _EVERY and done != total:
            return
        self._drawn = now
        line = self.line(done, total, text, now - self._began)
        columns = shutil.get_terminal_size().columns
        self.stream.write(f"\r\x1b[K{line[: columns - 1]}")
        self.stream.flush()

    def line(self, done: int, total: int, text: str, seconds: float) -> str:
        """The bar, the share, the time that is left, and what is known so far."""
        if total <= 0:
            return f"{_clock(seconds)}  {text}".rstrip()
        share = min(max(done / total, 0.0), 1.0)
        full, part = divmod(int(share * _WIDTH * 8), 8)
        bar = ("█" * full + _PARTS[part])[:_WIDTH].ljust(_WIDTH)
        steps = done - max(self._first, 0)
        left = ""
        if steps > 0 and done < total:
            left = f"{_clock(seconds * (total - done) / steps)} left"
        return f"▕{bar}▏{share:4.0%}  {left}  {text}".rstrip()

    def clear(self) -> None:
        """Leave the line as if nothing had been there."""
        if self.is_shown and self._first >= 0:
            self.stream.write("\r\x1b[K")
            self.stream.flush()


@contextmanager
def progress_bar(stream: TextIO | None = None) -> Iterator[Bar]:
    """A bar that clears itself, whether the work ends well or not."""
    bar = Bar(stream if stream is not None else sys.stderr)
    try:
        yield bar
    finally:
        bar.clear()


def _clock(seconds: float) -> str:
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02}"
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
