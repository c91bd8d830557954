"""The player of a batched network: PUCT in one game, whose leaves share batches.

Without noise, and with the random symmetries of its evaluations drawn from the caller's generator,
so that equal seeds give equal moves. The subtree of the next position is kept.
"""

import zlib
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from noughts.agents import Agent, Thought, check_running
from noughts.errors import NoughtsError
from noughts.games.game import Game, Position
from noughts.learn.zero.batched.lockstep import Lockstep, Roots
from noughts.learn.zero.batched.lockstep_choice import best_moves, policies
from noughts.learn.zero.batched.lockstep_settings import PLAY, to_play
from noughts.learn.zero.batched.networks import Network, Weights
from noughts.options import number, whole
from noughts.stats.means import standard_error

SIMULATIONS = 600  # when neither a number nor a time is given
SLICE = 64  # simulations between two looks at the clock


@dataclass(eq=False, repr=False)
class BatchedPlayer(Agent):
    """Searches with a network that is evaluated in batches."""

    name = "zero"
    simulations: int | None = whole(None, 1, 10**7, "Simulations for a move; 600 unless given.")
    time: float | None = number(None, 0.001, 86_400, "Seconds for a move.")

    game: Game | None = None
    network: Network | None = None
    weights: Weights | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._search: Lockstep | None = None
        self._before: tuple[Position, int] | None = None

    def check_game(self, game: Game) -> None:
        if game != self.game:
            raise NoughtsError(f"This network has learned {self.game}, and cannot play {game}.")

    def reset(self) -> None:
        super().reset()
        self._before = None

    def _lockstep(self) -> Lockstep:
        if self._search is None:
            assert self.game is not None
            assert self.network is not None
            assert self.weights is not None
            settings = to_play(self.simulations or SIMULATIONS)
            self._search = Lockstep(self.game, self.network, self.weights, settings, 1)
        return self._search

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        check_running(position)
        self.check_game(position.game)
        began = perf_counter()
        search = self._lockstep()
        if not self._follow(search, position):
            search.seat(0, position, int(rng.integers(2**63)))
        before = search.simulations
        self._grow(search, began)
        roots = search.roots([0])
        index = int(best_moves(roots)[0])
        move = int(roots.moves[0, index])
        sign = 1.0 if position.turn == "X" else -1.0
        self._before = (position, move)
        self.last = Thought(
            nodes=search.simulations - before,
            seconds=perf_counter() - began,
            memory=sum(array.nbytes for array in search.forest),
            value=sign * float(roots.values[0, index]),
            is_exact=bool(roots.is_exact[0, index] and roots.is_proven[0]),
        )
        return move

    def _grow(self, search: Lockstep, began: float) -> None:
        if self.time is None:
            search.run([0])
            return
        most = self.simulations or 10**9
        done = 0
        while done < most and perf_counter() - began < self.time:
            before = search.simulations
            search.run([0], min(SLICE, most - done))
            done += SLICE
            if search.simulations == before or search.roots([0]).is_proven[0]:
                break

    def _follow(self, search: Lockstep, position: Position) -> bool:
        """Keep what is of use when the game went on from the last move, or from it and a reply."""
        before, self._before = self._before, None
        if before is None or position.game.fades:
            return False
        earlier, move = before
        for _, after in earlier.landings(move):
            if after == position:
                return search.move_to(0, move, position)
            if after.result is None and position.last is not None:
                reply = position.game.move_at(position.last, max(0, position.tick - after.tick))
                replies = after.landings(reply) if reply in after.moves else []
                if any(position == found for _, found in replies):
                    return search.move_to(0, move, after) and search.move_to(0, reply, position)
        return False

    def values(self, position: Position) -> dict[int, float]:
        """Values for X of the moves that a search of its own, with a fixed seed, has visited."""
        check_running(position)
        self.check_game(position.game)
        roots = self._look(position)
        self.values_are_exact = bool(roots.is_exact[0].all())
        sign = 1.0 if position.turn == "X" else -1.0
        rows = [
            (int(move), int(visits), sign * float(value))
            for move, visits, value in zip(
                roots.moves[0], roots.visits[0], roots.values[0], strict=True
            )
            if visits
        ]
        self.spreads = {move: standard_error(value, visits) for move, visits, value in rows}
        return {move: value for move, _, value in rows}

    def policy(self, position: Position) -> dict[int, float]:
        """The share of the search that went to each move."""
        roots = self._look(position)
        shares = policies(PLAY, roots)[0]
        return dict(zip(map(int, roots.moves[0]), map(float, shares), strict=True))

    def _look(self, position: Position) -> Roots:
        search = self._lockstep()
        self._before = None
        search.seat(0, position, zlib.crc32(repr(position).encode()))
        self._grow(search, perf_counter())
        return search.roots([0])
