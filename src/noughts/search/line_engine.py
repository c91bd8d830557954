"""The engine of line games without risk: the alpha-beta kernel with its tables."""

import math

import numpy as np

from noughts.games.compiled import board_array, turn_number
from noughts.games.game import Position
from noughts.games.line_game import LineGame, LinePosition
from noughts.kernels import alphabeta
from noughts.kernels.line_totals import SearchTables
from noughts.kernels.transposition import DECIDED, SURE, UNSURE, WIN
from noughts.search.deepening import Answer, Engine
from noughts.search.growing_table import GrowingTable
from noughts.search.tables import search_tables

OPEN_THREAT = 4096.0  # the evaluation that stands for a value of tanh(1)


class LineEngine(Engine):
    """Alpha-beta on one line game; the table lives as long as the engine."""

    quick_cells = 9

    def __init__(
        self,
        game: LineGame,
        megabytes: int,
        tables: SearchTables | None = None,
        scale: float = OPEN_THREAT,
    ) -> None:
        super().__init__()
        self.scale = scale
        self.game = game
        self.tables = search_tables(game) if tables is None else tables
        self.table = GrowingTable(megabytes)
        self.quiet = np.zeros((2, game.cells), np.int64)  # how often a cell refuted, by depth²

    def search(
        self, position: LinePosition, depth: int, alpha: int = -WIN, beta: int = WIN
    ) -> tuple[int, int, int, bool]:
        """(score for the player on turn, move or -1, SURE…UNSURE, was it finished)."""
        facts = np.zeros(2, np.int64)
        self.table.grow(self.nodes)
        self.memory = self.table.memory
        self.quiet //= 2
        score, move, sureness, is_finished = alphabeta.search(
            self.game.rules,
            self.tables,
            self.table.arrays,
            self.quiet,
            board_array(position),
            turn_number(position),
            depth,
            alpha,
            beta,
            self.stop,
            facts,
        )
        self.nodes += int(facts[0])
        self.deepest = max(self.deepest, int(facts[1]))
        return int(score), int(move), int(sureness), bool(is_finished)

    def look(self, position: Position, depth: int) -> Answer:
        assert isinstance(position, LinePosition), "an engine is made for its own game"
        score, move, sureness, is_finished = self.search(position, depth)
        distance = WIN - abs(score) if abs(score) > DECIDED else None
        is_final = sureness == SURE or (distance is not None and distance <= depth)
        sign = 1 if position.turn == "X" else -1
        return Answer(
            move=move if move >= 0 else (position.moves[0] if is_finished else None),
            value=sign * self._value(score, sureness) + 0.0,  # 0.0, never -0.0
            is_proven=is_finished and (sureness != UNSURE or distance is not None),
            is_final=is_finished and is_final,
            is_finished=is_finished,
            distance=distance,
        )

    def _value(self, score: int, sureness: int) -> float:
        """A score of the kernel as an expected result in [-1, 1]."""
        if abs(score) > DECIDED:
            return math.copysign(1.0, score)
        return 0.0 if sureness != UNSURE else bend(score, self.scale)


def bend(evaluation: float, scale: float) -> float:
    """An evaluation as a value between a loss and a win."""
    return 0.99 * math.tanh(evaluation / scale)
