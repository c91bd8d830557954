"""The engine of line games where marks flip or fizzle: expectiminimax with Star1 and Star2."""

import numpy as np
from numpy.typing import NDArray

from noughts.games.compiled import board_array, turn_number
from noughts.games.game import Position
from noughts.games.line_game import LineGame, LinePosition
from noughts.kernels.expectimax import score_moves
from noughts.search.deepening import Answer, Engine

_ENTRY_BYTES = 40


class RiskEngine(Engine):
    """Looks ahead over moves and landings; the table lives as long as the engine."""

    def __init__(self, game: LineGame, megabytes: int) -> None:
        super().__init__()
        self.game = game
        tables = game.search_rules.tables
        turn_key = np.full(game.cells, tables.turn_key)
        self.keys = np.vstack([tables.keys, turn_key])
        entries = megabytes * 2**20 // _ENTRY_BYTES
        if game.cells < 16:
            entries = min(entries, 8 * 3**game.cells)
        size = max(2 ** (entries.bit_length() - 1), 1024)
        self.table = (
            np.zeros(size, np.uint64),
            np.zeros(size),
            np.zeros(size),
            np.zeros(size, np.int64),
            np.zeros(size, np.int64),
        )
        self.memory = size * _ENTRY_BYTES
        self.first: tuple[Position, int] | None = None  # the best move of the last look

    def look(self, position: Position, depth: int) -> Answer:
        values, move, is_finished, is_sure = self._run(position, depth, is_full=False)
        sign = 1 if position.turn == "X" else -1
        reached = is_finished or not np.isnan(values[move])
        value = float(values[move]) if reached else 0.0
        self.first = (position, move)
        return Answer(
            move=move if reached else None,
            value=sign * value + 0.0,
            is_proven=is_finished and is_sure,
            is_final=is_finished and is_sure,
            is_finished=is_finished,
        )

    def values_at(self, position: Position, depth: int) -> tuple[dict[int, float], bool, bool]:
        found, _, is_finished, is_sure = self._run(position, depth, is_full=True)
        sign = 1 if position.turn == "X" else -1
        known = {m: sign * float(found[m]) + 0.0 for m in position.moves if not np.isnan(found[m])}
        return known, is_finished and is_sure, is_finished

    def _run(
        self, position: Position, depth: int, is_full: bool
    ) -> tuple[NDArray[np.float64], int, bool, bool]:
        assert isinstance(position, LinePosition), "an engine is made for its own game"
        facts = np.zeros(5, np.int64)
        facts[2] = self.first[1] if self.first and self.first[0] == position else -1
        board = board_array(position)
        key = sum(int(self.keys[mark - 1, cell]) for cell, mark in enumerate(board) if mark)
        values = np.full(self.game.cells, np.nan)
        score_moves(
            self.game.rules,
            self.keys,
            self.table,
            board,
            turn_number(position),
            np.uint64(key % 2**64),
            depth,
            is_full,
            self.stop,
            facts,
            values,
        )
        self.nodes += int(facts[0])
        self.deepest = max(self.deepest, depth)
        return values, int(facts[2]), not facts[3], not facts[4]
