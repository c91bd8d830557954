"""The memory of a proof search: how much of it there is, and how it is kept on the disk.

Everything is allocated once, within a limit. A checkpoint holds the used part of the graph and the
path on which the search was; what it knows of forced wins is found again as it goes on, so a
resumed search does exactly what an uninterrupted one would have done.
"""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError, ParseError
from noughts.files import load_arrays, reading, save_arrays
from noughts.games.line_game import LineGame
from noughts.kernels.proof.expand import Prover, Settings
from noughts.kernels.proof.forced import Memory
from noughts.kernels.proof.graph import (
    INFINITE,
    LINK_COUNT,
    NODE_COUNT,
    O_TURN,
    Graph,
    index,
)
from noughts.kernels.proof.threes import FourLines
from noughts.prove.book import image_bits

KIND = "proof search"
MEGABYTES = 2048
_MOST_MEGABYTES = 1 << 16
_LEAST_MEGABYTES = 16
# A node with two slots and 1.5 links of five bytes; reading the proof off takes the second number.
_NODE_BYTES = (8 + 8 + 1 + 4 + 4 + 8 + 4 + 8 + 8) + (8 + 8 + 8 + 2)
_ROW_BYTES = 24
_PATH = 80  # more than there are cells


@dataclass(frozen=True)
class SearchSettings:
    """The numbers that steer the search, as `kernels.proof.expand.Settings` explains them."""

    free_marks: int = 3
    free_proof: int = 40
    three_proof: int = 8
    zone_share: int = 8
    slack_share: int = 4

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if value < (0 if name == "free_marks" else 1):
                raise NoughtsError(f"{name}={value} is too small for a proof search.")


def four_lines(game: LineGame) -> FourLines:
    """The lines of a board as bits; refuses boards that the kernels cannot hold."""
    is_held = game.cells <= 64 and len(game.lines) <= 128
    is_held &= all(len(line) == 4 for line in game.lines)
    pairs = [
        p for line in game.lines for i, a in enumerate(line) for p in ((a, b) for b in line[:i])
    ]
    if not is_held or len(set(pairs)) < len(pairs) or game.is_misere or game.risk.is_risky:
        raise NoughtsError(
            f"This proof needs a board of at most 64 cells whose lines of four meet in one cell at "
            f"most, such as qubic; {game} is not one."
        )
    low, high = np.zeros(game.cells, np.uint64), np.zeros(game.cells, np.uint64)
    members = np.zeros(128, np.uint64)
    for number, line in enumerate(game.lines):
        for cell in line:
            members[number] |= np.uint64(1 << cell)
            words = low if number < 64 else high
            words[cell] |= np.uint64(1 << number % 64)
    return FourLines(low, high, members)


def make_memory(megabytes: float) -> Memory:
    """A table of forced wins of at most this size."""
    rows = 1 << int(np.log2(megabytes * 2**20 / _ROW_BYTES))
    return Memory(np.zeros((rows, 3), np.uint64), np.zeros(2, np.int64))


def make_prover(game: LineGame, megabytes: int, settings: SearchSettings) -> Prover:
    """What the kernels need besides the graph; a quarter of the memory goes into forced wins."""
    bits, _ = image_bits(str(game))
    return Prover(
        board=four_lines(game),
        memory=make_memory(megabytes / 4),
        settings=Settings(**asdict(settings)),
        full=np.uint64((1 << game.cells) - 1),
        bits=bits,
        x_images=np.zeros(bits.shape[1], np.uint64),
        o_images=np.zeros(bits.shape[1], np.uint64),
        nothing=np.zeros(bits.shape[1], np.uint64),
    )


def make_graph(megabytes: int) -> Graph:
    """An empty graph with node 0, the positions won by force, in three quarters of the memory."""
    if not _LEAST_MEGABYTES <= megabytes <= _MOST_MEGABYTES:
        raise NoughtsError(
            f"A proof takes {_LEAST_MEGABYTES} to {_MOST_MEGABYTES} megabytes, not {megabytes}."
        )
    nodes = int(megabytes * 2**20 * 3 / 4) // _NODE_BYTES
    slots = 1 << int(np.log2(nodes * 2))
    links = nodes * 3 // 2
    graph = Graph(
        x=np.zeros(nodes, np.uint64),
        o=np.zeros(nodes, np.uint64),
        turn=np.zeros(nodes, np.int8),
        proof=np.zeros(nodes, np.int32),
        disproof=np.zeros(nodes, np.int32),
        first=np.zeros(nodes, np.int64),
        links=np.zeros(nodes, np.int32),
        child=np.zeros(links, np.int32),
        move=np.zeros(links, np.int8),
        slots=np.zeros(slots, np.int32),
        facts=np.zeros(5, np.int64),
        path=np.zeros((_PATH, 3), np.int64),
    )
    graph.disproof[0] = INFINITE
    graph.facts[NODE_COUNT] = 1
    return graph


def plant_root(graph: Graph, bits: NDArray[np.uint64], first_cell: int) -> None:
    """Node 1: X has played one cell, and O is on turn."""
    graph.facts[NODE_COUNT] = 2
    graph.x[1] = bits[first_cell].min()
    graph.turn[1] = O_TURN
    graph.first[1] = -1
    graph.proof[1] = graph.disproof[1] = 1
    graph.path[0] = (1, INFINITE, INFINITE)
    index(graph)


_NODE_ARRAYS = ("x", "o", "turn", "proof", "disproof", "first", "links")
_LINK_ARRAYS = ("child", "move")


def save_graph(
    path: Path, graph: Graph, facts: dict[str, object], more: dict[str, NDArray[Any]]
) -> None:
    """Write the used part of a graph, and what else there is to keep, in one step."""
    used = {name: getattr(graph, name)[: graph.facts[NODE_COUNT]] for name in _NODE_ARRAYS}
    links = max(int(graph.facts[LINK_COUNT]), 1)
    used |= {name: getattr(graph, name)[:links] for name in _LINK_ARRAYS}
    save_arrays(path, KIND, facts, {**used, "facts": graph.facts, "path": graph.path, **more})


def load_graph(path: Path, graph: Graph, facts: dict[str, object]) -> dict[str, NDArray[Any]]:
    """Go on where a file stopped, which must have the same facts; all its arrays."""
    found, arrays = load_arrays(path, KIND)
    if found != facts:
        raise ParseError(
            f"{path} belongs to another search ({_words(found)}); remove it or choose another file."
        )
    with reading(path):
        _check_graph(path, arrays, graph)
    if len(arrays["x"]) > len(graph.x) or len(arrays["child"]) > len(graph.child):
        raise NoughtsError(f"{path} holds more than this memory can; allow more megabytes.")
    for name in (*_NODE_ARRAYS, *_LINK_ARRAYS):
        getattr(graph, name)[: len(arrays[name])] = arrays[name]
    graph.facts[:] = arrays["facts"]
    graph.path[:] = arrays["path"]
    graph.slots[:] = 0
    index(graph)
    return arrays


def _check_graph(path: Path, arrays: dict[str, NDArray[Any]], graph: Graph) -> None:
    """Refuse numbers that would lead the kernels out of the graph."""
    nodes, links = len(arrays["x"]), len(arrays["child"])
    lengths = [len(arrays[name]) == nodes for name in _NODE_ARRAYS]
    lengths += [len(arrays[name]) == links for name in _LINK_ARRAYS]
    lengths += [arrays[name].shape == getattr(graph, name).shape for name in ("facts", "path")]
    first, count = arrays["first"].astype(np.int64), arrays["links"].astype(np.int64)
    is_whole = all(lengths) and arrays["facts"][NODE_COUNT] == nodes and nodes >= 2
    is_whole = is_whole and 0 <= arrays["facts"][LINK_COUNT] <= links
    is_whole = is_whole and bool((arrays["child"] >= 0).all() and (arrays["child"] < nodes).all())
    is_whole = is_whole and bool((first >= -1).all() and (count >= 0).all())
    is_whole = is_whole and bool((first + count <= links).all())
    is_whole = is_whole and bool((arrays["path"][:, 0] >= 0).all())
    is_whole = is_whole and bool((arrays["path"][:, 0] < nodes).all())
    if not is_whole:
        raise ParseError(f"{path} is not a search that can be gone on with.")


def _words(facts: dict[str, object]) -> str:
    return ", ".join(f"{key} {value}" for key, value in facts.items())
