"""The certificate of a win by threats: a book of X's quiet moves, one per position up to symmetry.

It is an array file (see `noughts.files`) of kind "win by threats". Its facts name the game; its
arrays, all of one length and sorted by (x, o), are

    x, o    uint64   the cells of X and of O, bit i for cell i, with X on turn
    move    uint8    the cell that X plays there

A position is listed by its smallest image: of all images under the symmetries of the board the one
with the smallest x, and of these the one with the smallest o, read as whole numbers. The empty
board is listed too. Nothing is listed where X has a three, must block one, or has a forced win:
anybody can see such moves. At equal (x, o) there is one entry only.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.errors import ParseError
from noughts.files import load_arrays, save_arrays
from noughts.games.line_game import LineGame, LinePosition
from noughts.games.registry import game as read_game

KIND = "win by threats"
_SHIPPED = "qubic.proof"


@dataclass(frozen=True, eq=False)
class Book:
    """X's moves in the positions where he has to think."""

    game: str
    x: NDArray[np.uint64]
    o: NDArray[np.uint64]
    move: NDArray[np.uint8]

    @staticmethod
    def from_entries(game: str, entries: dict[tuple[int, int], int]) -> "Book":
        """A book from {(x, o): move}."""
        keys = sorted(entries)
        return Book(
            game,
            np.array([x for x, _ in keys], np.uint64),
            np.array([o for _, o in keys], np.uint64),
            np.array([entries[key] for key in keys], np.uint8),
        )

    def __len__(self) -> int:
        return len(self.move)

    @cached_property
    def entries(self) -> dict[tuple[int, int], int]:
        """The moves by position."""
        return {
            (int(x), int(o)): int(move)
            for x, o, move in zip(self.x, self.o, self.move, strict=True)
        }

    def move_in(self, position: LinePosition) -> int | None:
        """The book's move in a position with X on turn, or None."""
        return self.move_at(position.x_mask, position.o_mask)

    def move_at(self, x: int, o: int) -> int | None:
        """The same for the cells of X and of O as bits."""
        x, o, image = smallest_image(self.game, x, o)
        found = self.entries.get((x, o))
        return None if found is None else image.index(found)

    def save(self, path: Path | str) -> None:
        """Write the certificate in one step, with a checksum."""
        arrays: dict[str, NDArray[Any]] = {"x": self.x, "o": self.o, "move": self.move}
        save_arrays(Path(path), KIND, {"game": self.game}, arrays)

    @staticmethod
    def load(path: Path | str) -> "Book":
        """Read a certificate back; a damaged or foreign file raises ParseError."""
        facts, arrays = load_arrays(Path(path), KIND)
        if any(array.ndim != 1 for array in arrays.values()):
            raise ParseError(f"{path} has arrays of other shapes than a certificate.")
        try:
            x, o, move = (np.array(arrays[name]) for name in ("x", "o", "move"))
            found = Book(str(facts["game"]), x, o, move)
        except KeyError as error:
            raise ParseError(f"{path} lacks {error} of a certificate.") from None
        types = [array.dtype.str for array in (x, o, move)]
        if types != ["<u8", "<u8", "|u1"] or not len(x) == len(o) == len(move):
            raise ParseError(f"{path} has arrays of other types or lengths than a certificate.")
        return found


@cache
def shipped_book() -> Book:
    """The certificate of Qubic that comes with Noughts."""
    shipped = files("noughts.prove").joinpath(_SHIPPED)
    with as_file(shipped) as path:
        return Book.load(path)


def smallest_image(game: LineGame | str, x: int, o: int) -> tuple[int, int, tuple[int, ...]]:
    """The smallest image of a position, and the symmetry that takes it there."""
    bits, maps = image_bits(str(game))
    x_images = _images(bits, x)
    least = x_images.min()
    at_least = np.flatnonzero(x_images == least)
    o_images = _images(bits[:, at_least], o)
    chosen = int(o_images.argmin())
    return int(least), int(o_images[chosen]), maps[int(at_least[chosen])]


@cache
def image_bits(game: str) -> tuple[NDArray[np.uint64], tuple[tuple[int, ...], ...]]:
    """[cell, map]: where each symmetry takes each cell, as a bit; and the symmetries."""
    found = read_game(game)
    maps = tuple(found.symmetries())
    return np.ascontiguousarray((np.uint64(1) << np.array(maps, np.uint64)).T), maps


def _images(bits: NDArray[np.uint64], cells: int) -> NDArray[np.uint64]:
    chosen = [cell for cell in range(len(bits)) if cells >> cell & 1]
    found: NDArray[np.uint64] = np.bitwise_or.reduce(bits[chosen], axis=0)
    return found
