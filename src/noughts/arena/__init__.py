"""Every player against every other, with honest numbers."""

from noughts.arena.match import match
from noughts.arena.record import GameRecord
from noughts.arena.replay import read_records, replay
from noughts.arena.result import Effort, MatchResult, Standing
from noughts.arena.tournament import Tournament, tournament

__all__ = [
    "Effort",
    "GameRecord",
    "MatchResult",
    "Standing",
    "Tournament",
    "match",
    "read_records",
    "replay",
    "tournament",
]
