"""Four algorithms compared, then all agents."""

from noughts.studies.four_algorithms.study import STUDY

__all__ = ["STUDY"]
