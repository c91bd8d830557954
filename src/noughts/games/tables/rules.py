"""From a Game to the tuples of arrays that kernels take."""

import numpy as np
from numpy.typing import NDArray

from noughts.games.boards import Board
from noughts.games.line_game import LineGame
from noughts.games.risk import Risk
from noughts.games.ultimate import UltimateGame, has_line
from noughts.kernels.rules.lines import LineRules
from noughts.kernels.rules.masks import MaskRules
from noughts.kernels.rules.risk import RiskRules
from noughts.kernels.rules.ultimate import UltimateRules


def risk_rules(risk: Risk) -> RiskRules:
    """The risk of a game as arrays."""
    return RiskRules(
        is_risky=risk.is_risky,
        fades=risk.fades,
        has_clock=risk.has_clock,
        flip=np.array(risk.flip),
        fizzle=np.array(risk.fizzle),
        fade=np.array(risk.fade),
        hazard=np.array(risk.hazard),
        tick_length=float(risk.tick_length),
        last_tick=-1 if risk.last_tick is None else risk.last_tick,
        longest_wait=risk.longest_wait,
    )


def line_masks(board: Board) -> NDArray[np.uint64]:
    """The lines through each cell as words of bits, padded with full words; empty over 64 cells.

    A full word holds every line, so a side that owns all of it has won by one of them anyway.
    """
    if board.cells > 64:
        return np.zeros((0, 0), np.uint64)
    through = board.masks_through
    width = max(map(len, through))
    full = 2**64 - 1
    return np.array([[*masks, *[full] * (width - len(masks))] for masks in through], np.uint64)


def line_rules(game: LineGame) -> LineRules:
    """The lines of a board, by cell and by line."""
    lines = game.lines
    through: list[list[int]] = [[] for _ in range(game.cells)]
    for i, line in enumerate(lines):
        for cell in line:
            through[cell].append(i)
    line_cells = np.full((len(lines), max(map(len, lines))), -1, dtype=np.int32)
    for i, line in enumerate(lines):
        line_cells[i, : len(line)] = line
    return LineRules(
        line_start=np.cumsum([0, *map(len, through)], dtype=np.uint32),
        line_of=np.array([line for cell in through for line in cell], dtype=np.uint32),
        line_length=np.array([len(line) for line in lines], dtype=np.uint8),
        line_cells=line_cells,
        line_masks=line_masks(game.board),
        seats=game.seats,
        is_misere=game.is_misere,
        risk=risk_rules(game.risk),
    )


def mask_rules(game: LineGame) -> MaskRules:
    """The lines of a board of at most 64 cells as words of bits."""
    lines = np.array(game.board.line_masks, np.uint64)
    return MaskRules(game.rules.line_masks, lines, game.is_misere)


def ultimate_rules(game: UltimateGame) -> UltimateRules:
    """Look-up tables over the 512 sets of cells of a mini board."""
    cells = [[cell for cell in range(9) if mask >> cell & 1] for mask in range(512)]
    return UltimateRules(
        is_won=np.array([has_line(mask) for mask in range(512)]),
        cell_count=np.array([len(c) for c in cells], dtype=np.uint8),
        nth_cell=np.array([c + [0] * (9 - len(c)) for c in cells], dtype=np.uint8),
        plays_on=game.won == "open",
        counts_boards=game.tiebreak == "boards",
        risk=risk_rules(game.risk),
    )
