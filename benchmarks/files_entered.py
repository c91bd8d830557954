"""How many files of the package one goes through: for a click, a solve, a tournament, a training.

    python benchmarks/files_entered.py [CHECKOUT …] [--list]

A file counts when one of its functions is called. Every piece of work is done once beforehand, with
another game, so that what happens only on import does not count; kernels are interpreted, because
compiled ones leave no trace. A click is a person's move, the answer of an agent and the values of
all moves, through a server on this machine and its processes, all of which are watched.
"""

import argparse
import json
import mmap
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from checkouts import HERE, Checkout, checkout

WORKS = ("click", "solve", "tournament", "training")
HOOK = """
import mmap, os, sys, threading
_source = os.environ["ENTERED_SOURCE"]
_phase = mmap.mmap(os.open(os.environ["ENTERED_PHASE"], os.O_RDONLY), 1, prot=mmap.PROT_READ)
_log = os.open(os.environ["ENTERED_LOG"], os.O_WRONLY | os.O_APPEND)
_seen = set()
def _enter(frame, event, argument):
    if event != "call" or not _phase[0]:
        return
    code = frame.f_code
    if code.co_filename.startswith(_source) and code.co_name != "<module>":
        key = (_phase[0], code.co_filename)
        if key not in _seen:
            _seen.add(key)
            os.write(_log, f"{key[0]} {key[1]}\\n".encode())
threading.setprofile(_enter)
sys.setprofile(_enter)
"""


def work(phase_file: Path) -> None:
    """All pieces of work, each once unseen and once watched; runs in a process of its own."""
    with phase_file.open("r+b") as file:
        phase = mmap.mmap(file.fileno(), 1)
        for number, name in enumerate(WORKS, 1):
            if name == "click":
                click(phase, number)
                continue
            globals()[name]("3x3")
            phase[0] = number
            globals()[name]("3x3:flip=0.1")
            phase[0] = 0


def click(phase: mmap.mmap, number: int) -> None:
    import socket
    import threading
    import time

    import httpx
    import uvicorn

    from noughts.web.app import create_app
    from noughts.web.settings import Settings

    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        app = create_app(Settings(port=port, workers=1, runs=Path("runs"), warms_up=False))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=600) as client:

            def ask(address: str, **body: object) -> None:
                client.post(f"/api/{address}", json=body).raise_for_status()

            while not server.started:
                time.sleep(0.05)
            for game in ("3x3:fizzle=0.1", "3x3"):
                phase[0] = number if game == "3x3" else 0
                ask("play", game=game, moves=[], move=4, seed=1)
                ask("move", game=game, moves=[4], landings=["X"], agent="alphabeta", seed=1)
                ask("values", game=game, moves=[4, 0], landings=["X", "O"])
                phase[0] = 0
        server.should_exit = True
        thread.join()


def solve(game: str) -> None:
    import noughts

    solution = noughts.solve(game)
    solution.best(solution.game.start())


def tournament(game: str) -> None:
    import noughts

    noughts.tournament(game, ["random", "alphabeta", "uct:simulations=20"], games=2, seed=1)


def training(game: str) -> None:
    import noughts

    noughts.train(game, "td-table", games=20, seed=1, checkpoints=1)


def entered(source: Checkout) -> dict[str, list[str]]:
    """The files that each piece of work enters."""
    package = source.folder / "src" / "noughts"
    found: dict[str, set[str]] = defaultdict(set)
    with tempfile.TemporaryDirectory() as made:
        home = Path(made)
        (home / "sitecustomize.py").write_text(HOOK, encoding="utf-8")
        (home / "phase").write_bytes(b"\0")
        (home / "log").touch()
        told = source.environment(home)
        told |= {
            "ENTERED_SOURCE": str(package),
            "ENTERED_PHASE": str(home / "phase"),
            "ENTERED_LOG": str(home / "log"),
            "NOUGHTS_JIT": "never",
            "NUMBA_DISABLE_JIT": "1",
            "PYTHONPATH": os.pathsep.join([str(home), told["PYTHONPATH"]]),
        }
        command = [source.interpreter, __file__, "--work", str(home / "phase")]
        subprocess.run(command, env=told, cwd=home, check=True)
        for line in (home / "log").read_text(encoding="utf-8").splitlines():
            number, _, path = line.partition(" ")
            found[WORKS[int(number) - 1]].add(str(Path(path).relative_to(package)))
    return {name: sorted(found[name]) for name in WORKS}


def main() -> int:
    """Print one row for each piece of work, with a column for each checkout."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", nargs="*", type=checkout, default=[Checkout(HERE)])
    parser.add_argument("--list", action="store_true", help="name the files, as JSON")
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work is not None:
        work(options.work)
        return 0
    counted = {source.commit: entered(source) for source in options.checkouts}
    if options.list:
        print(json.dumps(counted, indent=1))
        return 0
    print("files entered  " + "".join(f"{commit:>20}" for commit in counted))
    for name in WORKS:
        print(f"{name:15}" + "".join(f"{len(found[name]):20}" for found in counted.values()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
