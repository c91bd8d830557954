"""The truth about one solved line game, and what each choice of a player loses by it."""

from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent
from noughts.errors import NoughtsError
from noughts.games.game import Game, Mark
from noughts.kernels.learn.table_grading import (
    choice_losses,
    mark_reachable,
    mark_running,
    swap_numbers,
)
from noughts.knowledge.tables import table_of
from noughts.solve.numbering import landing_vectors, numbered_position, sweep_rules
from noughts.solve.policies import Policy, make_policy
from noughts.solve.solution import Solution
from noughts.solve.stages import thread_count

BATCH = 1 << 15  # boards that a player is asked about at once

Numbers = NDArray[np.int64]


def ask(player: Agent, game: Game, numbers: Numbers, turn: Mark) -> Numbers:
    """The player's move on each of these boards; in bulk if it can, one by one if not."""
    answer = getattr(player, "choices", None)
    moves = np.empty(len(numbers), np.int64)
    if answer is not None:
        parts = [slice(first, first + BATCH) for first in range(0, len(numbers), BATCH)]

        def fill(part: slice) -> None:
            moves[part] = answer(numbers[part], turn)

        if len(parts) < 2:
            list(map(fill, parts))
        else:
            with ThreadPoolExecutor(thread_count(None)) as pool:
                list(pool.map(fill, parts))  # a list: what a thread raised is raised here
        return moves
    for i, number in enumerate(numbers.tolist()):
        player.reset()
        position = numbered_position(game, number, turn)
        moves[i] = player.choose(position, np.random.default_rng(number))
    return moves


class Judge:
    """The truth about one line game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules = sweep_rules(game)
        self.odds = landing_vectors(game)
        self.solution: Solution = table_of(game)

    @cached_property
    def positions(self) -> tuple[Numbers, Numbers]:
        """The running positions, as numbers from the player on turn: X's, then O's."""
        marks = np.zeros((2, 3**self.game.cells), np.bool_)
        if self.game.fades:  # marks come and go, so every board can come about
            mark_running(self.rules, marks)
        else:
            mark_reachable(self.rules, self.odds, marks)
        return np.flatnonzero(marks[0]), swap_numbers(self.rules, np.flatnonzero(marks[1]))

    @cached_property
    def optimal(self) -> Policy:
        return make_policy(self.game, self.solution, "lowest", "X")

    def losses(self, numbers: Numbers, moves: Numbers) -> NDArray[np.float64]:
        """What each choice loses."""
        found, _ = self._weigh(numbers, moves)
        if len(found) and found.min() < 0.0:
            move = moves[int(found.argmin())]
            raise NoughtsError(f"The player chose cell {move}, which is not open.")
        return found

    def best(self, numbers: Numbers) -> Numbers:
        """The lowest best move on each board."""
        return self._weigh(numbers, np.zeros(len(numbers), np.int64))[1]

    def _weigh(self, numbers: Numbers, moves: Numbers) -> tuple[NDArray[np.float64], Numbers]:
        """What each choice loses, below 0 where the cell is not open; the lowest best moves."""
        losses, best = np.empty(len(numbers)), np.empty(len(numbers), np.int64)
        arrivals, tie = self.solution.arrivals[0], self.solution.tie
        choice_losses(self.rules, self.odds, arrivals, tie, numbers, moves, losses, best)
        return losses, best


@lru_cache(maxsize=1)
def judge_of(game: Game) -> Judge:
    """The judge of a game; that of the game before is forgotten."""
    return Judge(game)
