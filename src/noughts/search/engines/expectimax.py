"""The engine of games with chance: expectimax over the verbs of the game's family."""

import numpy as np
from numpy.typing import NDArray

from noughts.games.compiled import check_kernels, row_of
from noughts.games.game import Game, Mark, Position
from noughts.kernels.rules import protocol
from noughts.kernels.rules.codes import NO_MOVE
from noughts.kernels.search.expectimax import Memory, Task, new_room, search
from noughts.search.engines.deepening import Answer, Engine
from noughts.search.engines.negamax import check_listed, new_rows, search_rules, table_size

_ENTRY_BYTES = 40  # and four for every number of a row


class ExpectimaxEngine(Engine):
    """Looks ahead over moves and what they turn into; the table lives as long as the engine.

    Without `weighs` positions at the depth limit count as drawn.
    """

    def __init__(self, game: Game, megabytes: int, weighs: bool = True, seat: Mark = "X") -> None:
        super().__init__()
        check_kernels(game)
        self.weighs, self.seat = weighs, seat
        self.second = 1.0 / (game.seats - 1)
        self.rules = search_rules(game, seat)
        facts = self.facts = protocol.facts(self.rules)
        check_listed(game, facts)
        size = table_size(game, facts, megabytes, _ENTRY_BYTES)
        self.table = Memory(
            np.zeros(size, np.uint64),
            np.zeros(size),
            np.zeros(size),
            np.zeros(size, np.int64),
            np.zeros(size, np.int64),
            new_rows(facts, size),
        )
        self.memory = sum(array.nbytes for array in self.table)
        self.state = protocol.new(self.rules)
        self.first: tuple[Position, int] | None = None  # the best move of the last look

    def look(self, position: Position, depth: int) -> Answer:
        values, move, is_finished, is_sure = self._run(position, depth, is_full=False)
        reached = move >= 0 and not np.isnan(values[move])
        value = float(values[move]) if reached else 0.0
        self.first = (position, move)
        return Answer(
            move=move if reached else None,
            value=self.sign(position) * value + 0.0,
            is_proven=is_finished and is_sure,
            is_final=is_finished and is_sure,
            is_finished=is_finished,
        )

    def values_at(self, position: Position, depth: int) -> tuple[dict[int, float], bool, bool]:
        found, _, is_finished, is_sure = self._run(position, depth, is_full=True)
        sign = self.sign(position)
        known = {m: sign * float(found[m]) + 0.0 for m in position.moves if not np.isnan(found[m])}
        return known, is_finished and is_sure, is_finished

    def _run(
        self, position: Position, depth: int, is_full: bool
    ) -> tuple[NDArray[np.float64], int, bool, bool]:
        facts, counted = self.facts, np.zeros(1, np.int64)
        first = self.first[1] if self.first and self.first[0] == position else NO_MOVE
        values = np.full(facts.moves, np.nan)
        task = Task(
            depth, first, is_full, self.weighs, facts.scale, facts.settles,
            not facts.key_is_exact, self.second,
        )  # fmt: skip
        room = new_room(facts, 2 * depth + 2)  # tosses cost no depth
        _, move, is_finished, is_guessed = search(
            self.rules,
            task,
            self.table,
            room,
            self.state,
            row_of(position),
            self.stop,
            counted,
            values,
        )
        self.nodes += int(counted[0])
        self.deepest = max(self.deepest, depth)
        return values, int(move), bool(is_finished), not is_guessed
