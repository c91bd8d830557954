"""Values as lines of JSON, each better than the one before: an estimate at once, then the answer.

The interpreter is asked for a first estimate, the others for the answer, and both think aloud. The
others are faster, so from their first word on the interpreter is not wanted any more; what they say
before they have looked at as much as it had is kept back.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

from fastapi import Request
from fastapi.responses import Response, StreamingResponse

from noughts.web.engine.calls import engine_words
from noughts.web.engine.pool import Pool
from noughts.web.engine.tickets import Route
from noughts.web.engine.words import PARTIAL
from noughts.web.play.routes import ESTIMATE
from noughts.web.play.values import QUICK_SECONDS, REFINING_SECONDS
from noughts.web.problems import MEDIA_TYPE, Problem

LINES = "application/x-ndjson"
FIRST, BEST = 0, 1  # the two sources

Word = tuple[int, bytes]


async def values_stream(
    request: Request, data: dict[str, Any], seconds: float, route: Route, has_first: bool
) -> Response:
    """Values as they come. `has_first`: whether a first estimate may be asked for besides."""
    asked = data | {"stream": True}
    best = engine_words(request, "values", asked, seconds, route)
    pool: Pool = request.app.state.pool
    # What is compiled wants the processor for itself; while it is being compiled there is time.
    looking = QUICK_SECONDS if pool.is_compiled(route.kernels) else REFINING_SECONDS
    quick = asked | {"quick": True, "seconds": looking}
    first = engine_words(request, "values", quick, seconds, ESTIMATE)
    lines = _better_and_better({BEST: best, FIRST: first} if has_first else {BEST: best})
    status, line = await anext(lines)
    if status >= 400:
        await lines.aclose()
        return Response(line, status, media_type=MEDIA_TYPE)
    return StreamingResponse(
        _written(line, lines), media_type=LINES, headers={"cache-control": "no-store"}
    )


async def _written(line: bytes, lines: AsyncIterator[Word]) -> AsyncIterator[bytes]:
    yield line + b"\n"
    async for _, line in lines:
        yield line + b"\n"


async def _better_and_better(sources: dict[int, AsyncIterator[Word]]) -> AsyncGenerator[Word]:
    """What the best source says, and what the first one says before that; until the answer."""
    words: asyncio.Queue[tuple[int, Word | Problem]] = asyncio.Queue()

    async def listen(rank: int) -> None:
        try:
            async for word in sources[rank]:
                words.put_nowait((rank, word))
        except Problem as problem:  # too much waits already
            words.put_nowait((rank, problem))

    listeners = {rank: asyncio.create_task(listen(rank)) for rank in sources}
    shown: dict[str, Any] = {}
    try:
        while True:
            rank, word = await words.get()
            if isinstance(word, Problem):
                if rank == BEST:
                    raise word
                continue
            status, line = word
            if rank == FIRST and status >= 400:
                continue  # whoever answers says the same, or knows better
            if rank == BEST and FIRST in listeners:
                listeners.pop(FIRST).cancel()
            if rank == FIRST and FIRST not in listeners:
                continue
            told = json.loads(line)
            if status == PARTIAL and _is_less(told, shown):
                continue
            shown = told
            yield status, line
            if status != PARTIAL and (rank == BEST or told["final"]):
                return
    finally:
        for listener in listeners.values():
            listener.cancel()


def _is_less(told: dict[str, Any], shown: dict[str, Any]) -> bool:
    """Whether an estimate rests on less of the same than the one on show, and proves no more."""
    (done, unit), (before, before_unit) = _effort(told), _effort(shown)
    return unit == before_unit and done < before and _proven(told) <= _proven(shown)


def _effort(told: dict[str, Any]) -> tuple[int, str]:
    """What went into an estimate: "2,000 simulations"."""
    amount, _, unit = told.get("effort", "").partition(" ")
    return (int(amount.replace(",", "")), unit) if unit else (0, "")


def _proven(told: dict[str, Any]) -> int:
    return sum(row["exact"] for row in (told, *told["values"]))
