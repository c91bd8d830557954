"""The numbers that stand for marks, results and replies in every kernel. Seats count from 1."""

from typing import Final

EMPTY: Final = 0
X: Final = 1
O: Final = 2  # noqa: E741 - it is the name of the mark

# A result is the seat that has won, or one of these.
RUNNING: Final = 0
DRAW: Final = -1

NOBODY: Final = 0  # the turn of chance

# What `judge` may say in place of a move.
NO_MOVE: Final = -1  # none is named
ANY_MOVE: Final = -2  # every move is as good

NO_ZONE: Final = -1  # the next move may be anywhere
