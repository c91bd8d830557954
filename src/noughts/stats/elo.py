"""Elo: differences of strength on a logistic scale.

    score s  ⟷  D = 400 · log10(s / (1 - s)),   infinite when one side has all the points

With n players D is the difference to all others, taken as equals: n - 1 times the odds of s.

An interval of D is the interval of s seen through this map, so it holds as often. Where one side
has all the points only one end is known, and `elo_words` says so: no infinite number is printed.
"""

import math

from noughts.stats.means import Interval


def elo(score: float, seats: int = 2) -> float:
    """The rating difference at which this score is expected against so many seats but one."""
    if score <= 0.0 or score >= 1.0:
        return math.copysign(math.inf, score - 0.5)
    return 400.0 * math.log10(score * (seats - 1) / (1.0 - score)) + 0.0


def expected_score(difference: float) -> float:
    """The score that is expected at this rating difference."""
    return 1.0 / (1.0 + math.pow(10.0, -difference / 400.0))


def finite(number: float) -> float | None:
    """The number, or None where there is none to print."""
    return number if math.isfinite(number) else None


def elo_words(found: float, interval: Interval, width: int = 0, digits: int = 1) -> str:
    """An Elo and its 95% interval in words, one-sided where only one end is known."""
    low, high = interval
    middle = f"{found:+.{digits}f}" if math.isfinite(found) else "—"
    if math.isfinite(low) and math.isfinite(high):
        reach = f"{low:+.{digits}f} to {high:+.{digits}f}"
    elif math.isfinite(low):
        reach = f"above {low:+.{digits}f}; not a point was lost, so there is no upper end"
    elif math.isfinite(high):
        reach = f"below {high:+.{digits}f}; not a point was won, so there is no lower end"
    else:
        reach = "anything"
    return f"{middle:>{width}}  (95%: {reach})"
