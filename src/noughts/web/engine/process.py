"""A worker as the server sees it: a process, and the pipes to it."""

import os
import subprocess
import sys
from pathlib import Path

from noughts.kernels.mode import ALWAYS, NEVER, VARIABLE

Answer = tuple[int, bytes]  # a status and a JSON document


class WorkerProcess:
    """Answers one line of work with one line. It may sit in a kernel that hears nothing."""

    def __init__(self, runs: Path, compiles: bool) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "noughts.web.engine.worker", str(runs)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": "1", VARIABLE: ALWAYS if compiles else NEVER},
        )

    def ask(self, task: str, payload: bytes) -> Answer | None:
        """The answer; None when the process is gone."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(task.encode() + b" " + payload + b"\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except (OSError, ValueError):  # its pipes broke, or were closed
            return None
        if not line.endswith(b"\n"):
            return None
        status, _, document = line.partition(b" ")
        return int(status), document.rstrip(b"\n")

    def kill(self) -> None:
        self.process.kill()

    def bury(self) -> None:
        """Close what is left of a process that is gone."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # unsent bytes to a process that is gone
                    continue
