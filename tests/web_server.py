"""A real server on a free port of this machine, in a thread of the test's process."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import uvicorn
from fastapi import FastAPI

from noughts.web.app import create_app
from noughts.web.settings import Settings


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
    """Serve until the block is left."""
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
        with httpx.Client(base_url=address, timeout=300) as client:
            yield Served(app, client, address, runs)
    finally:
        server.should_exit = True
        thread.join(timeout=30)
        listener.close()


def wait_until(condition: Callable[[], object], seconds: float = 120.0) -> None:
    """Look again and again until something is so."""
    pause = threading.Event()
    for _ in range(int(seconds / 0.02)):
        if condition():
            return
        pause.wait(0.02)
    raise AssertionError(f"it did not come about within {seconds} s")
