"""From a search to a move to play and a policy to learn, for many games at once.

Proofs come first. A move that wins for certain is played; in a proven position only moves that keep
its value; moves that lose for certain only when all do. Among the rest:

    playing        the most visited move, unless another is proven to be worth as much
    gumbel         the move that sequential halving kept; the policy is π' of `gumbel`
    puct           drawn by visits for `warm_moves` plies, then the most visited; the policy is the
                   share of visits
    ε-choice       any move within ε of the best one's share of visits
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from noughts.learn.zero.batched.gumbel import completed_values, improved_policy, scaled
from noughts.learn.zero.batched.lockstep import Roots
from noughts.learn.zero.batched.lockstep_settings import SearchSettings

CERTAIN = 1.0 - 1e-12
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def sensible_moves(roots: Roots) -> NDArray[np.bool_]:
    """The moves that proofs leave to choose from."""
    is_best = roots.is_exact & (roots.values >= roots.value[:, None] - 1e-12)
    is_alive = roots.is_move & ~(roots.is_exact & (roots.values <= -CERTAIN))
    found = np.where(roots.is_proven[:, None], is_best, is_alive)
    return np.where(found.any(axis=1, keepdims=True), found, roots.is_move)


def policies(settings: SearchSettings, roots: Roots) -> Floats:
    """[games, moves] what the network is to learn from a search."""
    allowed = sensible_moves(roots)
    if settings.root == "gumbel":
        completed = completed_values(roots.priors, roots.visits, roots.values, roots.value)
        priors = np.where(allowed, np.maximum(roots.priors, 1e-12), 0.0)
        return improved_policy(priors, completed, roots.visits)
    visits = np.where(allowed, roots.visits, 0).astype(np.float64)
    visits = np.where(visits.sum(axis=1, keepdims=True) > 0.0, visits, allowed)
    shares: Floats = visits / visits.sum(axis=1, keepdims=True)
    return shares


def best_moves(roots: Roots) -> Ints:
    """[games] which of the moves to play when nothing is left to chance."""
    allowed = sensible_moves(roots)
    visits = np.where(allowed, roots.visits, -1)
    # Values and priors only break ties: they are below 1 together.
    favourite = np.argmax(visits + 0.2 * roots.values + 0.1 * roots.priors, axis=1)
    rows = np.arange(len(favourite))
    proven = np.where(allowed & roots.is_exact, roots.values, -2.0)
    surest = np.argmax(proven, axis=1)
    is_surer = proven[rows, surest] >= roots.values[rows, favourite]
    found: Ints = np.where(is_surer & ~roots.is_exact[rows, favourite], surest, favourite)
    return found


def draw_moves(
    settings: SearchSettings,
    roots: Roots,
    noise: Floats,
    plies: Ints,
    generators: Sequence[np.random.Generator],
) -> Ints:
    """[games] which of the moves self-play goes on with."""
    if settings.root == "gumbel":
        return _last_considered(roots, noise)
    found = best_moves(roots)
    if settings.warm_moves == 0 and settings.epsilon == 0.0:
        return found
    shares = policies(settings, roots)
    for k, generator in enumerate(generators):
        if plies[k] < settings.warm_moves:
            found[k] = np.searchsorted(np.cumsum(shares[k]), generator.random() * shares[k].sum())
        elif settings.epsilon > 0.0:
            is_close = (shares[k] > 0.0) & (shares[k] >= shares[k].max() - settings.epsilon)
            found[k] = generator.choice(np.flatnonzero(is_close))
    return found


def _last_considered(roots: Roots, noise: Floats) -> Ints:
    """Of the most visited moves the one with the highest noise + ln P + σ(Q)."""
    allowed = sensible_moves(roots)
    visits = np.where(allowed, roots.visits, -1)
    is_last = visits == visits.max(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):
        scores = noise + np.log(roots.priors) + scaled(roots.values, roots.visits)
    found: Ints = np.argmax(np.where(is_last, scores, -np.inf), axis=1)
    return found
