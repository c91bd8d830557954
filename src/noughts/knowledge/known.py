"""What is certain about a position: two bounds, the distance to the end, and where it is from."""

from dataclasses import dataclass

from noughts.errors import NoughtsError
from noughts.knowledge.limits import ROUNDING


@dataclass(frozen=True)
class Known:
    """The expected result for X lies between `low` and `high`, for certain.

    `plies` is the number of moves within which a win that is known is over, both players' counted;
    None where nobody counted them, or nothing is won. `source` is one word.
    """

    low: float
    high: float
    plies: int | None
    source: str

    def __post_init__(self) -> None:
        if not -1.0 <= self.low <= self.high <= 1.0:
            raise NoughtsError(
                f"{self.low} to {self.high} are no bounds of a value; they lie between -1 and 1."
            )
        if not self.source or len(self.source.split()) != 1:
            raise NoughtsError(f"The source of what is known is one word, not {self.source!r}.")

    @property
    def is_exact(self) -> bool:
        """Whether the bounds are one value, rounding aside."""
        return self.high - self.low <= ROUNDING

    @property
    def value(self) -> float:
        """The middle of the bounds: the value itself where they are exact."""
        return self.low if self.low == self.high else 0.5 * (self.low + self.high)

    @property
    def is_telling(self) -> bool:
        """Whether it excludes anything."""
        return self.low > -1.0 or self.high < 1.0

    def clamp(self, estimate: float) -> float:
        """The estimate, or the bound that it would contradict; the value itself where known."""
        return self.value if self.is_exact else min(max(estimate, self.low), self.high)

    def narrowed(self, more: "Known") -> "Known":
        """What both say together; the source is the one that decided."""
        low, high = max(self.low, more.low), min(self.high, more.high)
        if low > high:
            if low - high > ROUNDING:
                raise NoughtsError(
                    f"What is known contradicts itself: {self.source} says {self.low:+.6g} to "
                    f"{self.high:+.6g}, {more.source} says {more.low:+.6g} to {more.high:+.6g}."
                )
            low = high = 0.5 * (low + high)
        if (low, high) == (self.low, self.high):
            return self
        return Known(low, high, more.plies, more.source)


def exactly(value: float, source: str, plies: int | None = None) -> Known:
    """A value that is known, not bounded."""
    value = min(max(value + 0.0, -1.0), 1.0)  # never -0.0
    return Known(value, value, plies, source)


def between(low: float, high: float, source: str) -> Known:
    """Bounds, cut to what a value can be."""
    return Known(max(low + 0.0, -1.0), min(high + 0.0, 1.0), None, source)  # never -0.0


NOTHING = Known(-1.0, 1.0, None, "nothing")
"""Where narrowing begins."""
