"""Wild tic-tac-toe: on your turn you place either mark; three alike win for whoever completes them.

    wild    wild:misere    wild:size=4x4,k=3

Marks are nobody's here. The players are the seats X and O, X moves first, and a result names a
seat. A move is a cell and a mark: cell for a cross, cells + cell for a ring.
"""

from dataclasses import dataclass, replace
from functools import cached_property

from noughts.errors import ParseError
from noughts.games.boards import MAX_SIDE, Board, default_k, grid_board, read_sides
from noughts.games.game import Game, Position, other
from noughts.games.symmetry import automorphisms

CODES = ".XO"  # the numbers of what stands in a cell


def wild(spec):
    """wild tic-tac-toe: you place either mark, and three alike win"""
    spec.allow(("size", "k", "misere"))
    sides = read_sides(spec.options.get("size", "3x3"))
    k = spec.whole("k", 1, MAX_SIDE, default_k(sides))
    return WildGame(grid_board(sides, k), spec.flag("misere"))


@dataclass(frozen=True, repr=False)
class WildGame(Game):
    """Whoever completes a line of marks that are alike wins, or in misère loses."""

    grid: Board
    is_misere: bool

    def __str__(self):
        size, _, k = self.grid.name.partition(":")
        options = [f"size={size}"] if size != "3x3" else []
        options += [k] if k else []
        options += ["misere"] if self.is_misere else []
        return f"wild:{','.join(options)}" if options else "wild"

    @property
    def cells(self):
        return self.grid.cells

    @property
    def shape(self):
        return self.grid.shape

    @property
    def moves(self):
        return 2 * self.cells

    @property
    def site_lines(self):
        return self.grid.lines

    def name_move(self, move):
        return f"{move % self.cells}{'XO'[move // self.cells]}"

    def parse_move(self, text):
        number, mark = text.strip()[:-1].strip(), text.strip()[-1:].upper()
        if mark not in ("X", "O") or not (number.isascii() and number.isdigit()):
            raise ParseError(f"'{text}' is not a move; type {self.move_words}.")
        return self.move_at(int(number[:9])) + (self.cells if mark == "O" else 0)

    move_words = "the number of a cell and a mark, such as 4X or 4O"
    move_hint = "cell and mark"

    @cached_property
    def _symmetries(self):
        return automorphisms(self.grid, [0] * self.cells)

    def symmetries(self):
        return self._symmetries

    def start(self):
        return self.position_from_board("." * self.cells, "X")

    def position_from_board(self, letters, turn):
        return WildPosition(
            game=self, turn=turn, letters=letters, result=self._ended(letters, turn)
        )

    def position_from_row(self, row):
        *marks, seat = row
        return self.position_from_board("".join(CODES[mark] for mark in marks), ".XO"[seat])

    def _ended(self, letters, turn):
        """The result, where this seat would move next: the line is the other's doing."""
        if self.complete_line(letters):
            return turn if self.is_misere else other(turn)
        return None if "." in letters else "draw"

    def complete_line(self, letters):
        """A line of marks that are alike, if there is one."""
        for line in self.grid.lines:
            if letters[line[0]] != "." and len({letters[cell] for cell in line}) == 1:
                return line
        return None

    @cached_property
    def rules(self):
        from wild.kernels import wild_rules  # numpy and numba are loaded when something runs

        return wild_rules(self)


@dataclass(frozen=True, kw_only=True, repr=False)
class WildPosition(Position):
    """What stands in the cells, and whose turn it is."""

    letters: str

    @property
    def board(self):
        return self.letters

    @cached_property
    def moves(self):
        if self.result is not None:
            return ()
        cells = [cell for cell, letter in enumerate(self.letters) if letter == "."]
        return (*cells, *(self.game.cells + cell for cell in cells))

    def _after(self, move, landing):
        mark, cell = divmod(move, self.game.cells)
        letters = self.letters[:cell] + "XO"[mark] + self.letters[cell + 1 :]
        return replace(self.game.position_from_board(letters, other(self.turn)), last=cell)

    @property
    def winning_line(self):
        return self.game.complete_line(self.letters)

    def permuted(self, permutation):
        letters = [""] * len(self.letters)
        for cell, image in enumerate(permutation):
            letters[image] = self.letters[cell]
        last = None if self.last is None else permutation[self.last]
        return replace(self, letters="".join(letters), last=last)

    def to_row(self):
        return [*(CODES.index(letter) for letter in self.letters), CODES.index(self.turn)]
