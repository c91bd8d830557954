"""Ratings from results: the Bradley–Terry model, and intervals from each agent's own points.

Agent i is expected to take s_ij = 1 / (1 + exp(θ_j - θ_i)) of a point from agent j; a draw is half
a point each. The likeliest θ make every agent's points those that it is expected to have,

    Σ_j points_ij = Σ_j games_ij · s_ij,

and Newton's method finds them. Elo = θ · 400 / ln 10, shifted so that the mean is 0.

**The prior.** An agent that won everything has no likeliest θ: more is always better. So every two
agents that met are credited with PRIOR more games, drawn: a perfect score of n games stands for
400 · log10((n + ½) / ½) Elo, and differences between equals are untouched.

**Intervals.** Whether agent i may be rated r is tested as a mean is in `means.py`: the other agents
are fitted anew with i held at r, each pairing gets the likeliest distribution of pair scores with
the mean that this fit expects, and the exact probability of as few, or as many, points as agent i
has is one Fourier transform. The fit of the others follows the results, too, so what is left of the
difference between points and expectation varies less than the points do: its standard deviation is
that of the efficient score, and the normal quantile of the probability is scaled accordingly. With
two agents nothing is left to fit, and the interval is half of the match's Elo interval. An agent
with all the points, or none, has an interval with one end: the other is infinite.

References: R. A. Bradley, M. E. Terry, Biometrika 39 (1952); D. R. Hunter, "MM algorithms for
generalized Bradley–Terry models", Annals of Statistics 32 (2004); D. R. Cox, D. V. Hinkley,
Theoretical Statistics (1974), 9.3, for efficient scores.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from noughts.stats.means import TAIL, Interval, Tails, edge, lattice_tails, likeliest
from noughts.stats.scores import SCORES, STEP, PairScore, worst_and_best

if TYPE_CHECKING:
    Floats = NDArray[np.float64]

PRIOR = 1.0  # drawn games
ELO = 400.0 / math.log(10.0)  # of one unit of θ
CLOSE = 1e-10  # steps of θ below this count as none
LONGEST_STEP = 1.5
MOST_STEPS = 200
RIDGE = 1e-9  # information about everything, so that agents who met nobody have a place
FARTHEST = 5000.0  # Elo: no interval ends beyond
SUREST = 1e-12  # expected scores stay this far from 0 and 1
NORMAL = NormalDist()


@dataclass(frozen=True)
class Rating:
    """The Elo of one agent among those it was rated with, and the ends of its interval.

    An end is infinite where the results set none: above who lost no point, below who won none.
    """

    elo: float
    low: float
    high: float


Places = Sequence[tuple[int, int]]  # who meets whom


def rate(agents: int, pairings: Mapping[tuple[int, int], Sequence[PairScore]]) -> list[Rating]:
    """The rating of every agent, from the pair scores of the first agent of each pairing."""
    points = np.zeros((agents, agents))
    for (first, second), pairs in pairings.items():
        points[first, second] += sum(won for won, _ in pairs)
        points[second, first] += sum(games - won for won, games in pairs)
    ratings = elo_ratings(points)
    worst, best = zip(*map(worst_and_best, pairings.values()), strict=True)
    counts = np.array([[_counts(scores) for scores in found] for found in (worst, best)])
    return [
        Rating(float(rating), *_ends(agent, float(rating), list(pairings), counts))
        for agent, rating in enumerate(ratings)
    ]


def elo_ratings(points: "Floats", prior: float = PRIOR) -> "Floats":
    """Elo of all agents: [..., N] from points [..., N, N], of the row against the column."""
    return _fit(points, prior)[0] * ELO + 0.0


def rating_tails(agent: int, elo: "Floats", places: Places, counts: "Floats") -> Tails:
    """How well each Elo [B] of one agent fits the results, as two tail probabilities: [B], [B].

    `counts` [P, 5] or [B, P, 5]: how many pairs of the pairings `places` had the scores 0, ¼, ½, ¾
    and 1, of the first agent of each.
    """
    held, scores = np.asarray(elo / ELO), np.array(SCORES)
    first, second = np.array(places).T
    agents = int(np.max(places)) + 1
    points = np.zeros((len(held), agents, agents))
    points[:, first, second] = 2.0 * (counts @ scores)
    points[:, second, first] = 2.0 * (counts @ (1.0 - scores))
    _, expected, weights = _fit(points, PRIOR, agent, held)
    steps = scores - np.clip(expected[:, first, second, None], SUREST, 1.0 - SUREST)
    totals = counts.sum(axis=-1)
    p = likeliest(steps, np.broadcast_to(counts / totals[..., None], steps.shape))
    variances = 4.0 * totals * (p * steps**2).sum(axis=-1)
    groups, observed = [], np.zeros(len(held), np.int64)
    for place in np.flatnonzero((first == agent) | (second == agent)):
        turn = 1 if first[place] == agent else -1
        groups.append((p[:, place, ::turn], int(totals[..., place].flat[0])))
        own = counts[..., place, ::turn] @ scores
        observed += np.rint(own / STEP).astype(np.int64)
    tails = lattice_tails(groups, np.arange(len(SCORES)), observed)
    whole = variances[:, (first == agent) | (second == agent)].sum(axis=-1)
    left = _variance_left(agent, _laplacian(weights), places, variances)
    # After draws alone nothing varies, and there is nothing to scale.
    scale = np.maximum(np.sqrt(whole / np.maximum(left, 1e-300)), 0.1)
    least = np.array([NORMAL.cdf(NORMAL.inv_cdf(TAIL) / one) for one in scale])
    return Tails(*(tail * (TAIL / least) for tail in tails))


def _ends(agent: int, elo: float, places: Places, counts: "Floats") -> Interval:
    """The interval of one agent, with half pairs counted against it, and then for it."""
    if not any(agent in place for place in places):
        return -math.inf, math.inf
    # What is bad for the first agent of a pairing is good for the second.
    is_second = np.array([second == agent for _, second in places])
    bad = np.where(is_second[:, None], counts[1], counts[0])
    good = np.where(is_second[:, None], counts[0], counts[1])
    low = edge(lambda tried: rating_tails(agent, tried, places, bad).high, elo, -FARTHEST)
    high = edge(lambda tried: rating_tails(agent, tried, places, good).low, elo, FARTHEST)
    return (low if low > -FARTHEST else -math.inf), (high if high < FARTHEST else math.inf)


def _fit(
    points: "Floats", prior: float, agent: int | None = None, held: "Floats | None" = None
) -> "tuple[Floats, Floats, Floats]":
    """θ [..., N], expected scores and weights games·s·(1 - s), both [..., N, N].

    With `held` the θ of one agent is fixed there, and only the others are fitted.
    """
    size, ahead = points.shape[-1], points.shape[:-2]
    met = (points + np.swapaxes(points, -1, -2)) > 0
    credited = points + met * (prior / 2.0)
    games = credited + np.swapaxes(credited, -1, -2)
    fixed = np.ones((1, size))
    theta = np.zeros((*ahead, size))
    if held is not None and agent is not None:
        fixed = np.concatenate([fixed, np.eye(size)[agent : agent + 1]])
        theta -= held[..., None] / max(size - 1, 1)
        theta[..., agent] = held
    for _ in range(MOST_STEPS):
        expected = 1.0 / (1.0 + np.exp(theta[..., None, :] - theta[..., :, None]))
        weights = games * expected * (1.0 - expected)
        pull = (credited - games * expected).sum(axis=-1)
        step = solve_within(_laplacian(weights), fixed, pull)
        longest = np.abs(step).max(axis=-1, keepdims=True, initial=0.0)
        theta = theta + step * np.minimum(1.0, LONGEST_STEP / np.maximum(longest, CLOSE))
        if longest.max(initial=0.0) < CLOSE:
            break
    return theta, expected, weights


def solve_within(matrix: "Floats", fixed: "Floats", pull: "Floats") -> "Floats":
    """x with matrix·x = pull as far as the directions allow in which `fixed`·x stays 0.

    Agents that never met anybody, directly or through others, are left where they are.
    """
    size, more = matrix.shape[-1], len(fixed)
    bordered = np.zeros((*matrix.shape[:-2], size + more, size + more))
    bordered[..., :size, :size] = matrix + RIDGE * np.eye(size)
    bordered[..., size:, :size], bordered[..., :size, size:] = fixed, fixed.T
    right = np.concatenate([pull, np.zeros((*pull.shape[:-1], more))], axis=-1)
    found: Floats = np.linalg.solve(bordered, right[..., None])[..., :size, 0]
    return found


def _laplacian(weights: "Floats") -> "Floats":
    """Minus the weights, with their sums on the diagonal."""
    size = weights.shape[-1]
    off = weights * (1.0 - np.eye(size))
    found: Floats = np.eye(size) * off.sum(axis=-1)[..., None] - off
    return found


def efficient_direction(agent: int, information: "Floats") -> "Floats":
    """The direction g in which points tell of one agent, whatever the fit of the others takes up.

    With θ = r·m + M·η (the agent at r, the mean 0, the others moved by η) the efficient score of r
    is g·U, U the points above expectation of all agents, g = m - M·(MᵀIM)⁻¹·MᵀIm.
    """
    size = information.shape[-1]
    towards = np.full(size, -1.0 / (size - 1))
    towards[agent] = 1.0
    others = [place for place in range(size) if place != agent]
    moved = np.eye(size)[:, others[1:]] - np.eye(size)[:, others[:1]]
    taken = moved.T @ information @ towards
    answer = np.linalg.solve(
        moved.T @ information @ moved + RIDGE * np.eye(size - 2), taken[..., None]
    )[..., 0]
    found: Floats = (towards - answer @ moved.T) * ((size - 1) / size)
    return found


def _variance_left(
    agent: int, information: "Floats", places: Places, variances: "Floats"
) -> "Floats":
    """The variance of an agent's points beyond what the fit of the others takes up."""
    g = efficient_direction(agent, information)
    first, second = np.array(places).T
    found: Floats = ((g[..., first] - g[..., second]) ** 2 * variances).sum(axis=-1)
    return found


def _counts(scores: Sequence[float]) -> list[float]:
    """How many pairs had each score."""
    return [float(sum(score == kind for score in scores)) for kind in SCORES]
