"""Four algorithms compared, then all agents."""

from noughts.studies.players.four_algorithms.study import STUDY

__all__ = ["STUDY"]
