"""How fast the page's server answers: one move, 100 games at once, the first page.

    python benchmarks/web.py [--games 100]

A server is started as `noughts serve` starts it, on a free port of this machine. The players are
tasks of one event loop that ask for a move as soon as they have the last one: nobody thinks, which
is the hardest that 100 people can be.
"""

import argparse
import asyncio
import json
import re
import subprocess
import sys
import time
from urllib.parse import urlsplit

GOALS = {"page": 1.0, "move": 0.05, "p99": 0.5}


class Connection:
    """One keep-alive connection; a plain one, so that the client takes as little as it can."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.host, self.port = str(parts.hostname), int(parts.port or 80)

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)

    async def ask(self, method: str, path: str, data: object = None) -> tuple[int, bytes]:
        """The status and the body of one request."""
        body = b"" if data is None else json.dumps(data).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        self.writer.write(head.encode() + b"\r\n" + body)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        status = int(answer.split(b" ", 2)[1])
        length = int(re.search(rb"content-length: ([0-9]+)", answer.lower())[1])  # type: ignore[index]
        return status, await self.reader.readexactly(length)

    def close(self) -> None:
        self.writer.close()


async def play_game(address: str, first: int, times: list[float], errors: list[str]) -> int:
    """One game against alphabeta, from another first move each; how many answers it took."""
    connection = Connection(address)
    await connection.open()
    moves, answers = [first % 9], 0
    while True:
        data = {"game": "3x3", "moves": moves, "agent": "alphabeta", "seed": 1}
        began = time.perf_counter()
        status, body = await connection.ask("POST", "/api/move", data)
        times.append(time.perf_counter() - began)
        if status != 200:
            errors.append(body.decode())
            break
        answers += 1
        answer = json.loads(body)
        moves.append(answer["turn"]["move"])
        open_cells = answer["position"]["open_cells"]
        if not open_cells:
            break
        moves.append(open_cells[(first + len(moves)) % len(open_cells)])
        status, body = await connection.ask(
            "POST", "/api/position", {"game": "3x3", "moves": moves}
        )
        if status != 200 or json.loads(body)["position"]["result"] is not None:
            break
    connection.close()
    return answers


async def measure(address: str, games: int) -> bool:
    """Print all numbers; whether the goals are met."""
    connection = Connection(address)
    await connection.open()
    began = time.perf_counter()
    await connection.ask("GET", "/")
    page = time.perf_counter() - began
    while not json.loads((await connection.ask("GET", "/api/status"))[1])["ready"]:
        await asyncio.sleep(0.1)
    move = {"game": "3x3", "moves": [4], "agent": "alphabeta", "seed": 1}
    single = []
    for _ in range(50):
        began = time.perf_counter()
        await connection.ask("POST", "/api/move", move)
        single.append(time.perf_counter() - began)
    connection.close()
    times: list[float] = []
    errors: list[str] = []
    began = time.perf_counter()
    answers = sum(
        await asyncio.gather(*(play_game(address, n, times, errors) for n in range(games)))
    )
    seconds = time.perf_counter() - began
    times.sort()
    p99 = times[min(int(0.99 * len(times)), len(times) - 1)]
    middle = sorted(single)[len(single) // 2]
    print(f"first page            {1000 * page:8.1f} ms   goal ≤ {1000 * GOALS['page']:.0f}")
    print(f"a 3×3 move, median    {1000 * middle:8.1f} ms   goal ≤ {1000 * GOALS['move']:.0f}")
    print(f"{games} games at once: {answers} answers in {seconds:.2f} s, {len(errors)} errors")
    print(f"  median              {1000 * times[len(times) // 2]:8.1f} ms")
    print(f"  p99                 {1000 * p99:8.1f} ms   goal ≤ {1000 * GOALS['p99']:.0f}")
    is_quick = page <= GOALS["page"] and middle <= GOALS["move"] and p99 <= GOALS["p99"]
    return is_quick and not errors


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="games at the same time (100)")
    options = parser.parse_args()
    command = [sys.executable, "-m", "noughts.cli", "serve", "--port", "0", "--no-browser"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        address = re.findall(r"http://[^ ]+/", server.stdout.readline())[0]
        return 0 if asyncio.run(measure(address, options.games)) else 1
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    sys.exit(main())
