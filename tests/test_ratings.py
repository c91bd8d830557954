"""Ratings: known strengths are found again, perfect scores stay finite, intervals hold."""

import math

import numpy as np
import pytest

from noughts.stats.ratings import elo_ratings, rate


def test_two_agents_get_the_elo_of_their_score() -> None:
    points = np.array([[0.0, 75.0], [25.0, 0.0]])
    first, second = elo_ratings(points, prior=0.0)
    assert first - second == pytest.approx(400 * math.log10(3))
    assert first + second == pytest.approx(0.0)


def test_expected_points_give_back_the_strengths() -> None:
    elo = np.array([150.0, 40.0, 0.0, -190.0])
    p = 10 ** (elo / 400)
    points = 1000 * p[:, None] / (p[:, None] + p[None, :])
    np.fill_diagonal(points, 0.0)
    assert elo_ratings(points, prior=0.0) == pytest.approx(elo, abs=1e-4)
    assert elo_ratings(points) == pytest.approx(elo, abs=1.0)  # the credited draws weigh little


def test_the_fit_is_a_maximum_of_the_likelihood() -> None:
    rng = np.random.default_rng(1)
    points = rng.integers(1, 30, (5, 5)).astype(float)
    np.fill_diagonal(points, 0.0)

    def likelihood(elo: np.ndarray) -> float:
        p = 10 ** (elo / 400)
        return float((points * np.log(p[:, None] / (p[:, None] + p[None, :]))).sum())

    best = elo_ratings(points, prior=0.0)
    for _ in range(50):
        assert likelihood(best + rng.normal(0, 2, 5)) < likelihood(best)


def test_a_perfect_score_is_finite_and_as_documented() -> None:
    points = np.array([[0.0, 100.0], [0.0, 0.0]])
    first, second = elo_ratings(points)
    assert first - second == pytest.approx(400 * math.log10(100.5 / 0.5), abs=1e-4)
    three = np.array([[0.0, 50, 50], [0, 0, 50], [0, 0, 0]], float)
    ratings = elo_ratings(three)
    assert ratings[0] > ratings[1] > ratings[2]
    assert np.isfinite(ratings).all()


def test_many_tables_are_fitted_at_once() -> None:
    rng = np.random.default_rng(2)
    points = rng.integers(0, 20, (7, 4, 4)).astype(float)
    together = elo_ratings(points)
    for table, row in zip(points, together, strict=True):
        assert elo_ratings(table) == pytest.approx(row, abs=1e-5)


def test_agents_that_did_not_meet_anybody_are_average() -> None:
    points = np.zeros((3, 3))
    points[0, 1] = points[1, 0] = 5.0
    assert elo_ratings(points) == pytest.approx([0.0, 0.0, 0.0])


def test_ratings_lie_within_their_intervals() -> None:
    rng = np.random.default_rng(3)
    for _ in range(3):
        scores = {
            pairing: [(float(points), 2) for points in rng.choice([0.5, 1, 1, 1.5, 2, 0], 40)]
            for pairing in ((0, 1), (0, 2), (1, 2))
        }
        rating = rate(3, scores)[0]
        assert rating.low <= rating.elo <= rating.high


def test_the_interval_is_as_wide_as_it_should_be() -> None:
    """One pairing: Elo of a mean of n pairs with a known standard error."""
    scores = [(2.0, 2), (0.0, 2)] * 100  # standard error of the score 0.0354
    first, _ = rate(2, {(0, 1): scores})
    reach = 1.96 * 0.0354 * 400 / (math.log(10) * 0.25) / 2  # half the difference is each one's
    assert first.high - first.elo == pytest.approx(reach, rel=0.12)
    assert first.elo - first.low == pytest.approx(reach, rel=0.12)
    assert rate(2, {(0, 1): scores}) == rate(2, {(0, 1): scores})
