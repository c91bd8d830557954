"""What every room asks of a game instead of its class, each with the answer of most games.

A family overrides what is different about it; a game of another package that says nothing more
than `Game` and `Position` ask of it is answered for here.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, Self

from noughts.errors import IllegalMove, NoughtsError, ParseError
from noughts.games.boards import Board
from noughts.games.risk import Risk, no_risk
from noughts.games.symmetry import Permutation

# What a class may say anew and still be played by what was made for its parent: how a game is
# drawn, written, read by people and told apart. All else may be a rule, or decide what one sees.
_GAME_LOOKS = frozenset({
    "title", "options", "summary", "site_lines", "deciding_lines", "place_of", "drawn_at",
    "name_move", "parse_move", "_typed", "move_hint", "move_words", "symmetries", "_symmetries",
    "_hash",
})  # fmt: skip
_POSITION_LOOKS = frozenset({
    "winning_line", "to_text", "to_dict", "to_json", "_repr_svg_", "_why_closed", "permuted",
    "canonical", "_order",
})  # fmt: skip
_OF_PYTHON = frozenset({
    "__module__", "__qualname__", "__doc__", "__annotations__", "__annotate__", "__annotate_func__",
    "__annotations_cache__", "__dict__", "__weakref__", "__slots__", "__abstractmethods__",
    "_abc_impl", "__orig_bases__", "__parameters__", "__firstlineno__", "__static_attributes__",
    "__dataclass_fields__", "__dataclass_params__", "__match_args__", "__replace__", "__str__",
    "__repr__", "__eq__", "__hash__",
})  # fmt: skip
_WRITTEN_BY_DATACLASS = frozenset({"__init__", "__setattr__", "__delattr__"})


@cache
def keeps_rules(game: type, position: type) -> bool:
    """Whether neither the game nor its positions override a rule of the class with the kernels."""
    owner = next(cls for cls in game.__mro__ if "rules" in vars(cls))
    if owner is GameFacts:
        return False
    written = [cls for cls in position.__mro__ if "to_row" in vars(cls)]
    family_position = min(written, key=lambda cls: _distance(cls, owner))  # the first of them
    return not (
        _overrides(game, owner, _GAME_LOOKS)
        or _overrides(position, family_position, _POSITION_LOOKS)
    )


def _distance(cls: type, owner: type) -> int:
    """0 in the same module, 1 in the same package, else 2: whose positions are whose game's."""
    if cls.__module__ == owner.__module__:
        return 0
    return 1 + (cls.__module__.partition(".")[0] != owner.__module__.partition(".")[0])


def _overrides(cls: type, family_class: type, looks: frozenset[str]) -> bool:
    inherited = {*dir(family_class), *getattr(family_class, "__dataclass_fields__", ())}
    return any(
        name in inherited or name.startswith("__")
        for changed in cls.__mro__[: cls.__mro__.index(family_class)]
        for name in _said(changed) - looks
    )


def _said(cls: type) -> frozenset[str]:
    """What the body of a class says, without what Python and dataclasses write into it."""
    is_generated = "__dataclass_params__" in vars(cls) and vars(cls)["__dataclass_params__"].init
    return frozenset(vars(cls)) - _OF_PYTHON - (_WRITTEN_BY_DATACLASS if is_generated else set())


class GameFacts(ABC):
    """The facts of a game."""

    is_misere: bool = False  #: whoever completes a line loses
    takes_turns: bool = True  #: seats move one after the other, from the first; nobody twice

    @cached_property
    def risk(self) -> Risk:
        """How marks may land; by default as they are meant."""
        return no_risk(self.cells)

    @property
    def seats(self) -> int:
        """How many players there are."""
        return 2

    @property
    @abstractmethod
    def cells(self) -> int:
        """How many cells the board has."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int, int]:
        """Rows, columns and layers of the drawing."""

    # ---- Kernels -----------------------------------------------------------------------------

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

    # ---- Winning -----------------------------------------------------------------------------

    @property
    def hypergraph(self) -> Board | None:
        """Cells and lines, where a position is its marks and a line is all that decides."""
        return None

    def lines_for(self, what: str) -> Board:
        """The hypergraph, for something that is made for lines; else the reason for a refusal."""
        if self.hypergraph is None:
            raise NoughtsError(f"{self} is not a line game; {what}.")
        return self.hypergraph

    @property
    def options(self) -> Mapping[str, str]:
        """What variants of the family choose between, by the words of a spec."""
        return MappingProxyType({})

    @property
    def title(self) -> str:
        """The game in words."""
        return str(self)

    # ---- Chance and time ---------------------------------------------------------------------

    @property
    def is_risky(self) -> bool:
        """Whether a move may turn into something else than was meant."""
        return self.risk.is_risky

    @property
    def risks(self) -> dict[str, tuple[float, ...]]:
        """What may happen to a mark, with its chance or rate in each cell; only what can happen."""
        risk = self.risk
        kinds = {"flip": risk.flip, "fizzle": risk.fizzle, "fade": risk.fade, "hazard": risk.hazard}
        return {name: vector for name, vector in kinds.items() if any(vector)}

    @property
    def fades(self) -> bool:
        """Whether marks may vanish between two turns."""
        return self.risk.fades

    @property
    def can_repeat(self) -> bool:
        """Whether a position may come again, so that no number of turns ends the game."""
        return self.risk.fades or self.risk.fizzles

    @property
    def repeats_by_moves(self) -> bool:
        """Whether players can bring a position back; marks that fade or fizzle do so by chance."""
        return self.can_repeat and not self.risk.is_risky

    @property
    def longest(self) -> int | None:
        """How many moves a game may last if all land as they are meant; None: there is no bound."""
        return None if self.repeats_by_moves else self.cells

    @property
    def most_landings(self) -> int:
        """How many ways to land a move may have."""
        if not self.is_risky:
            return 1
        fading = sum(chance > 0.0 for chance in self.risk.fade)
        return (self.seats + self.risk.fizzles) << min(fading, 16)

    @property
    def has_clock(self) -> bool:
        """Whether a move may wait first."""
        return self.risk.has_clock

    @property
    def ticks(self) -> int:
        """How many ticks a table must tell apart; 1 where there is no clock."""
        if not self.has_clock:
            return 1
        return (self.risk.last_tick or self.cells * self.longest_wait) + 1

    @property
    def longest_wait(self) -> int:
        """How many ticks a single move may wait."""
        return self.risk.longest_wait

    def finer_clock(self, times: int) -> Self:
        """The same game with its clock cut into so many times as many ticks."""
        raise NoughtsError(f"{self} has no clock that can be cut more finely.")

    def can_end(self) -> bool:
        """Whether marks can stay at all: in some cell they are not sure to fizzle or fade."""
        fizzle, fade = self.risk.fizzle, self.risk.fade
        return not self.is_risky or any(
            fizzle[cell] < 1.0 and fade[cell] < 1.0 for cell in range(self.cells)
        )

    def check_ends(self) -> None:
        """Refuse, in one sentence, a game that can never end because of its risk."""
        if self.can_end():
            return
        vectors = {"fizzle": self.risk.fizzle, "fade": self.risk.fade}
        kinds = [name for name, chances in vectors.items() if max(chances, default=0.0) >= 1.0]
        raise NoughtsError(
            f"{self} can never end: with {' and '.join(kinds)} at 1 no line is ever completed and "
            "the board is never full; allowed are chances below 1."
        )

    # ---- Moves -------------------------------------------------------------------------------

    @property
    def moves(self) -> int:
        """A move is a number below this."""
        return self.cells * (self.longest_wait + 1)

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
        """The cell that a move plays, or by which it is shown."""
        return move % self.cells

    def wait_of(self, move: int) -> int:
        """How many ticks a move waits first."""
        return move // self.cells if self.has_clock else 0

    def move_image(self, permutation: Permutation, move: int) -> int:
        """What a symmetry of the cells makes of a move, which is cell + cells · something."""
        cell = self.cell_of(move)
        return move - cell + permutation[cell]

    def name_move(self, move: int) -> str:
        """A move in words, as a person reads them and as `parse_move` does."""
        wait = self.wait_of(move)
        return f"{self.cell_of(move)} after {wait} ticks" if wait else f"{self.cell_of(move)}"

    @property
    def move_hint(self) -> str:
        """The same in a few words, where the number of a cell is not all there is to it."""
        return "cell, and ticks to wait if any" if self.has_clock else ""

    @property
    def move_words(self) -> str:
        """What a person types for a move."""
        if self.has_clock:
            return "the number of a cell, and the ticks to wait if any"
        if self.shape[2] > 1:
            return "the number of a cell"
        return "the number of a cell, or its row and column, both from 0"

    def parse_move(self, text: str) -> int:
        """The move that a person typed; whether it is allowed is another question."""
        words = text.removesuffix(" ticks").replace(" after ", " ").split()
        if not words or len(words) > 2 or not all(w.isascii() and w.isdigit() for w in words):
            raise ParseError(f"'{text}' is not a cell; type {self.move_words}.")
        first, *rest = (int(word[:9]) for word in words)
        return self._typed(first, rest[0]) if rest else self.move_at(first)

    def _typed(self, first: int, second: int) -> int:
        """The move that two numbers name."""
        if self.has_clock:
            return self.move_at(first, second)
        rows, columns, layers = self.shape
        if layers > 1 or first >= rows or second >= columns:
            raise ParseError(
                f"Row {first}, column {second} is not on the board; type the number of a cell."
            )
        return first * columns + second

    # ---- Places ------------------------------------------------------------------------------

    def place_of(self, cell: int) -> tuple[int, int, int]:
        """Row, column and layer of a cell in the drawing."""
        rows, columns, _ = self.shape
        return cell // columns % rows, cell % columns, cell // (rows * columns)

    def drawn_at(self, cell: int) -> tuple[int, int, int, int]:
        """Row and column of a cell in a flat drawing; how many gaps lie above it and left of it."""
        row, column, layer = self.place_of(cell)
        return row, layer * self.shape[1] + column, 0, layer

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

    @property
    def deciding_lines(self) -> tuple[tuple[int, ...], ...]:
        """The lines that end the game: of cells, or where there are zones of zones."""
        first = self.sites - self.zones if self.zones else 0
        found = (line for line in self.site_lines if min(line) >= first)
        return tuple(tuple(site - first for site in line) for line in found)

    def site_image(self, permutation: Permutation) -> Permutation:
        """Where a symmetry of the cells moves each site."""
        return permutation
