"""Expectimax over listed landings: right for every game, and slow.

    value(p) = max, or min when O is on turn, over moves m of
               the sum over (chance, q) in p.landings(m) of chance · value(q)

It asks nothing of a game but `moves`, `landings` and `result`, so it plays what no kernel searches:
games with rules of their own, such as those of other packages. At the depth limit a running game
counts as drawn. A position that comes again on the way is a draw, too; what rests on that holds
for this way alone, so it is neither kept for others nor called proven. Where more cells may fade
than `landings` will list it refuses.
"""

from typing import NamedTuple

from noughts.games.game import Position
from noughts.search.engines.deepening import Answer, Engine

SURE, GUESSED, BY_THIS_WAY = 0, 1, 2  # how far a value can be trusted; what is less sure is greater


class _Found(NamedTuple):
    value: float  # for X
    doubt: int  # SURE, GUESSED or BY_THIS_WAY


class _Stopped(Exception):
    """The clock ran out in the middle of a look."""


class ListedEngine(Engine):
    """Looks ahead over moves and all their landings."""

    def __init__(self) -> None:
        super().__init__()
        self.first: tuple[Position, int] | None = None  # the best move of the last look

    def look(self, position: Position, depth: int) -> Answer:
        self._begin(position, depth)
        found: dict[int, _Found] = {}
        is_finished = True
        try:
            for move in self._best_first(position):
                found[move] = self._after(position, move, depth)
                if _is_won(position, found[move]):
                    break
        except _Stopped:
            is_finished = False
        sign = -1 if position.turn == "O" else 1
        best = max(found, key=lambda m: sign * found[m].value) if found else None
        if best is not None:
            self.first = (position, best)
        is_proven = is_finished and _best_of(position, list(found.values())).doubt == SURE
        return Answer(
            move=best,
            value=0.0 if best is None else found[best].value,
            is_proven=is_proven,
            is_final=is_proven,
            is_finished=is_finished,
        )

    def _best_first(self, position: Position) -> list[int]:
        if self.first is None or self.first[0] != position:
            return list(position.moves)
        best = self.first[1]
        return [best, *(move for move in position.moves if move != best)]

    def values_at(self, position: Position, depth: int) -> tuple[dict[int, float], bool, bool]:
        self._begin(position, depth)
        try:
            found = {move: self._after(position, move, depth) for move in position.moves}
        except _Stopped:
            return {}, False, False
        is_exact = all(one.doubt == SURE for one in found.values())
        return {move: one.value for move, one in found.items()}, is_exact, True

    def _begin(self, position: Position, depth: int) -> None:
        self.way, self.repeats = {position}, position.game.repeats_by_moves
        self.known: dict[tuple[Position, int], _Found] = {}
        self.deepest = max(self.deepest, depth)

    def _after(self, position: Position, move: int, depth: int) -> _Found:
        value, doubt = 0.0, SURE
        for chance, after in position.landings(move):
            found = self._value(after, depth - 1)
            value, doubt = value + chance * found.value, max(doubt, found.doubt)
        return _Found(value, doubt)

    def _value(self, position: Position, depth: int) -> _Found:
        self.nodes += 1
        if position.result is not None:
            return _Found(position.game.worth(position.result)[0], SURE)
        if self.repeats and position in self.way:
            return _Found(0.0, BY_THIS_WAY)
        if depth == 0:
            return _Found(0.0, GUESSED)
        if self.stop[0]:
            raise _Stopped
        key = (position, depth)
        known = self.known.get(key)
        if known is not None:
            return known
        self.way.add(position)
        try:
            found = self._best_after(position, depth)
        finally:
            self.way.discard(position)
        if found.doubt != BY_THIS_WAY:
            self.known[key] = found
        return found

    def _best_after(self, position: Position, depth: int) -> _Found:
        found: list[_Found] = []
        for move in position.moves:
            one = self._after(position, move, depth)
            found.append(one)
            if _is_won(position, one):
                break
        return _best_of(position, found)


def _is_won(position: Position, found: _Found) -> bool:
    """Whether nothing could be better for whoever is on turn, and that is sure."""
    if found.doubt != SURE or position.turn is None:
        return False
    return found.value == position.game.worth(position.turn)[0]


def _best_of(position: Position, found: list[_Found]) -> _Found:
    """The best for whoever is on turn; it is sure if it wins for sure, or if all of them are."""
    for one in found:
        if _is_won(position, one):
            return one
    best = min if position.turn == "O" else max
    value = best(one.value for one in found)
    return _Found(value, max(one.doubt for one in found))
