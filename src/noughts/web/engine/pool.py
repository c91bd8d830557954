"""Engine work in other processes: workers, bounded queues, and every request can be ended.

Most workers compile; one interprets. Compiling a kernel for the first time takes seconds, and
interpreting it gives the same answer at once where the work is small. So a small request goes to
both lanes until its kernels are compiled, and the first to finish answers; the other goes on, for
what it compiles is needed next. Nothing that would take the interpreter long is sent to it.

Ending a request tells its workers to stop, which they hear between two batches of thinking, and
they stay warm. Only one that does not listen, because it sits in a kernel that hears nothing, is
killed, and another takes its place. One that compiles for the first time is left alone: its answer
is dropped. Each worker has a thread that hands it work and waits, so the pool needs no event loop.

Heavy work takes all compiling workers but one at the most, so that quick answers stay quick; a
first estimate lets everybody else go first. What nobody has asked for is compiled ahead elsewhere.
"""

import json
import logging
import subprocess
import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any

from noughts.kernels.cache import is_noted, note_compiled
from noughts.warm import STEPS
from noughts.web.engine.ahead import Ahead
from noughts.web.engine.process import Answer, WorkerProcess
from noughts.web.engine.tickets import Attempt, Route, Ticket
from noughts.web.engine.words import LISTENING, PREPARING, STOPPED_ANSWER
from noughts.web.problems import ENGINE_FAILED, IMPOSSIBLE, Problem, problem_data
from noughts.web.settings import MOST_WAITING

LOG = logging.getLogger(__name__)

GONE = "The engine stopped unexpectedly; there may be too little memory for this."
SLOW = "This took longer than {seconds:g} s and was ended; ask for less."
LEFT_ALONE_SECONDS = 120.0  # for work that nobody awaits any more and that goes on all the same
DEAF_SECONDS = 2.0  # in which a worker that was told to stop is expected to
LOADED = 0.9  # seconds in which a compiling worker loads on the machine of `noughts.effort`
FASTEST_PACE = 0.5  # of its seconds; no machine is believed to be faster
NOTICED = 0.5  # seconds of work that are told to whoever waits for it
UNUSUAL = 0.2  # seconds that a small request has waited for the interpreter
FIRST_SECONDS = 3.0  # that the others give the interpreter to load alone
LEAST_LEFT = 1.0  # seconds that are told while something takes longer than was thought


class Pool:
    """The workers and their queues."""

    def __init__(self, workers: int, runs: Path, warms_up: bool = True) -> None:
        self.size, self.runs = workers, runs
        self._changed = threading.Condition()
        self._waiting: dict[bool, deque[Attempt]] = {True: deque(), False: deque()}
        self._running: set[Attempt] = set()
        self._numbers = count(1)
        self._compiled: set[str] = set()  # kernels that somebody here has answered with
        self._workers: list[WorkerProcess] = []  # that compile
        self._ahead = Ahead(runs, self._is_needless, self._note_compiled)
        self._warms_up = warms_up
        self._up = 0  # workers that have loaded
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
        return self._ahead.name_of_step, self._ahead.done, len(STEPS)

    @property
    def is_warm(self) -> bool:
        return self._ahead.is_over or not self._warms_up

    @property
    def is_up(self) -> bool:
        """Whether all workers have loaded; one that is replaced loads anew."""
        return self._up == self.size + 1

    def is_compiled(self, kernels: str | None) -> bool:
        """Whether the machine code of these is at hand."""
        return kernels is None or kernels in self._compiled or is_noted(kernels)

    @property
    def preparing(self) -> list[tuple[str, float]]:
        """What requests wait for that is not there in a moment, and the seconds left, about.

        That is what only machine code can answer, what waits because every worker makes some for
        others, and what takes the interpreter longer than usual.
        """
        now = monotonic()
        with self._changed:
            begun = {
                a.ticket.route.kernels: now - a.began
                for a in self._running
                if a.is_first and a.began is not None
            }
            held = self._seconds_held(now, begun)
            waiting = {
                a.ticket.route.what: self._seconds_left(a, now, begun, held)
                for a in (*self._waiting[True], *self._running)
                if a.compiles
                and not a.ticket.route.interpreted
                and not a.ticket.future.done()
                and (a.makes_code or a.ticket.route.working >= NOTICED or (held and not a.began))
            }
            for a in (*self._waiting[False], *self._running):
                route, ticket = a.ticket.route, a.ticket
                if not a.compiles and not ticket.future.done() and now - ticket.asked >= UNUSUAL:
                    waiting[route.what] = self._pace * route.interpreting - a.spent(now)
            return [(what, max(seconds, LEAST_LEFT)) for what, seconds in waiting.items() if what]

    def _seconds_left(
        self, attempt: Attempt, now: float, begun: dict[str | None, float], held: float = 0.0
    ) -> float:
        """Of waiting, of compiling, whoever does it, and of the work that comes after."""
        route = attempt.ticket.route
        if attempt.is_first:
            spent = begun.get(route.kernels, -held)
            return self._pace * (route.compiling + route.working) - spent
        spent = -held if attempt.began is None else now - attempt.began
        return self._pace * route.working - spent

    def _seconds_held(self, now: float, begun: dict[str | None, float]) -> float:
        """Until one of the workers is free, where all of them make machine code."""
        making = [a for a in self._running if a.compiles and a.makes_code]
        left = [self._seconds_left(a, now, begun) for a in making]
        return max(min(left), LEAST_LEFT) if len(left) >= self.size else 0.0

    def submit(
        self,
        task: str,
        data: dict[str, Any],
        seconds: float,
        route: Route,
        tell: Callable[[bytes], None] | None = None,
    ) -> Ticket:
        """Put work into the queues; raises a Problem when too much waits already."""
        ticket = Ticket(task, json.dumps(data).encode(), seconds, route, tell)
        is_known = self.is_compiled(route.kernels)
        with self._changed:
            is_loaded = any(route.kernels in worker.loaded for worker in self._workers)
            if self.waiting >= MOST_WAITING or not self._is_open:
                raise Problem(
                    429,
                    f"{self.waiting} requests are waiting; try again in a moment.",
                    headers={"Retry-After": "2"},
                )
            if route.interpreted and not (route.compiled and is_loaded):
                self._queue(Attempt(ticket, compiles=False))
            if route.compiled:
                self._queue(Attempt(ticket, compiles=True, is_first=not is_known))
            self._changed.notify_all()
        return ticket

    def _queue(self, attempt: Attempt) -> None:
        """Who is patient lets others go first, also when it has begun."""
        attempt.ticket.attempts.append(attempt)
        lane, is_patient = self._waiting[attempt.compiles], attempt.ticket.route.is_patient
        ahead = [one for one in lane if is_patient or not one.ticket.route.is_patient]
        lane.insert(len(ahead), attempt)
        for one in self._running:
            if one.ticket.route.is_patient and not is_patient and not attempt.compiles:
                one.is_put_off = True
                self._stop(one)

    def end(self, ticket: Ticket, reason: str, is_late: bool = False) -> None:
        """Give up on work: take it out of the queues, and stop those that do it."""
        with self._changed:
            if ticket.reason is not None or ticket.future.done():
                return
            ticket.reason = reason
            for attempt in tuple(ticket.attempts):
                if attempt in self._waiting[attempt.compiles]:
                    self._drop(attempt)
                elif is_late or not attempt.is_first:
                    self._stop(attempt)
                else:
                    self._kill_later(attempt, LEFT_ALONE_SECONDS)
            ticket.future.set_result(_refusal(reason))

    def _stop(self, attempt: Attempt) -> None:
        """Tell a worker to stop; work that is not to be interrupted goes on, and is dropped."""
        if attempt.worker is None:
            return
        listens = attempt.ticket.task in LISTENING
        attempt.worker.stop(attempt.number)
        patience = DEAF_SECONDS * max(self._pace, 1.0)  # a busy machine is not a deaf worker
        self._kill_later(attempt, patience if listens else LEFT_ALONE_SECONDS)

    def _kill_later(self, attempt: Attempt, seconds: float, last: float | None = None) -> None:
        """Whoever does not listen may not take for ever; machine code has longer, not for ever."""
        last = monotonic() + LEFT_ALONE_SECONDS if last is None else last

        def kill() -> None:
            with self._changed:
                if attempt not in self._running or attempt.worker is None:
                    return
                if attempt.prepares_since is None or monotonic() >= last:
                    attempt.worker.kill()
                else:
                    self._kill_later(attempt, seconds, last)

        timer = threading.Timer(seconds, kill)
        timer.daemon = True
        timer.start()

    def _drop(self, attempt: Attempt) -> None:
        self._waiting[attempt.compiles].remove(attempt)
        attempt.ticket.attempts.remove(attempt)

    def close(self) -> None:
        """End everything."""
        self._has_first.set()
        self._ahead.close()
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
        for thread in (*self._threads, self._ahead):
            if thread.ident is not None:
                thread.join(timeout=10)

    def _serve(self, compiles: bool) -> None:
        """The life of one worker's thread."""
        worker = self._start(compiles)
        try:
            while True:
                attempt = self._next(compiles, worker)
                if attempt is None:
                    return
                ticket, hear = attempt.ticket, partial(self._hear, attempt)
                answer = worker.ask(attempt.number, ticket.task, ticket.payload, hear)
                if answer is None:
                    LOG.info("A worker has ended at its work, %s; another starts.", ticket.task)
                    self._bury(worker)
                    if self._is_open:
                        worker = self._start(compiles)
                self._finish(attempt, answer)
        finally:
            self._bury(worker)

    def _bury(self, worker: WorkerProcess) -> None:
        with self._changed:
            self._up -= 1
            if worker in self._workers:
                self._workers.remove(worker)
        worker.bury()

    def _hear(self, attempt: Attempt, status: int, document: bytes) -> None:
        """What a worker says before it answers."""
        ticket = attempt.ticket
        if status == PREPARING:
            with self._changed:
                attempt.prepare(document == b"1", monotonic())
        elif ticket.tell is not None and not ticket.future.done():
            ticket.tell(document)

    def _start(self, compiles: bool) -> WorkerProcess:
        """A worker that has loaded what it needs; loading tells how fast this machine is.

        The interpreter is the first to answer anything, so it loads first, while the page is
        fetched; those that compile would only take the processor from both.
        """
        if compiles:
            self._has_first.wait(FIRST_SECONDS)
        worker, began = WorkerProcess(self.runs, compiles), monotonic()
        worker.ask(next(self._numbers), "load", b"{}")
        with self._changed:
            self._up += 1
            self._workers += [worker] if compiles else []
        if compiles:
            self._pace = max((monotonic() - began) / LOADED, FASTEST_PACE)
            return worker
        self._has_first.set()
        if self._warms_up and self._ahead.ident is None:
            self._ahead.start()
        self.forms = self.forms or worker.ask(next(self._numbers), "kinds", b"{}")
        return worker

    def _next(self, compiles: bool, worker: WorkerProcess) -> Attempt | None:
        """The next work for a worker: a request, or something to warm up with; None at the end."""
        with self._changed:
            while self._is_open:
                attempt = self._take(compiles, worker)
                if attempt is not None:
                    attempt.began, attempt.worker = monotonic(), worker
                    attempt.number = next(self._numbers)
                    self._running.add(attempt)
                    return attempt
                self._changed.wait()
        return None

    def _take(self, compiles: bool, worker: WorkerProcess) -> Attempt | None:
        queue = self._waiting[compiles]
        heavy = sum(a.compiles and a.ticket.route.is_heavy for a in self._running)
        begun = {a.ticket.route.kernels for a in self._running if a.is_first}
        for attempt in tuple(queue):
            if attempt.ticket.future.done() and self._is_wasted(attempt):
                self._drop(attempt)  # the other lane was sooner
            elif attempt.is_first and attempt.ticket.route.kernels in begun:
                continue  # somebody compiles the same; then it is only to be loaded
            elif self._has_better(worker, attempt.ticket.route.kernels):
                continue
            elif not attempt.ticket.route.is_heavy or heavy < max(self.size - 1, 1):
                queue.remove(attempt)
                return attempt
        return None

    def _has_better(self, worker: WorkerProcess, kernels: str | None) -> bool:
        """Whether another worker, who is free, has loaded what this one would have to load."""
        if kernels is None or kernels in worker.loaded:
            return False
        busy = [attempt.worker for attempt in self._running]
        return any(kernels in one.loaded for one in self._workers if one not in busy)

    def _is_needless(self, kernels: str | None, besides: Attempt | None = None) -> bool:
        """Whether somebody has compiled these, or was asked to."""
        with self._changed:
            asked = {*self._waiting[True], *self._running} - {besides}
            is_asked = any(a.is_first and a.ticket.route.kernels == kernels for a in asked)
        return is_asked or self.is_compiled(kernels)

    def _is_wasted(self, attempt: Attempt) -> bool:
        """Whether one that waits is good for nothing but its answer."""
        return not attempt.is_first or self._is_needless(attempt.ticket.route.kernels, attempt)

    def _note_compiled(self, kernels: str) -> None:
        self._compiled.add(kernels)
        note_compiled(kernels)

    def _finish(self, attempt: Attempt, answer: Answer | None) -> None:
        ticket = attempt.ticket
        with self._changed:
            self._running.discard(attempt)
            worker, attempt.worker = attempt.worker, None
            is_alone = ticket.is_alone
            ticket.attempts.remove(attempt)
            if attempt.is_put_off and answer == STOPPED_ANSWER and ticket.reason is None:
                self._queue(Attempt(ticket, compiles=False))
                is_alone = False
            is_done = attempt.compiles and answer is not None and answer[0] == 200
            if is_done and worker is not None and ticket.route.kernels is not None:
                worker.loaded.add(ticket.route.kernels)
            if attempt.is_first and ticket.route.compiling and attempt.began is not None:
                seconds = monotonic() - attempt.began
                self._pace = (self._pace + seconds / ticket.route.compiling) / 2
            is_answer = answer is not None and not _has_failed(answer)
            if (is_answer or is_alone) and not ticket.future.done():
                ticket.future.set_result(answer or _refusal(ticket.reason or GONE))
                for slower in tuple(ticket.attempts):
                    if slower.began is None and self._is_wasted(slower):
                        self._drop(slower)
                    elif not slower.is_first:
                        self._stop(slower)
            self._changed.notify_all()
        if is_done and ticket.route.kernels is not None:
            self._note_compiled(ticket.route.kernels)


def _has_failed(answer: Answer) -> bool:
    """Whether an engine broke, rather than refused; another may do better."""
    return answer == STOPPED_ANSWER or (answer[0] >= 400 and ENGINE_FAILED.encode() in answer[1])


def _refusal(reason: str) -> Answer:
    return 422, json.dumps(problem_data(422, IMPOSSIBLE, reason)).encode()
