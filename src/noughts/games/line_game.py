"""Games of lines: m×n with k in a row, 3×3×3, Qubic, misère, and any board a third party draws."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from noughts.errors import ParseError
from noughts.games.boards import Board
from noughts.games.data import read_position_data
from noughts.games.game import Game, Mark, Position, Result, other
from noughts.games.risk import Risk
from noughts.games.symmetry import Permutation, automorphisms
from noughts.games.text import (
    Status,
    check_claims,
    check_letters,
    letters_of,
    masks_of,
    split_text,
    write_status,
)

if TYPE_CHECKING:
    from noughts.kernels.rules.line_search import LineSearch
    from noughts.kernels.rules.lines import LineRules
    from noughts.kernels.rules.masks import MaskRules


@dataclass(frozen=True, repr=False)
class LineGame(Game):
    """Whoever completes a line wins, or in misère loses; a full board without a line is a draw."""

    board: Board
    is_misere: bool
    risk: Risk

    def __str__(self) -> str:
        name, _, k = self.board.name.partition(":")
        options = [k] if k else []
        options += ["misere"] if self.is_misere else []
        options += [f"{key}={value}" for key, value in self.risk.options]
        return f"{name}:{','.join(options)}" if options else name

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Every position hashes its game; the board with all its lines is hashed only once.
        return hash((self.board.name, self.is_misere, self.risk))

    @property
    def cells(self) -> int:
        return self.board.cells

    @property
    def shape(self) -> tuple[int, int, int]:
        return self.board.shape

    @property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """The sets of cells that win."""
        return self.board.lines

    @property
    def site_lines(self) -> tuple[tuple[int, ...], ...]:
        return self.lines

    def start(self) -> "LinePosition":
        return LinePosition(game=self, turn="X", x_mask=0, o_mask=0, result=None)

    def parse(self, text: str) -> "LinePosition":
        letters, is_drawing, status = split_text(text)
        check_letters(letters, self.cells, str(self))
        if is_drawing:
            letters = "".join(letters[i] for i in self._drawing_order())
        return self._position(letters, status)

    def position_from_dict(self, data: dict[str, Any]) -> "LinePosition":
        fields = read_position_data(data)
        check_letters(fields.board, self.cells, str(self))
        position = self._position(fields.board, Status(fields.turn, fields.result, fields.tick))
        return replace(position, last=fields.last)

    def position_from_row(self, row: Sequence[int]) -> "LinePosition":
        *marks, seat, tick = row
        x_mask, o_mask = masks_of("".join(".XO"[mark] for mark in marks))
        return LinePosition(
            game=self,
            turn="X" if seat == 1 else "O",
            tick=int(tick),
            x_mask=x_mask,
            o_mask=o_mask,
            result=self._result(x_mask, o_mask),
        )

    def _position(self, letters: str, status: Status) -> "LinePosition":
        if status.forced is not None or status.owners is not None:
            raise ParseError("Mini boards belong to ultimate; this game has none.")
        x_mask, o_mask = masks_of(letters)
        turn = status.turn or ("X" if (x_mask | o_mask).bit_count() % 2 == 0 else "O")
        if any(m & x_mask == m for m in self.board.line_masks) and any(
            m & o_mask == m for m in self.board.line_masks
        ):
            raise ParseError("Both X and O have a line; the game ends with the first.")
        position = LinePosition(
            game=self,
            turn=turn,
            tick=status.tick,
            x_mask=x_mask,
            o_mask=o_mask,
            result=self._result(x_mask, o_mask),
        )
        check_claims(position, status)
        return position

    def _result(self, x_mask: int, o_mask: int) -> Result | None:
        for mark, mask in (("X", x_mask), ("O", o_mask)):
            if any(line & mask == line for line in self.board.line_masks):
                return self._winner(mark)  # type: ignore[arg-type]  # the tuple's letters are marks
        return "draw" if (x_mask | o_mask).bit_count() == self.cells else None

    def _winner(self, completed_by: Mark) -> Mark:
        return other(completed_by) if self.is_misere else completed_by

    def _drawing_order(self) -> list[int]:
        """For each cell its place in a drawing, whose rows run through all layers."""
        _, columns, layers = self.shape
        order = []
        for cell in range(self.cells):
            row, column, layer = self.board.place_of(cell)
            order.append((row * layers + layer) * columns + column)
        return order

    def symmetries(self) -> tuple[Permutation, ...]:
        return self._symmetries

    @cached_property
    def _symmetries(self) -> tuple[Permutation, ...]:
        return automorphisms(self.board, self.risk.colours())

    @cached_property
    def rules(self) -> "LineRules":
        """The tables that kernels take."""
        from noughts.games.tables import line_rules  # numba is only loaded when something runs

        return line_rules(self)

    @cached_property
    def random_rules(self) -> "LineRules | MaskRules":
        """Words of bits where they can say everything."""
        from noughts.games.tables import mask_rules

        return self.rules if self.cells > 64 or self.risk.is_risky else mask_rules(self)

    @cached_property
    def search_rules(self) -> "LineSearch":
        """With what searches sum up over lines."""
        from noughts.games.search_tables import line_search

        return line_search(self)


@dataclass(frozen=True, kw_only=True, repr=False)
class LinePosition(Position):
    """A board of a line game: the cells of X and of O as bits, and whose turn it is."""

    game: LineGame
    x_mask: int
    o_mask: int

    @cached_property
    def board(self) -> str:
        return letters_of(self.x_mask, self.o_mask, self.game.cells)

    @cached_property
    def open_cells(self) -> tuple[int, ...]:
        filled = self.x_mask | self.o_mask
        return tuple(cell for cell in range(self.game.cells) if not filled >> cell & 1)

    @property
    def _fading_cells(self) -> tuple[int, ...]:
        filled, fade = self.x_mask | self.o_mask, self.game.risk.fade
        return tuple(c for c in range(self.game.cells) if filled >> c & 1 and fade[c] > 0.0)

    def _land(self, cell: int, mark: Mark | None) -> Self:
        x_mask, o_mask, result = self.x_mask, self.o_mask, self.result
        if mark is not None:
            own = (x_mask if mark == "X" else o_mask) | 1 << cell
            x_mask, o_mask = (own, o_mask) if mark == "X" else (x_mask, own)
            if any(line & own == line for line in self.game.board.masks_through[cell]):
                result = self.game._winner(mark)
            elif (x_mask | o_mask).bit_count() == self.game.cells:
                result = "draw"
        turn = other(self.turn)
        return replace(self, x_mask=x_mask, o_mask=o_mask, turn=turn, last=cell, result=result)

    def _fade(self, cells: Iterable[int]) -> Self:
        left = ~sum(1 << cell for cell in cells)
        return replace(self, x_mask=self.x_mask & left, o_mask=self.o_mask & left)

    def permuted(self, permutation: Permutation) -> Self:
        def moved(mask: int) -> int:
            return sum(1 << image for i, image in enumerate(permutation) if mask >> i & 1)

        last = None if self.last is None else permutation[self.last]
        return replace(self, x_mask=moved(self.x_mask), o_mask=moved(self.o_mask), last=last)

    def _order(self) -> tuple[int, ...]:
        return self.x_mask, self.o_mask

    @property
    def winning_line(self) -> tuple[int, ...] | None:
        """The cells of a completed line, if there is one."""
        for line, mask in zip(self.game.lines, self.game.board.line_masks, strict=True):
            if mask & self.x_mask == mask or mask & self.o_mask == mask:
                return line
        return None

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {"game": str(self.game), "board": self.board, "turn": self.turn}
        if self.game.risk.has_clock:
            data["tick"] = self.tick
        return {**data, "last": self.last, "result": self.result}

    def to_row(self) -> list[int]:
        """The marks, whose turn it is, the clock."""
        marks = [".XO".index(letter) for letter in self.board]
        return [*marks, ".XO".index(self.turn), self.tick]

    def __str__(self) -> str:
        rows, columns, layers = self.game.shape
        cell_at = self.game.board.cell_at
        drawing = [
            "   ".join(
                " ".join(self.board[cell_at(row, column, layer)] for column in range(columns))
                for layer in range(layers)
            )
            for row in range(rows)
        ]
        return "\n".join([*drawing, write_status(self)])

    def _one_line(self) -> str:
        columns = self.game.shape[1]
        rows = [self.board[i : i + columns] for i in range(0, self.game.cells, columns)]
        return f"{'/'.join(rows)} {write_status(self)}"
