"""What the points of a match say about the score, over blocks of games.

Two games with the seats swapped share their opening and their luck, so a pair is the unit: its
score is 0, ¼, ½, ¾ or 1, and `means.py` gives the interval of the mean. With n players the unit is
a block of all n! seatings, and its score, the points per game, is a multiple of a smaller step.

- **Half a pair**, the last game of an odd number, is counted against whoever gains by it: the low
  end is that of the match in which the missing game is lost, the high end that in which it is won.
  So is a block of which games are missing.
- **A block that was played again** without anything random in it says nothing new; who calls counts
  it once.
"""

import math
from collections.abc import Iterable

from noughts.stats.means import Interval, Sample, floats, mean_interval

PairScore = tuple[float, int]  # points of an agent in a block, games: n!, or fewer in a part of one

STEP = 0.25  # scores of pairs are multiples of it
SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


def block_step(seats: int) -> float:
    """What scores of blocks are multiples of: points are whole, 1/n or 1/(n - 1) of n! games."""
    return 1.0 / (math.lcm(seats, seats - 1) * math.factorial(seats))


def score_interval(blocks: Iterable[PairScore], seats: int = 2) -> Interval:
    """The 95% interval of the score, or of any share of the games, from its sum in every block."""
    worst, best = worst_and_best(blocks, math.factorial(seats))
    step = block_step(seats)
    low, high = mean_interval(_sample(worst, step))
    return low, (high if worst == best else mean_interval(_sample(best, step))[1])


def games_interval(wins: int, draws: int, losses: int) -> Interval:
    """The 95% interval of the score where only counts of games are left, and no pairs."""
    return mean_interval(_sample([1.0] * wins + [0.5] * draws + [0.0] * losses, STEP))


def worst_and_best(blocks: Iterable[PairScore], size: int = 2) -> tuple[list[float], list[float]]:
    """The scores of blocks if missing games are lost, and if they are won."""
    listed = list(blocks)
    worst = [points / size for points, _ in listed]
    return worst, [(points + size - games) / size for points, games in listed]


def _sample(scores: Iterable[float], step: float) -> Sample:
    values = floats(scores)
    values = (values / step).round() * step  # thirds leave something to round
    return Sample(values, values * 0.0 + 1.0, step=step)
