"""Flat Monte Carlo: the same number of random games after each legal move; the best total wins.

A win scores +1, a loss -1, a draw 0. Where there is no risk, `lookahead` plies after each move are
first searched for forced wins and losses: a proven win is played, a proven loss only if all moves
lose, and then the one that loses last. `flat:lookahead=0` is the plain method, which is blind to
forced replies (see `kernels/search/flat`).
"""

import zlib
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from noughts.agents import Agent, Thought, check_running
from noughts.games.game import Position
from noughts.options import whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LOOKAHEAD_POSITIONS = 200_000  # at most so many are looked at before the playouts


@dataclass(eq=False, repr=False)
class FlatAgent(Agent):
    """Scores every move by random games that begin with it."""

    name = "flat"
    most_seats = 2
    playouts: int = whole(900, 1, 10**9, "How many random games follow each legal move.")
    lookahead: int = whole(4, 0, 32, "Plies after a move that are searched for forced wins.")

    def choose(self, position: Position, rng: "np.random.Generator") -> int:
        import numpy as np  # numpy and numba are only loaded when something runs

        check_running(position)
        began = perf_counter()
        verdicts, means, looked_at = self._score(position, int(rng.integers(2**63)))
        sign = 1 if position.turn == "X" else -1
        # Moves ascend, and `max` keeps the first of equals.
        best = max(range(len(means)), key=lambda i: (sign * verdicts[i], sign * means[i]))
        is_exact = bool(sign * verdicts[best] > 0 or all(sign * verdicts < 0))
        self.last = Thought(
            nodes=looked_at + self.playouts * len(means),
            depth=1 + self._lookahead(position),
            seconds=perf_counter() - began,
            memory=int(verdicts.nbytes + means.nbytes),
            value=float(np.sign(verdicts[best]) if is_exact else means[best]),
            is_exact=is_exact,
        )
        return position.moves[best]

    def values(self, position: Position) -> dict[int, float]:
        """Mean results for X; those that the lookahead proved are exact."""
        import numpy as np

        check_running(position)
        verdicts, means, _ = self._score(position, zlib.crc32(repr(position).encode()))
        self.values_are_exact = bool(verdicts.all())
        return {
            move: float(np.sign(verdict)) if verdict else float(mean)
            for move, verdict, mean in zip(position.moves, verdicts, means, strict=True)
        }

    def _lookahead(self, position: Position) -> int:
        return 0 if position.game.risk.is_risky else self.lookahead

    def _score(
        self, position: Position, seed: int
    ) -> "tuple[NDArray[np.int64], NDArray[np.float64], int]":
        """Per move: how soon it is proven to win for X (+) or for O (-); mean result; nodes."""
        import numpy as np

        moves = np.array(position.moves, np.int64)
        verdicts = np.zeros(len(moves), np.int64)
        looked_at = 0
        if self._lookahead(position) > 0:
            verdicts, looked_at = _look(position, moves, self._lookahead(position))
            verdicts *= 1 if position.turn == "X" else -1
        return verdicts, _play(position, moves, self.playouts, seed) / self.playouts, looked_at


def _look(
    position: Position, moves: "NDArray[np.int64]", depth: int
) -> "tuple[NDArray[np.int64], int]":
    """For each move whether it wins (+) or loses (-), larger when sooner; positions seen."""
    import numpy as np

    from noughts.games.compiled import compiled
    from noughts.kernels.search import flat

    board = compiled(position)
    room = flat.new_room(board.rules, board.facts, depth)
    verdicts = np.zeros(len(moves), np.int64)
    budget = np.array([LOOKAHEAD_POSITIONS])
    flat.look(board.rules, board.row, room, depth, budget, moves, verdicts)
    return verdicts, LOOKAHEAD_POSITIONS - int(budget[0])


def _play(
    position: Position, moves: "NDArray[np.int64]", games: int, seed: int
) -> "NDArray[np.float64]":
    """The sum of the results for X of so many random games after each move."""
    import numpy as np

    from noughts.games.compiled import MAX_TURNS, compiled
    from noughts.kernels.rng import seeded
    from noughts.kernels.search import flat

    board = compiled(position, is_random=True)
    room = flat.new_room(board.rules, board.facts, 0)
    totals = np.zeros((len(moves), board.facts.seats))
    flat.play(board.rules, board.row, room, moves, games, MAX_TURNS, seeded(seed), totals)
    return totals[:, 0]
