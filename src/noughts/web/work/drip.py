"""Values that drip in: estimates of a search under way, sent ahead of the answer.

The first is sent as soon as every move was tried a few times, the next whenever twice as much was
done, and none sooner than the eye can follow. A search that deepens is told of at each depth.
"""

from collections.abc import Callable
from time import perf_counter

from noughts.aloud import SoFar
from noughts.games.game import Position
from noughts.search.engines.deepening import DEEP
from noughts.web.play.answers import values_data
from noughts.web.play.places import Data
from noughts.web.play.values import NETWORK, Judged

TRIES = 4  # of each move before the first word
FIRST_SECONDS = 0.1  # after which fewer will do
BLANK_SECONDS = 0.3  # after which a few moves may have none
PAUSE_SECONDS = 0.1  # between two words


class Drip:
    """Hears a search about one position, and sends on what it thinks so far."""

    def __init__(self, position: Position, send: Callable[[Data], None]) -> None:
        self.position, self.send = position, send
        self.began = perf_counter()
        self.heard: float | None = None  # when the search began to talk
        self.sent: float | None = None  # when the last word was sent
        self.wanted = TRIES * len(position.open_cells)
        self.effort = ""

    def __call__(self, far: SoFar, judged: Callable[[], Judged]) -> None:
        self.effort = f"{far.done:,} {far.unit}"
        now = perf_counter()
        self.heard = self.heard or now
        if not self._is_due(far, now):
            return
        found = judged()
        is_full = len(found.values) >= len(self.position.open_cells)
        if self.sent is None and not is_full and now - self.heard < BLANK_SECONDS:
            return
        self.sent, self.wanted = now, far.done + 1 if far.unit == DEEP else 2 * far.done
        self.send(self.data(found, is_final=False))

    def _is_due(self, far: SoFar, now: float) -> bool:
        if self.sent is not None:
            return far.done >= self.wanted and now - self.sent >= PAUSE_SECONDS
        is_tried = far.unit == DEEP or far.done >= self.wanted
        return is_tried or (self.heard is not None and now - self.heard >= FIRST_SECONDS)

    def data(self, judged: Judged, is_final: bool) -> Data:
        """What the page is told."""
        told = values_data(self.position, judged, perf_counter() - self.began)
        is_all_known = judged.exact_moves >= set(judged.values)
        return told | {"final": is_final, "effort": "" if is_all_known else self._words(judged)}

    def _words(self, judged: Judged) -> str:
        """What went into the estimates; a look of a network is not a random game."""
        is_network = judged.agent.partition(":")[0] == NETWORK
        return f"{self.effort} of the network" if self.effort and is_network else self.effort
