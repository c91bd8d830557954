"""When a match has settled which of two Elo differences is true: the sequential test.

The test asks whether the difference is elo0 or elo1. After every pair of games it compares the
likelihoods of the observed pair scores 0, ¼, ½, ¾, 1 (the pentanomial) under the likeliest
distributions that have the means s(elo0) and s(elo1):

    LLR = Σ n_i · log(p1_i / p0_i),   p_i = f_i / (1 + x · (a_i - s)),
    where f_i = n_i / Σ n_j and x solves Σ f_i · (a_i - s) / (1 + x · (a_i - s)) = 0,

and it stops when the LLR leaves ±log((1 - α) / α) = ±log 19, α = β = 0.05.

References: M. Van den Bergh, "A practical introduction to the GSPRT" (2019); A. B. Owen,
"Empirical likelihood ratio confidence intervals", Biometrika 75 (1988), for the p_i.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from noughts.errors import NoughtsError
from noughts.stats.elo import expected_score
from noughts.stats.scores import SCORES, PairScore

ERROR_RATE = 0.05  # of the sequential test, both ways
BOUND = math.log((1 - ERROR_RATE) / ERROR_RATE)
UNSEEN = 1e-3  # pairs that are added to each of the five counts, so that none is zero


@dataclass(frozen=True)
class Sprt:
    """Where the sequential test stands."""

    elo0: float
    elo1: float
    llr: float  # the log-likelihood ratio of elo1 against elo0
    pairs: int

    @property
    def verdict(self) -> float | None:
        """The Elo difference that the test settled for; None while it is open."""
        if self.llr >= BOUND:
            return self.elo1
        return self.elo0 if self.llr <= -BOUND else None

    def to_dict(self) -> dict[str, float | None]:
        """Plain data for JSON."""
        return asdict(self) | {"verdict": self.verdict}


def check_sprt(sprt: Sequence[float] | None) -> tuple[float, float] | None:
    """The two Elo differences of the test, ascending and finite."""
    if sprt is None:
        return None
    try:
        elo0, elo1 = (float(difference) for difference in sprt)
        is_good = elo0 < elo1 and math.isfinite(elo0) and math.isfinite(elo1)
    except (TypeError, ValueError):
        is_good = False
    if not is_good:
        raise NoughtsError(f"sprt={sprt} is not two Elo differences, the lower one first.")
    return elo0, elo1


def sequential_test(pairs: Mapping[PairScore, int], elo0: float, elo1: float) -> Sprt:
    """The test after so many pairs of each score; a half pair does not count."""
    counts = {score: pairs.get((2 * score, 2), 0) for score in SCORES}
    total = sum(counts.values())
    if total == 0:
        return Sprt(elo0, elo1, 0.0, 0)
    shares = [(count + UNSEEN) / (total + UNSEEN * len(SCORES)) for count in counts.values()]
    low, high = (_likeliest(shares, expected_score(elo)) for elo in (elo0, elo1))
    terms = zip(shares, low, high, strict=True)
    return Sprt(elo0, elo1, total * sum(f * math.log(h / k) for f, k, h in terms), total)


def _likeliest(shares: list[float], mean: float) -> list[float]:
    """The likeliest distribution over SCORES that has this mean."""
    steps = [score - mean for score in SCORES]
    # The sum below falls from +∞ to -∞ as x goes from one end to the other.
    low, high = -1.0 / max(steps), -1.0 / min(steps)
    for _ in range(100):
        x = (low + high) / 2
        if sum(f * a / (1.0 + x * a) for f, a in zip(shares, steps, strict=True)) > 0.0:
            low = x
        else:
            high = x
    return [f / (1.0 + x * a) for f, a in zip(shares, steps, strict=True)]
