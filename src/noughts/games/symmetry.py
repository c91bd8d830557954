"""Symmetries of a board: the permutations of cells that map lines to lines.

The whole automorphism group of the hypergraph, which can be larger than the rotations and
reflections of the drawing: 32 maps on 4×4 (swapping the two middle rows together with the two
middle columns keeps all ten lines) and 192 on Qubic.

The search assigns images cell by cell. An image must agree with every earlier one on how many lines
the two cells share, which leaves few branches; complete maps are checked on the lines themselves. A
few boards have astronomically many symmetries (20×20:k=1 has 400!): past `MAX_GROUP` maps the
rotations and reflections stand in for the whole group.
"""

import itertools
from collections.abc import Hashable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from noughts.games.boards import Board

MAX_GROUP = 4096
_MAX_STEPS = 100_000

Permutation = tuple[int, ...]  # cell i goes to permutation[i]


def automorphisms(board: Board, colours: Sequence[Hashable]) -> tuple[Permutation, ...]:
    """All maps that keep the lines and the colour of every cell, sorted; the identity is first."""
    found: list[Permutation] = []
    steps = 0
    for candidate in _search(board, colours):
        steps += 1
        if candidate is not None:
            found.append(candidate)
        if len(found) > MAX_GROUP or steps > _MAX_STEPS:
            return drawing_symmetries(board, colours)
    return tuple(sorted(found))


def drawing_symmetries(board: Board, colours: Sequence[Hashable]) -> tuple[Permutation, ...]:
    """The rotations and reflections that keep the lines and the colours, sorted."""
    lines = set(board.lines)
    rows, columns, layers = board.shape
    cells = np.arange(board.cells).reshape(layers, rows, columns)
    found: set[Permutation] = set()
    for axes in itertools.permutations(range(3)):
        turned = cells.transpose(axes)
        if turned.shape != cells.shape:
            continue
        for flipped in itertools.product((1, -1), repeat=3):
            image = turned[:: flipped[0], :: flipped[1], :: flipped[2]]
            permutation = tuple(image.ravel().tolist())
            if _keeps(permutation, lines, colours):
                found.add(permutation)
    return tuple(sorted(found))


def _keeps(
    permutation: Permutation, lines: set[tuple[int, ...]], colours: Sequence[Hashable]
) -> bool:
    return all(colours[i] == colours[image] for i, image in enumerate(permutation)) and all(
        tuple(sorted(permutation[cell] for cell in line)) in lines for line in lines
    )


def _search(board: Board, colours: Sequence[Hashable]) -> Iterator[Permutation | None]:
    """Every automorphism, with a None for each step in between so that the caller can count."""
    cells = board.cells
    lines = set(board.lines)
    shared = _shared_lines(board)
    kind = _kinds(shared, colours)
    order = _most_constrained_first(shared, kind)
    image = np.full(cells, -1)
    used = np.zeros(cells, dtype=bool)

    def candidates(depth: int) -> Iterator[int]:
        cell = order[depth]
        before = order[:depth]
        fits = ~used & (kind == kind[cell])
        if depth:
            fits &= (shared[image[before]] == shared[before, cell][:, None]).all(axis=0)
        return iter(np.flatnonzero(fits).tolist())

    stack = [candidates(0)]
    while stack:
        depth = len(stack) - 1
        cell = order[depth]
        if image[cell] >= 0:
            used[image[cell]] = False
            image[cell] = -1
        chosen = next(stack[-1], None)
        if chosen is None:
            stack.pop()
            continue
        image[cell] = chosen
        used[chosen] = True
        if depth + 1 < cells:
            stack.append(candidates(depth + 1))
            yield None
        else:
            permutation = tuple(image.tolist())
            yield permutation if _keeps(permutation, lines, colours) else None


def _kinds(shared: NDArray[np.int64], colours: Sequence[Hashable]) -> NDArray[np.int64]:
    """[cells] a number that equal cells share: same colour, same ties to the rest of the board."""
    ties = np.sort(shared, axis=1)
    numbers: dict[Hashable, int] = {}
    looks = [(colour, int(shared[i, i]), ties[i].tobytes()) for i, colour in enumerate(colours)]
    return np.array([numbers.setdefault(look, len(numbers)) for look in looks])


def _shared_lines(board: Board) -> NDArray[np.int64]:
    """[cells, cells] how many lines go through both cells."""
    incidence = np.zeros((len(board.lines), board.cells), dtype=np.int64)
    for i, line in enumerate(board.lines):
        incidence[i, list(line)] = 1
    return incidence.T @ incidence


def _most_constrained_first(shared: NDArray[np.int64], kind: NDArray[np.int64]) -> list[int]:
    """Start with a cell of the rarest kind; go on with the cell most tied to those before it."""
    rarity = {k: int((kind == k).sum()) for k in kind.tolist()}
    left = set(range(len(kind)))
    first = min(left, key=lambda cell: (rarity[int(kind[cell])], cell))
    order = [first]
    left.remove(first)
    ties = (shared[first] > 0).astype(np.int64)
    while left:
        cell = max(left, key=lambda c: (int(ties[c]), -rarity[int(kind[c])], -c))
        order.append(cell)
        left.remove(cell)
        ties += shared[cell] > 0
    return order
