"""The interval of a score over pairs of games, by the bootstrap.

The unit is the pair: two games with the seats swapped, which share openings and luck. Its games are
not independent of each other, but pairs are, so pairs are what the bootstrap draws.

Reference: B. Efron, "Bootstrap methods", Annals of Statistics 7 (1979).
"""

from collections import Counter
from collections.abc import Iterable

Interval = tuple[float, float]
PairScore = tuple[float, int]  # points of the first agent, games: 2, or 1 in a half pair

CONFIDENCE = 0.95
RESAMPLES = 10_000


def score_interval(pairs: Iterable[PairScore], seed: int) -> Interval:
    """The percentile interval of the score when pairs are drawn again, with replacement.

    When all pairs went alike drawing again shows nothing, and the Wilson interval stands in: as
    many pairs won, or half won, of as many played.
    """
    import numpy as np

    from noughts.solve.simulation import wilson

    counted = Counter(pairs)
    kinds = sorted(counted)
    if not kinds:
        return 0.0, 1.0
    counts = np.array([counted[kind] for kind in kinds])
    points, games = (np.array(column, np.float64) for column in zip(*kinds, strict=True))
    total = int(counts.sum())
    if len({p / g for p, g in kinds}) == 1:
        return wilson(total * float(points[0] / games[0]), total, CONFIDENCE)
    rng = np.random.default_rng([seed, RESAMPLES])
    drawn = rng.multinomial(total, counts / total, size=RESAMPLES)
    scores = (drawn @ points) / (drawn @ games)
    tail = (1.0 - CONFIDENCE) / 2.0
    low, high = np.quantile(scores, (tail, 1.0 - tail))
    return float(low), float(high)
