"""Plain minimax, the baseline that everything else is measured against."""

import math
import time
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from noughts.agents import Agent, Thought, check_running
from noughts.errors import NoughtsError
from noughts.games.game import Game, Position
from noughts.options import whole

MAX_POSITIONS = 2_000_000_000  # about a minute; more would look like a hang


@dataclass(eq=False, repr=False)
class MinimaxAgent(Agent):
    """Looks at every line of play to the end, or to a depth beyond which all counts as drawn.

    Among moves of equal value and distance the first is played.
    """

    name = kernels = "minimax"
    most_seats = 2
    is_deterministic = True
    depth: int | None = whole(None, 1, 400, "How many moves it looks ahead; else to the end.")

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        check_running(position)
        began = time.perf_counter()
        scores, nodes = self._scores(position)
        move = max(scores, key=lambda cell: scores[cell])
        depth = self._depth(position)
        self.last = Thought(
            nodes=nodes,
            depth=depth,
            seconds=time.perf_counter() - began,
            memory=position.game.cells * 16,
            value=self._value(position, scores[move]),
            is_exact=depth == len(position.open_cells) or scores[move] != 0,
        )
        return move

    def values(self, position: Position) -> dict[int, float]:
        if position.result is not None:
            return {}
        scores, _ = self._scores(position)
        self.values_are_exact = self._depth(position) == len(position.open_cells)
        return {move: self._value(position, score) for move, score in scores.items()}

    def _depth(self, position: Position) -> int:
        empty = len(position.open_cells)
        return empty if self.depth is None else min(self.depth, empty)

    def _value(self, position: Position, score: int) -> float:
        won = float((score > 0) - (score < 0))
        return won if position.turn == "X" else 0.0 - won

    def check_game(self, game: Game) -> None:
        if game.hypergraph is None or game.is_risky:
            raise NoughtsError(
                f"minimax plays boards of lines without risk; alphabeta can play {game}."
            )

    def check_position(self, position: Position) -> None:
        self.check_game(position.game)
        lines = math.perm(len(position.open_cells), self._depth(position))
        if lines > MAX_POSITIONS:
            # A Decimal, because such numbers can be too large for a float.
            raise NoughtsError(
                f"minimax would look at {Decimal(lines):.0e} lines of play on {position.game}; "
                "give it depth=N, or take alphabeta."
            )

    def _scores(self, position: Position) -> tuple[dict[int, int], int]:
        """The score of every move for the player on turn, and how many positions were made."""
        from noughts.games.compiled import compiled
        from noughts.kernels.search.minimax import minimax, new_stack

        self.check_position(position)
        board = compiled(position, is_random=True)
        stack = new_stack(board.facts, self._depth(position))
        out = np.zeros(len(position.moves), np.int64)
        nodes = minimax(board.rules, board.row, board.state, stack, out)
        return dict(zip(position.moves, map(int, out), strict=True)), int(nodes)
