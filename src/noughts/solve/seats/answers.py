"""How games end between players who are known: the odds, for any number of seats."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Odds:
    """Probabilities of X winning, of a draw, and of O winning."""

    x: float
    draw: float
    o: float

    @staticmethod
    def of(wins: Sequence[float]) -> "Odds":
        """From the probability that each seat wins; a game that never ends counts as a draw."""
        x, o, *more = map(float, wins)
        draw = max(0.0, 1.0 - sum(wins))
        return SeatOdds(x, draw, o, *more) if more else Odds(x, draw, o)

    @property
    def wins(self) -> tuple[float, ...]:
        """The probability that each seat wins, X first."""
        return self.x, self.o

    @property
    def worth(self) -> tuple[float, ...]:
        """The expected result for each seat: 1 if it wins, -1/(n-1) if another does."""
        wins, rivals = self.wins, len(self.wins) - 1
        return tuple(p - sum(wins[:i] + wins[i + 1 :]) / rivals for i, p in enumerate(wins))

    @property
    def value(self) -> float:
        """The expected result for X."""
        return self.worth[0]

    def __iter__(self) -> Iterator[float]:
        """The wins, X first, and then the draw."""
        return iter((*self.wins, self.draw))


@dataclass(frozen=True)
class SeatOdds(Odds):
    """The same with a third seat, and perhaps a fourth."""

    t: float
    s: float | None = None

    @property
    def wins(self) -> tuple[float, ...]:
        return (self.x, self.o, self.t, *(() if self.s is None else (self.s,)))
