"""Flat Monte Carlo: the same number of random games after each legal move; the best total wins.

A win scores +1, a draw 0 and a loss -1, among n players -1/(n - 1). Where two play without risk,
`lookahead` plies after each move are first searched for forced wins and losses: a proven win is
played, a proven loss only if all moves lose, and then the one that loses last. `flat:lookahead=0`
is the plain method, which is blind to forced replies (see `kernels/search/flat`).
"""

import math
import zlib
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent, Thought, check_running, view_of
from noughts.aloud import Batches, is_heard, tell
from noughts.effort import PLAYOUT, is_soon_decided
from noughts.games.game import Game, Position
from noughts.options import whole
from noughts.stats.means import standard_error

FIRST_BATCH = 16  # random games of one move, where somebody listens
LOOKAHEAD_POSITIONS = 200_000  # at most so many are looked at before the playouts


@dataclass(eq=False, repr=False)
class FlatAgent(Agent):
    """Scores every move by random games that begin with it."""

    name = kernels = "flat"
    playouts: int = whole(900, 1, 10**9, "How many random games follow each legal move.")
    lookahead: int = whole(4, 0, 32, "Plies after a move that are searched for forced wins.")

    def check_game(self, game: Game) -> None:
        game.check_kernels()

    def interpreted_seconds(self, game: Game) -> float:
        return PLAYOUT * self.playouts if is_soon_decided(game) else math.inf

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        check_running(position)
        began = perf_counter()
        verdicts, means, looked_at = self._score(position, int(rng.integers(2**63)))
        sign, _ = view_of(position)
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
        """Mean results, as every agent gives them; those that the lookahead proved are exact."""
        check_running(position)
        verdicts, means, _ = self._score(position, zlib.crc32(repr(position).encode()))
        self.values_are_exact = bool(verdicts.all())
        scores = list(zip(position.moves, verdicts, means, strict=True))
        self.spreads = {
            move: 0.0 if verdict else standard_error(float(mean), self.playouts)
            for move, verdict, mean in scores
        }
        return {
            move: float(np.sign(verdict)) if verdict else float(mean)
            for move, verdict, mean in scores
        }

    def _lookahead(self, position: Position) -> int:
        game = position.game
        return 0 if game.is_risky or game.seats > 2 else self.lookahead

    def _score(
        self, position: Position, seed: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
        """Per move: how soon it is proven to win for X (+) or for O (-); mean result; nodes."""
        moves = np.array(position.moves, np.int64)
        verdicts = np.zeros(len(moves), np.int64)
        looked_at = 0
        if self._lookahead(position) > 0:
            verdicts, looked_at = _look(position, moves, self._lookahead(position))
            verdicts *= int(view_of(position)[0])
        return verdicts, _play(position, moves, self.playouts, seed) / self.playouts, looked_at


def _look(
    position: Position, moves: NDArray[np.int64], depth: int
) -> tuple[NDArray[np.int64], int]:
    """For each move whether it wins (+) or loses (-), larger when sooner; positions seen."""
    from noughts.games.compiled import compiled
    from noughts.kernels.search import flat

    board = compiled(position)
    room = flat.new_room(board.rules, board.facts, depth)
    verdicts = np.zeros(len(moves), np.int64)
    budget = np.array([LOOKAHEAD_POSITIONS])
    flat.look(board.rules, board.row, room, depth, budget, moves, verdicts)
    return verdicts, LOOKAHEAD_POSITIONS - int(budget[0])


def _play(
    position: Position, moves: NDArray[np.int64], games: int, seed: int
) -> NDArray[np.float64]:
    """The sum of the results of so many random games after each move, as `Agent.values` has it."""
    from noughts.games.compiled import MAX_TURNS, compiled
    from noughts.kernels.rng import seeded
    from noughts.kernels.search import flat

    board = compiled(position, is_random=True)
    room, rng = flat.new_room(board.rules, board.facts, 0), seeded(seed)
    totals = np.zeros((len(moves), board.facts.seats))
    column = view_of(position)[1]

    def play(some: slice, batch: int) -> None:
        rules, row, out = board.rules, board.row, totals[some]
        flat.play(rules, row, room, moves[some], batch, MAX_TURNS, rng, out)

    if not is_heard():
        play(slice(None), games)
        return totals[:, column]
    for i in range(len(moves)):  # the same games in the same order
        done, batches = 0, Batches(FIRST_BATCH, games)
        while done < games:
            batch = batches.next(games - done)
            play(slice(i, i + 1), batch)
            done += batch
            tell(i * games + done, len(moves) * games, "random games")
    return totals[:, column]
