"""What the points of a match say about the score, over pairs of games.

Two games with the seats swapped share their opening and their luck, so a pair is the unit: its
score is 0, ¼, ½, ¾ or 1, and `means.py` gives the interval of the mean.

- **Half a pair**, the last game of an odd number, is counted against whoever gains by it: the low
  end is that of the match in which the missing game is lost, the high end that in which it is won.
- **A pair that was played again** without anything random in it says nothing new; who calls counts
  it once.
"""

from collections.abc import Iterable

from noughts.stats.means import Interval, Sample, floats, mean_interval

PairScore = tuple[float, int]  # points of the first agent, games: 2, or 1 in a half pair

STEP = 0.25  # scores of pairs are multiples of it
SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


def score_interval(pairs: Iterable[PairScore]) -> Interval:
    """The 95% interval of the score, or of any share of the games, from its sum in every pair."""
    worst, best = worst_and_best(pairs)
    low, high = mean_interval(_sample(worst))
    return low, (high if worst == best else mean_interval(_sample(best))[1])


def games_interval(wins: int, draws: int, losses: int) -> Interval:
    """The 95% interval of the score where only counts of games are left, and no pairs."""
    return mean_interval(_sample([1.0] * wins + [0.5] * draws + [0.0] * losses))


def worst_and_best(pairs: Iterable[PairScore]) -> tuple[list[float], list[float]]:
    """The scores of pairs if missing games are lost, and if they are won."""
    listed = list(pairs)
    worst = [points / 2.0 for points, _ in listed]
    return worst, [(points + 2 - games) / 2.0 for points, games in listed]


def _sample(scores: Iterable[float]) -> Sample:
    values = floats(scores)
    return Sample(values, values * 0.0 + 1.0, step=STEP)
