"""The page's server: playing, values, errors, and engines that can be ended."""

import json
import os
import signal
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import httpx
import numpy as np
import pytest
from web_server import Served, serving, wait_until

import noughts
from noughts.web.play import api as play_api
from noughts.web.play.routes import route_of_move

LIKE_A_CORNER = (0, 3, 12, 15, 21, 22, 25, 26, 37, 38, 41, 42, 48, 51, 60, 63)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("runs")) as server:
        yield server


def refused(response: httpx.Response, status: int = 422) -> str:
    """The sentence of a problem."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    data = response.json()
    assert data["status"] == status
    assert data["title"]
    sentence = str(data["detail"])
    assert sentence.endswith(".")
    return sentence


def test_the_page_and_the_schema_are_there(served: Served) -> None:
    for path, kind in (("/", "text/html"), ("/docs", "text/html"), ("/docs/reference.js", "")):
        response = served.client.get(path)
        assert response.status_code == 200, path
        assert kind in response.headers["content-type"]
        assert "default-src 'self'" in response.headers["content-security-policy"]
        assert "https://" not in response.text  # nothing is fetched from elsewhere
    paths = served.client.get("/openapi.json").json()["paths"]
    documented = (Path(__file__).parents[1] / "docs" / "api.md").read_text(encoding="utf-8")
    for path in paths:
        assert path in documented, f"docs/api.md does not tell of {path}"


def test_status_tells_the_limits(served: Served) -> None:
    data = served.client.get("/api/status").json()
    assert data["version"] == noughts.__version__
    assert data["workers"] == 2
    assert data["limits"]["options"]["simulations"] > 0


@pytest.mark.parametrize(
    ("spec", "sheets", "cells", "lines"),
    [
        ("3x3", 1, 9, 8),
        ("6x5:k=4", 1, 30, 39),
        ("3x3x3", 3, 27, 49),
        ("qubic", 4, 64, 76),
        ("ultimate", 9, 81, 0),
    ],
)
def test_a_game_is_described(
    served: Served, spec: str, sheets: int, cells: int, lines: int
) -> None:
    data = served.post("/api/game", game=spec).json()
    view = data["view"]
    assert (len(view["sheets"]), data["cells"], len(view["lines"])) == (sheets, cells, lines)
    assert sorted(cell for sheet in view["sheets"] for cell in sheet["cells"]) == list(range(cells))
    assert data["position"]["board"] == "." * cells


def test_exactness_is_told(served: Served) -> None:
    assert served.post("/api/game", game="4x4").json()["exact"]["ready"]
    large = served.post("/api/game", game="qubic").json()["exact"]
    assert not large["possible"]
    assert "64 cells" in large["reason"]


def test_agents_have_forms_within_the_pages_limits(served: Served) -> None:
    agents = {row["name"]: row for row in served.client.get("/api/agents").json()["agents"]}
    assert not {"human", "external"} & set(agents)
    options = {option["key"]: option for option in agents["uct"]["options"]}
    assert options["simulations"]["high"] == 200_000
    assert options["time"]["high"] == 10
    for row in agents.values():
        noughts.agent(row["suggested"])


def test_every_card_can_be_played(served: Served) -> None:
    for card in served.client.get("/api/games").json()["cards"]:
        data = served.post("/api/game", game=card["spec"]).json()
        assert (data["game"], data["view"]) == (card["spec"], card["view"])
        assert len(card["board"]) == len(card["risk"]) == data["cells"]


def test_a_history_is_told_move_by_move(served: Served) -> None:
    data = served.post(
        "/api/position", game="3x3:flip=0.25", moves=[4, 0, 8], landings=["X", "X"]
    ).json()
    kinds = [(turn["kind"], turn["chance"]) for turn in data["history"]]
    assert kinds == [("meant", 0.75), ("flip", 0.25), ("meant", 0.75)]
    assert data["position"]["board"] == "X...X...X"
    assert data["position"]["result"] == "X"
    assert data["position"]["view"]["winning_cells"] == [0, 4, 8]
    assert [position["ply"] for position in data["positions"]] == [0, 1, 2, 3]


def test_a_start_is_read(served: Served) -> None:
    text = noughts.game("ultimate").start().play(40).to_text()
    data = served.post("/api/position", game="ultimate", start=text).json()["position"]
    assert data["view"]["forced"] == 4
    assert data["view"]["owners"] == ["."] * 9
    assert data["moves"] == [36, 37, 38, 39, 41, 42, 43, 44]


def test_a_clock_with_many_ticks_lists_no_moves(served: Served) -> None:
    game = "3x3:hazard=0.2,limit=10,ticks=500"
    data = served.post("/api/position", game=game).json()["position"]
    assert data["moves"] is None
    assert data["longest_wait"] == 500
    after = served.post("/api/play", game=game, move=4 + 9 * 7, seed=1).json()
    assert after["turn"]["wait"] == 7
    assert after["position"]["tick"] == 7


def test_a_seed_decides_the_landing(served: Served) -> None:
    def land(seed: int) -> str:
        answer = served.post("/api/play", game="3x3:flip=0.5", move=4, seed=seed)
        return str(answer.json()["turn"]["landing"])

    landings = [land(seed) for seed in range(20)]
    assert landings == [land(seed) for seed in range(20)]
    assert set(landings) == {"X", "O"}
    forced = served.post("/api/play", game="3x3:flip=0.5", move=4, landing="O").json()
    assert forced["turn"]["kind"] == "flip"
    assert forced["outcomes"] == [
        {"landing": "X", "chance": 0.5},
        {"landing": "O", "chance": 0.5},
    ]


@pytest.mark.parametrize("agent", ["random", "heuristic:depth=2", "uct:simulations=50", "optimal"])
def test_an_agent_moves_alike_from_the_same_seed(served: Served, agent: str) -> None:
    answers = [
        served.post("/api/move", game="3x3", moves=[4], agent=agent, seed=3).json()
        for _ in range(3)
    ]
    assert len({answer["turn"]["move"] for answer in answers}) == 1
    assert answers[0]["agent"] == str(noughts.agent(agent))
    assert answers[0]["position"]["ply"] == 2


def test_values_come_from_the_exact_table(served: Served) -> None:
    data = served.post("/api/values", game="3x3", moves=[4]).json()
    exact = noughts.solve("3x3").values(noughts.game("3x3").start().play(4))
    assert {row["move"]: row["value"] for row in data["values"]} == exact
    assert data["exact"]
    assert data["best"] == [0, 2, 6, 8]
    assert all(row["best"] == (row["move"] in data["best"]) for row in data["values"])


def test_values_of_a_clock_have_one_move_per_cell(served: Served) -> None:
    data = served.post("/api/values", game="3x3:hazard=0.2,limit=10,ticks=20").json()
    assert [row["cell"] for row in data["values"]] == list(range(9))


def test_a_forced_win_is_proven_with_its_line(served: Served) -> None:
    data = served.post("/api/values", game="3x3x3").json()
    assert data["value"] == 1.0
    assert data["exact"]
    assert data["best"][0] == 13


def test_sixteen_cells_win_qubic_on_the_page(served: Served) -> None:
    data = served.post("/api/values", game="qubic").json()
    wins = [row for row in data["values"] if row["value"] == 1.0]
    assert tuple(row["cell"] for row in wins) == LIKE_A_CORNER
    assert all(row["exact"] and row["known"] == "certificate" for row in wins)
    assert sorted(data["best"]) == list(LIKE_A_CORNER)
    assert (data["value"], data["exact"]) == (1.0, True)
    assert data["source"] == "the certificate of a proof"
    for row in data["values"]:
        assert row["low"] <= row["value"] <= row["high"]
        assert row["exact"] == (row["low"] == row["high"])


def test_the_first_moves_of_the_cube_are_known_on_the_page(served: Served) -> None:
    data = served.post("/api/values", game="3x3x3").json()
    assert all(row["exact"] for row in data["values"])
    assert {row["cell"]: row["value"] for row in data["values"]} == {
        cell: 1.0 if cell == 13 else -1.0 for cell in range(27)
    }


def test_the_curve_of_a_perfect_game_of_qubic_stays_at_one(served: Served) -> None:
    agent, rng = noughts.agent("optimal"), np.random.default_rng(2)
    position, moves = noughts.game("qubic").start(), []
    while position.result is None:
        is_x = position.turn == "X"
        moves.append(agent.choose(position, rng) if is_x else int(rng.choice(position.moves)))
        position = position.play(moves[-1])
    data = served.post("/api/analysis", game="qubic", moves=moves).json()
    assert {(point["value"], point["exact"]) for point in data["curve"]} == {(1.0, True)}
    assert {point["turn"] for point in data["curve"]} == {"X", "O"}
    assert {(move["regret"], move["exact"]) for move in data["moves"]} == {(0.0, True)}
    assert data["exact"]


def test_what_is_not_known_is_no_exact_regret(served: Served) -> None:
    """Cell 1 is no image of the certificate's: what it loses is an estimate, and said to be."""
    data = served.post("/api/analysis", game="qubic", moves=[1]).json()
    assert not data["moves"][0]["exact"]
    assert not data["exact"]
    other = served.post("/api/analysis", game="qubic", moves=[63]).json()
    assert (other["moves"][0]["regret"], other["moves"][0]["exact"]) == (0.0, True)


def test_an_agent_may_be_asked_for_its_own_opinion(served: Served) -> None:
    data = served.post("/api/values", game="3x3", agent="uct:simulations=50").json()
    assert data["agent"] == "uct:simulations=50"
    assert not data["exact"]
    assert {row["known"] for row in data["values"]} == {None}


def test_regret_is_told_after_the_game(served: Served) -> None:
    data = served.post("/api/analysis", game="3x3", moves=[4, 1, 0, 2, 8]).json()
    assert [move["regret"] for move in data["moves"]] == [0, 1, 0, 0, 0]
    assert data["costliest"] == {"X": [], "O": [1]}
    assert [point["value"] for point in data["curve"]] == [0, 0, 1, 1, 1, 1]


def test_luck_is_nobodys_regret(served: Served) -> None:
    moves = served.post("/api/analysis", game="3x3:flip=0.1", moves=[4], landings=["O"]).json()
    first = moves["moves"][0]
    assert first["regret"] == 0.0
    assert first["luck"] < 0.0


def test_a_record_goes_out_and_comes_back(served: Served, tmp_path: Path) -> None:
    place = {"game": "3x3:flip=0.5", "moves": [4, 1, 0], "landings": ["X", "X", "O"]}
    file = served.post("/api/replay/write", **place, seats={"X": "you", "O": "uct"}).json()
    path = tmp_path / file["name"]
    path.write_text(file["text"], encoding="utf-8")
    from noughts.arena import read_records, replay

    assert replay(read_records(path)[0])[-1].board == "OX..X...."
    back = served.post("/api/replay/read", text=file["text"]).json()["games"][0]
    assert {key: back[key] for key in place} == place
    assert back["reason"] == "the game was left unfinished"
    damaged = file["text"].replace("[4, 1, 0]", "[4, 1, 2]")
    assert "damaged" in refused(served.post("/api/replay/read", text=damaged))


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/api/game", {"game": "3x"}, "is not a game"),
        ("/api/game", {"game": "99x99"}, "out of range"),
        ("/api/game", {"game": "3x3:hazard=1,limit=1,ticks=90000"}, "Take fewer ticks"),
        ("/api/position", {"game": "3x3", "moves": [4, 4]}, "Cell 4 holds X"),
        ("/api/position", {"game": "3x3", "moves": [4], "landings": ["O"]}, "cannot land"),
        ("/api/position", {"game": "3x3", "moves": [], "landings": ["O"]}, "landings for 0"),
        ("/api/position", {"game": "3x3:fade=0.1", "moves": [4], "landings": ["X:400"]}, "fade"),
        ("/api/position", {"game": "3x3", "start": "XX"}, "9"),
        ("/api/position", {"game": "3x3", "moves": [0] * 1001}, "moves"),
        ("/api/position", {"game": "3x3", "move": 4}, "move"),
        ("/api/play", {"game": "3x3", "move": 9}, "not on the board"),
        ("/api/move", {"game": "3x3", "agent": "nobody"}, "is not an agent"),
        ("/api/move", {"game": "3x3", "agent": "human"}, "A person sits at the page"),
        ("/api/move", {"game": "3x3", "agent": "external:command=ls"}, "not started from a page"),
        ("/api/move", {"game": "3x3", "agent": "uct:simulations=999999999"}, "200000"),
        ("/api/move", {"game": "3x3", "agent": "alphabeta:time=60"}, "0.001 to 10"),
        ("/api/move", {"game": "ultimate", "agent": "optimal"}, "not a line game"),
        ("/api/move", {"game": "3x3", "agent": "learner:run=/etc/passwd"}, "outside the folders"),
        ("/api/move", {"game": "3x3", "agent": "learner:run=../x"}, "outside the folders"),
        ("/api/move", {"game": "3x3", "moves": [0, 3, 1, 4, 2], "agent": "random"}, "over"),
        ("/api/values", {"game": "3x3", "agent": "random"}, "has no values"),
        ("/api/values", {"game": "3x3", "moves": [0, 3, 1, 4, 2]}, "over"),
        ("/api/replay/write", {"game": "3x3", "seats": {"X": "you"}}, "seats"),
        ("/api/replay/read", {"text": "\n \n"}, "no games"),
        ("/api/replay/read", {"text": "{}"}, "Line 1"),
    ],
)
def test_wrong_input_is_one_sentence(
    served: Served, path: str, body: dict[str, object], words: str
) -> None:
    assert words in refused(served.client.post(path, json=body))


def test_requests_that_are_no_json_are_refused(served: Served) -> None:
    kind = {"content-type": "application/json"}
    refused(served.client.post("/api/game", content=b"{", headers=kind), 400)
    refused(served.client.post("/api/game", content=b"{}", headers={"content-type": "x/y"}), 415)
    large = json.dumps({"text": "x" * 2_100_000}).encode()
    refused(served.client.post("/api/replay/read", content=large, headers=kind), 413)
    pieces = (large[i : i + 500_000] for i in range(0, len(large), 500_000))
    refused(served.client.post("/api/replay/read", content=pieces, headers=kind), 413)
    refused(served.client.get("/api/nothing"), 404)
    refused(served.client.get("/api/move"), 405)


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "127.0.0.1.evil.example"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_other_sites_are_refused(served: Served, headers: dict[str, str]) -> None:
    response = served.client.post("/api/game", json={"game": "3x3"}, headers=headers)
    refused(response, 403)


def test_the_page_itself_may_ask(served: Served) -> None:
    headers = {"origin": served.address, "sec-fetch-site": "same-origin"}
    response = served.client.post("/api/game", json={"game": "3x3"}, headers=headers)
    assert response.status_code == 200


SLOW = {"game": "ultimate", "agent": "uct:time=10", "seed": 1}


def ask_slowly(served: Served) -> HTTPConnection:
    """A client that has asked and waits, until it closes its end."""
    client = HTTPConnection(served.address.removeprefix("http://"))
    client.request("POST", "/api/move", json.dumps(SLOW), {"content-type": "application/json"})
    return client


def compile_slow(served: Served) -> None:
    """Let a worker compile and load what SLOW needs: who prepares it is left alone for long."""
    pool, route = served.app.state.pool, route_of_move(SLOW["agent"], SLOW["game"])
    while not any(route.kernels in worker.loaded for worker in pool._workers):
        served.post("/api/move", **SLOW | {"agent": "uct:simulations=50000"})
    wait_until(lambda: pool.busy == 0)


def test_a_slow_agent_leaves_room_and_ends_with_its_client(served: Served) -> None:
    compile_slow(served)
    pool = served.app.state.pool
    clients = [ask_slowly(served)]
    wait_until(lambda: pool.processes)
    os.kill(pool.processes[0].pid, signal.SIGSTOP)  # it thinks until somebody ends it
    clients += [ask_slowly(served) for _ in range(2)]
    wait_until(lambda: pool.busy == 1 and pool.waiting == 2)  # one worker stays free
    assert served.post("/api/move", game="3x3", agent="random").status_code == 200
    for client in clients:
        client.close()
    wait_until(lambda: pool.busy == 0 and pool.waiting == 0)
    assert served.post("/api/move", game="3x3", agent="random").status_code == 200


def test_a_worker_that_dies_is_replaced(served: Served) -> None:
    compile_slow(served)
    pool = served.app.state.pool
    client = ask_slowly(served)
    wait_until(lambda: pool.processes)
    for process in pool.processes:
        process.kill()
    answer = client.getresponse()
    assert answer.status == 422
    assert "stopped unexpectedly" in json.load(answer)["detail"]
    client.close()
    assert served.post("/api/move", game="3x3", agent="random").status_code == 200


def test_work_that_takes_too_long_is_ended(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    # However slow the machine: the agent thinks for ten seconds, which is longer.
    monkeypatch.setattr(play_api, "MOVE_SECONDS", 0.3)
    assert "took longer than 0.3 s" in refused(served.post("/api/move", **SLOW))
    wait_until(lambda: served.app.state.pool.busy == 0)


def test_a_search_thinks_aloud_and_is_left_at_any_word(served: Served) -> None:
    compile_slow(served)
    asked = {"game": "ultimate", "agent": "uct:simulations=200000"}
    with served.client.stream("POST", "/api/values/stream", json=asked) as response:
        first = json.loads(next(response.iter_lines()))
    assert not first["final"]
    assert len(first["values"]) == 81
    assert all(row["spread"] > 0.0 for row in first["values"])
    wait_until(lambda: served.app.state.pool.busy == 0)


def test_a_stream_refuses_as_every_address_does(served: Served) -> None:
    over = {"game": "3x3", "moves": [4, 1, 0, 2, 8]}
    assert "over" in refused(served.post("/api/values/stream", **over))
    assert "not a game" in refused(served.post("/api/values/stream", game="nonsense"))


def test_a_full_queue_says_so(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    from noughts.web.engine import pool

    monkeypatch.setattr(pool, "MOST_WAITING", 0)
    for path, agent in (("/api/move", "random"), ("/api/values/stream", "auto")):
        response = served.post(path, game="3x3", agent=agent)
        refused(response, 429)
        assert int(response.headers["retry-after"]) > 0


def test_a_table_learns_from_a_person(served: Served) -> None:
    assert "begin one" in refused(served.client.get("/api/learn/mine"), 404)
    table = served.client.put("/api/learn/mine", json={"game": "3x3"}).json()
    assert (table["games"], table["step_size"], table["learned"]) == (0, 1.0, 0)
    move = served.post("/api/learn/mine/move", game="3x3", moves=[4], seed=3).json()
    assert move["turn"]["turn"] == "O"
    assert {row["value"] for row in move["values"]} == {0.5}
    lesson = served.post("/api/learn/mine/games", game="3x3", moves=[4, 1, 0, 2, 8]).json()
    assert lesson["result"] == "X"
    moved = [(c["ply"], c["seat"], c["before"], c["after"]) for c in lesson["changes"]]
    assert moved == [(0, "X", 0.5, 1.0), (1, "O", 0.5, 0.0), (2, "X", 0.5, 1.0), (3, "O", 0.5, 0.0)]
    table = lesson["table"]
    assert table["games"] == 1
    assert table["step_size"] == pytest.approx(0.99)
    assert table["first"] == lesson["before"] != lesson["after"] == table["strength"]
    for seat in ("X", "O"):
        for odds in table["strength"][seat].values():
            assert sum(odds.values()) == pytest.approx(1.0)
    assert served.client.get("/api/learn/mine").json() == table
    constant = served.client.patch("/api/learn/mine", json={"step": "constant"}).json()
    assert (constant["step_size"], constant["games"]) == (0.4, 1)
    assert {"name": "mine"} in served.client.get("/api/learn").json()["tables"]
    assert served.client.delete("/api/learn/mine").status_code == 204
    refused(served.client.delete("/api/learn/mine"), 404)


def test_a_table_refuses_what_it_cannot_learn(served: Served) -> None:
    assert "up to 12 cells" in refused(served.client.put("/api/learn/big", json={"game": "4x4"}))
    served.client.put("/api/learn/other", json={"game": "3x3"})
    place = {"game": "3x3:misere", "moves": [4, 1, 0, 2, 8]}
    assert "learns 3x3" in refused(served.post("/api/learn/other/games", **place))
    assert "not over" in refused(served.post("/api/learn/other/games", game="3x3", moves=[4]))
    over = {"game": "3x3", "moves": [4, 1, 0, 2, 8]}
    assert "over" in refused(served.post("/api/learn/other/move", **over))
    refused(served.client.put("/api/learn/..%2fx", json={"game": "3x3"}), 404)
    refused(served.client.put("/api/learn/UPPER", json={"game": "3x3"}))
