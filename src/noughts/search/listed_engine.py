"""Expectimax over listed landings: right for every game, and slow.

    value(p) = max, or min when O is on turn, over moves m of
               the sum over (chance, q) in p.landings(m) of chance · value(q)

It asks nothing of a game but `moves`, `landings` and `result`, so it plays what no kernel searches:
games with rules of their own, such as those of other packages. At the depth limit a running game
counts as drawn. Where more cells may fade than `landings` will list it refuses.
"""

from noughts.games.game import Position
from noughts.search.deepening import Answer, Engine

_WORTH = {"X": 1.0, "O": -1.0, "draw": 0.0}


class _Stopped(Exception):
    """The clock ran out in the middle of a look."""


class ListedEngine(Engine):
    """Looks ahead over moves and all their landings."""

    def __init__(self) -> None:
        super().__init__()
        self.first: tuple[Position, int] | None = None  # the best move of the last look

    def look(self, position: Position, depth: int) -> Answer:
        self._begin(depth)
        values: dict[int, float] = {}
        is_finished = True
        try:
            for move in self._best_first(position):
                values[move] = self._after(position, move, depth)
        except _Stopped:
            is_finished = False
        sign = 1 if position.turn == "X" else -1
        best = max(values, key=lambda m: sign * values[m]) if values else None
        if best is not None:
            self.first = (position, best)
        return Answer(
            move=best,
            value=0.0 if best is None else values[best],
            is_proven=is_finished and not self.guessed,
            is_final=is_finished and not self.guessed,
            is_finished=is_finished,
        )

    def _best_first(self, position: Position) -> list[int]:
        if self.first is None or self.first[0] != position:
            return list(position.moves)
        best = self.first[1]
        return [best, *(move for move in position.moves if move != best)]

    def values_at(self, position: Position, depth: int) -> tuple[dict[int, float], bool, bool]:
        self._begin(depth)
        try:
            found = {move: self._after(position, move, depth) for move in position.moves}
        except _Stopped:
            return {}, False, False
        return found, not self.guessed, True

    def _begin(self, depth: int) -> None:
        self.guessed = False
        self.known: dict[tuple[Position, int], float] = {}
        self.deepest = max(self.deepest, depth)

    def _after(self, position: Position, move: int, depth: int) -> float:
        landings = position.landings(move)
        return sum(chance * self._value(after, depth - 1) for chance, after in landings)

    def _value(self, position: Position, depth: int) -> float:
        self.nodes += 1
        if position.result is not None:
            return _WORTH[position.result]
        if depth == 0:
            self.guessed = True
            return 0.0
        if self.stop[0]:
            raise _Stopped
        key = (position, depth)
        if key not in self.known:
            found = [self._after(position, move, depth) for move in position.moves]
            self.known[key] = max(found) if position.turn == "X" else min(found)
        return self.known[key]
