"""Does the prover's forced-win search tell the truth? Random positions, against the complete one.

Where it says "win" the complete search must agree; how often it misses a win is its price for being
fast. A zone must hold what it promises: one more quiet mark outside it leaves the win in place.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noughts.games.line_game import LineGame
from noughts.games.registry import game as read_game
from noughts.kernels.proof.complete import win_lengths
from noughts.kernels.proof.forced import forced_zones
from noughts.prove.storage import four_lines, make_memory

_FEWEST, _MOST = 4, 12  # marks of each side
_BATCH = 10_000
_ROWS = 1 << 18


@dataclass(frozen=True)
class Soundness:
    """How the two searches compare."""

    positions: int  # without a three of either side
    wins: int  # that the complete search found
    found: int  # of these, that the prover's search found
    false: int  # wins that the prover's search alone claimed
    zones_tried: int  # positions with one more mark outside the zone
    zones_broken: int  # of these, no longer won

    @property
    def missed(self) -> int:
        """Wins that the prover's search overlooked."""
        return self.wins - self.found


def compare_searches(positions: int, seed: int = 1) -> Soundness:
    """Compare them on so many random positions of Qubic, X on turn."""
    game = read_game("qubic")
    assert isinstance(game, LineGame)
    board, memory = four_lines(game), make_memory(32)
    lines = np.array(game.board.line_masks, np.uint64)
    table = np.zeros((_ROWS, 3), np.uint64)
    rng = np.random.default_rng(seed)
    total = np.zeros(6, np.int64)
    while total[0] < positions:
        own, other = _random_positions(rng, lines)
        zones, is_quiet = np.zeros(len(own), np.uint64), np.zeros(len(own), np.bool_)
        forced_zones(board, memory, own, other, zones, is_quiet)
        chosen = np.flatnonzero(is_quiet)[: positions - int(total[0])]
        own, other, zones = own[chosen], other[chosen], zones[chosen]
        lengths = np.zeros(len(own), np.int64)
        win_lengths(lines, own, other, table, lengths)
        claimed, won = zones != 0, lengths > 0
        total[:4] += (len(own), won.sum(), (won & claimed).sum(), (claimed & ~won).sum())
        tried, more = _outside(rng, lines, own, other, zones)
        lengths = np.zeros(len(tried), np.int64)
        win_lengths(lines, own[tried], more, table, lengths)
        total[4:] += (len(tried), (lengths == 0).sum())
    return Soundness(*map(int, total))


def _random_positions(
    rng: np.random.Generator, lines: NDArray[np.uint64]
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Positions with equally many marks of both sides, where nobody has a line."""
    marks = rng.integers(_FEWEST, _MOST + 1, _BATCH)
    order = np.argsort(rng.random((_BATCH, 64)), axis=1).astype(np.uint64)
    bits = np.uint64(1) << order
    place = np.arange(64)
    own = np.bitwise_or.reduce(np.where(place < marks[:, None], bits, np.uint64(0)), axis=1)
    in_other = (place >= marks[:, None]) & (place < 2 * marks[:, None])
    other = np.bitwise_or.reduce(np.where(in_other, bits, np.uint64(0)), axis=1)
    has_line = np.zeros(_BATCH, np.bool_)
    for line in lines:
        has_line |= ((own & line) == line) | ((other & line) == line)
    return own[~has_line], other[~has_line]


def _outside(
    rng: np.random.Generator,
    lines: NDArray[np.uint64],
    own: NDArray[np.uint64],
    other: NDArray[np.uint64],
    zones: NDArray[np.uint64],
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """(the positions with a zone, `other` with a quiet mark more outside it); one try for each."""
    bits = np.uint64(1) << rng.integers(0, 64, len(own)).astype(np.uint64)
    is_fit = (zones != 0) & ((own | other | zones) & bits == 0)
    more = other | bits
    for line in lines:
        missing = line & ~more
        is_three = (line & own == 0) & (missing & (missing - np.uint64(1)) == 0)
        is_fit &= ~is_three
    tried = np.flatnonzero(is_fit)
    return tried, more[tried]
