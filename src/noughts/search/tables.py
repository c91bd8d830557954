"""From a line game to the tables that the search kernel takes."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from noughts.games.line_game import LineGame
from noughts.kernels.line_totals import ONE, SearchTables

EXACT_CELLS = 39  # 2 · 3^39 < 2^64, so the key of such a board is the board itself
_KEY_SEED = 20_240_229
_MAX_IMAGES = 192  # more symmetries than this cost more than they find


def _bound_table(longest: int) -> NDArray[np.int64]:
    """2^-(marks that are missing), in units of 1/ONE."""
    table = np.zeros((longest + 1, longest + 2), np.int64)
    for length in range(1, longest + 1):
        for marks in range(length + 1):
            table[length, marks] = ONE >> (length - marks)
    return table


def _strength_table(longest: int) -> NDArray[np.int64]:
    """Each further mark makes an alive line four times as strong; an empty line is worth 0."""
    table = np.zeros((longest + 1, longest + 2), np.int64)
    for length in range(1, longest + 1):
        for marks in range(1, length + 1):
            table[length, marks] = max(4096 >> 2 * (length - marks), 1)
    return table


def _keys(cells: int) -> tuple[NDArray[np.uint64], np.uint64]:
    if cells <= EXACT_CELLS:
        digits = [2 * 3**cell for cell in range(cells)]
        return np.array([digits, [2 * digit for digit in digits]], np.uint64), np.uint64(1)
    rng = np.random.default_rng(_KEY_SEED)
    keys = rng.integers(0, 2**64, (2, cells), np.uint64)
    return keys, np.uint64(rng.integers(0, 2**64, dtype=np.uint64))


@lru_cache(maxsize=16)
def search_tables(game: LineGame) -> SearchTables:
    """The tables of a game, without roles and with the usual limits."""
    longest = max(map(len, game.lines))
    keys, turn_key = _keys(game.cells)
    images = np.array(game.symmetries()[:1], np.int64)
    if game.cells <= 64 and len(game.symmetries()) <= _MAX_IMAGES:
        images = np.array(game.symmetries(), np.int64)
    return SearchTables(
        bound=_bound_table(longest),
        strength=_strength_table(longest),
        keys=keys,
        turn_key=turn_key,
        images=images,
        inverses=np.argsort(images, axis=1),
        canonical_marks=game.cells // 2 if len(images) > 1 else -1,
        threat_depth=8,
        width=game.cells if game.cells <= 64 else 24,
        is_plain=False,
        viewer=0,
        roles=0,
        role_start=np.zeros(game.cells + 1, np.int32),
        role_of=np.zeros(0, np.int32),
        role_value=np.zeros((1, 1), np.int64),
        cell_value=np.zeros((2, game.cells), np.int64),
    )
