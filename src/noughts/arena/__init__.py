"""Every player against every other, with honest numbers."""

from noughts.arena.match import Effort, MatchResult, match
from noughts.arena.record import GameRecord

__all__ = ["Effort", "GameRecord", "MatchResult", "match"]
