"""The engine of games for any number of players: maxⁿ over the verbs of the game's family."""

import numpy as np
from numpy.typing import NDArray

from noughts.agents import view_of
from noughts.games.compiled import MAX_TURNS, check_kernels, row_of
from noughts.games.game import Game, Position
from noughts.kernels.rules import protocol
from noughts.kernels.search.maxn import Memory, Task, new_room, search
from noughts.kernels.search.tree import TIED
from noughts.search.engines.deepening import Answer, Engine
from noughts.search.engines.negamax import check_listed, new_rows, search_rules, table_size

_ENTRY_BYTES = 24  # and eight for every seat, four for every number of a row


class MaxnEngine(Engine):
    """Looks ahead for every seat; the table lives as long as the engine."""

    def __init__(self, game: Game, megabytes: int, ties: str, playouts: int) -> None:
        super().__init__()
        check_kernels(game)
        self.is_uniform, self.playouts = ties == "uniform", playouts
        self.rules = game.rules
        if game.fades and not protocol.facts(self.rules).most_events:
            self.rules = search_rules(game, game.marks[0])
        facts = self.facts = protocol.facts(self.rules)
        check_listed(game, facts)
        size = table_size(game, facts, megabytes, _ENTRY_BYTES + 8 * facts.seats)
        self.table = Memory(
            np.zeros(size, np.uint64),
            np.zeros((size, facts.seats)),
            np.zeros(size, np.int64),
            np.zeros(size, np.int64),
            new_rows(facts, size),
        )
        self.memory = sum(array.nbytes for array in self.table)
        self.state = protocol.new(self.rules)
        self.tied: list[int] = []  # the best moves of the last look that was finished, ascending

    def look(self, position: Position, depth: int) -> Answer:
        worths, move, is_finished, is_sure = self._run(position, depth, is_full=False)
        column = position.game.marks.index(position.mover)
        value = 0.0
        if move >= 0:
            own = worths[:, column]
            self.tied = np.flatnonzero(own >= np.nanmax(own) - TIED).tolist()
            value = float(worths[move, view_of(position)[1]])
        return Answer(
            move=move if move >= 0 else None,
            value=value + 0.0,
            is_proven=is_finished and is_sure,
            is_final=is_finished and is_sure,
            is_finished=is_finished,
        )

    def values_at(self, position: Position, depth: int) -> tuple[dict[int, float], bool, bool]:
        found, is_exact, is_finished = self.worths_at(position, depth)
        column = view_of(position)[1]
        return {move: worth[column] + 0.0 for move, worth in found.items()}, is_exact, is_finished

    def worths_at(
        self, position: Position, depth: int
    ) -> tuple[dict[int, tuple[float, ...]], bool, bool]:
        """What every move is worth to each seat, whether all are exact, and was it finished."""
        worths, _, is_finished, is_sure = self._run(position, depth, is_full=True)
        known = [move for move in position.moves if not np.isnan(worths[move, 0])]
        found = {move: tuple(map(float, worths[move])) for move in known}
        return found, is_finished and is_sure, is_finished

    def _run(
        self, position: Position, depth: int, is_full: bool
    ) -> tuple[NDArray[np.float64], int, bool, bool]:
        facts, counted = self.facts, np.zeros(1, np.int64)
        worths = np.full((facts.moves, facts.seats), np.nan)
        task = Task(
            depth, is_full, self.is_uniform, self.playouts, MAX_TURNS, not facts.key_is_exact
        )
        room = new_room(self.rules, facts, 2 * depth + 2)  # tosses cost no depth
        move, is_finished, is_guessed = search(
            self.rules, task, self.table, room, self.state, row_of(position), self.stop, counted,
            worths,
        )  # fmt: skip
        self.nodes += int(counted[0])
        self.deepest = max(self.deepest, depth)
        return worths, int(move), bool(is_finished), not is_guessed
