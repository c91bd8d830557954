"""Game and Position: what every member of the family can do.

A `Game` is the frozen statement of the rules and is shared; a `Position` is one moment of it and is
never changed: `play` and `landings` give new ones.
"""

import itertools
import json
import operator
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

from noughts.errors import IllegalMove, NoughtsError, ParseError
from noughts.games.risk import Risk
from noughts.games.symmetry import Permutation

if TYPE_CHECKING:
    import numpy as np  # only named here, so that stating a game needs no numpy

Mark = Literal["X", "O", "T", "S"]
Result = Literal["X", "O", "T", "S", "draw"]

MARKS: tuple[Mark, ...] = ("X", "O", "T", "S")  #: of the seats, in the order of their turns

MAX_FADING = 16  # 2^16 subsets of fading cells is as many as `landings` will list


def other(mark: Mark) -> Mark:
    """The opponent's mark, where there are two players."""
    return "O" if mark == "X" else "X"


def check_two(game: "Game", what: str) -> None:
    """Refuse a game of more than two players to something that is made for two."""
    if game.seats > 2:
        raise NoughtsError(f"{what} is for two players; {game} has {game.seats}.")


class Landing(NamedTuple):
    """What a choice turned into: the mark that landed (None: fizzled) and the cells that faded."""

    mark: Mark | None
    faded: tuple[int, ...] = ()


class Game(ABC):
    """The rules of one game. Equal games have equal boards, options and risks."""

    risk: Risk

    @property
    def seats(self) -> int:
        """How many players there are."""
        return 2

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks of the seats, in the order of their turns."""
        return MARKS[: self.seats]

    def marks_from(self, mark: Mark) -> tuple[Mark, ...]:
        """All marks in the order of turns, this one first."""
        first = self.marks.index(mark)
        return self.marks[first:] + self.marks[:first]

    def after(self, mark: Mark, turns: int = 1) -> Mark:
        """The mark that is on turn so many turns after this one."""
        return self.marks[(self.marks.index(mark) + turns) % self.seats]

    def worth(self, result: Result) -> tuple[float, ...]:
        """What a result is worth to each seat: the winner 1, every loser -1/(seats - 1), a draw 0.

        All seats together get nothing; with two players it is the value for X and its opposite.
        """
        if result == "draw":
            return (0.0,) * self.seats
        lost = -1.0 / (self.seats - 1)
        return tuple(1.0 if mark == result else lost for mark in self.marks)

    @property
    @abstractmethod
    def cells(self) -> int:
        """How many cells the board has."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int, int]:
        """Rows, columns and layers of the drawing."""

    @abstractmethod
    def start(self) -> "Position":
        """The empty board, X to move."""

    @abstractmethod
    def parse(self, text: str) -> "Position":
        """The position that a text draws; the inverse of `str(position)`."""

    @abstractmethod
    def position_from_dict(self, data: dict[str, Any]) -> "Position":
        """The inverse of `Position.to_dict`."""

    def position_from_row(self, row: Sequence[int]) -> "Position":
        """The inverse of `Position.to_row`."""
        raise NoughtsError(f"{self} has rules of its own, and no kernel plays them.")

    @abstractmethod
    def symmetries(self) -> tuple[Permutation, ...]:
        """The permutations of cells that keep the rules and the risks; the identity is first."""

    @abstractmethod
    def __str__(self) -> str:
        """The canonical spec; `noughts.game(str(game)) == game`."""

    def __repr__(self) -> str:
        return f"noughts.game({str(self)!r})"

    @property
    def rules(self) -> Any:
        """The tuple of arrays that kernels take: its class is the family of the game."""
        raise NoughtsError(f"{self} has rules of its own, and no kernel plays them.")

    @property
    def random_rules(self) -> Any:
        """The rules as random games and searches by them read them; often the same."""
        return self.rules

    @property
    def search_rules(self) -> Any:
        """The rules as searches of the alpha-beta kind read them, tables included."""
        return self.rules

    def drawn_at(self, cell: int) -> tuple[int, int, int, int]:
        """Row and column of a cell in a flat drawing; how many gaps lie above it and left of it."""
        rows, columns, _ = self.shape
        layer, place = divmod(cell, rows * columns)
        row, column = divmod(place, columns)
        return row, layer * columns + column, 0, layer

    @property
    def sites(self) -> int:
        """What learners see: cells, and whatever else is somebody's or nobody's."""
        return self.cells

    @property
    def zones(self) -> int:
        """How many of the last sites are zones, in one of which the next move may have to be."""
        return 0

    @property
    def site_lines(self) -> tuple[tuple[int, ...], ...]:
        """The sets of sites that are worth something together."""
        return ()

    def site_image(self, permutation: Permutation) -> Permutation:
        """Where a symmetry of the cells moves each site."""
        return permutation

    def move_at(self, cell: int, wait: int = 0) -> int:
        """The move that waits some ticks and then plays a cell.

        Without a clock a move is its cell. With one it is cell + cells · wait, so that moves are
        whole numbers in every game.
        """
        if not 0 <= cell < self.cells:
            raise IllegalMove(f"Cell {cell} is not on the board; cells are 0 to {self.cells - 1}.")
        if wait < 0:
            raise IllegalMove(f"A wait of {wait} ticks is not possible; it is at least 0.")
        return cell + self.cells * wait

    def cell_of(self, move: int) -> int:
        """The cell that a move plays."""
        return move % self.cells

    def wait_of(self, move: int) -> int:
        """How many ticks a move waits first."""
        return move // self.cells


@dataclass(frozen=True, kw_only=True)
class Position(ABC):
    """One moment of a game. Hashable; `last` and `result` follow from the rest or from history."""

    game: Game
    turn: Mark
    tick: int = 0  #: the clock, for games with a hazard
    last: int | None = field(default=None, compare=False)  #: the cell that was played to get here
    result: Result | None = field(compare=False)

    @property
    @abstractmethod
    def board(self) -> str:
        """One letter per cell: a mark, or '.' for empty."""

    @property
    def sites(self) -> str:
        """One letter per site of the game: a mark, or '.'."""
        return self.board

    @property
    def zone(self) -> int | None:
        """The zone in which the next move must be, if there is one."""
        return None

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
    def permuted(self, permutation: Permutation) -> Self:
        """The same position with cell i moved to permutation[i]."""

    @abstractmethod
    def _order(self) -> tuple[int, ...]:
        """The key by which `canonical` picks one of several images."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""

    def to_row(self) -> list[int]:
        """The whole position as numbers, the way the family of its game writes it."""
        raise NoughtsError(f"{self.game} has rules of its own, and no kernel plays them.")

    @abstractmethod
    def _one_line(self) -> str:
        """The text of `repr`."""

    @cached_property
    def moves(self) -> tuple[int, ...]:
        """The legal moves, ascending; none when the game is over."""
        if self.result is not None:
            return ()
        cells, longest = self.open_cells, self.game.risk.waits(self.tick)
        if longest == 0:
            return cells
        return tuple(self.game.move_at(cell, wait) for wait in range(longest + 1) for cell in cells)

    def check_move(self, move: int) -> int:
        """The move as a plain int; raises IllegalMove with a sentence that says what is allowed."""
        try:
            number = operator.index(move)
        except TypeError:
            raise IllegalMove(f"A move is a whole number, not {move!r}.") from None
        if isinstance(move, bool):
            raise IllegalMove(f"A move is a whole number, not {move!r}.")
        if self.result is not None:
            outcome = "is a draw" if self.result == "draw" else f"has been won by {self.result}"
            raise IllegalMove(f"The game {outcome}; no move is allowed.")
        cell, wait = self.game.cell_of(number), self.game.wait_of(number)
        longest = self.game.risk.waits(self.tick)
        if number < 0 or wait > longest:
            highest = self.game.move_at(self.game.cells - 1, longest)
            raise IllegalMove(f"Move {number} is not on the board; moves are 0 to {highest}.")
        if cell not in self.open_cells:
            raise IllegalMove(self._why_closed(cell))
        return number

    def _why_closed(self, cell: int) -> str:
        allowed = ", ".join(map(str, self.open_cells))
        taken = self.board[cell]
        reason = "is not open" if taken == "." else f"holds {taken}"
        return f"Cell {cell} {reason}; open cells: {allowed}."

    def play(self, move: int, landing: Landing | None = None) -> Self:
        """The position after a move: the landing you meant, or the one you force."""
        move = self.check_move(move)
        cell = self.game.cell_of(move)
        if landing is None:
            landing = Landing(self.turn)
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

    def landings(self, move: int) -> list[tuple[float, Self]]:
        """The positions a move may lead to: (probability, position), probabilities sum to 1."""
        merged: dict[Self, float] = {}
        for probability, landing in self.outcomes(move):
            after = self.play(move, landing)
            merged[after] = merged.get(after, 0.0) + probability
        return [(probability, after) for after, probability in merged.items()]

    def sample(self, move: int, rng: "np.random.Generator") -> tuple[Landing, Self]:
        """Draw a landing: what happened, and the position it led to."""
        risk = self.game.risk
        if not risk.is_risky:
            return Landing(self.turn), self.play(move)
        landed = self._landed(move)
        draw, chosen = rng.random(), 0
        while chosen < len(landed) - 1 and draw >= landed[chosen][0]:
            draw -= landed[chosen][0]
            chosen += 1
        _, mark, after = landed[chosen]
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

    def canonical(self) -> Self:
        """The smallest of this position's images under the game's symmetries."""
        return min((self.permuted(p) for p in self.game.symmetries()), key=lambda p: p._order())

    def to_text(self) -> str:
        """The position on one line; `game.parse` reads it back."""
        return self._one_line()

    def to_json(self) -> str:
        """The position as JSON; `Position.from_json` reads it back, its game included."""
        return json.dumps(self.to_dict())

    @staticmethod
    def from_json(text: str) -> "Position":
        """The inverse of `to_json`."""
        from noughts.games.registry import game  # the registry knows all games, so it imports us

        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:  # bad JSON, or too deep, or too many digits
            raise ParseError(f"The position is not JSON: {error}.") from None
        if not isinstance(data, dict) or not isinstance(data.get("game"), str):
            raise ParseError('A position in JSON is an object with a "game", such as "3x3".')
        return game(data["game"]).position_from_dict(data)

    def __repr__(self) -> str:
        return f"{self.game!r}.parse({self.to_text()!r})"

    def _repr_svg_(self) -> str:
        """How a notebook shows the position."""
        from noughts.games.svg import draw  # drawing is only loaded when somebody looks

        return draw(self)
