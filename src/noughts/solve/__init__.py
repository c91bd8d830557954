"""Exact answers: values, odds, best responses."""

from noughts.solve.exact import METHODS, solve
from noughts.solve.solution import Solution
from noughts.solve.stages import Sweep

__all__ = ["METHODS", "Solution", "Sweep", "solve"]
