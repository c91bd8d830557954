"""Engine work in other processes: a few workers, one bounded queue, and every request can be ended.

A worker is a process that answers one line of JSON with one line: a status and a document. It may
sit in a compiled kernel that hears nothing, so ending a request means ending its worker; another
takes its place. Each worker has a thread that hands it work and waits for the answer, so the pool
needs no event loop, and any number of loops may wait for its tickets.

Heavy work takes all workers but one at the most, so that quick answers stay quick. When nothing is
asked a worker warms up: it is given the kinds of work of `WARM_UP` one by one, and each is compiled
by one worker before the others load it.
"""

import json
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from noughts.web.problems import IMPOSSIBLE, Problem, problem_data
from noughts.web.settings import MOST_WAITING

Answer = tuple[int, bytes]  # a status and a JSON document

GONE = "The engine stopped unexpectedly; there may be too little memory for this."
SLOW = "This took longer than {seconds:g} s and was ended; ask for less."

WARM_UP: Sequence[tuple[str, str, dict[str, Any]]] = (
    ("3×3 search", "move", {"game": "3x3", "moves": [4], "agent": "alphabeta"}),
    ("3×3 values", "values", {"game": "3x3", "moves": [4], "agent": "optimal"}),
    ("tree search", "move", {"game": "3x3", "moves": [4], "agent": "uct:simulations=50"}),
    ("risky boards", "move", {"game": "3x3:flip=0.1", "moves": [4], "agent": "alphabeta"}),
    ("Ultimate", "move", {"game": "ultimate", "moves": [40], "agent": "uct:simulations=50"}),
    ("the network of Ultimate", "move", {"game": "ultimate", "moves": [40], "agent": "zero"}),
    ("the cube", "values", {"game": "3x3x3", "moves": [13], "agent": "auto"}),
)


@dataclass(eq=False)
class Ticket:
    """One request for work. `future` gets the answer; `end` gives up on it."""

    task: str
    payload: bytes
    seconds: float  # the most it may take, once begun
    is_heavy: bool = False
    future: "Future[Answer]" = field(default_factory=Future)
    began: float | None = None
    reason: str | None = None  # why it was ended
    worker: "_Worker | None" = None
    step: int | None = None  # of WARM_UP, when nobody asked for it

    def is_late(self, now: float) -> bool:
        """Whether it has had its time."""
        return self.began is not None and now - self.began > self.seconds


class _Worker:
    """A process and the pipes to it."""

    def __init__(self, runs: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "noughts.web.engine.worker", str(runs)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
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


class Pool:
    """The workers and their queue."""

    def __init__(self, workers: int, runs: Path, warms_up: bool = True) -> None:
        self.size, self.runs = workers, runs
        self._changed = threading.Condition()
        self._waiting: deque[Ticket] = deque()
        self._running: set[Ticket] = set()
        self._warm = [0] * workers  # how much of WARM_UP each worker has done
        self._compiled = 0 if warms_up else len(WARM_UP)
        self._compiling: str | None = None
        self._warms_up = warms_up
        self._is_open = True
        self._threads = [
            threading.Thread(target=self._serve, args=(i,), name=f"worker-{i}", daemon=True)
            for i in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def processes(self) -> "list[subprocess.Popen[bytes]]":
        """The workers of the requests that are under way."""
        with self._changed:
            return [ticket.worker.process for ticket in self._running if ticket.worker is not None]

    @property
    def busy(self) -> int:
        return len(self._running)

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @property
    def warming(self) -> tuple[str | None, int, int]:
        """What is being compiled, how much is done, and how much there is."""
        return self._compiling, min(self._compiled, len(WARM_UP)), len(WARM_UP)

    @property
    def is_warm(self) -> bool:
        return self._compiled >= len(WARM_UP)

    def submit(
        self, task: str, data: dict[str, Any], seconds: float, is_heavy: bool = False
    ) -> Ticket:
        """Put work into the queue; raises a Problem when too much waits already."""
        ticket = Ticket(task, json.dumps(data).encode(), seconds, is_heavy)
        with self._changed:
            if len(self._waiting) >= MOST_WAITING or not self._is_open:
                raise Problem(
                    429,
                    f"{len(self._waiting)} requests are waiting; try again in a moment.",
                    headers={"Retry-After": "2"},
                )
            self._waiting.append(ticket)
            self._changed.notify_all()
        return ticket

    def end(self, ticket: Ticket, reason: str) -> None:
        """Give up on work: take it out of the queue, or end the process that does it."""
        with self._changed:
            if ticket.reason is not None or ticket.future.done():
                return
            ticket.reason = reason
            if ticket in self._waiting:
                self._waiting.remove(ticket)
                ticket.future.set_result(_refusal(reason))
            elif ticket.worker is not None:
                ticket.worker.kill()

    def close(self) -> None:
        """End everything."""
        with self._changed:
            self._is_open = False
            for ticket in (*self._waiting, *self._running):
                ticket.reason = ticket.reason or GONE
                if ticket.worker is not None:
                    ticket.worker.kill()
            for ticket in self._waiting:
                ticket.future.set_result(_refusal(GONE))
            self._waiting.clear()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(timeout=10)

    def _serve(self, index: int) -> None:
        """The life of one worker's thread."""
        if index > 0:
            self._wait_for_first()
        worker = _Worker(self.runs)
        try:
            while True:
                ticket = self._next(index, worker)
                if ticket is None:
                    return
                answer = worker.ask(ticket.task, ticket.payload)
                if answer is None:
                    worker.bury()
                    answer = _refusal(ticket.reason or GONE)
                    if self._is_open:
                        worker = _Worker(self.runs)
                self._finish(index, ticket, answer)
        finally:
            worker.bury()

    def _wait_for_first(self) -> None:
        """Let the first worker load alone, so that the first page need not wait for a core."""
        with self._changed:
            while self._is_open and not self._waiting and self._compiled == 0:
                self._changed.wait()

    def _next(self, index: int, worker: _Worker) -> Ticket | None:
        """The next work for a worker: a request, or something to warm up with; None at the end."""
        with self._changed:
            while self._is_open:
                ticket = self._take(index)
                if ticket is not None:
                    ticket.began, ticket.worker = monotonic(), worker
                    self._running.add(ticket)
                    return ticket
                self._changed.wait()
        return None

    def _take(self, index: int) -> Ticket | None:
        heavy = sum(ticket.is_heavy for ticket in self._running)
        for ticket in self._waiting:
            if not ticket.is_heavy or heavy < max(self.size - 1, 1):
                self._waiting.remove(ticket)
                return ticket
        step = self._warm[index]
        if not self._warms_up or step >= len(WARM_UP):
            return None
        if step > self._compiled or (step == self._compiled and self._compiling is not None):
            return None
        name, task, data = WARM_UP[step]
        if step == self._compiled:
            self._compiling = name
        return Ticket(task, json.dumps({"seed": 0, **data}).encode(), 600.0, step=step)

    def _finish(self, index: int, ticket: Ticket, answer: Answer) -> None:
        with self._changed:
            self._running.discard(ticket)
            ticket.worker = None
            if ticket.step is not None:
                self._warm[index] = ticket.step + 1
                if ticket.step == self._compiled:
                    self._compiled, self._compiling = ticket.step + 1, None
            self._changed.notify_all()
        ticket.future.set_result(answer)


def _refusal(reason: str) -> Answer:
    return 422, json.dumps(problem_data(422, IMPOSSIBLE, reason)).encode()
