"""Symmetries of a board: the permutations of cells that map lines to lines.

The whole automorphism group of the hypergraph, which can be larger than the rotations and
reflections of the drawing: 32 maps on 4×4 (swapping the two middle rows together with the two
middle columns keeps all ten lines) and 192 on Qubic.

The group is found as a chain of stabilisers (Sims 1970): with some cells held fixed, where can one
more go? One map for each answer is enough, and the group is all products of one map per level.
A map is found by giving cells their images one by one and keeping, for every other cell, the images
still possible: two cells share a line exactly if their images do, and the images of a line lie on a
line. The cell with the fewest possible images is next.

A few boards have astronomically many symmetries (20×20:k=1 has 400!): past `MAX_GROUP` maps, or
when the search takes too long, the rotations and reflections stand in for the whole group.
"""

import itertools
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from noughts.games.boards import Board

MAX_GROUP = 4096
_MAX_WORK = 4_000_000  # cells looked at; keeps the hopeless cases to seconds

Permutation = tuple[int, ...]  # cell i goes to permutation[i]


def automorphisms(board: Board, colours: Sequence[Hashable]) -> tuple[Permutation, ...]:
    """All maps that keep the lines and the colour of every cell, sorted; the identity is first."""
    search = _Search(board, colours)
    fixed = search.nothing_assigned()
    levels: list[list[Permutation]] = []
    size = 1
    while (cell := fixed.most_constrained()) is not None:
        level = []
        for image in _bits(fixed.images[cell]):
            found = search.complete(search.assign(fixed, cell, image))
            if found is not None:
                level.append(found)
            if size * len(level) > MAX_GROUP or search.work > _MAX_WORK:
                return drawing_symmetries(board, colours)
        levels.append(level)
        size *= len(level)
        held = search.assign(fixed, cell, cell)
        assert held is not None, "the identity is always a symmetry"
        fixed = held
    group: list[Permutation] = [tuple(range(board.cells))]
    for level in reversed(levels):
        group = [tuple([outer[i] for i in inner]) for outer in level for inner in group]
    return tuple(sorted(group))


def drawing_symmetries(board: Board, colours: Sequence[Hashable]) -> tuple[Permutation, ...]:
    """The rotations and reflections that keep the lines and the colours, sorted."""
    lines = set(board.lines)
    places = [board.place_of(cell) for cell in range(board.cells)]
    found: set[Permutation] = set()
    for axes in itertools.permutations(range(3)):
        if tuple(board.shape[axis] for axis in axes) != board.shape:
            continue
        for mirrored in itertools.product((False, True), repeat=3):
            permutation = tuple(
                board.cell_at(
                    *(
                        board.shape[axis] - 1 - place[axis] if mirror else place[axis]
                        for axis, mirror in zip(axes, mirrored, strict=True)
                    )
                )
                for place in places
            )
            if _keeps(permutation, lines, colours):
                found.add(permutation)
    return tuple(sorted(found))


def _keeps(
    permutation: Permutation, lines: set[tuple[int, ...]], colours: Sequence[Hashable]
) -> bool:
    return all(colours[i] == colours[image] for i, image in enumerate(permutation)) and all(
        tuple(sorted(permutation[cell] for cell in line)) in lines for line in lines
    )


@dataclass(frozen=True)
class _Partial:
    """A map in the making: the images still possible for each cell, as bits."""

    images: list[int]
    assigned: frozenset[int]

    def most_constrained(self) -> int | None:
        """The unassigned cell with the fewest possible images, if any has more than one."""
        open_cells = [
            (mask.bit_count(), cell)
            for cell, mask in enumerate(self.images)
            if cell not in self.assigned and mask & (mask - 1)
        ]
        return min(open_cells)[1] if open_cells else None


class _Search:
    """Completes partial maps."""

    def __init__(self, board: Board, colours: Sequence[Hashable]) -> None:
        self.board = board
        self.colours = colours
        self.lines = set(board.lines)
        self.lines_of = _lines_of(board)
        self.neighbours = _neighbours(board)
        self.work = 0

    def nothing_assigned(self) -> _Partial:
        return _Partial(_alike(self.board, self.colours), frozenset())

    def complete(self, partial: _Partial | None) -> Permutation | None:
        """Some symmetry that extends the partial map, or None."""
        stack = [] if partial is None else [partial]
        while stack and self.work <= _MAX_WORK:
            partial = stack.pop()
            cell = partial.most_constrained()
            if cell is None:
                permutation = tuple(mask.bit_length() - 1 for mask in partial.images)
                if len(set(permutation)) == len(permutation) and _keeps(
                    permutation, self.lines, self.colours
                ):
                    return permutation
                continue
            for image in _bits(partial.images[cell]):
                extended = self.assign(partial, cell, image)
                if extended is not None:
                    stack.append(extended)
        return None

    def assign(self, partial: _Partial, cell: int, image: int) -> _Partial | None:
        """Send a cell to an image; None when some cell is left without any."""
        self.work += self.board.cells
        near, near_image = self.neighbours[cell], self.neighbours[image]
        taken = ~(1 << image)
        images = [
            mask & taken & (near_image if near >> other & 1 else ~near_image)
            for other, mask in enumerate(partial.images)
        ]
        images[cell] = 1 << image
        assigned = partial.assigned | {cell}
        for line in _bits(self.lines_of[cell]):
            reach = self._reach(line, images, assigned)
            for member in self.board.lines[line]:
                images[member] &= reach
        return _Partial(images, assigned) if all(images) else None

    def _reach(self, line: int, images: list[int], assigned: frozenset[int]) -> int:
        """All cells of the lines that hold every image this line's cells have so far."""
        targets = -1
        for member in self.board.lines[line]:
            if member in assigned:
                targets &= self.lines_of[images[member].bit_length() - 1]
        reach = 0
        for target in _bits(targets):
            reach |= self.board.line_masks[target]
        return reach


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def _lines_of(board: Board) -> list[int]:
    """For each cell the lines through it, as bits."""
    through = [0] * board.cells
    for i, line in enumerate(board.lines):
        for cell in line:
            through[cell] |= 1 << i
    return through


def _neighbours(board: Board) -> list[int]:
    """For each cell the cells that share a line with it, itself included, as bits."""
    near = [1 << cell for cell in range(board.cells)]
    for line, mask in zip(board.lines, board.line_masks, strict=True):
        for cell in line:
            near[cell] |= mask
    return near


def _alike(board: Board, colours: Sequence[Hashable]) -> list[int]:
    """For each cell the cells that look the same, as bits.

    The look is refined until it settles: a line looks like its cells, a cell like its lines.
    """
    looks = _numbered(colours)
    while True:
        lines = _numbered([tuple(sorted(looks[cell] for cell in line)) for line in board.lines])
        through: list[list[int]] = [[] for _ in range(board.cells)]
        for number, line in zip(lines, board.lines, strict=True):
            for cell in line:
                through[cell].append(number)
        refined = _numbered(
            [(look, tuple(sorted(t))) for look, t in zip(looks, through, strict=True)]
        )
        if max(refined) == max(looks):
            break
        looks = refined
    groups: dict[int, int] = {}
    for cell, look in enumerate(looks):
        groups[look] = groups.get(look, 0) | 1 << cell
    return [groups[look] for look in looks]


def _numbered(looks: Sequence[Hashable]) -> list[int]:
    """Equal things get equal numbers, from 0 up."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(look, len(numbers)) for look in looks]
