"""The page on a machine that has compiled nothing: the first true answer comes at once.

Nothing here looks at a clock: who answered is told by the answer itself.
"""

from collections.abc import Iterator

import pytest
from web_server import Served, serving, wait_until

from noughts.kernels import cache
from noughts.web.engine.pool import NOTICED
from noughts.web.engine.routes import OFFHAND, route_of_move, route_of_values
from noughts.web.engine.tickets import Route


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
