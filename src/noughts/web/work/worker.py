"""A worker: reads one line of work, writes one line with a status and a document, and again.

A thread reads, so that it hears a `stop` while it works: what thinks aloud (`noughts.aloud`) then
ends at its next word. It ends when its input ends, and when the server that started it is no more,
even while a kernel runs: kernels let other threads go on.
"""

import json
import logging
import os
import sys
import threading
import time
from pathlib import Path
from queue import SimpleQueue
from typing import IO

from noughts.aloud import SoFar, Stopped, listening, on_preparing
from noughts.errors import NoughtsError
from noughts.web.engine.words import LISTENING, PARTIAL, PREPARING, STOP, STOPPED_ANSWER
from noughts.web.logs import start_logging
from noughts.web.play.places import Data
from noughts.web.problems import ENGINE_FAILED, IMPOSSIBLE, problem_data, title_of
from noughts.web.work.tasks import TASKS, Workshop

WATCH_SECONDS = 2.0

LOG = logging.getLogger(__name__)

Work = tuple[int, str, bytes]  # a number, the name of a task, its payload


class Desk:
    """What comes in and what goes out."""

    def __init__(self, runs: Path) -> None:
        self.workshop = Workshop(runs, self._tell)
        self._answers = _claim_output()
        self._writing = threading.Lock()
        self._coming: SimpleQueue[Work | None] = SimpleQueue()
        self._stopped = 0  # no work up to this number is wanted any more
        self._number = 0  # of the work in hand

    def serve(self) -> None:
        """Work until the input ends."""
        threading.Thread(target=self._read, daemon=True).start()
        on_preparing(lambda is_begin: self._write(PREPARING, b"1" if is_begin else b"0"))
        while (work := self._coming.get()) is not None:
            self._number, name, payload = work
            self._write(*self._answer(name, payload))

    def _answer(self, name: str, payload: bytes) -> tuple[int, bytes]:
        if name not in LISTENING:
            return answer(self.workshop, name, payload)
        with listening(self._hear):
            return answer(self.workshop, name, payload)

    def _hear(self, _: SoFar) -> None:
        if self._number <= self._stopped:
            raise Stopped

    def _tell(self, data: Data) -> None:
        self._write(PARTIAL, json.dumps(data, allow_nan=False).encode())

    def _write(self, status: int, document: bytes) -> None:
        with self._writing:
            try:
                self._answers.write(b"%d %s\n" % (status, document))
                self._answers.flush()
            except BrokenPipeError:  # the server was killed; there is nobody to tell that, either
                os._exit(1)

    def _read(self) -> None:
        for line in sys.stdin.buffer:
            number, _, rest = line.rstrip(b"\n").partition(b" ")
            if rest == STOP:
                self._stopped = max(self._stopped, int(number))
                continue
            name, _, payload = rest.partition(b" ")
            self._coming.put((int(number), name.decode(), payload))
        self._coming.put(None)


def main(arguments: list[str]) -> None:
    """Serve until the input ends."""
    start_logging()
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(int(arguments[1]))
    Desk(Path(arguments[0])).serve()


def answer(workshop: Workshop, name: str, payload: bytes) -> tuple[int, bytes]:
    """Do one piece of work; whatever goes wrong in an engine is told in a sentence."""
    try:
        result = TASKS[name](workshop, json.loads(payload))
        return 200, json.dumps(result, allow_nan=False).encode()
    except Stopped:
        return STOPPED_ANSWER
    except NoughtsError as error:
        data = problem_data(422, title_of(error), str(error))
    except MemoryError:
        data = problem_data(422, IMPOSSIBLE, "There is not enough memory for this.")
    except Exception as error:  # an agent of another package may raise anything
        LOG.exception("%s has failed.", name)
        told = f"{ENGINE_FAILED}: {type(error).__name__}: {' '.join(str(error).split())[:300]}"
        data = problem_data(422, IMPOSSIBLE, told)
    return 422, json.dumps(data).encode()


def _claim_output() -> IO[bytes]:
    """Standard output for answers alone; whatever else is printed goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _end_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
