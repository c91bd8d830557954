"""The share of successes among independent trials that are many: the Wilson interval.

Of k successes in n trials, at normal quantile z, it is

    (k + z²/2 ± z·sqrt(k·(n-k)/n + z²/4)) / (n + z²).

Games of a match come in pairs and are often few: their shares have `scores.py`.

Reference: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
Journal of the American Statistical Association 22 (1927).
"""

import math
from statistics import NormalDist

from noughts.errors import NoughtsError


def wilson(successes: float, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The Wilson interval of a proportion."""
    if not 0.0 < confidence < 1.0:
        raise NoughtsError(f"confidence={confidence} is not between 0 and 1.")
    if trials == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    middle = successes + z * z / 2
    reach = z * math.sqrt(successes * (trials - successes) / trials + z * z / 4)
    low, high = (middle - reach) / (trials + z * z), (middle + reach) / (trials + z * z)
    # Rounding must not push 0 of n, or n of n, off the end that it reaches exactly.
    return (0.0 if successes == 0 else low), (1.0 if successes == trials else high)
