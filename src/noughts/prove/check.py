"""The checker of a win by threats: it believes nothing but the rules.

It starts from the empty board. With X on turn it looks for a forced win, with a complete search of
all sequences of threes; if X must block, he blocks; otherwise the certificate must name an empty
cell. Then O tries *every* empty cell. A position in which X has no answer is a hole, and so is one
in which O completes a line. Without a hole X wins whatever O does.

The prover's forced wins, zones and tables have no part in it: its kernels are in a file of their
own, and symmetries are used only if they map lines to lines.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.games.game import Game
from noughts.games.line_game import LineGame, LinePosition
from noughts.games.registry import game as read_game
from noughts.kernels.proof.complete import unanswered
from noughts.prove.book import Book

_ROWS = 1 << 20
_LISTED = 20  # holes that are described; all are counted

Progress = Callable[[int, int, str], None]
Pair = tuple[int, int]  # the cells of X and of O, of the smallest image


@dataclass
class CheckReport:
    """What was looked at, and what was found missing."""

    game: str
    moves_listed: int
    moves_used: int = 0
    positions: int = 0  # with X on turn
    deepest: int = 0  # marks on the board at the end of the longest line
    hole_count: int = 0
    holes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    # The positions where X has to think or to block, and those that follow his move there.
    children: dict[Pair, list[Pair]] = field(default_factory=dict, repr=False)

    @property
    def is_proof(self) -> bool:
        """Whether X wins against every reply."""
        return self.hole_count == 0

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON."""
        return {
            "game": self.game,
            "result": "X" if self.is_proof else None,
            "moves_listed": self.moves_listed,
            "moves_used": self.moves_used,
            "checked": self.positions,
            "deepest": self.deepest,
            "hole_count": self.hole_count,
            "holes": self.holes,
            "seconds": self.seconds,
        }


def check_book(
    book: Book,
    game: Game | str | None = None,
    start: LinePosition | None = None,
    progress: Progress | None = None,
) -> CheckReport:
    """Walk through everything O can do, from the empty board or from a start with X on turn."""
    found = read_game(book.game if game is None else game)
    if str(found) != book.game:
        raise NoughtsError(f"The certificate is about {book.game}, not {found}.")
    if not isinstance(found, LineGame) or found.is_misere or found.risk.is_risky:
        raise NoughtsError(f"{found} is not a plain board of lines, so this is no proof of it.")
    if found.cells > 64:
        raise NoughtsError(f"{found} has {found.cells} cells; this kind of certificate holds 64.")
    if start is None:
        start = found.start()
    if start.game != found or start.turn != "X" or start.result is not None:
        raise NoughtsError(f"A check starts in {found} with X on turn.")
    return _Checker(found, book).run((start.x_mask, start.o_mask), progress)


class _Checker:
    def __init__(self, game: LineGame, book: Book) -> None:
        self.cells = game.cells
        self.masks = [sum(1 << cell for cell in line) for line in game.lines]
        self.lines = np.array(self.masks, np.uint64)
        self.maps = [p for p in game.symmetries() if self._keeps_lines(p)]
        self.images = np.array(self.maps, np.uint64)
        self.book = book.entries
        self.memory = np.zeros((_ROWS, 3), np.uint64)
        self.replies = np.zeros(self.cells, np.int64)
        self.facts = np.zeros(2, np.int64)
        self.report = CheckReport(book.game, len(book))

    def _keeps_lines(self, permutation: tuple[int, ...]) -> bool:
        moved = {
            sum(1 << permutation[cell] for cell in range(self.cells) if mask >> cell & 1)
            for mask in self.masks
        }
        return moved == set(self.masks) and sorted(permutation) == list(range(self.cells))

    def run(self, start: Pair, progress: Progress | None) -> CheckReport:
        began = time.perf_counter()
        children = self.report.children
        first = self._smallest(*start)[0]
        seen, stack = {first}, [first]
        while stack:
            x, o = stack.pop()
            move = self._move(x, o)
            if move is None:
                continue
            children[x, o] = sorted({self._smallest(*p)[0] for p in self._after(x | 1 << move, o)})
            for smallest in children[x, o]:
                if smallest not in seen:
                    seen.add(smallest)
                    stack.append(smallest)
            if progress is not None:
                progress(self.report.moves_used, len(self.book), self._state())
        self.report.positions = int(self.facts[0])
        self.report.deepest = int(self.facts[1])
        self.report.seconds = time.perf_counter() - began
        return self.report

    def _state(self) -> str:
        return f"{int(self.facts[0]):,} positions, {self.report.hole_count} holes"

    def _after(self, x: int, o: int) -> list[Pair]:
        """The positions with X on turn that no forced win settles."""
        if x | o == (1 << self.cells) - 1:
            self._hole(x, o, "the board is full")
            return []
        n = unanswered(
            self.lines,
            self.cells,
            np.uint64(x),
            np.uint64(o),
            self.memory,
            self.replies,
            self.facts,
        )
        if n < 0:
            self._hole(x, o, "O completes a line")
            return []
        return [(x, o | 1 << int(cell)) for cell in self.replies[:n]]

    def _move(self, x: int, o: int) -> int | None:
        """X's block, or the move that the certificate lists."""
        blocks = {
            (mask & ~o).bit_length() - 1
            for mask in self.masks
            if not mask & x and (mask & ~o).bit_count() == 1
        }
        if len(blocks) > 1:
            self._hole(x, o, "O has two threes")
            return None
        if blocks:
            return blocks.pop()
        (least_x, least_o), image = self._smallest(x, o)
        move = self.book.get((least_x, least_o))
        if move is None:
            self._hole(x, o, "no move is listed")
            return None
        if not 0 <= move < self.cells or (least_x | least_o) >> move & 1:
            self._hole(x, o, f"the move listed, {move}, is no empty cell")
            return None
        self.report.moves_used += 1
        return image.index(move)

    def _smallest(self, x: int, o: int) -> tuple[Pair, tuple[int, ...]]:
        x_images, o_images = self._images(x), self._images(o)
        chosen = np.lexsort((o_images, x_images))[0]
        return (int(x_images[chosen]), int(o_images[chosen])), self.maps[int(chosen)]

    def _images(self, mask: int) -> NDArray[np.uint64]:
        chosen = [cell for cell in range(self.cells) if mask >> cell & 1]
        bits = np.uint64(1) << self.images[:, chosen]
        found: NDArray[np.uint64] = np.bitwise_or.reduce(bits, axis=1, dtype=np.uint64)
        return found

    def _hole(self, x: int, o: int, reason: str) -> None:
        self.report.hole_count += 1
        if len(self.report.holes) < _LISTED:
            letters = "".join(
                "X" if x >> cell & 1 else "O" if o >> cell & 1 else "."
                for cell in range(self.cells)
            )
            self.report.holes.append(f"{letters}: {reason}")
