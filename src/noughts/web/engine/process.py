"""A worker as the server sees it: a process, and the pipes to it."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from noughts.kernels.mode import ALWAYS, NEVER, VARIABLE
from noughts.web.engine.words import PARTIAL, PREPARING, STOP

Answer = tuple[int, bytes]  # a status and a JSON document
Hear = Callable[[int, bytes], None]  # what a worker says before it answers


class WorkerProcess:
    """Answers one line of work with one line; before it may say how far it is.

    It hears `stop` while it works. It may sit in a kernel that hears nothing.
    """

    def __init__(self, runs: Path, compiles: bool, niceness: int = 0) -> None:
        self.loaded: set[str] = set()  # kernels that it has answered with
        self.process = subprocess.Popen(
            [sys.executable, "-m", "noughts.web.work.worker", str(runs), str(niceness)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": "1", VARIABLE: ALWAYS if compiles else NEVER},
        )
        self._writing = threading.Lock()

    def ask(
        self, number: int, task: str, payload: bytes, hear: Hear | None = None
    ) -> Answer | None:
        """The answer to work of a number above all earlier ones; None when the process is gone."""
        assert self.process.stdout is not None
        try:
            self._write(b"%d %s %s\n" % (number, task.encode(), payload))
            while True:
                line = self.process.stdout.readline()
                if not line.endswith(b"\n"):
                    return None
                word, _, document = line.rstrip(b"\n").partition(b" ")
                status = int(word)
                if status not in (PARTIAL, PREPARING):
                    return status, document
                if hear is not None:
                    hear(status, document)
        except (OSError, ValueError):  # its pipes broke, or were closed
            return None

    def stop(self, number: int) -> None:
        """Tell it that nobody wants the work of this number, nor any before it."""
        with suppress(OSError, ValueError):
            self._write(b"%d %s\n" % (number, STOP))

    def _write(self, line: bytes) -> None:
        assert self.process.stdin is not None
        with self._writing:
            self.process.stdin.write(line)
            self.process.stdin.flush()

    def kill(self) -> None:
        self.process.kill()

    def bury(self) -> None:
        """Close what is left of a process that is gone."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(OSError):  # unsent bytes to a process that is gone
                    pipe.close()
