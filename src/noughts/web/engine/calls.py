"""How a request waits for engine work: it gives up when its time is over or its client is gone."""

import asyncio
from collections.abc import AsyncIterator
from time import monotonic
from typing import Any

from fastapi import Request
from fastapi.responses import Response

from noughts.web.engine.pool import SLOW, Pool
from noughts.web.engine.tickets import Route
from noughts.web.engine.words import PARTIAL
from noughts.web.problems import MEDIA_TYPE

LOOK_SECONDS = 0.25  # between two looks at the clock

GONE_AWAY = "Nobody waits for this any more."


async def engine_answer(
    request: Request, task: str, data: dict[str, Any], seconds: float, route: Route
) -> Response:
    """The worker's document as it is."""
    status, document = await engine_document(request, task, data, seconds, route)
    kind = MEDIA_TYPE if status >= 400 else "application/json"
    return Response(document, status, media_type=kind)


async def engine_document(
    request: Request, task: str, data: dict[str, Any], seconds: float, route: Route
) -> tuple[int, bytes]:
    """A status and a JSON document from a worker."""
    words = [word async for word in engine_words(request, task, data, seconds, route)]
    return words[-1]


async def engine_words(
    request: Request, task: str, data: dict[str, Any], seconds: float, route: Route
) -> AsyncIterator[tuple[int, bytes]]:
    """What a worker says: parts of the answer, then the answer. Leaving ends the work."""
    pool: Pool = request.app.state.pool
    loop = asyncio.get_running_loop()
    words: asyncio.Queue[tuple[int, bytes]] = asyncio.Queue()

    def say(status: int, document: bytes) -> None:  # from the thread of a worker
        if not loop.is_closed():
            loop.call_soon_threadsafe(words.put_nowait, (status, document))

    ticket = pool.submit(task, data, seconds, route, lambda part: say(PARTIAL, part))
    ticket.future.add_done_callback(lambda done: say(*done.result()))
    leaving = asyncio.create_task(_leaving(request))
    leaving.add_done_callback(lambda _: pool.end(ticket, GONE_AWAY))
    try:
        while True:
            try:
                word = await asyncio.wait_for(words.get(), LOOK_SECONDS)
            except TimeoutError:
                if ticket.is_late(monotonic()):
                    pool.end(ticket, SLOW.format(seconds=seconds), is_late=True)
                continue
            yield word
            if word[0] != PARTIAL:
                return
    finally:
        pool.end(ticket, GONE_AWAY)  # unless it has been answered
        leaving.cancel()


async def _leaving(request: Request) -> None:
    """Wait until the client is gone."""
    while (await request.receive())["type"] != "http.disconnect":
        continue
