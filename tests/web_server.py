"""A real server on a free port of this machine, in a thread of the test's process."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import uvicorn
from fastapi import FastAPI

from noughts.web.app import create_app
from noughts.web.learn import api as learn_api
from noughts.web.play import api as play_api
from noughts.web.settings import Settings

AGES = 600  # seconds that bound a hang and decide nothing
DEADLINES = {play_api: ("MOVE", "VALUES", "ANALYSIS"), learn_api: ("LEARN",)}


@dataclass
class Served:
    """A server that answers."""

    app: FastAPI
    client: httpx.Client
    address: str
    runs: Path

    def post(self, path: str, /, **body: object) -> httpx.Response:
        return self.client.post(path, json=body)


@contextmanager
def serving(runs: Path, workers: int = 2, warms_up: bool = False) -> Iterator[Served]:
    """Serve until the block is left; nobody is told that a busy machine took too long."""
    patch = pytest.MonkeyPatch()
    for module, names in DEADLINES.items():
        for name in names:
            patch.setattr(module, f"{name}_SECONDS", AGES)
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    app = create_app(Settings(port=port, workers=workers, runs=runs, warms_up=warms_up))
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1, lifespan="on")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: server.started)
        with httpx.Client(base_url=address, timeout=AGES) as client:
            yield Served(app, client, address, runs)
    finally:
        server.should_exit = True
        thread.join(timeout=AGES)
        listener.close()
        patch.undo()


def wait_until(condition: Callable[[], object], seconds: float = AGES) -> None:
    """Look again and again until something is so."""
    pause = threading.Event()
    for _ in range(int(seconds / 0.02)):
        if condition():
            return
        pause.wait(0.02)
    raise AssertionError(f"it did not come about within {seconds} s")
