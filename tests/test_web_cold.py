"""The page on a machine that has compiled nothing: the first true answer comes at once.

Nothing here looks at a clock: who answered is told by the answer itself.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from web_server import Served, serving, wait_until

from noughts.kernels import cache
from noughts.warm import STEPS
from noughts.web.engine import ahead
from noughts.web.engine import pool as pool_module
from noughts.web.engine.pool import NOTICED
from noughts.web.engine.tickets import Attempt, Route, Ticket
from noughts.web.play.routes import ESTIMATE, OFFHAND, route_of_move, route_of_values


@pytest.fixture(scope="module")
def cold(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with an empty cache of kernels, and with no tables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOUGHTS_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("NOUGHTS_HOME", str(tmp_path_factory.mktemp("home")))  # and without tables
        cache.kernel_cache_folder.cache_clear()
        with serving(tmp_path_factory.mktemp("runs"), workers=1) as served:
            yield served
    cache.kernel_cache_folder.cache_clear()


KNOWN_AT_ONCE = ("3x3", "3x3:misere", "4x4", "3x3x3", "qubic")  # tables, theorems, a certificate
CARDS = ("3x3", "4x4", "4x4:flip=0.1", "3x3x3", "qubic", "ultimate", "3x3:misere")


def test_a_first_move_is_interpreted_and_a_later_one_compiled(cold: Served) -> None:
    asked = {"game": "3x3", "moves": [4], "agent": "uct:simulations=60", "seed": 3}
    first = cold.post("/api/move", **asked).json()
    assert first["compiled"] is False
    pool, route = cold.app.state.pool, route_of_move(asked["agent"], "3x3")
    wait_until(lambda: pool.is_compiled(route.kernels))
    later = cold.post("/api/move", **asked).json()
    assert later["compiled"] is True
    assert (first["turn"], first["position"]) == (later["turn"], later["position"])


@pytest.mark.parametrize("game", CARDS)
def test_every_card_has_values_at_once(cold: Served, game: str) -> None:
    told = cold.post("/api/values", game=game, quick=True).json()
    assert told["compiled"] is False
    assert told["exact"] == (game in KNOWN_AT_ONCE)
    assert bool(told["best"]) == told["exact"]  # nothing is crowned from a few samples
    assert len(told["values"]) == len({row["move"] for row in told["values"]}) > 0


def test_values_come_line_by_line_each_better(cold: Served) -> None:
    asked = {"game": "4x4:flip=0.1", "agent": "auto"}
    with cold.client.stream("POST", "/api/values/stream", json=asked) as response:
        assert response.headers["content-type"] == "application/x-ndjson"
        lines = [json.loads(line) for line in response.iter_lines()]
    first, last = lines[0], lines[-1]
    assert [line["final"] for line in lines] == [False] * (len(lines) - 1) + [True]
    assert (first["compiled"], first["exact"], first["best"]) == (False, False, [])
    assert int(first["effort"].removesuffix(" simulations")) >= 16
    assert (last["compiled"], last["exact"], last["effort"]) == (True, True, "")
    whole = cold.post("/api/values", **asked).json()
    assert whole["values"] == last["values"]


def test_what_only_machine_code_can_answer_is_said_to_be_prepared(cold: Served) -> None:
    pool = cold.app.state.pool
    route = route_of_move("minimax", "3x3")
    assert not route.interpreted
    ticket = pool.submit(
        "move", {"game": "3x3", "moves": [4], "agent": "minimax", "seed": 1}, 600.0, route
    )
    wait_until(lambda: pool.preparing or ticket.future.done())
    if not ticket.future.done():  # a machine may be that fast
        told = cold.client.get("/api/status").json()
        assert [row["what"] for row in told["preparing"]] in (["minimax for 3x3"], [])
        assert all(row["seconds"] >= 1.0 for row in told["preparing"])
    status, _ = ticket.future.result(timeout=600)
    assert status == 200
    assert pool.preparing == []
    assert pool.is_compiled(route.kernels)


def test_forms_and_tables_need_no_kernel(cold: Served) -> None:
    kinds = cold.client.get("/api/jobs/kinds").json()["kinds"]
    assert {"match", "solve"} <= {kind["kind"] for kind in kinds}
    table = cold.client.put("/api/learn/cold", json={"game": "3x3"}).json()
    assert (table["games"], table["strength"], table["curve"]) == (0, None, [])
    move = cold.post("/api/learn/cold/move", game="3x3", moves=[4], seed=3).json()
    assert move["turn"]["turn"] == "O"
    measured = cold.client.get("/api/learn/cold").json()
    assert set(measured["strength"]) == {"X", "O"}
    assert cold.client.get("/api/learn/cold").json() == measured


def test_forms_wait_for_nobody(cold: Served) -> None:
    """Not even while the interpreter is at work."""
    pool = cold.app.state.pool
    wait_until(lambda: pool.forms is not None)
    thinking = {"game": "ultimate", "moves": [], "agent": "uct:simulations=100000", "seed": 1}
    ticket = pool.submit("move", thinking, 600.0, OFFHAND)
    kinds = cold.client.get("/api/jobs/kinds").json()["kinds"]
    assert not ticket.future.done()
    assert {"match", "solve"} <= {kind["kind"] for kind in kinds}
    pool.end(ticket, "Nobody waits.", is_late=True)
    wait_until(lambda: pool.busy == 0)


def test_long_work_is_told_even_where_nothing_is_to_be_compiled(cold: Served) -> None:
    """A worker that does not have the table must solve the game, and a person waits for it."""
    assert route_of_move("uct", "4x4:flip=0.1").working == 0.0
    assert route_of_move("optimal", "3x3").working < NOTICED
    route = route_of_move("optimal", "4x4:flip=0.1")
    assert NOTICED < route.working < 3.0
    pool = cold.app.state.pool
    asked = {"game": "4x4:flip=0.1", "moves": [], "agent": "optimal", "seed": 1}
    known = Route(working=route.working, what=route.what)  # nothing is to be compiled for it
    ticket = pool.submit("move", asked, 600.0, known)
    told = dict(pool.preparing)
    assert list(told) == [route.what] or ticket.future.done()
    pool.end(ticket, "Nobody waits.", is_late=True)
    assert pool.preparing == []
    wait_until(lambda: pool.busy == 0)


def test_the_interpreter_is_never_asked_to_sweep_a_large_table() -> None:
    for game in ("4x4", "4x4:flip=0.1", "3x3:fade=0.1", "3x5:k=4"):
        assert not route_of_values("auto", game, is_quick=False).interpreted
        assert not route_of_move("optimal", game).interpreted
    assert route_of_values("auto", "3x3", is_quick=False).interpreted


def test_an_answer_that_nobody_awaits_ends_no_worker(cold: Served) -> None:
    """A page that moves on drops its requests; what they compile is needed next."""
    pool = cold.app.state.pool
    route = route_of_move("optimal", "3x3:misere")
    assert route.compiled
    assert route.interpreted
    ticket = pool.submit(
        "move", {"game": "3x3:misere", "moves": [], "agent": "optimal", "seed": 1}, 600.0, route
    )
    wait_until(lambda: pool.busy or ticket.future.done())
    before = pool.processes
    pool.end(ticket, "Nobody waits.")
    assert ticket.future.result()[0] in (200, 422)
    wait_until(lambda: pool.busy == 0)
    assert all(process.poll() is None for process in before)


def test_who_is_told_to_stop_stays_warm(cold: Served) -> None:
    """A search hears between two batches; its process is there for the next request."""
    pool = cold.app.state.pool
    thinking = {"game": "ultimate", "moves": [], "agent": "uct:time=10", "seed": 1}
    ticket = pool.submit("move", thinking, 600.0, OFFHAND)
    wait_until(lambda: pool.processes)
    [worker] = pool.processes
    pool.end(ticket, "Nobody waits.")
    wait_until(lambda: pool.busy == 0)
    assert worker.poll() is None
    quick = pool.submit("values", {"game": "3x3", "agent": "auto", "quick": True}, 600.0, OFFHAND)
    assert quick.future.result()[0] == 200
    assert worker.poll() is None


def test_who_does_not_listen_is_replaced(cold: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = cold.app.state.pool
    monkeypatch.setattr(pool_module, "DEAF_SECONDS", 0.1)
    asked = {"game": "3x4", "moves": [], "agent": "minimax", "seed": 1}
    ticket = pool.submit("move", asked, 600.0, OFFHAND)
    wait_until(lambda: pool.processes)
    [deaf] = pool.processes
    pool.end(ticket, "Nobody waits.")
    wait_until(lambda: pool.busy == 0)
    assert deaf.wait(timeout=600) != 0
    quick = pool.submit("values", {"game": "3x3", "agent": "auto", "quick": True}, 600.0, OFFHAND)
    assert quick.future.result()[0] == 200


def test_a_first_estimate_lets_others_go_first(cold: Served) -> None:
    pool = cold.app.state.pool
    asked = {"game": "ultimate", "agent": "uct:time=10"}
    estimate = pool.submit("values", asked, 600.0, ESTIMATE)
    wait_until(lambda: pool.processes)
    [worker] = pool.processes
    move = {"game": "3x3", "moves": [], "agent": "random", "seed": 1}
    assert pool.submit("move", move, 600.0, OFFHAND).future.result()[0] == 200
    wait_until(lambda: pool.processes == [worker])  # it thinks again
    assert not estimate.future.done()
    pool.end(estimate, "Nobody waits.")
    wait_until(lambda: pool.busy == 0)
    assert worker.poll() is None


def test_what_nobody_asked_for_is_compiled_ahead_by_who_gives_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Process:
        """Ends at its first work, and then does what it is told."""

        made: ClassVar[list["Process"]] = []

        def __init__(self, runs: Path, compiles: bool, niceness: int) -> None:
            self.asked: list[str] = []
            assert (runs, compiles, niceness > 0) == (tmp_path, True, True)
            self.made.append(self)

        def ask(self, number: int, task: str, payload: bytes) -> tuple[int, bytes] | None:
            self.asked.append(json.loads(payload)["agent"])
            return None if len(self.made) == 1 else (200, b"{}")

        def bury(self) -> None:
            self.asked.append("buried")

    monkeypatch.setattr(ahead, "WorkerProcess", Process)
    noted: list[str] = []
    has = {STEPS[2].work.kernels, STEPS[3].work.kernels}  # somebody was asked for these
    thread = ahead.Ahead(tmp_path, has.__contains__, noted.append)
    thread.run()
    assert thread.is_over
    assert [process.asked for process in Process.made] == [
        [STEPS[0].agent, "buried"],
        [STEPS[1].agent, *(step.agent for step in STEPS[4:]), "buried"],
    ]
    assert noted == [step.work.kernels for step in (STEPS[1], *STEPS[4:])]


def test_making_machine_code_is_not_charged() -> None:
    ticket = Ticket("move", b"{}", 30.0, Route())
    attempt = Attempt(ticket, compiles=True, began=100.0)
    ticket.attempts.append(attempt)
    attempt.prepare(is_begin=True, now=101.0)
    attempt.prepare(is_begin=True, now=110.0)  # a kernel inside of another
    attempt.prepare(is_begin=False, now=150.0)
    assert not ticket.is_late(900.0)
    attempt.prepare(is_begin=False, now=901.0)
    assert attempt.spent(930.0) == 30.0
    assert not ticket.is_late(930.0)
    assert ticket.is_late(930.5)
