"""Wild tic-tac-toe for Noughts: the entry point is the function `wild`."""

from wild.game import WildGame, WildPosition, wild

__all__ = ["WildGame", "WildPosition", "wild"]
