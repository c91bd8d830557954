"""Games of lines: m×n with k in a row, 3×3×3, Qubic, misère, and any board a third party draws."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from noughts.errors import ParseError
from noughts.games.boards import Board
from noughts.games.cells import CellPosition
from noughts.games.facts import keeps_rules
from noughts.games.game import MARKS, Game, Mark, Result, other
from noughts.games.risk import Risk
from noughts.games.symmetry import Permutation, automorphisms
from noughts.games.text import (
    Status,
    check_claims,
    check_letters,
    letters_of,
    masks_of,
    read_position_data,
    split_text,
    write_status,
)

if TYPE_CHECKING:
    from noughts.kernels.rules.line_search import LineSearch
    from noughts.kernels.rules.lines import LineRules
    from noughts.kernels.rules.masks import MaskRules

CODES = "".join((".", *MARKS))  # the number of a letter in a row


@dataclass(frozen=True, repr=False)
class LineGame(Game):
    """Whoever completes a line wins, or in misère loses; a full board without a line is a draw."""

    board: Board
    is_misere: bool = field()  # without a default, though the class above has an answer
    risk: Risk = field()  # likewise
    players: int = 2

    def __post_init__(self) -> None:
        if self.is_misere and self.players > 2:
            raise ParseError(
                f"misere is for two players: with players={self.players} a completed line would "
                f"name a loser and no single winner."
            )

    def __str__(self) -> str:
        name, _, k = self.board.name.partition(":")
        options = [k] if k else []
        options += ["misere"] if self.is_misere else []
        options += [f"players={self.players}"] if self.players > 2 else []
        options += [f"{key}={value}" for key, value in self.risk.options]
        return f"{name}:{','.join(options)}" if options else name

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Every position hashes its game; the board with all its lines is hashed only once.
        return hash((self.board.name, self.is_misere, self.players, self.risk))

    @property
    def seats(self) -> int:
        return self.players

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

    @cached_property
    def hypergraph(self) -> Board | None:
        return self.board if keeps_rules(type(self), type(self.start())) else None

    def finer_clock(self, times: int) -> Self:
        return replace(self, risk=self.risk.finer_clock(times))

    @property
    def title(self) -> str:
        """As in `4×4, 3 in a row, misère`."""
        board, _, k = self.board.name.partition(":k=")
        words = ["Qubic" if board == "qubic" else board.replace("x", "×")]
        words += [f"{k} in a row"] if k else []
        words += ["misère"] if self.is_misere else []
        return ", ".join(words)

    def can_end(self) -> bool:
        """Whether a line can be completed, or the board filled.

        A cell whose every mark fizzles is never filled, and one that fades for certain is empty
        again at the next turn. So a line can be completed if all its cells can be filled and all
        but the one that is filled last can keep a mark; a board can become full on the same terms.
        """
        fizzle, fade = self.risk.fizzle, self.risk.fade
        return not self.is_risky or any(
            all(fizzle[cell] < 1.0 for cell in line) and sum(fade[cell] >= 1.0 for cell in line) < 2
            for line in (*self.lines, range(self.cells))
        )

    @property
    def site_lines(self) -> tuple[tuple[int, ...], ...]:
        return self.lines

    def start(self) -> "LinePosition":
        return LinePosition(game=self, turn="X", x_mask=0, o_mask=0, result=None)

    def parse(self, text: str) -> "LinePosition":
        letters, is_drawing, status = split_text(text, self.marks)
        check_letters(letters, self.cells, str(self))
        if is_drawing:
            letters = "".join(letters[i] for i in self._drawing_order())
        return self._position(letters, status)

    def position_from_dict(self, data: dict[str, Any]) -> "LinePosition":
        fields = read_position_data(data, self.marks)
        check_letters(fields.board, self.cells, str(self))
        position = self._position(fields.board, Status(fields.turn, fields.result, fields.tick))
        return replace(position, last=fields.last)

    def position_from_row(self, row: Sequence[int]) -> "LinePosition":
        *marks, seat, tick = row
        letters = "".join((".", *self.marks)[mark] for mark in marks)
        return self._made(letters, self.marks[seat - 1], int(tick))

    def _made(self, letters: str, turn: Mark, tick: int) -> "LinePosition":
        x_mask, o_mask, t_mask, s_mask = masks = masks_of(letters)
        return LinePosition(
            game=self,
            turn=turn,
            tick=tick,
            x_mask=x_mask,
            o_mask=o_mask,
            t_mask=t_mask,
            s_mask=s_mask,
            result=self._result(masks),
        )

    def _position(self, letters: str, status: Status) -> "LinePosition":
        if status.forced is not None or status.owners is not None:
            raise ParseError("Mini boards belong to ultimate; this game has none.")
        filled = self.cells - letters.count(".")
        position = self._made(letters, status.turn or self.marks[filled % self.seats], status.tick)
        complete = self._complete(position.masks)
        if len(complete) > 1:
            raise ParseError(
                f"Both {complete[0]} and {complete[1]} have a line; the game ends with the first."
            )
        check_claims(position, status)
        return position

    def _complete(self, masks: Sequence[int]) -> list[Mark]:
        """The marks that have a line."""
        lines = self.board.line_masks
        return [
            mark
            for mark, mask in zip(MARKS, masks, strict=True)
            if mask and any(line & mask == line for line in lines)
        ]

    def _result(self, masks: Sequence[int]) -> Result | None:
        if complete := self._complete(masks):
            return self._winner(complete[0])
        return "draw" if sum(masks).bit_count() == self.cells else None

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
        from noughts.games.tables.rules import (
            line_rules,  # numba is only loaded when something runs
        )

        return line_rules(self)

    @cached_property
    def random_rules(self) -> "LineRules | MaskRules":
        """Words of bits where they can say everything."""
        from noughts.games.tables.rules import mask_rules

        if self.cells > 64 or self.risk.is_risky or self.seats > 2:
            return self.rules
        return mask_rules(self)

    @cached_property
    def search_rules(self) -> "LineSearch":
        """With what searches sum up over lines."""
        from noughts.games.tables.search import line_search

        return line_search(self)


@dataclass(frozen=True, kw_only=True, repr=False)
class LinePosition(CellPosition):
    """A board of a line game: the cells of each mark as bits, and whose turn it is."""

    game: LineGame
    x_mask: int
    o_mask: int
    t_mask: int = 0
    s_mask: int = 0

    @property
    def masks(self) -> tuple[int, ...]:
        """The cells of X, O, T and S."""
        return self.x_mask, self.o_mask, self.t_mask, self.s_mask

    @property
    def filled(self) -> int:
        """The cells that hold a mark."""
        return self.x_mask | self.o_mask | self.t_mask | self.s_mask

    @cached_property
    def board(self) -> str:
        return letters_of(self.masks, self.game.cells)

    @property
    def most_left(self) -> int:
        return self.game.cells - self.filled.bit_count()

    @cached_property
    def open_cells(self) -> tuple[int, ...]:
        filled = self.filled
        return tuple(cell for cell in range(self.game.cells) if not filled >> cell & 1)

    @property
    def _fading_cells(self) -> tuple[int, ...]:
        filled, fade = self.filled, self.game.risk.fade
        return tuple(c for c in range(self.game.cells) if filled >> c & 1 and fade[c] > 0.0)

    def _land(self, cell: int, mark: Mark | None) -> Self:
        masks, result = list(self.masks), self.result
        if mark is not None:
            side = MARKS.index(mark)
            own = masks[side] = masks[side] | 1 << cell
            if any(line & own == line for line in self.game.board.masks_through[cell]):
                result = self.game._winner(mark)
            elif sum(masks).bit_count() == self.game.cells:
                result = "draw"
        x_mask, o_mask, t_mask, s_mask = masks
        return replace(
            self,
            x_mask=x_mask,
            o_mask=o_mask,
            t_mask=t_mask,
            s_mask=s_mask,
            turn=self.game.after(self.turn),
            last=cell,
            result=result,
        )

    def _fade(self, cells: Iterable[int]) -> Self:
        left = ~sum(1 << cell for cell in cells)
        return self._with_masks([mask & left for mask in self.masks])

    def _with_masks(self, masks: Sequence[int]) -> Self:
        x_mask, o_mask, t_mask, s_mask = masks
        return replace(self, x_mask=x_mask, o_mask=o_mask, t_mask=t_mask, s_mask=s_mask)

    def permuted(self, permutation: Permutation) -> Self:
        def moved(mask: int) -> int:
            return sum(1 << image for i, image in enumerate(permutation) if mask >> i & 1)

        last = None if self.last is None else permutation[self.last]
        return replace(self._with_masks([moved(mask) for mask in self.masks]), last=last)

    def _order(self) -> tuple[int, ...]:
        return self.masks

    @property
    def winning_line(self) -> tuple[int, ...] | None:
        """The cells of a completed line, if there is one."""
        for line, mask in zip(self.game.lines, self.game.board.line_masks, strict=True):
            if any(mask & own == mask for own in self.masks):
                return line
        return None

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {"game": str(self.game), "board": self.board, "turn": self.turn}
        if self.game.risk.has_clock:
            data["tick"] = self.tick
        return {**data, "last": self.last, "result": self.result}

    def to_row(self) -> list[int]:
        """The marks, whose turn it is, the clock."""
        return [*(CODES.index(letter) for letter in self.board), CODES.index(self.turn), self.tick]

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

    def to_text(self) -> str:
        columns = self.game.shape[1]
        rows = [self.board[i : i + columns] for i in range(0, self.game.cells, columns)]
        return f"{'/'.join(rows)} {write_status(self)}"
