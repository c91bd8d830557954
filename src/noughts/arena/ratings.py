"""Ratings from results: the Bradley–Terry model, fitted by the MM algorithm.

Agent i has a strength p_i > 0 and is expected to take p_i / (p_i + p_j) of a point from agent j; a
draw is half a point each. The likeliest strengths are the fixed point of

    p_i  ←  W_i / Σ_j n_ij / (p_i + p_j),     W_i the points of i, n_ij the games of i and j,

which climbs at every step, and Elo = 400 · log10 p, shifted so that the mean is 0.

An agent that won everything has no likeliest strength: more is always better. So every two agents
that met are credited with PRIOR more games, drawn. With n games a perfect score then stands for
400 · log10((n + ½) / ½) Elo, and differences between equals are untouched.

Intervals are bootstrapped: within each pairing the pairs of games are drawn again with replacement,
and the ratings fitted anew.

References: R. A. Bradley, M. E. Terry, Biometrika 39 (1952); D. R. Hunter, "MM algorithms for
generalized Bradley–Terry models", Annals of Statistics 32 (2004).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noughts.solve.intervals import CONFIDENCE, PairScore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

PRIOR = 1.0  # drawn games
RESAMPLES = 1000
CLOSE = 1e-9  # steps of log p below this count as none
MOST_STEPS = 20_000


@dataclass(frozen=True)
class Rating:
    """The Elo of one agent among those it was rated with, and the ends of its interval."""

    elo: float
    low: float
    high: float


def rate(
    agents: int, pairings: Mapping[tuple[int, int], Sequence[PairScore]], seed: int
) -> list[Rating]:
    """The rating of every agent, from the pair scores of the first agent of each pairing."""
    import numpy as np

    points = np.zeros((1 + RESAMPLES, agents, agents))
    rng = np.random.default_rng([seed, RESAMPLES])
    for (first, second), pairs in pairings.items():
        won, lost = _resampled(pairs, rng)
        points[:, first, second] += won
        points[:, second, first] += lost
    ratings = elo_ratings(points)
    tail = (1.0 - CONFIDENCE) / 2.0
    low, high = np.quantile(ratings[1:], (tail, 1.0 - tail), axis=0)
    return [Rating(*map(float, row)) for row in zip(ratings[0], low, high, strict=True)]


def elo_ratings(points: "Floats", prior: float = PRIOR) -> "Floats":
    """Elo of all agents: [..., N] from points [..., N, N], of the row against the column."""
    import numpy as np

    met = (points + np.swapaxes(points, -1, -2)) > 0
    credited = points + met * (prior / 2.0)
    games = credited + np.swapaxes(credited, -1, -2)
    won = credited.sum(axis=-1)
    logs = np.zeros(points.shape[:-1])
    for _ in range(MOST_STEPS):
        p = np.exp(logs)
        shared = (games / (p[..., :, None] + p[..., None, :])).sum(axis=-1)
        step = np.log(np.where(won > 0, won, 1.0) / np.where(won > 0, shared, p * 0 + 1.0)) - logs
        step = np.where(won > 0, step, 0.0)
        logs = logs + step
        logs -= logs.mean(axis=-1, keepdims=True)
        if np.abs(step - step.mean(axis=-1, keepdims=True)).max(initial=0.0) < CLOSE:
            break
    found: Any = logs * (400.0 / np.log(10.0)) + 0.0
    return np.asarray(found, np.float64)


def _resampled(pairs: Sequence[PairScore], rng: "np.random.Generator") -> "tuple[Floats, Floats]":
    """Points of the first and the second agent: as they were, and then in every resample."""
    import numpy as np

    counted = Counter(pairs)
    kinds = sorted(counted)
    counts = np.array([counted[kind] for kind in kinds])
    drawn = rng.multinomial(counts.sum(), counts / counts.sum(), size=RESAMPLES)
    points, games = (np.array(column, np.float64) for column in zip(*kinds, strict=True))
    every = np.vstack([counts, drawn])
    return every @ points, every @ (games - points)
