"""`noughts serve`: the page, in a browser."""

import argparse
import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Any

from noughts.commands.terminal.arguments import Subparsers, whole_number
from noughts.errors import NoughtsError

PORT = 8642
GRACE_SECONDS = 2  # for requests that are under way when the server stops


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "serve",
        help="play and experiment in a browser",
        description="Serve the page: play every game, see values, teach a table, run experiments. "
        "It stays on this machine unless --host says otherwise.",
        epilog="Example: noughts serve --port 0 --runs experiments",
    )
    parser.add_argument(
        "--port", type=_port, default=PORT, help=f"where to listen ({PORT}); 0 takes any free one"
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="the address to listen on (127.0.0.1: this machine only). With any other, such as "
        "0.0.0.0, anybody who reaches the port can start work on this machine, read and delete "
        "its runs; there is no password",
    )
    parser.add_argument("--workers", type=_workers, default=2, help="engine processes (2)")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    parser.add_argument(
        "--runs",
        default="runs",
        metavar="FOLDER",
        help="where run folders are read and written (./runs)",
    )
    parser.add_argument(
        "--log",
        choices=("debug", "info", "warning", "error"),
        help="tell on standard error what server, workers and jobs do, from this level on",
    )
    return parser


def run(options: argparse.Namespace) -> int:
    try:
        import fastapi  # noqa: F401 - only to see whether it is there
        import uvicorn
    except ImportError:
        raise NoughtsError("The page needs FastAPI: pip install 'noughts[web]'.") from None
    from noughts.web import logs
    from noughts.web.app import create_app
    from noughts.web.settings import Settings

    if Path(options.runs).exists() and not Path(options.runs).is_dir():
        raise NoughtsError(f"{options.runs} is not a folder, so it holds no runs; choose another.")
    if options.log is not None:
        os.environ[logs.VARIABLE] = options.log
    logs.start_logging()
    listener = _listen(options.host, options.port)
    port = listener.getsockname()[1]
    settings = Settings(options.host, port, options.workers, Path(options.runs))
    config = uvicorn.Config(
        create_app(settings),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    name = "[::1]" if options.host == "::1" else "127.0.0.1" if settings.is_local else options.host
    address = f"http://{name}:{port}/"
    opens = not options.no_browser and _has_display()

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            print(f"Noughts is at {address}  (Ctrl+C stops it)", flush=True)
            if not settings.is_local:
                print("Anybody who reaches this port can start work here.", flush=True)
            if opens:
                threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    Server(config).run(sockets=[listener])
    return 0


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens, or one sentence."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    if os.name == "posix":  # elsewhere it would let two servers share a port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise NoughtsError(
            f"Port {port} of {host} cannot be used ({error.strerror}); "
            f"choose another with --port, or 0 for any free one."
        ) from None
    return listener


def _has_display() -> bool:
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


def _port(text: str) -> int:
    number: int = whole_number(0)(text)
    if number > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return number


def _workers(text: str) -> int:
    number: int = whole_number(1)(text)
    if number > 64:
        raise argparse.ArgumentTypeError(f"{text!r} is more than 64")
    return number
