"""Engine work in other processes: workers, bounded queues, and every request can be ended.

Most workers compile; one interprets. Compiling a kernel for the first time takes seconds, and
interpreting it gives the same answer at once where the work is small. So a small request goes to
both lanes until its kernels are compiled, and the first to finish answers; the other goes on, for
what it compiles is needed next. Nothing that would take the interpreter long is sent to it.

A worker may sit in a compiled kernel that hears nothing, so ending a request means ending its
worker; another takes its place. One that is compiling, or nearly done, is left alone: its answer is
dropped. Each worker has a thread that hands it work and waits, so the pool needs no event loop.

Heavy work takes all compiling workers but one at the most, so that quick answers stay quick. When
nothing is asked, one of them warms up with the steps of `noughts.warm`.
"""

import json
import subprocess
import threading
from collections import deque
from pathlib import Path
from time import monotonic
from typing import Any

from noughts.kernels.cache import is_noted, note_compiled
from noughts.warm import STEPS
from noughts.web.engine.process import Answer, WorkerProcess
from noughts.web.engine.tickets import Attempt, Route, Ticket
from noughts.web.problems import ENGINE_FAILED, IMPOSSIBLE, Problem, problem_data
from noughts.web.settings import MOST_WAITING

GONE = "The engine stopped unexpectedly; there may be too little memory for this."
SLOW = "This took longer than {seconds:g} s and was ended; ask for less."
WARMING_SECONDS = 600.0
LEFT_ALONE_SECONDS = 120.0  # for work that nobody awaits any more
LOADED = 0.9  # seconds in which a compiling worker loads on the machine of `noughts.effort`
FASTEST_PACE = 0.5  # of its seconds; no machine is believed to be faster
NOTICED = 0.5  # seconds of work that are told to whoever waits for it
FIRST_SECONDS = 3.0  # that the others give the interpreter to load alone
LEAST_LEFT = 1.0  # seconds that are told while something takes longer than was thought


class Pool:
    """The workers and their queues."""

    def __init__(self, workers: int, runs: Path, warms_up: bool = True) -> None:
        self.size, self.runs = workers, runs
        self._changed = threading.Condition()
        self._waiting: dict[bool, deque[Attempt]] = {True: deque(), False: deque()}
        self._running: set[Attempt] = set()
        self._compiled: set[str] = set()  # kernels that somebody here has answered with
        self._warmed = 0 if warms_up else len(STEPS)
        self._is_warming = False
        self._pace = 1.0  # how much slower this machine is now than the one of `noughts.effort`
        self._is_open = True
        self._has_first = threading.Event()  # the interpreter has loaded
        self.forms: Answer | None = None  # of the Lab, which never change
        lanes = [*((True,) * workers), False]
        self._threads = [
            threading.Thread(target=self._serve, args=(compiles,), name=f"worker-{i}", daemon=True)
            for i, compiles in enumerate(lanes)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def processes(self) -> "list[subprocess.Popen[bytes]]":
        """The workers of the requests that are under way."""
        with self._changed:
            return [a.worker.process for a in self._running if a.worker is not None]

    @property
    def busy(self) -> int:
        return len(self._running)

    @property
    def waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    @property
    def warming(self) -> tuple[str | None, int, int]:
        """What is being compiled ahead, how much is done, and how much there is."""
        name = STEPS[self._warmed].name if self._is_warming else None
        return name, self._warmed, len(STEPS)

    @property
    def is_warm(self) -> bool:
        return self._warmed >= len(STEPS)

    def is_compiled(self, kernels: str | None) -> bool:
        """Whether the machine code of these is at hand."""
        return kernels is None or kernels in self._compiled or is_noted(kernels)

    @property
    def preparing(self) -> list[tuple[str, float]]:
        """What requests wait for that only machine code can answer, and the seconds left, about."""
        now = monotonic()
        with self._changed:
            begun = {
                a.ticket.route.kernels: now - a.began
                for a in self._running
                if a.is_first and a.began is not None
            }
            waiting = {
                a.ticket.route.what: self._seconds_left(a, now, begun)
                for a in (*self._waiting[True], *self._running)
                if a.compiles
                and not a.ticket.route.interpreted
                and not a.ticket.future.done()
                and (a.is_first or a.ticket.route.working >= NOTICED)
            }
            return [(what, max(seconds, LEAST_LEFT)) for what, seconds in waiting.items() if what]

    def _seconds_left(self, attempt: Attempt, now: float, begun: dict[str | None, float]) -> float:
        """Of compiling, whoever does it, and of the work that comes after."""
        route = attempt.ticket.route
        if attempt.is_first:
            spent = begun.get(route.kernels, 0.0)
            return self._pace * (route.compiling + route.working) - spent
        spent = 0.0 if attempt.began is None else now - attempt.began
        return self._pace * route.working - spent

    def submit(self, task: str, data: dict[str, Any], seconds: float, route: Route) -> Ticket:
        """Put work into the queues; raises a Problem when too much waits already."""
        ticket = Ticket(task, json.dumps(data).encode(), seconds, route)
        is_known = self.is_compiled(route.kernels)
        with self._changed:
            if self.waiting >= MOST_WAITING or not self._is_open:
                raise Problem(
                    429,
                    f"{self.waiting} requests are waiting; try again in a moment.",
                    headers={"Retry-After": "2"},
                )
            if route.interpreted and not (route.compiled and is_known):
                self._queue(Attempt(ticket, compiles=False))
            if route.compiled:
                self._queue(Attempt(ticket, compiles=True, is_first=not is_known))
            self._changed.notify_all()
        return ticket

    def _queue(self, attempt: Attempt) -> None:
        attempt.ticket.attempts.append(attempt)
        self._waiting[attempt.compiles].append(attempt)

    def end(self, ticket: Ticket, reason: str, is_late: bool = False) -> None:
        """Give up on work: take it out of the queues, and end the processes that do it."""
        with self._changed:
            if ticket.reason is not None or ticket.future.done():
                return
            ticket.reason = reason
            for attempt in tuple(ticket.attempts):
                if attempt in self._waiting[attempt.compiles]:
                    self._drop(attempt)
                elif attempt.worker is not None and (is_late or self._is_worth_ending(attempt)):
                    attempt.worker.kill()
                elif attempt.worker is not None:
                    self._end_later(attempt)
            ticket.future.set_result(_refusal(reason))

    def _end_later(self, attempt: Attempt) -> None:
        """Whoever is left alone may not take for ever."""

        def end() -> None:
            with self._changed:
                if attempt in self._running and attempt.worker is not None:
                    attempt.worker.kill()

        timer = threading.Timer(LEFT_ALONE_SECONDS, end)
        timer.daemon = True
        timer.start()

    @staticmethod
    def _is_worth_ending(attempt: Attempt) -> bool:
        """Compiling is never wasted, and small work is done before a new worker has loaded."""
        return attempt.compiles and not attempt.is_first and attempt.ticket.route.is_heavy

    def _drop(self, attempt: Attempt) -> None:
        self._waiting[attempt.compiles].remove(attempt)
        attempt.ticket.attempts.remove(attempt)

    def close(self) -> None:
        """End everything."""
        self._has_first.set()
        with self._changed:
            self._is_open = False
            waiting = [*self._waiting[True], *self._waiting[False]]
            for attempt in (*waiting, *self._running):
                attempt.ticket.reason = attempt.ticket.reason or GONE
                if attempt.worker is not None:
                    attempt.worker.kill()
            for attempt in waiting:
                self._drop(attempt)
                if not attempt.ticket.future.done():
                    attempt.ticket.future.set_result(_refusal(GONE))
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(timeout=10)

    def _serve(self, compiles: bool) -> None:
        """The life of one worker's thread."""
        worker = self._start(compiles)
        try:
            while True:
                attempt = self._next(compiles, worker)
                if attempt is None:
                    return
                answer = worker.ask(attempt.ticket.task, attempt.ticket.payload)
                if answer is None:
                    worker.bury()
                    if self._is_open:
                        worker = self._start(compiles)
                self._finish(attempt, answer)
        finally:
            worker.bury()

    def _start(self, compiles: bool) -> WorkerProcess:
        """A worker that has loaded what it needs; loading tells how fast this machine is.

        The interpreter is the first to answer anything, so it loads first, while the page is
        fetched; those that compile would only take the processor from both.
        """
        if compiles:
            self._has_first.wait(FIRST_SECONDS)
        worker, began = WorkerProcess(self.runs, compiles), monotonic()
        worker.ask("load", b"{}")
        if compiles:
            self._pace = max((monotonic() - began) / LOADED, FASTEST_PACE)
            return worker
        self._has_first.set()
        self.forms = self.forms or worker.ask("kinds", b"{}")
        return worker

    def _next(self, compiles: bool, worker: WorkerProcess) -> Attempt | None:
        """The next work for a worker: a request, or something to warm up with; None at the end."""
        with self._changed:
            while self._is_open:
                attempt = self._take(compiles)
                if attempt is not None:
                    attempt.began, attempt.worker = monotonic(), worker
                    self._running.add(attempt)
                    return attempt
                self._changed.wait()
        return None

    def _take(self, compiles: bool) -> Attempt | None:
        queue = self._waiting[compiles]
        heavy = sum(a.compiles and a.ticket.route.is_heavy for a in self._running)
        begun = {a.ticket.route.kernels for a in self._running if a.is_first}
        for attempt in tuple(queue):
            if attempt.ticket.future.done() and not attempt.is_first:
                self._drop(attempt)  # the other lane was sooner
            elif attempt.ticket.future.done() and self.is_compiled(attempt.ticket.route.kernels):
                self._drop(attempt)
            elif attempt.is_first and attempt.ticket.route.kernels in begun:
                continue  # somebody compiles the same; then it is only to be loaded
            elif not attempt.ticket.route.is_heavy or heavy < max(self.size - 1, 1):
                queue.remove(attempt)
                return attempt
        return self._warm_up() if compiles else None

    def _warm_up(self) -> Attempt | None:
        """The next step of the warm-up; one worker at a time, so that another is free."""
        busy = sum(a.compiles for a in self._running)
        if self.is_warm or self._is_warming or (self.size > 1 and busy >= self.size - 1):
            return None
        self._is_warming = True
        step = STEPS[self._warmed]
        work = step.work
        route = Route(kernels=work.kernels, compiling=work.compiling, what=step.name)
        payload = json.dumps({"game": step.game, "agent": step.agent}).encode()
        ticket = Ticket("warm", payload, WARMING_SECONDS, route, step=self._warmed)
        ticket.future.set_result((200, b"{}"))  # nobody waits for it
        attempt = Attempt(ticket, compiles=True, is_first=not self.is_compiled(work.kernels))
        ticket.attempts.append(attempt)
        return attempt

    def _finish(self, attempt: Attempt, answer: Answer | None) -> None:
        ticket = attempt.ticket
        with self._changed:
            self._running.discard(attempt)
            attempt.worker = None
            is_alone = ticket.is_alone
            ticket.attempts.remove(attempt)
            if ticket.step is not None:
                self._warmed, self._is_warming = ticket.step + 1, False
            if attempt.compiles and answer is not None and ticket.route.kernels is not None:
                self._compiled.add(ticket.route.kernels)
            if attempt.is_first and ticket.route.compiling and attempt.began is not None:
                seconds = monotonic() - attempt.began
                self._pace = (self._pace + seconds / ticket.route.compiling) / 2
            is_answer = answer is not None and not _has_failed(answer)
            if (is_answer or is_alone) and not ticket.future.done():
                ticket.future.set_result(answer or _refusal(ticket.reason or GONE))
            self._changed.notify_all()
        if attempt.compiles and answer is not None and answer[0] == 200 and ticket.route.kernels:
            note_compiled(ticket.route.kernels)


def _has_failed(answer: Answer) -> bool:
    """Whether an engine broke, rather than refused; another may do better."""
    return answer[0] >= 400 and ENGINE_FAILED.encode() in answer[1]


def _refusal(reason: str) -> Answer:
    return 422, json.dumps(problem_data(422, IMPOSSIBLE, reason)).encode()
