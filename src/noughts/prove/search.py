"""The proof of Qubic from nothing: proof-number search in slices, with checkpoints.

    result = prove_by_threats("qubic")        # about two minutes on one core, 2 GB
    result.book.save("qubic.proof")           # the certificate: X's quiet moves

It shows that X wins from a first cell. That it does not find a win proves nothing: the search gives
up on every quiet move of X that does not threaten a forced win.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from noughts.errors import NoughtsError
from noughts.folders import own_file
from noughts.games.game import Game, check_two
from noughts.games.line_game import LineGame
from noughts.games.registry import game as read_game
from noughts.kernels.proof.expand import Prover
from noughts.kernels.proof.extract import choose_links, count_marks
from noughts.kernels.proof.forced import CALLS, NODES
from noughts.kernels.proof.graph import EXPANDED, IS_FULL, NODE_COUNT, X_TURN, Graph
from noughts.kernels.proof.search import advance
from noughts.prove.book import Book
from noughts.prove.check import check_book
from noughts.prove.storage import (
    MEGABYTES,
    SearchSettings,
    load_graph,
    make_graph,
    make_prover,
    plant_root,
    save_graph,
)

_SLICE = 500  # expansions between two looks at the clock and the keyboard
_CHECKPOINT_SECONDS = 60.0

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class ThreatProof:
    """A win of X that was found, and what it took."""

    game: str
    first_cells: tuple[int, ...]  # the cells that the symmetries take the first one to
    book: Book
    positions: int  # stored
    expanded: int
    forced_calls: int
    forced_positions: int
    seconds: float
    cpu_seconds: float

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON."""
        return {
            "game": self.game,
            "result": "X",
            "winning_moves": list(self.first_cells),
            "moves_in_certificate": len(self.book),
            "positions": self.positions,
            "expanded": self.expanded,
            "forced_calls": self.forced_calls,
            "forced_positions": self.forced_positions,
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
        }


class ThreatSearch:
    """One search, which can be looked at, stopped, saved and resumed."""

    def __init__(
        self,
        game: Game | str = "qubic",
        first_cell: int = 0,
        megabytes: int = MEGABYTES,
        settings: SearchSettings | None = None,
    ) -> None:
        found = read_game(game)
        if not isinstance(found, LineGame):
            raise NoughtsError(f"A proof by threats needs a board of lines; {found} is not one.")
        check_two(found, "A proof by threats")
        if first_cell not in range(found.cells):
            raise NoughtsError(f"{first_cell} is not a cell of {found}: 0 to {found.cells - 1}.")
        self.game = found
        self.first_cell = first_cell
        self.settings = settings if settings is not None else SearchSettings()
        self.prover: Prover = make_prover(found, megabytes, self.settings)
        self.graph: Graph = make_graph(megabytes)
        plant_root(self.graph, self.prover.bits, first_cell)
        self.seconds = 0.0
        self.cpu_seconds = 0.0

    @property
    def facts(self) -> dict[str, object]:
        """What a checkpoint must agree with."""
        first = min(int(cell) for cell in self.first_cells)
        return {"game": str(self.game), "first": first, **asdict(self.settings)}

    @property
    def first_cells(self) -> tuple[int, ...]:
        """The cells that are like the first one."""
        return tuple(sorted({image[self.first_cell] for image in self.game.symmetries()}))

    @property
    def proof(self) -> int:
        """The proof number of the root: 0 when X's win is proven."""
        return int(self.graph.proof[1])

    @property
    def disproof(self) -> int:
        """The disproof number of the root: 0 when the search has given up."""
        return int(self.graph.disproof[1])

    @property
    def expanded(self) -> int:
        """How many positions have been given their children."""
        return int(self.graph.facts[EXPANDED])

    def advance(self, expansions: int = _SLICE) -> bool:
        """Search on for a while; True when it is over."""
        began, cpu_began = time.perf_counter(), time.process_time()
        is_over = bool(advance(self.prover, self.graph, expansions))
        self.seconds += time.perf_counter() - began
        self.cpu_seconds += time.process_time() - cpu_began
        if self.graph.facts[IS_FULL]:
            raise NoughtsError(
                f"The memory is full after {self.expanded:,} positions (proof number "
                f"{self.proof:,}, disproof number {self.disproof:,}); allow more megabytes."
            )
        return is_over

    def save(self, path: Path) -> None:
        """Write a checkpoint."""
        clock = np.array([self.seconds, self.cpu_seconds])
        save_graph(
            path, self.graph, self.facts, {"clock": clock, "tally": self.prover.memory.tally}
        )

    def resume(self, path: Path) -> None:
        """Go on from a checkpoint of the same search."""
        kept = load_graph(path, self.graph, self.facts)
        self.seconds, self.cpu_seconds = map(float, kept["clock"])
        self.prover.memory.tally[:] = kept["tally"]

    def result(self) -> ThreatProof:
        """The proof, once the search has found one."""
        if self.proof != 0:
            raise NoughtsError(
                f"The search gave up on cell {self.first_cell} of {self.game} after "
                f"{self.expanded:,} positions; that is no proof that X cannot win there."
            )
        tally = self.prover.memory.tally
        return ThreatProof(
            game=str(self.game),
            first_cells=self.first_cells,
            book=read_book(self),
            positions=int(self.graph.facts[NODE_COUNT]),
            expanded=self.expanded,
            forced_calls=int(tally[CALLS]),
            forced_positions=int(tally[NODES]),
            seconds=self.seconds,
            cpu_seconds=self.cpu_seconds,
        )


def prove_by_threats(
    game: Game | str = "qubic",
    first_cell: int = 0,
    megabytes: int = MEGABYTES,
    settings: SearchSettings | None = None,
    checkpoint: Path | None = None,
    progress: Progress | None = None,
) -> ThreatProof:
    """Prove that X wins with a first cell; raises NoughtsError when the search gives up.

    A checkpoint file is resumed from if it exists, written every minute and when somebody presses
    Ctrl-C, and removed at the end.
    """
    search = ThreatSearch(game, first_cell, megabytes, settings)
    if checkpoint is None:
        _run(search, None, progress)
        return _trimmed(search, progress)
    with own_file(checkpoint, wait=1.0):
        if checkpoint.exists():
            search.resume(checkpoint)
        try:
            _run(search, checkpoint, progress)
        except KeyboardInterrupt:
            search.save(checkpoint)
            raise
        found = _trimmed(search, progress)
        checkpoint.unlink(missing_ok=True)
    return found


def _trimmed(search: ThreatSearch, progress: Progress | None) -> ThreatProof:
    found = search.result()
    return replace(found, book=trim(found.book, progress))


def _run(search: ThreatSearch, checkpoint: Path | None, progress: Progress | None) -> None:
    saved = search.seconds
    while not search.advance():
        if progress is not None:
            progress(search.expanded, 0, _state(search))
        if checkpoint is not None and search.seconds - saved > _CHECKPOINT_SECONDS:
            search.save(checkpoint)
            saved = search.seconds


def _state(search: ThreatSearch) -> str:
    rate = search.expanded / max(search.seconds, 1e-9)
    return (
        f"proof {search.proof:,}, disproof {search.disproof:,}, {search.expanded:,} positions, "
        f"{rate:,.0f}/s, {search.seconds:.0f} s"
    )


def read_book(search: ThreatSearch) -> Book:
    """The moves of X that a proven root needs: few positions, found by choosing small subtrees."""
    graph = search.graph
    n = int(graph.facts[NODE_COUNT])
    marks = np.zeros(n, np.int8)
    count_marks(graph, marks)
    order = np.argsort(-marks, kind="stable")
    sizes, chosen = np.zeros(n), np.full(n, -1, np.int64)
    choose_links(graph, order, sizes, chosen)
    entries: dict[tuple[int, int], int] = {(0, 0): search.first_cell}
    stack, seen = [1], {0, 1}
    while stack:
        node = stack.pop()
        begin, end = int(graph.first[node]), int(graph.first[node] + graph.links[node])
        if graph.turn[node] == X_TURN:
            begin, end = int(chosen[node]), int(chosen[node]) + 1
            entries[int(graph.x[node]), int(graph.o[node])] = int(graph.move[begin])
        for child in map(int, graph.child[begin:end]):
            if child not in seen:
                seen.add(child)
                stack.append(child)
    return Book.from_entries(str(search.game), entries)


def trim(book: Book, progress: Progress | None = None) -> Book:
    """Leave out the moves that the checker never asks for, because it sees more forced wins."""
    used = check_book(book, progress=progress).children
    return Book.from_entries(book.game, {p: m for p, m in book.entries.items() if p in used})
