"""The engine of games without chance: negamax over the verbs of the game's family."""

import math

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.games.compiled import check_kernels, row_of
from noughts.games.game import Game, Mark, Position
from noughts.kernels.rules import protocol
from noughts.kernels.rules.coalition import Coalition
from noughts.kernels.rules.protocol import WIN
from noughts.kernels.search.negamax import Memory, Task, new_room, search
from noughts.kernels.transposition import DECIDED, SURE, UNSURE, slots_of
from noughts.search.engines.deepening import Answer, Engine

THREATS = 8  # that are tried in a row past the depth, unless it is said
_ENDLESS_PLIES = 1000  # of a search in a game that may go on for ever
_ALL = 1 << 30
_ENTRY_BYTES = 16  # of the table, and four for every number of a row
_FIRST_ENTRIES = 2**14
_GROWTH = 4

Arrays = tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int32]]


class GrowingTable:
    """A transposition table of at most so many megabytes, small at first.

    Keys, data and, where keys are not exact, rows. Most searches end after a few thousand
    positions, and clearing a large table would take longer than they do. So the table grows once
    more positions were searched than it has entries.
    """

    def __init__(self, megabytes: int, row_size: int = 0) -> None:
        entry_bytes = _ENTRY_BYTES + 4 * row_size
        self.row_size = row_size
        self.most = 2 ** ((megabytes * 2**20 // entry_bytes).bit_length() - 1)
        self.arrays = self._empty(min(_FIRST_ENTRIES, self.most))

    @property
    def memory(self) -> int:
        """How many bytes it takes."""
        return sum(array.nbytes for array in self.arrays)

    def grow(self, nodes: int) -> None:
        """Make room for a search that has seen this many positions; what is known is kept."""
        keys, data, rows = self.arrays
        size = len(keys)
        while size < min(nodes, self.most):
            size = min(size * _GROWTH, self.most)
        if size == len(keys):
            return
        new_keys, new_data, new_rows = self.arrays = self._empty(size)
        is_kept = data != 0
        slots = slots_of(keys[is_kept], size)
        new_keys[slots], new_data[slots] = keys[is_kept], data[is_kept]
        if self.row_size:
            new_rows[slots] = rows[is_kept]

    def _empty(self, size: int) -> Arrays:
        rows = (size, self.row_size) if self.row_size else (1, 0)
        return np.zeros(size, np.uint64), np.zeros(size, np.int64), np.zeros(rows, np.int32)


class AlphaBetaEngine(Engine):
    """Alpha-beta on one game; the table lives as long as the engine.

    `rules`: other than the game's own search rules, such as those of another evaluation. With more
    than two players they are a coalition of all but the `seat` that thinks.
    """

    def __init__(
        self,
        game: Game,
        megabytes: int,
        threats: int = THREATS,
        rules: object = None,
        seat: Mark = "X",
    ) -> None:
        super().__init__()
        check_kernels(game)
        self.seat, self.lost = seat, -1.0 / (game.seats - 1)
        self.rules = search_rules(game, seat) if rules is None else rules
        facts = self.facts = protocol.facts(self.rules)
        self.threats = threats if facts.forces else 0
        self.table = GrowingTable(megabytes, 0 if facts.key_is_exact else facts.row_size)
        self.quiet = np.zeros((facts.seats, facts.moves), np.int64)  # refutations, by depth²
        self.state = protocol.new(self.rules)
        self.room = new_room(facts, (facts.longest or _ENDLESS_PLIES) + 2)
        self.quick_moves = 9 if facts.longest else 0

    def search(
        self, position: Position, depth: int, alpha: int = -WIN, beta: int = WIN
    ) -> tuple[int, int, int, bool]:
        """(score for the player on turn, move or -1, SURE…UNSURE, was it finished)."""
        counted = np.zeros(2, np.int64)
        self.table.grow(self.nodes)
        self.memory = self.table.memory
        self.quiet //= 2
        facts = self.facts
        score, move, sureness, is_finished = search(
            self.rules,
            Task(
                depth,
                alpha,
                beta,
                self.threats,
                facts.width or _ALL,
                not facts.key_is_exact,
                facts.repeats,
            ),
            Memory(*self.table.arrays, self.quiet),
            self.room,
            self.state,
            row_of(position),
            self.stop,
            counted,
        )
        self.nodes += int(counted[0])
        self.deepest = max(self.deepest, int(counted[1]))
        return int(score), int(move), int(sureness), bool(is_finished)

    def look(self, position: Position, depth: int) -> Answer:
        score, move, sureness, is_finished = self.search(position, depth)
        distance = WIN - abs(score) if abs(score) > DECIDED else None
        is_final = sureness == SURE or (distance is not None and distance <= depth)
        return Answer(
            move=move if move >= 0 else (position.moves[0] if is_finished else None),
            value=self._value(self.sign(position) * score, sureness) + 0.0,  # 0.0, never -0.0
            is_proven=is_finished and (sureness != UNSURE or distance is not None),
            is_final=is_finished and is_final,
            is_finished=is_finished,
            distance=distance,
        )

    def _value(self, score: float, sureness: int) -> float:
        """A score of the kernel as an expected result."""
        if abs(score) > DECIDED:
            return 1.0 if score > 0 else self.lost
        return 0.0 if sureness != UNSURE else bend(score, self.facts.scale)


def search_rules(game: Game, seat: Mark) -> object:
    """The rules by which a seat searches: the game's own for two, else a coalition against it."""
    if game.seats == 2:
        return game.search_rules
    return Coalition(game.rules, 1 + game.marks.index(seat))


def table_size(game: Game, facts: protocol.Facts, megabytes: int, entry_bytes: int) -> int:
    """How many entries a table takes, whose size is fixed: no more than a small game has boards."""
    row_bytes = 0 if facts.key_is_exact else 4 * facts.row_size
    entries = megabytes * 2**20 // (entry_bytes + row_bytes)
    if game.cells < 16:
        entries = min(entries, 8 * (game.seats + 1) ** game.cells)
    return int(max(2 ** (entries.bit_length() - 1), 1024))


def new_rows(facts: protocol.Facts, size: int) -> NDArray[np.int32]:
    """The rows of the entries, where keys do not tell whose they are."""
    return np.zeros((1, 0) if facts.key_is_exact else (size, facts.row_size), np.int32)


def check_listed(game: Game, facts: protocol.Facts) -> None:
    """Refuse a game whose chance between two moves is drawn and not listed: nothing is exact."""
    if facts.settles and not facts.most_events:
        raise NoughtsError(
            f"{game} does not list what may happen between two moves, so nobody looks ahead in it; "
            "uct and flat play it."
        )


def bend(evaluation: float, scale: float) -> float:
    """An evaluation as a value between a loss and a win."""
    return 0.99 * math.tanh(evaluation / scale)
