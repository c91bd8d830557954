"""The process of one job: reads `job.json` in its folder, works, and tells how far it is.

One line of JSON on standard output for each progress: {"done", "total", "text"}; the last one is
{"end": "done"} or {"failed": a sentence}. It owns its folder as long as it lives, and it ends with
its server: nobody ever writes to its standard input, and when that closes, however the server came
to its end, the job goes too, with the processes that it started. Its folder holds what it takes to
go on, and the next server does.
"""

import json
import logging
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

from noughts.aloud import on_preparing
from noughts.errors import NoughtsError
from noughts.files import replacing
from noughts.report.run import IDENTITY, own_folder, read_config
from noughts.web.lab.folders import read_noted
from noughts.web.lab.plans import carry_out
from noughts.web.logs import start_logging

LOG = logging.getLogger(__name__)

EVERY = 0.1  # seconds between two lines
PREPARING = "preparing its kernels, which are compiled once"
NICENESS = 5  # games at the board come first


def main(arguments: list[str]) -> int:
    """Run the job of a folder."""
    start_logging()
    folder = Path(arguments[0])
    lines = _claim_output()
    threading.Thread(target=_end_with_server, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    return work(folder, lines)


def work(folder: Path, lines: IO[str]) -> int:
    """Carry the job out and say how it ends; a fault of ours is logged, and said by the server."""
    try:
        with own_folder(folder):
            plan, teller = read_noted(folder)["plan"], _Teller(lines)
            on_preparing(teller.prepare)
            LOG.info("%s is carried out.", plan["command"])
            result = carry_out(plan, folder, teller)
            result |= {IDENTITY: read_config(folder).get(IDENTITY)}
            with replacing(folder / "result.json") as file:
                json.dump(result, file)
    except NoughtsError as error:
        return _fail(lines, str(error))
    except MemoryError:
        return _fail(lines, "There is not enough memory for this.")
    except OSError as error:
        return _fail(lines, f"{error.strerror or error}.")
    except Exception:  # of ours, or of another package's learner or study
        LOG.exception("%s has failed.", folder.name)
        return 1
    _say(lines, {"end": "done"})
    return 0


def _end_with_server() -> None:
    """Wait until the server is gone, and go too."""
    while os.read(0, 1024):
        continue
    if os.name == "posix" and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


class _Teller:
    """The progress callback."""

    def __init__(self, lines: IO[str]) -> None:
        self._lines, self._told = lines, 0.0
        self._done, self._total = 0, 0
        self._prepares = False

    def __call__(self, done: int, total: int, text: str) -> None:
        now = time.monotonic()
        self._done, self._total = int(done), int(total)
        if now - self._told < EVERY and done != total and not self._prepares:
            return
        self._say(text)

    def prepare(self, is_begin: bool) -> None:
        """Machine code is being made: that is said, and unsaid by the next progress."""
        if is_begin and not self._prepares:
            self._say(PREPARING)
            self._prepares = True

    def _say(self, text: str) -> None:
        self._told, self._prepares = time.monotonic(), False
        _say(self._lines, {"done": self._done, "total": self._total, "text": text})


def _say(lines: IO[str], data: dict[str, Any]) -> None:
    lines.write(json.dumps(data) + "\n")
    lines.flush()


def _fail(lines: IO[str], sentence: str) -> int:
    _say(lines, {"failed": sentence})
    return 2


def _claim_output() -> IO[str]:
    """Standard output for progress alone; whatever else is printed goes to standard error."""
    lines = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return lines


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
