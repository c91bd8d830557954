"""The interval of a mean that keeps its word at every size, for anything that has two ends.

Units (pairs of games, say) are independent, each gives a value between `low` and `high`, and the
mean of such values is asked for. Whether a mean m fits n observed values is tested in two steps:

1. The likeliest distribution with mean m, over the values that were seen and the two ends:

       p_i = f_i / (1 + x·(a_i - m)),   f_i the observed shares, a_i the values,

   where x solves Σ f_i·(a_i - m) / (1 + x·(a_i - m)) = 0. If x would leave the range in which all
   p_i are positive it stops at its end, and the mass that is left over goes to `low` or `high`: a
   value that has not been seen yet is not thereby impossible.
2. The exact probabilities, under that distribution, of a sum of n values as low as the observed
   one, and as high: one Fourier transform.

The interval is every m for which neither is below (1 - CONFIDENCE) / 2. Of wins and losses alone it
is the interval of Clopper and Pearson, which never covers less than it says; with more values only
the shape of the distribution is estimated, never the spread of the mean.

References: C. J. Clopper, E. S. Pearson, Biometrika 26 (1934); A. B. Owen, Empirical Likelihood
(2001), for step 1; B. E. Storer, C. Kim, Journal of the American Statistical Association 85 (1990),
for exact tests whose nuisance is estimated under the hypothesis.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    Floats = NDArray[np.float64]
    Wholes = NDArray[np.int64]
    Waves = NDArray[np.complex128]

Interval = tuple[float, float]

CONFIDENCE = 0.95


def standard_error(mean: float, samples: int) -> float:
    """At most so far is a mean of results in [-1, 1] off, as one standard deviation.

    One more sample is counted, of a draw: a handful of wins is no certainty.
    """
    if samples <= 0:
        return 1.0
    drawn = mean * samples / (samples + 1)
    return math.sqrt(max(0.0, 1.0 - drawn * drawn) / samples)


TAIL = (1.0 - CONFIDENCE) / 2.0
HALVINGS = 64  # of the range of x: to the last digit
PLACES, LEVELS = 16, 7  # candidates that are tried at once, and how often the grid gets finer
REACH = 20.0  # standard deviations of a sum beyond which its probabilities are nothing
FINENESS = 360  # places, times √count, of a sum whose values are not multiples of anything


class Tails(NamedTuple):
    """How likely a sum as low as the observed one is, and one as high."""

    low: "Floats"
    high: "Floats"


@dataclass(frozen=True)
class Sample:
    """What was seen: totals of units and their sizes; the mean is total per size.

    Totals lie between `low` and `high` times the size. `step` says that all totals are multiples of
    it and all sizes alike, which makes the probabilities of sums exact to the last digit.
    """

    totals: "Floats"
    sizes: "Floats"
    low: float = 0.0
    high: float = 1.0
    step: float | None = None

    @property
    def mean(self) -> float:
        """Total per size."""
        return float(self.totals.sum() / self.sizes.sum())

    def tails(self, means: "Floats") -> Tails:
        """How well each of these means fits: [M] and [M]."""
        kinds, counts = np.unique(np.stack([self.totals, self.sizes]), axis=1, return_counts=True)
        most, sums = self.sizes.max(), (self.totals.sum(), self.sizes.sum())
        ends = [np.array([[end * most], [most]]) for end in (self.low, self.high)]
        totals, sizes = np.concatenate([ends[0], kinds, ends[1]], axis=1)
        shares = np.concatenate([[0.0], counts / counts.sum(), [0.0]])
        steps = totals[None, :] - means[:, None] * sizes[None, :]
        p = likeliest(steps, np.broadcast_to(shares, steps.shape))
        seen = sums[0] - means * sums[1]
        if self.step is None:
            return sum_tails(p, steps, len(self.totals), seen)
        places = np.rint((totals - self.low * most) / self.step).astype(np.int64)
        total = np.rint(sums[0] / self.step - len(self.totals) * self.low * most / self.step)
        observed = np.full(len(means), int(total))
        return lattice_tails([(p, len(self.totals))], places, observed)


def mean_interval(sample: Sample) -> Interval:
    """The means that the sample does not rule out; all of them when there is no sample."""
    if len(sample.totals) == 0:
        return float(sample.low), float(sample.high)
    mean = sample.mean
    low = edge(lambda m: sample.tails(m).high, mean, sample.low)
    high = edge(lambda m: sample.tails(m).low, mean, sample.high)
    return low, high


def edge(fit: "Callable[[Floats], Floats]", inside: float, outside: float) -> float:
    """Where, on the way from `inside` out, the probability `fit` falls below TAIL.

    `outside` itself is not asked: it is the answer when everything before it fits.
    """
    if inside == outside:
        return float(outside)
    for _ in range(LEVELS):
        tried = np.linspace(outside, inside, PLACES + 1)
        fits = np.flatnonzero(fit(tried[1:-1]) >= TAIL)
        first = int(fits[0]) + 1 if len(fits) else PLACES
        outside, inside = float(tried[first - 1]), float(tried[first])
    return outside


def likeliest(steps: "Floats", shares: "Floats") -> "Floats":
    """The likeliest distributions of mean 0, each row over its own values: [..., K].

    The first value of a row is its lowest and below 0, the last its highest and above 0.
    """
    low, high = -1.0 / steps[..., -1], -1.0 / steps[..., 0]
    least, most = low, high
    weighted = shares * steps
    with np.errstate(divide="ignore", invalid="ignore"):
        for _ in range(HALVINGS):
            x = (low + high) / 2.0
            pulls = np.where(shares > 0.0, weighted / (1.0 + x[..., None] * steps), 0.0)
            is_above = pulls.sum(axis=-1) > 0.0
            low, high = np.where(is_above, x, low), np.where(is_above, high, x)
        x = (low + high) / 2.0
        p = np.where(shares > 0.0, shares / (1.0 + x[..., None] * steps), 0.0)
    rest = np.clip(1.0 - p.sum(axis=-1), 0.0, None)
    is_low = x - least > most - x  # x at its upper end: what is missing lies below
    p[..., 0] += np.where(is_low, rest, 0.0)
    p[..., -1] += np.where(is_low, 0.0, rest)
    found: Floats = p / p.sum(axis=-1, keepdims=True)
    return found


def lattice_tails(
    groups: "Sequence[tuple[Floats, int]]", places: "Wholes", observed: "Wholes"
) -> Tails:
    """Tails of a sum of whole numbers `places` [K].

    Each group is probabilities [B, K] and how many numbers are drawn with them.
    """
    middle, variance = np.zeros(len(observed)), np.zeros(len(observed))
    for p, count in groups:
        middle += count * (p @ places)
        variance += count * (p @ places**2 - (p @ places) ** 2)
    drawn = sum(count for _, count in groups)
    lowest, widest = drawn * int(places.min()), drawn * int(np.ptp(places)) + 1
    reach = 2.0 * REACH * np.sqrt(np.maximum(variance, 0.0)).max(initial=0.0)
    size = _power_of_two(min(widest, int(reach) + 64))
    wave = np.ones((len(observed), size // 2 + 1), np.complex128)
    for p, count in groups:
        masses = np.zeros((len(p), size))
        for place, column in zip(places % size, p.T, strict=True):
            masses[:, place] += column
        wave *= power(np.fft.rfft(masses, axis=1), count)
    sums = np.fft.irfft(wave, size, axis=1)
    start = np.rint(middle).astype(np.int64) - size // 2
    start = np.full_like(start, lowest) if size >= widest else start
    return window_tails(sums, start, observed, observed)


def sum_tails(p: "Floats", steps: "Floats", count: int, observed: "Floats") -> Tails:
    """Tails of the sum of `count` values `steps` [B, K] of mean 0, on a fine grid.

    A value between two places of the grid is shared by both, which leaves the mean as it is and
    blurs the sum by less than √count places; by so much the observed sum is moved outwards.
    """
    size = _power_of_two(int(FINENESS * math.sqrt(count)))
    spread = np.sqrt((p * steps**2).sum(axis=1) * count)
    unit = np.maximum(2.0 * REACH * spread / size, 1e-300)[:, None]
    below = np.floor(steps / unit)
    over = steps / unit - below
    first = np.mod(below, size).astype(np.int64)
    rows = np.arange(len(p))[:, None] * size
    flat = np.concatenate([(rows + first).ravel(), (rows + (first + 1) % size).ravel()])
    weights = np.concatenate([(p * (1.0 - over)).ravel(), (p * over).ravel()])
    masses = np.bincount(flat, weights, len(p) * size).reshape(len(p), size)
    sums = np.fft.irfft(power(np.fft.rfft(masses, axis=1), count), size, axis=1)
    seen, blur = np.clip(observed / unit[:, 0], -size, size), math.sqrt(count)
    start = np.full(len(p), -size // 2)
    highest = np.ceil(seen + blur).astype(np.int64)
    return window_tails(sums, start, highest, np.floor(seen - blur).astype(np.int64))


def window_tails(sums: "Floats", start: "Wholes", highest: "Wholes", lowest: "Wholes") -> Tails:
    """Probabilities of a sum up to `highest`, and from `lowest` on.

    `sums` [B, size] holds the probability of place t at t modulo its size, for the places from
    `start` on; what lies outside them is nothing.
    """
    size, rows = sums.shape[1], np.arange(len(sums))
    order = (start[:, None] + np.arange(size)) % size
    below = np.cumsum(np.take_along_axis(sums, order, axis=1), axis=1)

    def up_to(place: "Wholes") -> "Floats":
        at = below[rows, np.clip(place - start, 0, size - 1)]
        found: Floats = np.where(place < start, 0.0, at)
        return found

    return Tails(up_to(highest), 1.0 - up_to(lowest - 1))


def power(wave: "Waves", count: int) -> "Waves":
    """wave ** count by squaring, several times faster than through logarithms."""
    found = None
    while True:
        if count & 1:
            found = wave if found is None else found * wave
        count >>= 1
        if count == 0:
            return wave * 0.0 + 1.0 if found is None else found
        wave = wave * wave


def _power_of_two(least: int) -> int:
    return 1 << max(least - 1, 1).bit_length()


def floats(numbers: Iterable[float]) -> "Floats":
    """An array of them."""
    return np.array(list(numbers), np.float64)
