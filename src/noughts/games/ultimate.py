"""Ultimate tic-tac-toe: nine mini boards in a 3×3, and the cell you play names the next one.

Cell 9·m + c is cell c of mini board m; both are numbered row by row. A mini board goes to whoever
first completes a line in it and stays his; three in a line win the game. Marks in a won mini board
never fade.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self

from noughts.errors import ParseError
from noughts.games.boards import Board, grid_board
from noughts.games.cells import CellPosition
from noughts.games.game import Game, Mark, Result, other
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
    from noughts.kernels.rules.ultimate import UltimateRules
    from noughts.kernels.rules.ultimate_search import UltimateSearch

ANYWHERE = 9
FULL = 0b111_111_111
MINI: Board = grid_board((3, 3), 3)


def has_line(mask: int) -> bool:
    """Does this set of nine bits hold a line of the mini board?"""
    return any(line & mask == line for line in MINI.line_masks)


@dataclass(frozen=True, repr=False)
class UltimateGame(Game):
    """Ultimate tic-tac-toe and its variants."""

    won: Literal["closed", "open"]  # does a won mini board take more marks
    tiebreak: Literal["draw", "boards"]  # who gets a game without a line
    risk: Risk = field()  # it must be said

    def __str__(self) -> str:
        options = [f"won={self.won}"] if self.won != "closed" else []
        options += [f"tiebreak={self.tiebreak}"] if self.tiebreak != "draw" else []
        options += [f"{key}={value}" for key, value in self.risk.options]
        return f"ultimate:{','.join(options)}" if options else "ultimate"

    @property
    def cells(self) -> int:
        return 81

    @property
    def shape(self) -> tuple[int, int, int]:
        return 9, 9, 1

    @property
    def sites(self) -> int:
        return 90  # the cells, then the mini boards, which are the zones

    @property
    def zones(self) -> int:
        return 9

    @property
    def site_lines(self) -> tuple[tuple[int, ...], ...]:
        """Those of each mini board, and those of mini boards."""
        inner = tuple(tuple(9 * m + c for c in line) for m in range(9) for line in MINI.lines)
        return inner + tuple(tuple(81 + m for m in line) for line in MINI.lines)

    def site_image(self, permutation: Permutation) -> Permutation:
        return *permutation, *(81 + permutation[9 * m] // 9 for m in range(9))

    def start(self) -> "UltimatePosition":
        return self._made("X", 0, (0, 0), (0, 0), ANYWHERE)

    def _made(
        self, turn: Mark, tick: int, cells: Sequence[int], minis: Sequence[int], forced: int
    ) -> "UltimatePosition":
        """The position of X's and O's cells and mini boards, as bits."""
        position = UltimatePosition(
            game=self,
            turn=turn,
            tick=tick,
            x_mask=cells[0],
            o_mask=cells[1],
            x_minis=minis[0],
            o_minis=minis[1],
            forced=forced,
            result=None,
        )
        return replace(position, result=position._find_result())

    def parse(self, text: str) -> "UltimatePosition":
        letters, is_drawing, status = split_text(text)
        check_letters(letters, 81, str(self))
        if is_drawing:
            letters = "".join(letters[drawing_place(cell)] for cell in range(81))
        return self._position(letters, status)

    def position_from_dict(self, data: dict[str, Any]) -> "UltimatePosition":
        fields = read_position_data(data)
        check_letters(fields.board, 81, str(self))
        forced, owners = data.get("forced"), data.get("owners")
        if forced is not None and forced not in range(9):
            raise ParseError(f'"forced" is {forced!r}; it must be a mini board 0 to 8, or null.')
        if owners is not None and (
            not isinstance(owners, str) or len(owners) != 9 or set(owners) - set("XO.")
        ):
            raise ParseError('"owners" must be a text of nine letters X, O or ".".')
        status = Status(
            fields.turn,
            fields.result,
            fields.tick,
            ANYWHERE if forced is None else int(forced),
            owners,
        )
        return replace(self._position(fields.board, status), last=fields.last)

    def position_from_row(self, row: Sequence[int]) -> "UltimatePosition":
        *minis, x_minis, o_minis, forced, seat, tick = map(int, row)
        halves = minis[:9], minis[9:]
        cells = [sum(own << 9 * mini for mini, own in enumerate(half)) for half in halves]
        return self._made(self.marks[seat - 1], tick, cells, (x_minis, o_minis), forced)

    def _position(self, letters: str, status: Status) -> "UltimatePosition":
        x_mask, o_mask, *_ = cells = masks_of(letters)
        turn = status.turn or ("X" if (x_mask | o_mask).bit_count() % 2 == 0 else "O")
        x_minis, o_minis, *_ = minis = masks_of(self._owners(x_mask, o_mask, status.owners))
        if has_line(x_minis) and has_line(o_minis):
            raise ParseError("Both X and O have three mini boards in a line.")
        forced = ANYWHERE if status.forced is None else status.forced
        position = self._made(turn, status.tick, cells, minis, forced)
        if position.result is not None:
            position = replace(position, forced=ANYWHERE)
        elif position.forced != ANYWHERE and not position.free_cells(position.forced):
            raise ParseError(f"Mini board {position.forced} takes no marks, so it is not forced.")
        check_claims(position, status)
        return position

    def _owners(self, x_mask: int, o_mask: int, claimed: str | None) -> str:
        """Who won each mini board. Where both have a line in one, only the text can tell."""
        owners = ""
        for mini in range(9):
            x_line = has_line(x_mask >> 9 * mini & FULL)
            o_line = has_line(o_mask >> 9 * mini & FULL)
            claim = claimed[mini] if claimed else None
            if x_line and o_line:
                if self.won == "closed" or claim not in ("X", "O"):
                    raise ParseError(f"Both X and O have a line in mini board {mini}.")
                owners += claim
            else:
                owners += "X" if x_line else "O" if o_line else "."
                if claim is not None and claim != owners[-1]:
                    raise ParseError(f"The board does not show that {claim} won mini board {mini}.")
        return owners

    def symmetries(self) -> tuple[Permutation, ...]:
        return self._symmetries

    @cached_property
    def _symmetries(self) -> tuple[Permutation, ...]:
        """The eight of the 3×3, applied to mini boards and their cells at once."""
        colours = self.risk.colours()
        whole = [
            tuple(9 * p[m] + p[c] for m in range(9) for c in range(9))
            for p in automorphisms(MINI, [0] * 9)
        ]
        return tuple(p for p in whole if all(colours[i] == colours[p[i]] for i in range(81)))

    @property
    def options(self) -> Mapping[str, str]:
        return {"won": self.won, "tiebreak": self.tiebreak}

    @property
    def title(self) -> str:
        words = ["Ultimate"]
        words += ["won boards stay open"] if self.won == "open" else []
        words += ["more boards win"] if self.tiebreak == "boards" else []
        return ", ".join(words)

    @property
    def move_hint(self) -> str:
        return "cell, or mini board and cell"

    @property
    def move_words(self) -> str:
        return "the number of a cell, or its mini board and its cell there, from 0"

    def _typed(self, first: int, second: int) -> int:
        if first > 8 or second > 8:
            raise ParseError(f"'{first} {second}' is not a mini board 0 to 8 and a cell 0 to 8.")
        return 9 * first + second

    def place_of(self, cell: int) -> tuple[int, int, int]:
        return *divmod(drawing_place(cell), 9), 0

    def drawn_at(self, cell: int) -> tuple[int, int, int, int]:
        row, column, _ = self.place_of(cell)
        return row, column, row // 3, column // 3

    @cached_property
    def rules(self) -> "UltimateRules":
        """The tables that kernels take."""
        from noughts.games.tables.rules import (
            ultimate_rules,  # numba is only loaded when it is used
        )

        return ultimate_rules(self)

    @cached_property
    def search_rules(self) -> "UltimateSearch":
        """With what mini boards promise."""
        from noughts.games.tables.search import ultimate_search

        return ultimate_search(self)


def drawing_place(cell: int) -> int:
    """Where a cell stands in a drawing that is read row by row over all nine columns."""
    mini, inner = divmod(cell, 9)
    row, column = 3 * (mini // 3) + inner // 3, 3 * (mini % 3) + inner % 3
    return 9 * row + column


@dataclass(frozen=True, kw_only=True, repr=False)
class UltimatePosition(CellPosition):
    """81 cells and nine mini boards as bits, whose turn it is, and where he must play."""

    game: UltimateGame
    x_mask: int
    o_mask: int
    x_minis: int
    o_minis: int
    forced: int  # a mini board, or ANYWHERE

    @cached_property
    def board(self) -> str:
        return letters_of((self.x_mask, self.o_mask), 81)

    @property
    def owners(self) -> str:
        """Who won each mini board: X, O or '.'."""
        return letters_of((self.x_minis, self.o_minis), 9)

    @property
    def sites(self) -> str:
        return self.board + self.owners

    @property
    def zone(self) -> int | None:
        return None if self.forced == ANYWHERE else self.forced

    def free_cells(self, mini: int) -> int:
        """The cells of a mini board that take a mark, as nine bits."""
        if self.game.won == "closed" and (self.x_minis | self.o_minis) >> mini & 1:
            return 0
        return FULL & ~((self.x_mask | self.o_mask) >> 9 * mini)

    @property
    def most_left(self) -> int:
        return sum(self.free_cells(mini).bit_count() for mini in range(9))

    @cached_property
    def open_cells(self) -> tuple[int, ...]:
        minis = range(9) if self.forced == ANYWHERE else (self.forced,)
        return tuple(
            9 * mini + cell
            for mini in minis
            for cell in range(9)
            if self.free_cells(mini) >> cell & 1
        )

    @property
    def _fading_cells(self) -> tuple[int, ...]:
        filled, fade = self.x_mask | self.o_mask, self.game.risk.fade
        decided = self.x_minis | self.o_minis
        return tuple(
            cell
            for cell in range(81)
            if filled >> cell & 1 and fade[cell] > 0.0 and not decided >> cell // 9 & 1
        )

    def _why_closed(self, cell: int) -> str:
        mini = cell // 9
        if self.forced not in (ANYWHERE, mini):
            return f"Cell {cell} is in mini board {mini}; this move must be in {self.forced}."
        if self.board[cell] == ".":
            return f"Cell {cell} is in mini board {mini}, which is won and takes no more marks."
        return super()._why_closed(cell)

    def _land(self, cell: int, mark: Mark | None) -> Self:
        mini = cell // 9
        cells, minis = [self.x_mask, self.o_mask], [self.x_minis, self.o_minis]
        if mark is not None:
            side = self.game.marks.index(mark)
            cells[side] |= 1 << cell
            if not sum(minis) >> mini & 1 and has_line(cells[side] >> 9 * mini & FULL):
                minis[side] |= 1 << mini
        after = replace(
            self,
            x_mask=cells[0],
            o_mask=cells[1],
            x_minis=minis[0],
            o_minis=minis[1],
            turn=other(self.turn),
            last=cell,
        )
        result = after._find_result()
        return replace(
            after, result=result, forced=after._sent_to(cell) if not result else ANYWHERE
        )

    def _sent_to(self, cell: int) -> int:
        """Where a move on this cell sends the opponent."""
        return cell % 9 if self.free_cells(cell % 9) else ANYWHERE

    def _find_result(self) -> Result | None:
        if has_line(self.x_minis):
            return "X"
        if has_line(self.o_minis):
            return "O"
        if any(self.free_cells(mini) for mini in range(9)):
            return None
        lead = self.x_minis.bit_count() - self.o_minis.bit_count()
        if self.game.tiebreak == "draw" or lead == 0:
            return "draw"
        return "X" if lead > 0 else "O"

    def _fade(self, cells: Iterable[int]) -> Self:
        left = ~sum(1 << cell for cell in cells)
        after = replace(self, x_mask=self.x_mask & left, o_mask=self.o_mask & left)
        # A full mini board that the move points to may take marks again.
        return replace(
            after, forced=after.forced if self.last is None else after._sent_to(self.last)
        )

    def permuted(self, permutation: Permutation) -> Self:
        def moved(mask: int) -> int:
            return sum(1 << image for i, image in enumerate(permutation) if mask >> i & 1)

        def minis_moved(mask: int) -> int:
            return sum(1 << permutation[9 * m] // 9 for m in range(9) if mask >> m & 1)

        return replace(
            self,
            x_mask=moved(self.x_mask),
            o_mask=moved(self.o_mask),
            x_minis=minis_moved(self.x_minis),
            o_minis=minis_moved(self.o_minis),
            forced=ANYWHERE if self.forced == ANYWHERE else permutation[9 * self.forced] // 9,
            last=None if self.last is None else permutation[self.last],
        )

    def _order(self) -> tuple[int, ...]:
        return self.x_mask, self.o_mask, self.x_minis, self.o_minis, self.forced

    @property
    def winning_line(self) -> tuple[int, ...] | None:
        """Three mini boards in a line, if somebody has them."""
        for line, mask in zip(MINI.lines, MINI.line_masks, strict=True):
            if mask & self.x_minis == mask or mask & self.o_minis == mask:
                return line
        return None

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {"game": str(self.game), "board": self.board, "turn": self.turn}
        if self.game.risk.has_clock:
            data["tick"] = self.tick
        data["forced"] = None if self.forced == ANYWHERE else self.forced
        return {**data, "owners": self.owners, "last": self.last, "result": self.result}

    def to_row(self) -> list[int]:
        """The mini boards of X, then of O; who owns which; forced mini board, turn and clock."""
        minis = [
            mask >> 9 * mini & FULL for mask in (self.x_mask, self.o_mask) for mini in range(9)
        ]
        owners = [self.x_minis, self.o_minis]
        return [*minis, *owners, self.forced, ".XO".index(self.turn), self.tick]

    @property
    def _status(self) -> str:
        # Owners follow from the board unless marks are added to mini boards already won.
        owners = self.owners if self.game.won == "open" else ""
        return write_status(self, self.forced, owners)

    def __str__(self) -> str:
        drawn = [""] * 81
        for cell, letter in enumerate(self.board):
            drawn[drawing_place(cell)] = letter
        rows = [
            " | ".join(" ".join(drawn[9 * row + 3 * band :][:3]) for band in range(3))
            for row in range(9)
        ]
        rule = "------+-------+------"
        return "\n".join([*rows[:3], rule, *rows[3:6], rule, *rows[6:], self._status])

    def to_text(self) -> str:
        return f"{'/'.join(self.board[i : i + 9] for i in range(0, 81, 9))} {self._status}"
