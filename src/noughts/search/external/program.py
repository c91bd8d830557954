"""A program that is spoken to line by line, and that never outlives or blocks whoever speaks to it.

It runs in a session of its own, so that whatever it starts itself ends with it. Waiting is always
bounded: a line comes before the deadline, or the program is killed and reaped, and a NoughtsError
says what happened. This needs pipes that can be waited for, as Linux and macOS have them.
"""

import os
import selectors
import shlex
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from re import Pattern
from time import monotonic
from typing import IO

from noughts.errors import NoughtsError

LONGEST_LINE = 1 << 16
LAST_WORDS = 2000  # bytes of its error output that are kept
SECONDS_TO_LEAVE = 1.0
CHUNK = 1 << 16
SHOWN = 80  # characters of a line that an error repeats


class Clock:
    """The time, and waiting while it passes; whoever brings another one decides when it does."""

    def now(self) -> float:
        """Seconds since some moment."""
        return monotonic()

    def wait(self, selector: selectors.BaseSelector, seconds: float) -> bool:
        """Whether there was something to read before so many seconds had passed."""
        return bool(selector.select(seconds))


class Program:
    """A running program: `say` a line, `hear` a line, and `close` it in any case."""

    def __init__(
        self, words: Sequence[str], noise: Pattern[str], clock: Clock | None = None
    ) -> None:
        """Start it; lines that begin with `noise` are not heard."""
        self.clock = clock or Clock()
        self.label = shlex.join(words)
        self._noise = noise
        try:
            self._process = subprocess.Popen(
                words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:  # ValueError: a null character in a word
            reason = getattr(error, "strerror", None) or str(error)
            raise NoughtsError(f"'{self.label}' cannot be started: {reason}.") from None
        self._owner = os.getpid()
        self._heard = b""
        self._complaints = b""
        self._input, self._output, self._errors = self._pipes()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._output, selectors.EVENT_READ)
        self._selector.register(self._errors, selectors.EVENT_READ)

    def _pipes(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        process = self._process
        if process.stdin is None or process.stdout is None or process.stderr is None:
            raise RuntimeError("subprocess made no pipe where one was asked for")
        return process.stdin, process.stdout, process.stderr

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_closed(self) -> bool:
        """Whether the process has ended and nothing of it is left."""
        return self._input.closed

    def say(self, text: str) -> None:
        """Send text that ends its own lines; what was said before it must have been answered.

        A pipe holds far more than any message, so this does not block.
        """
        self._drain()
        if (line := self._next_line()) is not None:
            raise NoughtsError(f"{self} said '{line[:SHOWN]}' without being asked.")
        try:
            self._input.write(text.encode())
        except OSError:
            raise self._ended() from None

    def hear(self, deadline: float, seconds: float) -> str:
        """The next line that says something; `seconds` is how long the deadline was."""
        while (line := self._next_line()) is None:
            if self._output not in self._selector.get_map():
                raise self._ended()
            if len(self._heard) > LONGEST_LINE:
                self.kill()
                raise NoughtsError(f"{self} sent a line of more than {LONGEST_LINE} characters.")
            left = deadline - self.clock.now()
            if left <= 0.0 or not self.clock.wait(self._selector, left):
                self.kill()
                raise NoughtsError(f"{self} did not answer within {seconds:g} seconds.")
            self._drain()
        return line

    def close(self, farewell: str = "") -> None:
        """Say farewell, give it a moment to leave, then end it; nothing when that has been done."""
        if self.is_closed or os.getpid() != self._owner:  # a forked copy does not own the process
            return
        with suppress(OSError):  # it may have left already
            self._input.write(farewell.encode())
        self._input.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(SECONDS_TO_LEAVE)
        self.kill()

    def kill(self) -> None:
        """End it and all that it started, at once."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):  # it may have just ended
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._selector.close()
        for pipe in (self._input, self._output, self._errors):
            pipe.close()

    def __str__(self) -> str:
        return f"'{self.label}'"

    def _next_line(self) -> str | None:
        while b"\n" in self._heard:
            line, _, self._heard = self._heard.partition(b"\n")
            text = line.decode(errors="replace").strip()
            if text and not self._noise.match(text):
                return text
        return None

    def _drain(self) -> None:
        """Read what is there without waiting, and stop listening to what has been closed."""
        for key, _ in self._selector.select(0):
            chunk = os.read(key.fd, CHUNK)
            if not chunk:
                self._selector.unregister(key.fileobj)
            elif key.fileobj is self._output:
                self._heard += chunk.replace(b"\r", b"\n")
            else:
                self._complaints = (self._complaints + chunk)[-LAST_WORDS:]

    def _ended(self) -> NoughtsError:
        """Why nothing more will be heard, with the last line of its error output."""
        try:
            code = self._process.wait(SECONDS_TO_LEAVE)
        except subprocess.TimeoutExpired:
            how = "closed its output"
        else:
            how = f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"
        self._drain()
        self.kill()
        last_words = self._complaints.decode(errors="replace").strip().splitlines()
        return NoughtsError(f"{self} {how}{f': {last_words[-1]}' if last_words else '.'}")
