"""`noughts serve` as people start it."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import httpx
import pytest

from noughts.cli import main


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, float]]:
    """The address that the command prints, and when it did."""
    runs = tmp_path_factory.mktemp("runs")
    command = [sys.executable, "-m", "noughts.cli", "serve", "--port", "0", "--no-browser"]
    process = subprocess.Popen(
        [*command, "--workers", "1", "--runs", str(runs)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "src")},
    )
    assert process.stdout is not None
    line = process.stdout.readline().decode()
    began = perf_counter()
    try:
        yield re.findall(r"http://127\.0\.0\.1:[0-9]+/", line)[0], began
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
        process.stdout.close()
    assert process.returncode in (0, 130)


def test_the_page_comes_before_anything_is_compiled(ready: tuple[str, float]) -> None:
    address, _ = ready
    began = perf_counter()
    page = httpx.get(address, timeout=60)
    seconds = perf_counter() - began
    assert page.status_code == 200
    assert "Noughts" in page.text
    assert seconds < 5  # a second on a machine that does nothing else
    status = httpx.get(f"{address}api/status", timeout=60).json()
    assert status["ready"] or status["message"].startswith("Compiling ahead: ")
    played = httpx.post(
        f"{address}api/play", json={"game": "3x3", "move": 4, "seed": 1}, timeout=60
    )
    assert played.json()["position"]["board"] == "....X...."


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
