"""Ratings where more than two play at once: Luce's choice model, and intervals over blocks.

Of the agents of a game, agent i is expected to take the share

    p_i = exp θ_i / Σ_j exp θ_j,     j over all who play,

of its point; a draw gives an equal share to each. It is the model of Plackett and Luce of which the
first place alone is seen, because these games name a winner and no second. For two agents it is
Bradley and Terry's (`ratings.py`): the likeliest θ again make every agent's points those that it is
expected to have. Elo = θ · 400 / ln 10, with mean 0; 400 Elo are ten times the points of another in
the same game. Every choice of agents that met is credited with PRIOR more games, drawn.

**Intervals.** Whether agent i may be rated r is tested over blocks of all seatings. The others are
fitted anew with i at r; then every block has an *efficient score*

    z = Σ_j g_j · (points of j - games · p_j),

g the direction of r with what the others can take up removed, and the mean of z is 0 if r is true.
The exact test of a mean (`means.py`) says how likely a sum of z as low, or as high, as the seen one
is. Games that are missing from a block are lost, for the low end, and won for the high end.

References: R. D. Luce, Individual Choice Behavior (1959); R. L. Plackett, Applied Statistics 24
(1975); D. R. Cox, D. V. Hinkley, Theoretical Statistics (1974), 9.3, for efficient scores.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from noughts.stats.means import Interval, Sample, Tails, edge
from noughts.stats.ratings import (
    CLOSE,
    ELO,
    FARTHEST,
    LONGEST_STEP,
    MOST_STEPS,
    PRIOR,
    SUREST,
    Rating,
    efficient_direction,
    solve_within,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Meeting:
    """What some agents did in the games that they played together."""

    agents: tuple[int, ...]
    points: Floats  # [blocks, agents]
    games: Floats  # [blocks]

    def filled(self, agent: int, share: float) -> "Meeting":
        """The same with what is missing from blocks played, and this share of it the agent's."""
        missing = math.factorial(len(self.agents)) - self.games
        if agent not in self.agents or not missing.any():
            return self
        others = (1.0 - share) / (len(self.agents) - 1)
        shares = np.array([share if one == agent else others for one in self.agents])
        return replace(
            self, points=self.points + missing[:, None] * shares, games=self.games + missing
        )


def rate_many(agents: int, meetings: Sequence[Meeting]) -> list[Rating]:
    """The rating of every agent, from games of three or more."""
    theta, _, _ = _fit(agents, meetings)
    return [
        Rating(float(theta[one] * ELO + 0.0), *_ends(agents, one, theta[one] * ELO, meetings))
        for one in range(agents)
    ]


def luce_tails(agents: int, agent: int, elo: float, meetings: Sequence[Meeting]) -> Tails:
    """How well this Elo of an agent fits the results, as two tail probabilities: [1] and [1]."""
    _, shares, information = _fit(agents, meetings, agent, elo / ELO)
    g = efficient_direction(agent, information)
    totals, lows, highs = [], [], []
    for meeting, p in zip(meetings, shares, strict=True):
        own = g[list(meeting.agents)]
        totals.append((meeting.points - meeting.games[:, None] * p) @ own)
        lows.append(own.min() - own @ p)
        highs.append(own.max() - own @ p)
    sizes = np.concatenate([meeting.games for meeting in meetings])
    sample = Sample(np.concatenate(totals), sizes, float(min(lows)), float(max(highs)))
    return sample.tails(np.zeros(1))


def _ends(agents: int, agent: int, elo: float, meetings: Sequence[Meeting]) -> Interval:
    if not any(agent in meeting.agents for meeting in meetings):
        return -math.inf, math.inf
    bad, good = ([meeting.filled(agent, share) for meeting in meetings] for share in (0.0, 1.0))

    def is_low(tried: Floats) -> Floats:
        return np.array([luce_tails(agents, agent, r, bad).high[0] for r in tried])

    def is_high(tried: Floats) -> Floats:
        return np.array([luce_tails(agents, agent, r, good).low[0] for r in tried])

    low, high = edge(is_low, float(elo), -FARTHEST), edge(is_high, float(elo), FARTHEST)
    return (low if low > -FARTHEST else -math.inf), (high if high < FARTHEST else math.inf)


def _fit(
    agents: int, meetings: Sequence[Meeting], agent: int | None = None, held: float = 0.0
) -> tuple[Floats, list[Floats], Floats]:
    """θ [N], the shares that every meeting expects, and the information about θ [N, N].

    With an agent its θ is held where it is said, and only the others are fitted.
    """
    theta, fixed = np.zeros(agents), np.ones((1, agents))
    if agent is not None:
        theta -= held / max(agents - 1, 1)
        theta[agent] = held
        fixed = np.concatenate([fixed, np.eye(agents)[agent : agent + 1]])
    for _ in range(MOST_STEPS):
        pull, information, shares = np.zeros(agents), np.zeros((agents, agents)), []
        for meeting in meetings:
            who, n = list(meeting.agents), len(meeting.agents)
            above = np.exp(theta[who] - theta[who].max())
            p = np.maximum(above / above.sum(), SUREST)
            p /= p.sum()
            games = meeting.games.sum() + PRIOR
            pull[who] += meeting.points.sum(axis=0) + PRIOR / n - games * p
            information[np.ix_(who, who)] += games * (np.diag(p) - np.outer(p, p))
            shares.append(p)
        step = solve_within(information, fixed, pull)
        longest = float(np.abs(step).max(initial=0.0))
        theta = theta + step * min(1.0, LONGEST_STEP / max(longest, CLOSE))
        if longest < CLOSE:
            break
    return theta, shares, information
