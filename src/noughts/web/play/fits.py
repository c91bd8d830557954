"""Which learned agents can play a game: the interpreter tells, and a board hardly waits for it.

Asking may load networks. What comes too late for one board is there for the next look at the game.
"""

import asyncio
import json

from noughts.web.engine.pool import Pool
from noughts.web.engine.tickets import Ticket
from noughts.web.play.routes import OFFHAND
from noughts.web.problems import Problem

WORK_SECONDS = 10.0
PATIENCE = 0.15  # seconds that a board waits
MOST_ASKED = 64  # games about which an answer is awaited

Refusals = dict[str, str | None]


class Fits:
    """Asks about games, each once at a time."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._asked: dict[str, Ticket] = {}

    async def refusals(self, game: str) -> Refusals:
        """Why learned agents cannot play a game, as far as that is known in a moment."""
        ticket = self._asked.get(game) or self._ask(game)
        if ticket is None:
            return {}
        await asyncio.wait((asyncio.wrap_future(ticket.future),), timeout=PATIENCE)
        if not ticket.future.done():
            return {}
        self._asked.pop(game, None)
        status, document = ticket.future.result()
        found: Refusals = json.loads(document) if status == 200 else {}
        return found

    def _ask(self, game: str) -> Ticket | None:
        if not self._pool.is_warm or self._pool.waiting:  # a board comes before what is compiled
            return None
        try:
            ticket = self._pool.submit("fits", {"game": game}, WORK_SECONDS, OFFHAND)
        except Problem:
            return None
        while len(self._asked) >= MOST_ASKED:
            self._asked.pop(next(iter(self._asked)))
        self._asked[game] = ticket
        return ticket
