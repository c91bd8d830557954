"""Games in which marks land in cells: their risks, their clock, and marks that fade.

A move is a cell, or a wait and a cell. What lands there is the mark of whoever is on turn, another
player's, or nothing; then cells may empty before the next turn.
"""

import itertools
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

from noughts.errors import IllegalMove, NoughtsError
from noughts.games.game import Landing, Mark, Position, pick

if TYPE_CHECKING:
    import numpy as np

MAX_FADING = 16  # 2^16 subsets of fading cells is as many as `landings` will list


@dataclass(frozen=True, kw_only=True, repr=False)
class CellPosition(Position):
    """Says what it means to choose a cell; how a mark lands there is the game's."""

    turn: Mark

    @property
    @abstractmethod
    def open_cells(self) -> tuple[int, ...]:
        """The cells that the rules allow, ascending, in a running game."""

    @property
    @abstractmethod
    def _fading_cells(self) -> tuple[int, ...]:
        """The filled cells that may empty before the next turn, ascending."""

    @abstractmethod
    def _land(self, cell: int, mark: Mark | None) -> Self:
        """The board after this mark landed; the turn has passed."""

    @abstractmethod
    def _fade(self, cells: Iterable[int]) -> Self:
        """The board after these cells emptied, at the start of a turn."""

    @abstractmethod
    def permuted(self, permutation: tuple[int, ...]) -> Self: ...

    @cached_property
    def moves(self) -> tuple[int, ...]:
        """The legal moves, ascending; none when the game is over."""
        if self.result is not None:
            return ()
        cells, longest = self.open_cells, self.longest_wait
        if longest == 0:
            return cells
        return tuple(self.game.move_at(cell, wait) for wait in range(longest + 1) for cell in cells)

    @property
    def at_once(self) -> tuple[int, ...]:
        return () if self.result is not None else self.open_cells

    def check_move(self, move: int) -> int:
        number = self._checked_number(move)
        highest = self.game.move_at(self.game.cells - 1, self.longest_wait)
        if not 0 <= number <= highest:
            raise IllegalMove(f"Move {number} is not on the board; moves are 0 to {highest}.")
        cell = self.game.cell_of(number)
        if cell not in self.open_cells:
            raise IllegalMove(self._why_closed(cell))
        return number

    def _why_closed(self, cell: int) -> str:
        allowed = ", ".join(map(str, self.open_cells))
        taken = self.board[cell]
        reason = "is not open" if taken == "." else f"holds {taken}"
        return f"Cell {cell} {reason}; open cells: {allowed}."

    def meant(self, move: int) -> Landing:
        return Landing(self.turn)

    def play(self, move: int, landing: Landing | None = None) -> Self:
        """Any landing can be forced, also one that the risks do not allow."""
        move = self.check_move(move)
        return self._after(move, Landing(self.turn) if landing is None else landing)

    def _after(self, move: int, landing: Landing) -> Self:
        cell = self.game.cell_of(move)
        if not isinstance(landing, Landing):
            raise IllegalMove(f"A landing is noughts.Landing(mark, faded), not {landing!r}.")
        if landing.mark not in (*self.game.marks, None):
            listed = ", ".join(map(repr, self.game.marks))
            raise IllegalMove(f"A mark is {listed} or None, not {landing.mark!r}.")
        after = replace(self, tick=self.tick + self.game.wait_of(move))._land(cell, landing.mark)
        if not landing.faded:
            return after
        stray = set(landing.faded) - set(after._fading_cells)
        if after.result is not None or stray:
            raise IllegalMove(f"Cells {sorted(landing.faded)} cannot fade after move {move}.")
        return after._fade(set(landing.faded))

    def outcomes(self, move: int) -> list[tuple[float, Landing]]:
        """Everything a move may turn into: (probability, landing), probabilities sum to 1."""
        risk = self.game.risk
        found: list[tuple[float, Landing]] = []
        for chance, mark, after in self._landed(move):
            fading = after._fading_cells if risk.fades and after.result is None else ()
            if len(fading) > MAX_FADING:
                raise NoughtsError(
                    f"{len(fading)} cells may fade here, and 2^{len(fading)} landings are too many "
                    f"to list; draw one with position.sample(move, rng)."
                )
            for fate in itertools.product((False, True), repeat=len(fading)):
                p = chance
                for cell, fades in zip(fading, fate, strict=True):
                    p *= risk.fade[cell] if fades else 1.0 - risk.fade[cell]
                if p > 0.0:
                    found.append((p, Landing(mark, tuple(itertools.compress(fading, fate)))))
        return found

    def moves_toward(self, later: Position) -> list[int]:
        """Those in a cell that differs, or where a mark was meant that fizzled."""
        wait = later.tick - self.tick
        cells = {i for i, (a, b) in enumerate(zip(self.board, later.board, strict=True)) if a != b}
        if later.last is not None:
            cells.add(later.last)  # a mark that fizzled leaves no other trace
        candidates = {self.game.move_at(cell, wait) for cell in cells if wait >= 0}
        return sorted(candidates & set(self.moves)) if len(cells) <= self.game.seats else []

    def sample(self, move: int, rng: "np.random.Generator") -> tuple[Landing, Self]:
        risk = self.game.risk
        if not risk.is_risky:
            return Landing(self.turn), self.play(move)
        landed = self._landed(move)
        _, mark, after = landed[pick([chance for chance, _, _ in landed], rng)]
        fading = after._fading_cells if risk.fades and after.result is None else ()
        faded = tuple(cell for cell in fading if rng.random() < risk.fade[cell])
        return Landing(mark, faded), after._fade(faded) if faded else after

    def _landed(self, move: int) -> list[tuple[float, Mark | None, Self]]:
        """(probability, mark, position before any fading) of each way the mark may land."""
        move = self.check_move(move)
        cell = self.game.cell_of(move)
        tick = self.tick + self.game.wait_of(move)
        at_tick = replace(self, tick=tick)
        return [
            (chance, mark, at_tick._land(cell, mark))
            for chance, mark in self.mark_odds(cell, tick)
            if chance > 0.0
        ]

    def mark_odds(self, cell: int, tick: int) -> list[tuple[float, Mark | None]]:
        """(probability, mark) of what may land in a cell: one's own, the others', nothing."""
        own, flipped, nothing = self.game.risk.landing_odds(cell, tick)
        _, *others = self.game.marks_from(self.turn)
        share = flipped / len(others)
        return [(own, self.turn), *((share, mark) for mark in others), (nothing, None)]

    def chance_of(self, move: int, mark: Mark | None) -> float:
        game = self.game
        odds = self.mark_odds(game.cell_of(move), self.tick + game.wait_of(move))
        return sum(chance for chance, landed in odds if landed == mark)

    def check_landing(self, move: int, landing: Landing) -> None:
        """Refuse a landing that the dice could not have given; `play` checks what is left."""
        move = self.check_move(move)
        if self.chance_of(move, landing.mark) <= 0.0:
            raise IllegalMove(f"Move {move} cannot land as {landing.mark or 'nothing'} here.")
        fade = self.game.risk.fade
        stray = [c for c in landing.faded if not 0 <= c < len(fade) or fade[c] <= 0.0]
        if stray:
            raise IllegalMove(f"Cell {stray[0]} cannot fade here.")
