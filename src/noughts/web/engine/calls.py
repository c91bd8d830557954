"""How a request waits for engine work: it gives up when its time is over or its client is gone."""

import asyncio
from time import monotonic
from typing import Any

from fastapi import Request
from fastapi.responses import Response

from noughts.web.engine.pool import SLOW, Pool
from noughts.web.engine.tickets import Route
from noughts.web.problems import MEDIA_TYPE

LOOK_SECONDS = 0.25  # between two looks at the clock and at the client
COLD = 6.0  # times as long while kernels are still being compiled

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
    pool: Pool = request.app.state.pool
    allowed = seconds if pool.is_compiled(route.kernels) else COLD * seconds
    ticket = pool.submit(task, data, allowed, route)
    future = asyncio.wrap_future(ticket.future)
    try:
        while not future.done():
            await asyncio.wait((future,), timeout=LOOK_SECONDS)
            if future.done():
                break
            if ticket.is_late(monotonic()):
                pool.end(ticket, SLOW.format(seconds=allowed), is_late=True)
            elif await request.is_disconnected():
                pool.end(ticket, GONE_AWAY)
    except asyncio.CancelledError:  # the server gives up on the request
        pool.end(ticket, GONE_AWAY)
        raise
    return await future
