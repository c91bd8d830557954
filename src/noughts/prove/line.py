"""What anybody can be shown of a position: that it is won by force, and the moves that do it."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.games.game import Position
from noughts.games.line_game import LineGame, LinePosition
from noughts.kernels.proof.complete import win_length

_ROWS = 1 << 18


class ThreatReader:
    """Finds forced wins on one board; what it learns it keeps."""

    def __init__(self, game: LineGame) -> None:
        if game.cells > 64 or game.is_misere or game.risk.is_risky:
            raise NoughtsError(f"Forced wins are read on plain boards of 64 cells, not on {game}.")
        self.masks = game.board.line_masks
        self.lines: NDArray[np.uint64] = np.array(self.masks, np.uint64)
        self.memory: NDArray[np.uint64] = np.zeros((_ROWS, 3), np.uint64)

    def length(self, own: int, other: int) -> int:
        """How many moves a forced win of the player on turn takes; 0 if there is none."""
        return int(win_length(self.lines, np.uint64(own), np.uint64(other), self.memory))

    def completing(self, own: int, other: int) -> list[int]:
        """The cells that complete a line of `own`."""
        missing = {m & ~own for m in self.masks if not m & other and (m & ~own).bit_count() == 1}
        return sorted(cell.bit_length() - 1 for cell in missing)

    def line(self, own: int, other: int) -> list[int]:
        """The moves of a forced win, replies included, to the end; empty if there is none."""
        moves: list[int] = []
        while length := self.length(own, other):
            cell = self._next(own, other, length)
            moves.append(cell)
            own |= 1 << cell
            if length == 1:
                break
            reply = self.completing(own, other)[0]
            moves.append(reply)
            other |= 1 << reply
        return moves

    def _next(self, own: int, other: int, length: int) -> int:
        """The move with which a forced win begins."""
        if length == 1:
            return self.completing(own, other)[0]
        blocks = self.completing(other, own)
        filled = own | other
        for cell in blocks or [c for c in range(64) if not filled >> c & 1]:
            replies = self.completing(own | 1 << cell, other)
            if len(replies) > 1:
                return cell
            if replies and self.length(own | 1 << cell, other | 1 << replies[0]):
                return cell
        raise AssertionError("a forced win begins with a three")


@cache
def reader_of(game: LineGame) -> ThreatReader:
    """The reader of a game, shared by all who ask."""
    return ThreatReader(game)


def forced_line(position: Position) -> list[int]:
    """A forced win of the player on turn, with the only replies; empty if there is none.

    The search is complete: if it is empty, no sequence of threes wins.
    """
    if not isinstance(position, LinePosition):
        raise NoughtsError(f"Forced lines are read on boards of lines, not in {position.game}.")
    if position.result is not None:
        return []
    own, other = position.x_mask, position.o_mask
    if position.turn == "O":
        own, other = other, own
    return reader_of(position.game).line(own, other)
