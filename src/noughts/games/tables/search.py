"""From a Game to the tuples that searches of the alpha-beta kind take: rules and tables."""

from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from noughts.games.line_game import LineGame
from noughts.games.ultimate import MINI, UltimateGame
from noughts.kernels.rules.line_search import ONE, LineSearch, LineTables
from noughts.kernels.rules.ultimate_search import UltimateSearch, UltimateTables

EXACT_CELLS = 39  # 2 · 3^39 < 2^64, so the key of such a board is the board itself
OPEN_THREAT = 4096  # what a line that lacks one mark is worth after it
_LINE_SEED, _ULTIMATE_SEED, _TICK_SEED = 20_240_229, 20_240_301, 20_240_302
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
            table[length, marks] = max(OPEN_THREAT >> 2 * (length - marks), 1)
    return table


def _random_keys(rng: np.random.Generator, *shape: int) -> NDArray[np.uint64]:
    return rng.integers(0, 2**64, shape, np.uint64)


def _random_key(seed: int) -> np.uint64:
    return np.uint64(_random_keys(np.random.default_rng(seed), 1)[0])


def _line_keys(cells: int) -> tuple[NDArray[np.uint64], np.uint64]:
    if cells <= EXACT_CELLS:
        digits = [2 * 3**cell for cell in range(cells)]
        return np.array([digits, [2 * digit for digit in digits]], np.uint64), np.uint64(1)
    rng = np.random.default_rng(_LINE_SEED)
    keys = _random_keys(rng, 2, cells)
    return keys, np.uint64(rng.integers(0, 2**64, dtype=np.uint64))


def line_search(game: LineGame) -> LineSearch:
    """The tables of a game of lines, without roles."""
    longest = max(map(len, game.lines))
    keys, turn_key = _line_keys(game.cells)
    images = np.array(game.symmetries()[:1], np.int64)
    if game.cells <= 64 and len(game.symmetries()) <= _MAX_IMAGES:
        images = np.array(game.symmetries(), np.int64)
    tables = LineTables(
        bound=_bound_table(longest),
        strength=_strength_table(longest),
        keys=keys,
        turn_key=turn_key,
        tick_key=_random_key(_TICK_SEED),
        images=images,
        inverses=np.argsort(images, axis=1),
        canonical_marks=game.cells // 2 if len(images) > 1 else -1,
        width=game.cells if game.cells <= 64 else 24,
        scale=float(OPEN_THREAT),
        is_plain=False,
        viewer=0,
        roles=0,
        role_start=np.zeros(game.cells + 1, np.int32),
        role_of=np.zeros(0, np.int32),
        role_value=np.zeros((1, 1), np.int64),
        cell_value=np.zeros((2, game.cells), np.int64),
    )
    return LineSearch(game.rules, tables)


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
def _ultimate_tables() -> UltimateTables:
    """The same for every variant of the rules."""
    promise = np.zeros((512, 512), np.int64)
    for own, theirs in product(range(512), repeat=2):
        if not own & theirs:
            promise[own, theirs] = _promise(own, theirs)
    rng = np.random.default_rng(_ULTIMATE_SEED)
    return UltimateTables(
        promise=promise,
        cell_keys=_random_keys(rng, 2, 81),
        owner_keys=_random_keys(rng, 2, 9),
        forced_keys=_random_keys(rng, 10),
        turn_key=np.uint64(rng.integers(0, 2**64, dtype=np.uint64)),
        tick_key=_random_key(_TICK_SEED),
    )


def ultimate_search(game: UltimateGame) -> UltimateSearch:
    """The tables of Ultimate."""
    return UltimateSearch(game.rules, _ultimate_tables())
