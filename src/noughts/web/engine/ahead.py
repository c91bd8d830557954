"""Compiling ahead: a process that gives way to everybody goes through the steps of `noughts.warm`.

So the workers are free for whoever asks, and the one that interprets has a core for its first
answers. What is compiled here the workers find in the cache.
"""

import json
import threading
from collections.abc import Callable
from pathlib import Path

from noughts.warm import STEPS
from noughts.web.engine.process import WorkerProcess

NICENESS = 10


class Ahead(threading.Thread):
    """Compiles what a new user is likely to ask for. `is_needless` and `note` are about kernels."""

    def __init__(
        self, runs: Path, is_needless: Callable[[str], bool], note: Callable[[str], None]
    ) -> None:
        super().__init__(name="ahead", daemon=True)
        self.done = 0  # steps
        self._runs, self._is_needless, self._note = runs, is_needless, note
        self._worker: WorkerProcess | None = None
        self._lock = threading.Lock()
        self._is_open = True

    @property
    def name_of_step(self) -> str | None:
        """What is being compiled."""
        return STEPS[self.done].name if self._worker is not None and not self.is_over else None

    @property
    def is_over(self) -> bool:
        return self.done >= len(STEPS)

    def run(self) -> None:
        for number, step in enumerate(STEPS, start=1):
            kernels = step.work.kernels
            if not self._is_needless(kernels):
                worker = self._process()
                if worker is None:
                    return
                payload = json.dumps({"game": step.game, "agent": step.agent}).encode()
                answer = worker.ask(number, "warm", payload)
                if answer is None:
                    self._end()  # the next step has another process
                elif answer[0] == 200:
                    self._note(kernels)
            self.done = number
        self._end()

    def close(self) -> None:
        """End it in the middle of a step."""
        with self._lock:
            self._is_open = False
            if self._worker is not None:
                self._worker.kill()

    def _process(self) -> WorkerProcess | None:
        with self._lock:
            if self._is_open and self._worker is None:
                self._worker = WorkerProcess(self._runs, compiles=True, niceness=NICENESS)
            return self._worker if self._is_open else None

    def _end(self) -> None:
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.bury()
