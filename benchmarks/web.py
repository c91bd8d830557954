"""How fast the page's server answers: one move, 100 games at once, values, a click away from work.

    python benchmarks/web.py [--games 100] [--cards 3x3 qubic]

A server is started as `noughts serve` starts it, on a free port of this machine, in a home of its
own, and everything waits until it is warm. Then

- *moves*: one after the other, and in 100 games at once. The players are tasks of one event loop
  that ask for a move as soon as they have the last one: nobody thinks, which is the hardest that
  100 people can be.
- *values* of each card, as the page asks for them: seconds to the first line and to the answer. An
  exact answer may take twice as long as solving the game took this process, or half a second. A
  risky board is another one each time, for the first has its table from then on.
- *a click away*: values of a small board with nothing else going on, and right after the client
  has left values that take long; in turn, so that both see the same machine.

Times are medians of some rounds. The load of the machine stands above them.
"""

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import noughts
from noughts.errors import NoughtsError

GOALS = {"page": 1.0, "move": 0.05, "p99": 0.5, "first": 0.2, "away": 1.5}
SOLVES, AT_LEAST = 2.0, 0.5  # an exact answer: times its solve, or so many seconds
CARDS = ("3x3", "4x4:flip=0.1", "4x4", "3x3x3", "qubic", "ultimate", "3x3:misere", "6x7:k=4")
HEAVY, SMALL = "15x15:k=5", "3x3"
ROUNDS = 5


class Connection:
    """One keep-alive connection; a plain one, so that the client takes as little as it can."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.host, self.port = str(parts.hostname), int(parts.port or 80)

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)

    async def _send(self, method: str, path: str, data: object) -> bytes:
        """The head of the answer to a request."""
        body = b"" if data is None else json.dumps(data).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        self.writer.write(head.encode() + b"\r\n" + body)
        return await self.reader.readuntil(b"\r\n\r\n")

    async def ask(self, method: str, path: str, data: object = None) -> tuple[int, bytes]:
        """The status and the body of one request."""
        answer = await self._send(method, path, data)
        status = int(answer.split(b" ", 2)[1])
        length = int(re.search(rb"content-length: ([0-9]+)", answer.lower())[1])  # type: ignore[index]
        return status, await self.reader.readexactly(length)

    async def lines(self, path: str, data: object) -> AsyncIterator[dict[str, Any]]:
        """The lines of a stream, which comes in chunks."""
        await self._send("POST", path, data)
        text = b""
        while size := int(await self.reader.readuntil(b"\r\n"), 16):
            text += (await self.reader.readexactly(size + 2))[:-2]
            *whole, text = text.split(b"\n")
            for line in whole:
                yield json.loads(line)
        await self.reader.readuntil(b"\r\n")

    def close(self) -> None:
        self.writer.close()


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[Connection]:
    connection = Connection(address)
    await connection.open()
    try:
        yield connection
    finally:
        connection.close()


async def play_game(address: str, first: int, times: list[float], errors: list[str]) -> int:
    """One game against alphabeta, from another first move each; how many answers it took."""
    moves, answers = [first % 9], 0
    async with connected(address) as connection:
        while True:
            data = {"game": "3x3", "moves": moves, "agent": "alphabeta", "seed": 1}
            began = time.perf_counter()
            status, body = await connection.ask("POST", "/api/move", data)
            times.append(time.perf_counter() - began)
            if status != 200:
                errors.append(body.decode())
                return answers
            answers += 1
            answer = json.loads(body)
            moves.append(answer["turn"]["move"])
            open_cells = answer["position"]["open_cells"]
            if not open_cells:
                return answers
            moves.append(open_cells[(first + len(moves)) % len(open_cells)])
            place = {"game": "3x3", "moves": moves}
            status, body = await connection.ask("POST", "/api/position", place)
            if status != 200 or json.loads(body)["position"]["result"] is not None:
                return answers


async def wait_until_warm(connection: Connection) -> None:
    while not json.loads((await connection.ask("GET", "/api/status"))[1])["ready"]:
        await asyncio.sleep(0.1)


async def measure_moves(address: str, games: int) -> bool:
    """One move, and many games at once; whether the goals are met."""
    move = {"game": "3x3", "moves": [4], "agent": "alphabeta", "seed": 1}
    single = []
    async with connected(address) as connection:
        for _ in range(50):
            began = time.perf_counter()
            await connection.ask("POST", "/api/move", move)
            single.append(time.perf_counter() - began)
    times: list[float] = []
    errors: list[str] = []
    began = time.perf_counter()
    answers = sum(
        await asyncio.gather(*(play_game(address, n, times, errors) for n in range(games)))
    )
    seconds = time.perf_counter() - began
    times.sort()
    p99 = times[min(int(0.99 * len(times)), len(times) - 1)]
    middle = statistics.median(single)
    print(f"a 3×3 move, median    {1000 * middle:8.1f} ms   goal ≤ {1000 * GOALS['move']:.0f}")
    print(f"{games} games at once: {answers} answers in {seconds:.2f} s, {len(errors)} errors")
    print(f"  median              {1000 * times[len(times) // 2]:8.1f} ms")
    print(f"  p99                 {1000 * p99:8.1f} ms   goal ≤ {1000 * GOALS['p99']:.0f}")
    return middle <= GOALS["move"] and p99 <= GOALS["p99"] and not errors


async def time_values(address: str, game: str) -> tuple[float, float, bool]:
    """Seconds to the first line and to the last, and whether that is exact."""
    async with connected(address) as connection:
        began, asked = time.perf_counter(), {"game": game, "agent": "auto"}
        lines = [
            (time.perf_counter() - began, bool(line["exact"]))
            async for line in connection.lines("/api/values/stream", asked)
        ]
        return lines[0][0], *lines[-1]


def another(game: str, i: int) -> str:
    """A game like it of which nobody has the table; a plain one is what it is."""
    return game.replace("flip=0.1", f"flip=0.1{i + 1}")


def solving_seconds(game: str) -> float | None:
    """How long a warm solve takes here; None where there is no table."""
    try:
        noughts.solve(game)
        began = time.perf_counter()
        noughts.solve(game)
        return time.perf_counter() - began
    except NoughtsError:
        return None


async def measure_values(address: str, cards: Sequence[str]) -> bool:
    """Values of every card, warm; whether the goals are met."""
    print(
        f"\nvalues, warm: seconds to the first line, goal ≤ {GOALS['first']:g}, and to the answer"
    )
    is_quick = True
    for game in cards:
        await time_values(address, game)  # whatever is loaded is loaded now
        rounds = [await time_values(address, another(game, i)) for i in range(ROUNDS)]
        first, last = (statistics.median(one[i] for one in rounds) for i in (0, 1))
        is_exact, solve = rounds[-1][2], solving_seconds(game)
        limit = None if solve is None or not is_exact else max(SOLVES * solve, AT_LEAST)
        words = "" if solve is None else f"   its solve {solve:.3f}"
        late = first > GOALS["first"] or (limit is not None and last > limit)
        kind = "exact" if is_exact else "≈"
        print(f"  {game:14} {first:6.3f} {last:7.3f} {kind}{words}{'   LATE' if late else ''}")
        is_quick = is_quick and not late
    return is_quick


async def leave_heavy_work(address: str) -> None:
    """Ask for values that take long, and close the connection at the first line."""
    async with connected(address) as connection:
        async for _ in connection.lines("/api/values/stream", {"game": HEAVY, "agent": "auto"}):
            return


async def measure_clicking_away(address: str) -> bool:
    """Values of a small board, alone and right after heavy work was left; in turn."""
    await time_values(address, HEAVY)
    alone, away = [], []
    for _ in range(2 * ROUNDS):
        alone.append((await time_values(address, SMALL))[1])
        await leave_heavy_work(address)
        away.append((await time_values(address, SMALL))[1])
        await asyncio.sleep(0.2)  # what was left has ended before the next one alone
    before, after = statistics.median(alone), statistics.median(away)
    ratio = after / before
    print(f"\nvalues of {SMALL}: alone {before:.3f} s, right after leaving those of {HEAVY} "
          f"{after:.3f} s: {ratio:.2f}×, goal ≤ {GOALS['away']:g}")  # fmt: skip
    return ratio <= GOALS["away"]


async def measure(address: str, games: int, cards: Sequence[str]) -> bool:
    """Print all numbers; whether the goals are met."""
    async with connected(address) as connection:
        began = time.perf_counter()
        await connection.ask("GET", "/")
        page = time.perf_counter() - began
        await wait_until_warm(connection)
    load = os.getloadavg()[0]
    print(f"load of the machine   {load:8.1f}      {os.cpu_count()} cores")
    print(f"first page            {1000 * page:8.1f} ms   goal ≤ {1000 * GOALS['page']:.0f}")
    moves = await measure_moves(address, games)
    values = await measure_values(address, cards)
    away = await measure_clicking_away(address)
    return page <= GOALS["page"] and moves and values and away


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100, help="games at the same time (100)")
    parser.add_argument("--cards", nargs="+", default=CARDS, metavar="SPEC", help="for the values")
    options = parser.parse_args()
    command = [sys.executable, "-m", "noughts.cli", "serve", "--port", "0", "--no-browser"]
    with tempfile.TemporaryDirectory(prefix="noughts-web-") as home:
        environment = {**os.environ, "NOUGHTS_HOME": home}
        server = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=environment, cwd=home
        )
        assert server.stdout is not None
        try:
            address = re.findall(r"http://[^ ]+/", server.stdout.readline())[0]
            return 0 if asyncio.run(measure(address, options.games, options.cards)) else 1
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    sys.exit(main())
