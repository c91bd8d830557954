"""`noughts serve` as people start it."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from web_server import AGES, serving

from noughts.cli import main
from noughts.web.engine.process import WorkerProcess


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address that the command prints."""
    runs = tmp_path_factory.mktemp("runs")
    command = [sys.executable, "-m", "noughts.cli", "serve", "--port", "0", "--no-browser"]
    process = subprocess.Popen(
        [*command, "--workers", "1", "--runs", str(runs)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "src")},
    )
    assert process.stdout is not None
    line = process.stdout.readline().decode()
    try:
        yield re.findall(r"http://127\.0\.0\.1:[0-9]+/", line)[0]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=AGES)
        process.stdout.close()
    assert process.returncode in (0, 130)


def check_first_answers(address: str) -> None:
    """What needs no kernel is there from the first moment, and the status says what is going on."""
    page = httpx.get(address, timeout=AGES)
    assert page.status_code == 200
    assert "Noughts" in page.text
    status = httpx.get(f"{address}api/status", timeout=AGES).json()
    assert status["ready"] or status["message"].startswith(("The engines are", "Compiling ahead: "))
    move = {"game": "3x3", "move": 4, "seed": 1}
    played = httpx.post(f"{address}api/play", json=move, timeout=AGES)
    assert played.json()["position"]["board"] == "....X...."


def test_the_server_itself_loads_no_compiler() -> None:
    """It would answer nobody meanwhile: what loads numba or a network belongs to a worker."""
    code = """
import sys
from noughts.web.app import create_app
from noughts.web.play.agents import agents_data
from noughts.web.play.described import described_game, games_data
from noughts.web.play.routes import route_of_move, route_of_values
from noughts.web.settings import Settings
create_app(Settings())
names = [agent["suggested"] for agent in agents_data()["agents"]]
for card in games_data()["cards"]:
    spec = card["spec"]
    described_game(spec)
    for name in names:
        route_of_values("auto", spec, is_quick=False), route_of_values(name, spec, is_quick=False)
        route_of_move(name, spec)
print(sorted({"numba", "noughts.kernels.zero.folded"} & set(sys.modules)))
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_the_command_serves_the_page(address: str) -> None:
    check_first_answers(address)


def test_the_page_comes_before_anything_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The workers never finish what they are given first, and the page does not wait for them."""
    released = threading.Event()

    def never_answer(worker: WorkerProcess, *work: object) -> None:
        released.wait(AGES)

    monkeypatch.setattr(WorkerProcess, "ask", never_answer)
    with serving(tmp_path, workers=1, warms_up=True) as served:
        try:
            check_first_answers(f"{served.address}/")
            assert not served.app.state.pool.is_up
        finally:
            released.set()


def test_a_busy_port_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port), "--no-browser"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert f"Port {port} of 127.0.0.1 cannot be used" in told
    assert "--port" in told


def test_help_says_what_exposing_means(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "anybody who reaches the port can start work on this machine" in told


@pytest.mark.parametrize("words", [["--port", "99999"], ["--workers", "0"], ["--workers", "999"]])
def test_numbers_out_of_range_are_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["serve", *words])
    assert stop.value.code == 2
