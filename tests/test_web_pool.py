"""The pool by itself: workers that answer when the test says so, and a clock that it moves."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from web_server import wait_until

from noughts.kernels.mode import NEVER, VARIABLE
from noughts.web.engine import pool as pool_module
from noughts.web.engine.pool import FASTEST_PACE, LEAST_LEFT, UNUSUAL, Pool
from noughts.web.engine.process import Answer, Hear
from noughts.web.engine.tickets import Route, Ticket
from noughts.web.engine.words import PREPARING

SECONDS = 30.0  # that a request may take
ANSWER = (200, b"{}")


class Process:
    """A worker without a process: it works until it is let go."""

    def __init__(self, runs: Path, compiles: bool) -> None:
        self.compiles, self.loaded = compiles, set[str]()
        self._may_answer = threading.Event()

    def ask(
        self, number: int, task: str, payload: bytes, hear: Hear | None = None
    ) -> Answer | None:
        if task in ("load", "kinds"):
            return ANSWER
        if task == "compile" and hear is not None and self.compiles:
            hear(PREPARING, b"1")
        self._may_answer.wait()
        self._may_answer.clear()
        return ANSWER

    def let_go(self) -> None:
        self._may_answer.set()

    def stop(self, number: int) -> None:
        """It does not hear."""

    kill = bury = let_go


@dataclass
class Held:
    """A pool, and the time, which stands still."""

    now: float = 1e9  # after every moment of the real clock
    pool: Pool = field(init=False)

    def submit(self, task: str, route: Route) -> Ticket:
        ticket = self.pool.submit(task, {}, SECONDS, route)
        ticket.asked = self.now
        return ticket

    def worker(self, ticket: Ticket, compiles: bool) -> Process:
        """Whoever works on a ticket, once it does."""

        def found() -> list[Process]:
            return [a.worker for a in ticket.attempts if a.compiles == compiles and a.worker]

        wait_until(found)
        return found()[0]


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    held = Held()
    monkeypatch.setattr(pool_module, "WorkerProcess", Process)
    monkeypatch.setattr(pool_module, "monotonic", lambda: held.now)
    monkeypatch.setattr(pool_module, "is_noted", lambda kernels: kernels == "known")
    monkeypatch.setattr(pool_module, "note_compiled", lambda kernels: None)
    held.pool = Pool(2, tmp_path, warms_up=False)
    wait_until(lambda: held.pool.is_up)
    yield held
    held.pool.close()


def compiling(held: Held, kernels: str, seconds: float) -> Ticket:
    """Somebody asks for machine code, a worker begins to make it, and nobody waits any more."""
    route = Route(kernels=kernels, compiling=seconds, what=f"{kernels} for 3x3")
    ticket = held.submit("compile", route)
    held.worker(ticket, compiles=True)
    wait_until(lambda: ticket.attempts[0].prepares_since is not None)
    held.pool.end(ticket, "Nobody waits.")
    return ticket


def test_who_waits_because_others_compile_is_told_and_not_charged(held: Held) -> None:
    compiling(held, "uct", 100.0)
    assert held.pool.preparing == []  # one worker is free
    other = compiling(held, "flat", 60.0)
    asked = held.submit("move", Route(kernels="known", what="optimal for 3x3"))
    [(what, seconds)] = held.pool.preparing
    assert what == "optimal for 3x3"
    held.now += 10.0
    assert held.pool.preparing == [(what, seconds - 10.0)]
    held.now += 10 * SECONDS
    assert held.pool.preparing == [(what, LEAST_LEFT)]
    assert not asked.is_late(held.now)
    held.worker(other, compiles=True).let_go()
    worker = held.worker(asked, compiles=True)
    assert not asked.is_late(held.now + SECONDS)
    assert asked.is_late(held.now + SECONDS + 1)
    assert held.pool.preparing == []
    worker.let_go()
    assert asked.future.result() == ANSWER


def test_an_interpreter_that_is_slow_is_not_late_while_the_others_compile(held: Held) -> None:
    others = [compiling(held, "uct", 100.0), compiling(held, "flat", 60.0)]
    route = Route(interpreted=True, kernels="known", interpreting=4.0, what="uct for 3x3")
    asked = held.submit("move", route)
    held.worker(asked, compiles=False)
    held.now += 2 * SECONDS
    assert not asked.is_late(held.now)
    held.worker(others[0], compiles=True).let_go()
    held.worker(asked, compiles=True)
    assert not asked.is_late(held.now + SECONDS)
    assert asked.is_late(held.now + SECONDS + 1)


def test_slow_interpreting_is_told_move_by_move(held: Held) -> None:
    """A game goes on while its kernels are compiled; nothing of the moves before is left over."""
    route = Route(interpreted=True, kernels="uct", compiling=90.0, interpreting=4.0, what="uct")
    tickets = []
    for _ in range(4):
        tickets.append(held.submit("move", route))
        interpreter = held.worker(tickets[-1], compiles=False)
        compiler = held.worker(tickets[0], compiles=True)
        assert held.pool.preparing == []
        for spent in (UNUSUAL, 2 * UNUSUAL):
            held.now += UNUSUAL
            seconds = FASTEST_PACE * route.interpreting - spent
            assert held.pool.preparing == [("uct", pytest.approx(seconds, abs=1e-3))]
        interpreter.let_go()
        assert tickets[-1].future.result() == ANSWER
        wait_until(lambda: held.pool.busy == 1)
        assert (held.pool.preparing, held.pool.waiting) == ([], 0)
    compiler.let_go()
    wait_until(lambda: held.pool.is_compiled("uct"))
    later = held.submit("move", route)
    assert [attempt.compiles for attempt in later.attempts] == [True]
    assert held.worker(later, compiles=True) is compiler


def test_a_worker_whose_server_was_killed_ends_without_a_word(tmp_path: Path) -> None:
    worker = subprocess.Popen(
        [sys.executable, "-m", "noughts.web.work.worker", str(tmp_path), "0"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, VARIABLE: NEVER},
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    assert worker.stderr is not None
    with worker.stdin, worker.stderr:
        worker.stdout.close()
        worker.stdin.write(b"1 kinds {}\n")
        worker.stdin.flush()
        assert worker.stderr.read() == b""
    assert worker.wait() == 1
