"""How a learner sees a position: `raw` as the report of R1 wrote it, `cells` and `lines` better.

The kernels list the inputs of a family's states (`kernels/learn/features`). This is the same in
plain Python for positions, and the tables that the kernels take.

A site is a cell, and in Ultimate also a mini board; lines are sets of sites. A game with zones adds
one input for each in which the next move may have to be, one with a clock adds the time.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.games.game import Game, Position
from noughts.games.symmetry import Permutation

if TYPE_CHECKING:
    from noughts.kernels.learn.features import Inputs

KINDS = ("raw", "cells", "lines")
CODES = {"X": 3.0, ".": 2.0, "O": 1.0}


def check_family(game: Game, learner: str) -> None:
    """Raise NoughtsError for a game that no kernel plays by its own rules."""
    from noughts.games.compiled import has_kernels

    if not has_kernels(game):
        raise NoughtsError(
            f"{learner} learns games of lines and Ultimate; {game} has rules of its own."
        )


@dataclass(frozen=True)
class Encoder:
    """The inputs of one game."""

    game: Game
    kind: str

    @property
    def sites(self) -> int:
        return self.game.sites

    @cached_property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        return self.game.site_lines

    @cached_property
    def counts(self) -> int:
        """Inputs of one player for one line: 1, 2, … marks, short of all."""
        return max(max(map(len, self.lines), default=1) - 1, 1)

    @property
    def first_count(self) -> int:
        return self.sites + 1 if self.kind == "raw" else 2 * self.sites

    @property
    def first_zone(self) -> int:
        lines = 2 * len(self.lines) * self.counts if self.kind == "lines" else 0
        return self.first_count + lines

    @property
    def clock(self) -> int:
        return self.first_zone + self.game.zones

    @property
    def size(self) -> int:
        """How many inputs there are."""
        return self.clock + (1 if self.game.has_clock else 0)

    @property
    def clock_rate(self) -> float:
        """Per tick: the mean hazard of a cell, so that the clock's input runs as the risk does."""
        hazard = self.game.risk.hazard
        return sum(hazard) / len(hazard) * self.game.risk.tick_length

    @cached_property
    def inputs(self) -> "Inputs":
        """The tables that kernels take."""
        from noughts.kernels.learn.features import Inputs

        through: list[list[int]] = [[] for _ in range(self.sites)]
        for i, line in enumerate(self.lines):
            for site in line:
                through[site].append(i)
        return Inputs(
            kind=KINDS.index(self.kind),
            size=self.size,
            seats=2,
            first_count=self.first_count,
            counts=self.counts,
            first_zone=self.first_zone if self.game.zones else -1,
            clock=self.clock if self.game.has_clock else -1,
            clock_rate=self.clock_rate,
            line_start=np.cumsum([0, *map(len, through)], dtype=np.uint32),
            line_of=np.array([line for site in through for line in site], dtype=np.uint32),
            line_length=np.array([len(line) for line in self.lines], dtype=np.uint8),
        )

    def sign(self, position: Position) -> float:
        """What turns the eyes of the player on turn into the value for X."""
        return 1.0 if self.kind == "raw" or position.turn == "X" else -1.0

    def encode(self, position: Position) -> NDArray[np.float64]:
        """The inputs of a position in which `position.turn` has to move."""
        letters = position.sites
        x = np.zeros(self.size)
        if self.kind == "raw":
            x[: self.sites] = [CODES[letter] for letter in letters]
            x[self.sites] = 1.0 if position.turn == "X" else -1.0
        else:
            for site, letter in enumerate(letters):
                if letter != ".":
                    x[self._side(letter, position) * self.sites + site] = 1.0
        if self.kind == "lines":
            for i in self._counts_of(letters, position):
                x[i] = 1.0
        if position.zone is not None:
            x[self.first_zone + position.zone] = 1.0
        if self.game.has_clock:
            x[self.clock] = 1.0 - np.exp(-self.clock_rate * position.tick)
        return x

    def _side(self, letter: str, position: Position) -> int:
        return 0 if letter == position.turn else 1

    def _counts_of(self, letters: str, position: Position) -> list[int]:
        found = []
        for i, line in enumerate(self.lines):
            marks = {letters[site] for site in line} - {"."}
            if len(marks) == 1:
                (letter,) = marks
                number = sum(letters[site] == letter for site in line)
                if number <= self.counts:
                    row = self._side(letter, position) * len(self.lines) + i
                    found.append(self.first_count + row * self.counts + number - 1)
        return found

    def permuted(self, permutation: Permutation) -> NDArray[np.int64]:
        """Where each input goes when the board is turned: input i becomes input permuted[i]."""
        site_to = self.game.site_image(permutation)
        image = np.arange(self.size)
        for side in range(1 if self.kind == "raw" else 2):
            for site, to in enumerate(site_to):
                image[side * self.sites + site] = side * self.sites + to
        if self.kind == "lines":
            number = {line: i for i, line in enumerate(self.lines)}
            for side in range(2):
                for i, line in enumerate(self.lines):
                    to = number[tuple(sorted(site_to[site] for site in line))]
                    old, new = ((side * len(self.lines) + k) * self.counts for k in (i, to))
                    for n in range(self.counts):
                        image[self.first_count + old + n] = self.first_count + new + n
        first = self.sites - self.game.zones
        for zone in range(self.game.zones):
            image[self.first_zone + zone] = self.first_zone + site_to[first + zone] - first
        return image
