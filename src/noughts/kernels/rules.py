"""The rules of every game as tuples of arrays: what kernels take in place of objects."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

EMPTY: Final = 0
X: Final = 1
O: Final = 2  # noqa: E741 - it is the name of the mark

RUNNING: Final = 0
DRAW: Final = 3


class RiskRules(NamedTuple):
    """How a mark lands. All vectors have one entry per cell."""

    is_risky: bool  # False: every mark lands as meant, and nothing below is read
    fades: bool
    has_clock: bool
    flip: NDArray[np.float64]
    fizzle: NDArray[np.float64]
    fade: NDArray[np.float64]
    hazard: NDArray[np.float64]
    tick_length: float
    last_tick: int  # of the game's clock; -1 where only the turn is limited
    longest_wait: int  # ticks that one turn may take


class LineRules(NamedTuple):
    """Cells and lines. Through cell c go the lines line_of[line_start[c] : line_start[c+1]]."""

    line_start: NDArray[np.uint32]  # [cells + 1]; unsigned, so numba expects no negative index
    line_of: NDArray[np.uint32]
    line_length: NDArray[np.uint8]  # [lines]
    line_cells: NDArray[np.int32]  # [lines, longest line], padded with -1
    line_masks: NDArray[np.uint64]  # [cells, most lines through a cell], see `tables.line_masks`
    is_misere: bool  # completing a line loses
    risk: RiskRules


class UltimateRules(NamedTuple):
    """A board of nine mini boards; the tables read a mini board's nine cells as bits."""

    is_won: NDArray[np.bool_]  # [512] does this set of cells hold a line
    # Small types keep both in the fastest cache; read them with `count_of` and `nth_of`.
    cell_count: NDArray[np.uint8]  # [512] how many cells are in the set
    nth_cell: NDArray[np.uint8]  # [512, 9] the n-th cell of the set, ascending
    plays_on: bool  # won mini boards take marks until they are full
    counts_boards: bool  # a full board goes to whoever won more mini boards
    risk: RiskRules
