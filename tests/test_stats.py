"""Intervals: known ones are met, they hold as often as they say, and no infinity is printed."""

import itertools
import math

import numpy as np
import pytest

import noughts
from noughts.arena import match, tournament
from noughts.cli import main
from noughts.stats.elo import elo, elo_words
from noughts.stats.means import TAIL, Sample, likeliest, mean_interval
from noughts.stats.ratings import rate, rating_tails
from noughts.stats.scores import SCORES, score_interval

# ---- the interval of a mean ----


def binomial_tail(successes: int, trials: int, share: float) -> float:
    """The probability of so many successes, or more, one term after the other."""
    return sum(
        math.comb(trials, k) * share**k * (1 - share) ** (trials - k)
        for k in range(successes, trials + 1)
    )


@pytest.mark.parametrize(("won", "pairs"), [(1, 1), (3, 10), (10, 10), (47, 60), (0, 7)])
def test_of_wins_and_losses_alone_it_is_clopper_and_pearson(won: int, pairs: int) -> None:
    low, high = score_interval([(2.0, 2)] * won + [(0.0, 2)] * (pairs - won))
    if won == 0:
        assert low == 0.0
    else:
        assert binomial_tail(won, pairs, low) == pytest.approx(TAIL, rel=1e-4)
    if won == pairs:
        assert high == 1.0
    else:
        assert 1 - binomial_tail(won + 1, pairs, high) == pytest.approx(TAIL, rel=1e-4)


def test_the_tails_are_sums_over_all_that_could_have_happened() -> None:
    """Two ways: the Fourier transform, and every series of three pairs."""
    scores = np.array([0.25, 0.5, 1.0])
    sample = Sample(scores, np.ones(3), step=0.25)
    for mean in (0.3, 0.5, 0.7):
        steps = np.array([[0.0, 0.25, 0.5, 1.0, 1.0]]) - mean
        p = likeliest(steps, np.array([[0.0, 1, 1, 1, 0]]) / 3)[0]
        assert p @ (steps[0] + mean) == pytest.approx(mean)
        values = dict(zip((0.0, 0.25, 0.5, 1.0), (p[0], p[1], p[2], p[3] + p[4]), strict=True))
        low = high = 0.0
        for series in itertools.product(values, repeat=3):
            chance = math.prod(values[value] for value in series)
            low += chance * (sum(series) <= scores.sum())
            high += chance * (sum(series) >= scores.sum())
        tails = sample.tails(np.array([mean]))
        assert tails.low[0] == pytest.approx(low)
        assert tails.high[0] == pytest.approx(high)


def test_the_likeliest_distribution_is_likelier_than_its_neighbours() -> None:
    counts, mean = np.array([0.0, 3, 9, 4, 0]), 0.61
    steps = np.array(SCORES) - mean
    p = likeliest(steps[None], counts[None] / counts.sum())[0]
    assert p.sum() == pytest.approx(1.0)
    assert p @ steps == pytest.approx(0.0, abs=1e-12)
    assert p[4] > 0.0  # nobody won a pair, and it is not impossible
    moves = np.linalg.svd(np.stack([np.ones(5), steps]))[2][2:]  # keep the sum and the mean
    rng, tried = np.random.default_rng(1), 0
    while tried < 100:
        other = p + rng.normal(0.0, 0.02, 3) @ moves
        if (other >= 0.0).all():
            assert counts[1:4] @ np.log(other[1:4]) < counts[1:4] @ np.log(p[1:4])
            tried += 1


def test_values_on_no_lattice_get_the_interval_of_those_on_one() -> None:
    scores = np.array(SCORES)[np.random.default_rng(2).integers(0, 5, 60)]
    exact = mean_interval(Sample(scores, np.ones(60), step=0.25))
    assert mean_interval(Sample(scores, np.ones(60))) == pytest.approx(exact, abs=2e-3)
    # Twice the size and twice the total is the same mean.
    doubled = mean_interval(Sample(2.0 * scores, 2.0 * np.ones(60)))
    assert doubled == pytest.approx(exact, abs=2e-3)


def test_nothing_lost_so_far_is_no_proof_that_nothing_ever_will_be() -> None:
    low, high = mean_interval(Sample(np.zeros(50), np.full(50, 4.0), 0.0, 2.0))
    assert low == 0.0
    assert high == pytest.approx(2 * (1 - TAIL ** (1 / 50)), rel=0.2)
    assert mean_interval(Sample(np.zeros(0), np.zeros(0))) == (0.0, 1.0)


def test_half_a_pair_is_counted_against_whoever_gains_by_it() -> None:
    whole = [(1.5, 2), (1.0, 2), (0.0, 2)] * 4
    low, high = score_interval([*whole, (1.0, 1)])
    assert low == score_interval([*whole, (1.0, 2)])[0]
    assert high == score_interval([*whole, (2.0, 2)])[1]


# ---- how often they hold (benchmarks/intervals.py has the whole table) ----


@pytest.mark.parametrize("games", [2, 10, 40, 200])
@pytest.mark.parametrize("draws", [0.0, 0.5, 0.95])
@pytest.mark.parametrize("difference", [0.0, 300.0])
def test_the_score_is_covered_as_often_as_it_says(
    games: int, draws: float, difference: float
) -> None:
    """A mean is in the interval exactly if its tails are large enough; 2,000 matches."""
    share = 1 / (1 + 10 ** (-difference / 400))
    game = np.array([(1 - draws) * (1 - share), draws, (1 - draws) * share])
    pair, mean = np.convolve(game, game), game @ [0.0, 0.5, 1.0]
    drawn = np.random.default_rng(7).multinomial(games // 2, pair, 2000)
    held = 0
    for counts, many in zip(*np.unique(drawn, axis=0, return_counts=True), strict=True):
        scores = np.repeat(SCORES, counts)
        tails = Sample(scores, np.ones(len(scores)), step=0.25).tails(np.array([mean]))
        held += many * (min(tails.low[0], tails.high[0]) >= TAIL)
    assert held >= 0.94 * 2000
    if games >= 100 and draws <= 0.5:
        assert held <= 0.975 * 2000


@pytest.mark.parametrize("games", [4, 20, 100])
def test_ratings_are_covered_as_often_as_they_say(games: int) -> None:
    rng, places = np.random.default_rng(3), [(0, 1), (0, 2), (1, 2)]
    share = 1 / (1 + 10 ** (-100 / 400))
    pair = np.convolve(
        [0.75 * (1 - share), 0.25, 0.75 * share], [0.75 * (1 - share), 0.25, 0.75 * share]
    )
    equal = np.convolve([0.375, 0.25, 0.375], [0.375, 0.25, 0.375])
    counts = np.stack([rng.multinomial(games // 2, p, 2000) for p in (pair, pair, equal)], axis=1)
    difference = elo(float(pair @ SCORES))
    for agent, truth in ((0, 2 / 3 * difference), (1, -difference / 3)):
        tails = rating_tails(agent, np.full(2000, truth), places, counts.astype(float))
        held = (np.minimum(tails.low, tails.high) >= TAIL).mean()
        assert held >= 0.94
        if games >= 100:
            assert held <= 0.975


def test_two_agents_are_rated_as_their_match_says() -> None:
    pairs = [(2.0, 2), (1.5, 2), (1.0, 2), (0.5, 2), (1.5, 1)][:4] * 3 + [(0.5, 1)]
    first, second = rate(2, {(0, 1): pairs})
    low, high = (elo(end) / 2 for end in score_interval(pairs))
    assert (first.low, first.high) == pytest.approx((low, high), abs=1e-3)
    assert (second.low, second.high) == pytest.approx((-high, -low), abs=1e-3)


# ---- whitewashes and repeats ----


def test_a_whitewash_has_one_end_and_prints_no_infinity(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = rate(2, {(0, 1): [(2.0, 2)] * 5})
    assert first.high == math.inf == -second.low
    assert math.isfinite(first.elo)
    assert first.low == pytest.approx(-second.high)
    assert "above +40.0" in elo_words(math.inf, (40.0, math.inf))
    assert "below -40.0" in elo_words(-math.inf, (-math.inf, -40.0))
    assert "inf" not in elo_words(math.inf, (-math.inf, math.inf))


@pytest.mark.parametrize("names", [("optimal", "fixed:weights=1"), ("random", "optimal")])
def test_no_command_prints_an_infinite_number(
    names: tuple[str, str], tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    game = "2x2:k=2"  # whoever begins wins, so two games are a draw; a whitewash needs luck
    for spec, agents in ((game, names), ("1x3:k=1", names), ("3x3", names)):
        for command in ("match", "tournament"):
            assert main([command, spec, *agents, "--games", "2", "--seed", "3"]) == 0
            assert "inf" not in capsys.readouterr().out.replace("infinite", "")


def test_a_game_that_is_played_again_is_no_evidence() -> None:
    once = match("3x3", "minimax", "alphabeta", games=2, openings=0)
    often = match("3x3", "minimax", "alphabeta", games=40, openings=0)
    assert often.repeats == 38
    assert often.score_interval == once.score_interval
    assert often.interval("draws") == once.interval("draws")
    assert often.to_dict()["repeats"] == 38
    random = match("3x3", "random", "random", games=40)
    assert random.repeats == 0
    played = tournament("3x3", ["minimax", "alphabeta", "random"], games=20, openings=0)
    assert [m.repeats for m in played.matches] == [18, 0, 0]


def test_a_repeated_pair_settles_no_sequential_test() -> None:
    class First(noughts.Agent):
        name = "first"
        is_deterministic = True

        def choose(self, position, rng):
            return position.moves[0]

    class Last(First):
        name = "last"

        def choose(self, position, rng):
            return position.moves[-1]

    result = match("3x3", First(), Last(), games=200, openings=0, sprt=(0, 50))
    assert result.sprt is not None
    assert result.sprt.pairs == 1
    assert result.sprt.verdict is None
