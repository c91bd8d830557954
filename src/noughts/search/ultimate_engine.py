"""The engine of Ultimate without risk: alpha-beta, exact once few cells are left."""

from functools import cache
from itertools import product

import numpy as np

from noughts.games.compiled import turn_number, ultimate_arrays
from noughts.games.game import Position
from noughts.games.ultimate import MINI, UltimateGame, UltimatePosition
from noughts.kernels.transposition import DECIDED, SURE, UNSURE, WIN
from noughts.kernels.ultimate_search import UltimateTables, negamax
from noughts.search.deepening import Answer, Engine
from noughts.search.growing_table import GrowingTable
from noughts.search.line_engine import bend

_KEY_SEED = 20_240_301
_SCALE = 8192.0  # the evaluation that stands for a value of tanh(1)


def _promise(own: int, theirs: int) -> int:
    """How much a mini board promises: 0 when no line in it can be completed any more, else ≥ 1."""
    alive = [line for line in MINI.line_masks if not line & theirs]
    if not alive:
        return 0
    if any(line & theirs == line for line in MINI.line_masks):
        return 0
    twos = sum((line & own).bit_count() == 2 for line in alive)
    ones = sum((line & own).bit_count() == 1 for line in alive)
    return 1 + min(12, 4 * twos + ones)


@cache
def ultimate_tables() -> UltimateTables:
    """The tables of the search kernel; the same for every variant of the rules."""
    promise = np.zeros((512, 512), np.int64)
    for own, theirs in product(range(512), repeat=2):
        if not own & theirs:
            promise[own, theirs] = _promise(own, theirs)
    rng = np.random.default_rng(_KEY_SEED)

    def keys(*shape: int) -> "np.ndarray[tuple[int, ...], np.dtype[np.uint64]]":
        return rng.integers(0, 2**64, shape, np.uint64)

    return UltimateTables(
        promise=promise,
        lines=np.array(MINI.lines, np.int64),
        cell_keys=keys(2, 81),
        owner_keys=keys(2, 9),
        forced_keys=keys(10),
        turn_key=np.uint64(rng.integers(0, 2**64, dtype=np.uint64)),
    )


class UltimateEngine(Engine):
    """Alpha-beta on one variant of Ultimate; the table lives as long as the engine."""

    def __init__(self, game: UltimateGame, megabytes: int) -> None:
        super().__init__()
        self.game = game
        self.tables = ultimate_tables()
        self.table = GrowingTable(megabytes)
        self.quiet = np.zeros((2, 81), np.int64)

    def look(self, position: Position, depth: int) -> Answer:
        assert isinstance(position, UltimatePosition), "an engine is made for its own game"
        marks, owners = ultimate_arrays(position)
        facts = np.array([0, 0, -1, 0], np.int64)
        self.table.grow(self.nodes)
        self.memory = self.table.memory
        self.quiet //= 2
        score, doubt = negamax(
            self.game.rules,
            self.tables,
            self.table.arrays,
            marks,
            owners,
            position.forced,
            turn_number(position) - 1,
            0,
            self._key(position),
            depth,
            -WIN,
            WIN,
            self.quiet,
            np.empty((2, depth + 1, 81), np.int64),
            self.stop,
            facts,
        )
        self.nodes += int(facts[0])
        self.deepest = max(self.deepest, int(facts[1]))
        score, move, is_finished = int(score), int(facts[2]), not facts[3]
        distance = WIN - abs(score) if abs(score) > DECIDED else None
        sign = 1 if position.turn == "X" else -1
        value = float(np.sign(score)) if distance is not None else bend(score, _SCALE)
        is_sure = doubt != UNSURE or distance is not None
        return Answer(
            move=move if move >= 0 else None,
            value=sign * (0.0 if is_sure and distance is None else value) + 0.0,
            is_proven=bool(is_finished and is_sure),
            is_final=bool(is_finished and (doubt == SURE or distance is not None)),
            is_finished=bool(is_finished),
            distance=distance,
        )

    def _key(self, position: UltimatePosition) -> np.uint64:
        total = 0
        for side, mask in enumerate((position.x_mask, position.o_mask)):
            total += sum(int(self.tables.cell_keys[side, c]) for c in range(81) if mask >> c & 1)
        for side, minis in enumerate((position.x_minis, position.o_minis)):
            total += sum(int(self.tables.owner_keys[side, m]) for m in range(9) if minis >> m & 1)
        return np.uint64(total % 2**64)
