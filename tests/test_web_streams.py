"""Values line by line: none rests on less than the one before it."""

import asyncio
import json
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from noughts.web.engine.words import PARTIAL
from noughts.web.play.streams import BEST, FIRST, _better_and_better


def line(effort: str, exact: int = 0, *, final: bool = False) -> bytes:
    values = [{"exact": move < exact} for move in range(9)]
    return json.dumps({"effort": effort, "exact": False, "values": values, "final": final}).encode()


def heard(best: list[tuple[int, bytes]]) -> list[Any]:
    """In a thread of its own: Playwright's loop may be running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(_heard(best))).result()


async def _heard(best: list[tuple[int, bytes]]) -> list[Any]:
    """The lines that a client gets: the interpreter's, and then what the others say."""
    has_begun = asyncio.Event()

    async def interpreter() -> AsyncIterator[tuple[int, bytes]]:
        yield PARTIAL, line("640 simulations")
        await asyncio.Event().wait()

    async def others() -> AsyncIterator[tuple[int, bytes]]:
        await has_begun.wait()
        for word in best:
            yield word

    found = []
    async for _, text in _better_and_better({BEST: others(), FIRST: interpreter()}):
        found.append(json.loads(text)["effort"])
        has_begun.set()
    return found


def test_no_line_rests_on_less_than_the_one_before() -> None:
    answer = (200, line("20,000 simulations", final=True))
    less, more = (PARTIAL, line("40 simulations")), (PARTIAL, line("1,280 simulations"))
    assert heard([less, more, answer]) == [
        "640 simulations",
        "1,280 simulations",
        "20,000 simulations",
    ]


def test_what_proves_more_or_is_of_another_kind_is_told() -> None:
    answer = (200, line("", 9, final=True))
    proves = (PARTIAL, line("40 simulations", 1))
    network = (PARTIAL, line("40 simulations of the network"))
    for word in (proves, network):
        efforts = heard([word, answer])
        assert efforts == ["640 simulations", json.loads(word[1])["effort"], ""]
