"""The Lab: jobs in processes of their own, their events, and runs of the command line too."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import openpyxl
import pytest
from web_server import AGES, Served, serving, wait_until

import noughts
from noughts.web.lab.jobs import Jobs
from noughts.web.lab.plans import carry_out, plan_job, plan_of_config
from noughts.web.problems import Problem


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("runs"), workers=1) as server:
        yield server


def start(served: Served, kind: str, **options: Any) -> dict[str, Any]:
    response = served.post("/api/jobs", kind=kind, options=options)
    assert response.status_code == 201, response.text
    run: dict[str, Any] = response.json()
    return run


def events(served: Served, id: str) -> list[tuple[str, dict[str, Any]]]:
    """All events of a run, to its end."""
    found, name = [], ""
    with served.client.stream("GET", f"/api/jobs/{id}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        for line in stream.iter_lines():
            key, _, rest = line.partition(": ")
            if key == "event":
                name = rest
            elif key == "data":
                found.append((name, json.loads(rest)))
    return found


def look(served: Served, id: str) -> dict[str, Any]:
    run: dict[str, Any] = served.client.get(f"/api/jobs/{id}").json()
    return run


def test_forms_are_made_from_typed_descriptions(served: Served) -> None:
    kinds = {row["kind"]: row for row in served.client.get("/api/jobs/kinds").json()["kinds"]}
    assert set(kinds) == {"match", "tournament", "solve", "study", "train"}
    fields = {field["key"]: field for field in kinds["match"]["fields"]}
    assert fields["games"]["kind"] == "whole"
    studies = {variant["name"]: variant for variant in kinds["study"]["variants"]}
    assert "danger-curve" in studies
    steps = next(f for f in studies["danger-curve"]["fields"] if f["key"] == "steps")
    assert (steps["kind"], steps["default"]) == ("whole", 100)
    assert "table" in {variant["name"] for variant in kinds["train"]["variants"]}


def test_a_match_runs_to_its_end_with_events(served: Served) -> None:
    run = start(served, "match", first="random", second="fixed", games=60, seed=7)
    told = events(served, run["id"])
    assert [name for name, _ in told].count("end") == 1
    end = told[-1][1]
    assert (told[-1][0], end["state"], end["done"]) == ("end", "done", 60)
    expected = noughts.match("3x3", "random", "fixed", games=60, seed=7)
    pair = end["partial"]["pairs"][0]
    counts = (pair["wins"], pair["draws"], pair["losses"])
    assert counts == (expected.wins, expected.draws, expected.losses)
    assert pair["low"] <= pair["score"] <= pair["high"]
    assert "scored" in end["partial"]["answers"][0]
    names = {table["name"] for table in end["partial"]["tables"]}
    assert names == {"results", "efforts"}
    paths = {file["path"] for file in look(served, run["id"])["files"]}
    assert {"report.html", "tables/results.csv", "tables/results.xlsx", "log.jsonl"} <= paths


def test_a_tournament_can_be_downloaded(served: Served, tmp_path: Path) -> None:
    run = start(served, "tournament", agents=["random", "fixed", "fixed:weights=2"], games=4)
    assert events(served, run["id"])[-1][1]["state"] == "done"
    base = f"/api/jobs/{run['id']}/files"
    workbook = served.client.get(f"{base}/tournament.xlsx?download=1")
    assert "attachment" in workbook.headers["content-disposition"]
    (tmp_path / "t.xlsx").write_bytes(workbook.content)
    rows = openpyxl.load_workbook(tmp_path / "t.xlsx").worksheets[0].iter_rows(values_only=True)
    assert next(iter(rows))[0] == "Algorithm1"
    report = served.client.get(f"{base}/report.html")
    assert "sandbox" in report.headers["content-security-policy"]
    assert report.text.startswith("<!doctype html>")
    assert len(look(served, run["id"])["partial"]["pairs"]) == 3


def test_a_solve_gives_exact_values(served: Served) -> None:
    run = start(served, "solve", game="3x3:flip=0.1")
    end = events(served, run["id"])[-1][1]
    assert end["state"] == "done"
    value = noughts.solve("3x3:flip=0.1").value(noughts.game("3x3:flip=0.1").start())
    assert end["partial"]["facts"]["value"] == value
    table = end["partial"]["tables"][0]
    assert (table["name"], len(table["rows"])) == ("values", 9)


def test_training_draws_curves(served: Served) -> None:
    run = start(served, "train", name="table", games=200, checkpoints=2)
    end = events(served, run["id"])[-1][1]
    assert end["state"] == "done"
    curves = {curve["name"]: curve["points"] for curve in end["partial"]["curves"]}
    assert curves["X wins"][-1][0] == 200
    agent = end["partial"]["facts"]["agent"]
    assert served.post("/api/move", game="3x3", agent=agent).status_code == 200


def test_a_job_is_cancelled_resumed_and_deleted(served: Served) -> None:
    run = start(served, "match", first="uct:simulations=3000", second="random", games=20_000)
    id = run["id"]
    wait_until(lambda: look(served, id)["done"] > 0)
    assert served.client.delete(f"/api/jobs/{id}").status_code == 409
    stopped = served.client.post(f"/api/jobs/{id}/cancel").json()
    assert (stopped["state"], stopped["can_resume"]) == ("stopped", True)
    lines = len((served.runs / id / "log.jsonl").read_text(encoding="utf-8").splitlines())
    assert served.client.post(f"/api/jobs/{id}/cancel").status_code == 409
    again = served.client.post(f"/api/jobs/{id}/resume").json()
    assert again["state"] == "running"
    assert served.client.post(f"/api/jobs/{id}/resume").status_code == 409
    wait_until(lambda: look(served, id)["done"] > lines)  # it goes on where it was
    served.client.post(f"/api/jobs/{id}/cancel")
    assert served.client.delete(f"/api/jobs/{id}").status_code == 204
    assert not (served.runs / id).exists()
    assert served.client.get(f"/api/jobs/{id}").status_code == 404


def test_a_run_that_the_command_line_began_goes_on_here(served: Served) -> None:
    class Enough(Exception):
        pass

    def stop(done: int, total: int, text: str) -> None:
        if done == 3:
            raise Enough

    folder = served.runs / "match-77"
    with pytest.raises(Enough):
        noughts.match("3x3", "random", "fixed", games=9, seed=5, folder=folder, progress=stop)
    runs = {run["id"]: run for run in served.client.get("/api/jobs").json()["runs"]}
    run = runs["match-77"]
    assert (run["kind"], run["from_page"], run["done"], run["total"]) == ("match", False, 3, 9)
    os.utime(folder / "log.jsonl", (1, 1))  # nobody has written to it for long
    assert look(served, "match-77")["state"] == "stopped"
    assert served.client.post("/api/jobs/match-77/resume").status_code == 200
    end = events(served, "match-77")[-1][1]
    assert (end["state"], end["done"]) == ("done", 9), end["message"]
    whole = noughts.match("3x3", "random", "fixed", games=9, seed=5)
    assert end["partial"]["pairs"][0]["wins"] == whole.wins


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("tournament", {"agents": ["random", "fixed"], "games": 2, "move_time": 1.5}),
        ("study", {"name": "danger-curve", "quick": True}),
        ("study", {"name": "opening-atlas", "quick": True}),
        ("train", {"name": "table", "r3": True, "games": 5, "opponent": "random"}),
        ("solve", {"game": "3x3", "method": "value-iteration"}),
    ],
)
def test_every_config_is_read_back(
    kind: str, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Begun(Exception):
        pass

    def stop(*_: object) -> None:
        raise Begun

    from noughts.report.run import Run

    plan = plan_job(kind, options, tmp_path)
    folder = tmp_path / "run"
    monkeypatch.setattr(Run, "stream", stop)  # the config is written, nothing is played
    monkeypatch.setattr("noughts.learn.frame.training._take_up", stop)
    with pytest.raises(Begun):
        carry_out(plan, folder, stop)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    again = plan_of_config(config, tmp_path)
    assert (again["kind"], again["command"]) == (plan["kind"], plan["command"])
    with pytest.raises(Begun):  # the same folder takes it: the config is the same
        carry_out(again, folder, stop)


def test_runs_of_the_command_line_are_listed(served: Served) -> None:
    noughts.match("3x3", "random", "fixed", games=6, seed=1, folder=served.runs / "match-99")
    run = look(served, "match-99")
    assert (run["kind"], run["state"], run["done"], run["total"]) == ("match", "done", 6, 6)
    assert run["partial"]["pairs"][0]["games"] == 6
    assert not run["from_page"]


def test_a_server_that_stops_leaves_runs_that_go_on(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path, at_once=1)
    options = {"game": "3x3", "first": "random", "second": "random", "games": 10**6, "seed": 1}
    options |= {"openings": None, "move_time": None, "jobs": 1}
    plan = {"kind": "match", "name": "match", "title": "", "command": "", "options": options}
    first, second = jobs.start(plan), jobs.start(plan)
    assert (first["state"], second["state"]) == ("running", "waiting")
    jobs.close()
    later = Jobs(tmp_path, at_once=1)
    assert [run["state"] for run in later.listed()] == ["stopped", "stopped"]
    assert all(run["can_resume"] for run in later.listed())
    assert later.take_up() == ["match-1", "match-2"]
    assert {run["id"]: run["state"] for run in later.listed()} == {
        "match-1": "running",
        "match-2": "waiting",
    }
    wait_until(lambda: later.describe("match-1")["done"] > 0)
    other = Jobs(tmp_path, at_once=1)  # a second server on the same folders has nothing to do
    assert other.take_up() == []
    for id in ("match-1", "match-2"):
        with pytest.raises(Problem) as refused:
            other.delete(id)
        assert refused.value.status == 409
        with pytest.raises(Problem) as refused:
            other.resume(id, plan)
        assert refused.value.status == 409
    later.cancel("match-1")
    later.cancel("match-2")
    assert Jobs(tmp_path, at_once=1).take_up() == []  # who stopped them meant it


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        ("nothing", {}, "is not a kind of job"),
        ("match", {"first": "external:command=ls"}, "not started from a page"),
        ("match", {"first": "human"}, "A person sits at the page"),
        ("match", {"games": 0}, "whole number from 1"),
        ("match", {"games": "many"}, "games"),
        ("match", {"gmaes": 3}, "has no option 'gmaes'"),
        ("match", {"game": "3x3:flip=0.1", "first": "minimax"}, "without risk"),
        ("tournament", {"agents": ["random"]}, "2 to 12"),
        ("tournament", {"agents": ["random", "random"]}, "twice"),
        ("solve", {"game": "ultimate"}, "not a line game"),
        ("solve", {"method": "magic"}, "is not known"),
        ("study", {}, "name is a text"),
        ("study", {"name": "nothing"}, "is not a study"),
        ("study", {"name": "danger-curve", "steps": -1}, "steps"),
        ("train", {"name": "table", "game": "ultimate"}, "table"),
        ("train", {"name": "table", "step": 7}, "from 0 to 1"),
        ("train", {"name": "table", "opponent": "external:command=ls"}, "not started"),
    ],
)
def test_a_wrong_form_leaves_no_folder(
    served: Served, kind: str, options: dict[str, Any], words: str
) -> None:
    before = sorted(served.runs.iterdir())
    response = served.post("/api/jobs", kind=kind, options=options)
    assert response.status_code == 422, response.text
    assert words in response.json()["detail"]
    assert sorted(served.runs.iterdir()) == before


@pytest.mark.parametrize("path", ["../../secret.csv", "..%2f..%2fsecret.csv", ".hidden.csv", "/x"])
def test_files_outside_a_run_are_not_found(served: Served, path: str) -> None:
    noughts.match("3x3", "random", "random", games=2, folder=served.runs / "match-98")
    (served.runs.parent / "secret.csv").write_text("secret", encoding="utf-8")
    (served.runs / "match-98" / ".hidden.csv").write_text("secret", encoding="utf-8")
    url = f"{served.address}/api/jobs/match-98/files/{path}"
    assert httpx.get(url, timeout=AGES).status_code == 404


def test_a_link_out_of_a_run_is_not_followed(served: Served, tmp_path: Path) -> None:
    folder = served.runs / "match-97"
    noughts.match("3x3", "random", "random", games=2, folder=folder)
    (tmp_path / "secret.csv").write_text("secret", encoding="utf-8")
    (folder / "link.csv").symlink_to(tmp_path / "secret.csv")
    assert served.client.get("/api/jobs/match-97/files/link.csv").status_code == 404


def test_a_player_that_cannot_play_and_a_game_that_cannot_end_start_no_job(served: Served) -> None:
    for options, words in (
        ({"game": "4x4", "first": "minimax", "second": "random"}, "lines of play on 4x4"),
        ({"game": "3x3:fizzle=1", "first": "random", "second": "random"}, "can never end"),
        ({"game": "3x3", "first": "random", "second": "random", "openings": 9}, "too many"),
    ):
        response = served.post("/api/jobs", kind="match", options=options)
        assert response.status_code == 422
        assert words in response.text
