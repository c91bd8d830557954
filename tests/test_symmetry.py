"""Symmetries: the whole group of each board, cut down by its risks."""

import itertools
from collections.abc import Sequence

import pytest

import noughts
from noughts.games import symmetry
from noughts.games.boards import Board, grid_board

GROUPS = {
    "1x1": 1,
    "3x3": 8,
    "3x3:misere": 8,
    "4x4": 32,
    "4x4:k=3": 8,
    "5x5": 32,
    "6x5:k=4": 4,
    "15x15:k=5": 8,
    "3x3x3": 48,
    "qubic": 192,
    "ultimate": 8,
    "ultimate:won=open,tiebreak=boards": 8,
    "3x3:flip=0.1": 8,
    "3x3:fade=0.1,fizzle=0.2": 8,
    "3x3:flip=stochastic": 1,
    # the corners, the edges and the centre keep their kind
    "3x3:flip=0.1/0.2/0.1/0.2/0.3/0.2/0.1/0.2/0.1": 8,
    # rows may be turned upside down, columns may not
    "3x3:flip=0.1/0.2/0.3/0.1/0.2/0.3/0.1/0.2/0.3": 2,
    # one corner is special: only its diagonal is left
    "3x3:fade=0.5/0/0/0/0/0/0/0/0": 2,
    "3x3:hazard=1/0/1/0/0/0/1/0/1,limit=1": 8,
    # flip alone would allow all eight; fizzle keeps the left from the right
    "3x3:flip=0.1,fizzle=0.1/0/0/0.1/0/0/0.1/0/0": 2,
    "4x4:flip=random,seed=1": 1,
}


@pytest.mark.parametrize("spec", GROUPS)
def test_size_of_the_group(spec: str) -> None:
    assert len(noughts.game(spec).symmetries()) == GROUPS[spec]


def test_ultimate_risks_cut_its_group() -> None:
    one_cell = "/".join("0.5" if cell == 0 else "0" for cell in range(81))
    centre = "/".join("0.5" if cell == 40 else "0" for cell in range(81))
    assert len(noughts.game(f"ultimate:flip={one_cell}").symmetries()) == 2
    assert len(noughts.game(f"ultimate:flip={centre}").symmetries()) == 8


@pytest.mark.parametrize("spec", ["3x3", "4x4", "4x4:k=3", "3x3x3", "qubic", "6x5:k=4", "5x5"])
def test_every_symmetry_maps_lines_to_lines(spec: str) -> None:
    game = noughts.game(spec)
    assert isinstance(game, noughts.games.LineGame)
    lines = {frozenset(line) for line in game.lines}
    group = game.symmetries()
    assert group[0] == tuple(range(game.cells))
    assert list(group) == sorted(set(group))
    for permutation in group:
        assert {frozenset(permutation[cell] for cell in line) for line in lines} == lines


def by_trying_all(board: Board, colours: Sequence[object]) -> list[tuple[int, ...]]:
    """The group by its definition: every permutation, kept if it maps lines to lines."""
    lines = {frozenset(line) for line in board.lines}
    return [
        p
        for p in itertools.permutations(range(board.cells))
        if all(colours[i] == colours[image] for i, image in enumerate(p))
        and all(frozenset(p[cell] for cell in line) in lines for line in lines)
    ]


STRANGE = [
    grid_board((2, 3), 2),
    grid_board((2, 2), 2),
    grid_board((1, 6), 3),
    Board(
        "edges-of-a-cube",
        (2, 2, 2),
        tuple((a, b) for a in range(8) for b in range(a) if (a ^ b).bit_count() == 1),
    ),
    grid_board((2, 3), 1),
    Board("path", (1, 6, 1), ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5))),
    Board("two-triangles", (1, 6, 1), ((0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5))),
    Board("hexagon", (1, 6, 1), ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 5))),
    Board("nested", (1, 5, 1), ((0, 1), (0, 1, 2), (2, 3, 4))),
    Board("lonely", (1, 5, 1), ((0, 1, 2),)),
    Board(
        "fano",
        (1, 7, 1),
        ((0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5)),
    ),
]


@pytest.mark.parametrize("board", STRANGE, ids=lambda board: board.name)
@pytest.mark.parametrize("coloured", [False, True])
def test_the_search_finds_what_trying_all_finds(board: Board, coloured: bool) -> None:
    colours = [int(coloured and cell < 2) for cell in range(board.cells)]
    assert list(symmetry.automorphisms(board, colours)) == by_trying_all(board, colours)


def test_the_fano_plane_has_168() -> None:
    assert len(symmetry.automorphisms(STRANGE[-1], [0] * 7)) == 168


def test_the_swap_that_is_no_rotation() -> None:
    """The two middle rows and the two middle columns of 4×4 change places at once."""
    order = (0, 2, 1, 3)
    swap = tuple(4 * order[row] + order[column] for row in range(4) for column in range(4))
    game = noughts.game("4x4")
    assert isinstance(game, noughts.games.LineGame)
    assert swap in game.symmetries()
    assert swap not in symmetry.drawing_symmetries(game.board, [0] * 16)
    assert len(symmetry.drawing_symmetries(game.board, [0] * 16)) == 8


def test_astronomic_groups_fall_back_on_the_drawing() -> None:
    """With k=1 every permutation keeps the lines: 400! of them."""
    assert len(noughts.game("20x20:k=1").symmetries()) == 8


def test_canonical_is_the_same_for_all_images() -> None:
    position = noughts.game("3x3").parse("X../.O./..X O to move")
    images = {position.permuted(p) for p in position.game.symmetries()}
    assert len(images) == 2
    assert len({image.canonical() for image in images}) == 1
    assert position.canonical() in images


def test_canonical_keeps_turn_clock_and_last_cell() -> None:
    game = noughts.game("3x3:hazard=0.1,limit=1,ticks=4")
    position = game.start().play(game.move_at(8, wait=3))
    canonical = position.canonical()
    assert (canonical.turn, canonical.tick) == ("O", 3)
    assert canonical.last is not None
    assert canonical.board[canonical.last] == "X"


def test_permuted_moves_cells_to_their_images() -> None:
    # 0 1 2      a quarter turn clockwise       6 3 0
    # 3 4 5      brings cell 0 to place 2       7 4 1
    # 6 7 8                                     8 5 2
    quarter = (2, 5, 8, 1, 4, 7, 0, 3, 6)
    game = noughts.game("3x3")
    assert quarter in game.symmetries()
    position = game.start().play(0).play(1)
    turned = position.permuted(quarter)
    assert turned == game.parse("..X/..O/... X to move")
    assert turned.last == 5


def test_ultimate_symmetries_turn_minis_and_cells_at_once() -> None:
    game = noughts.game("ultimate")
    position = game.start().play(9 * 0 + 2)  # sends O to mini board 2
    left_right = tuple(
        9 * (3 * (m // 3) + 2 - m % 3) + 3 * (c // 3) + 2 - c % 3
        for m in range(9)
        for c in range(9)
    )
    assert left_right in game.symmetries()
    assert position.permuted(left_right) == game.start().play(9 * 2 + 0)
