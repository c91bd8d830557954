"""The children of a position: which moves of X are worth trying, and which replies need an answer.

*X on turn*, without a forced win. A quiet move must threaten: if O passed, X must have a forced
win (except while X has at most `free_marks` marks). Threes of X are moves too, but dear ones.

*O on turn*. If O passed, X would win with a zone Z. Let F be the cells that make a three of O.
Only Z and F need an answer. Cells of F are always played out: O's three, X's block, and so on.
For a quiet reply r in Z, X may have another forced win, with a zone of its own: replies outside
*that* zone are answered too. Where there is none, r is a child.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.jit import kernel
from noughts.kernels.proof.bits import ZERO, count, lowest, number_of
from noughts.kernels.proof.forced import CALLS, Memory, forced
from noughts.kernels.proof.graph import (
    EXPANDED,
    INFINITE,
    LINK_COUNT,
    O_TURN,
    REFUTED,
    WON,
    X_TURN,
    add,
    fill_images,
    find,
    link,
    smallest_image,
)
from noughts.kernels.proof.threes import (
    FourLines,
    cells_on,
    completions,
    is_single,
    side_of,
    threatening,
    with_cell,
)

X_WINS, O_WINS, X_MOVES, O_MOVES = 0, 1, 2, 3


class Settings(NamedTuple):
    """The numbers that steer the search; none of them can make a proof wrong."""

    free_marks: int  # X may move without a threat while he has at most so many marks
    free_proof: int  # the first proof number of a move without a threat
    three_proof: int  # of a three of X
    zone_share: int  # of a threat: 1 + (cells that need an answer) / zone_share
    slack_share: int  # a child may go on until 1 + 1/slack_share over the second best


class Prover(NamedTuple):
    """Everything an expansion needs besides the graph."""

    board: FourLines
    memory: Memory
    settings: Settings
    full: np.uint64  # all cells
    bits: NDArray[np.uint64]  # [cell, map]: where each symmetry takes each cell, as a bit
    x_images: NDArray[np.uint64]  # scratch
    o_images: NDArray[np.uint64]  # scratch
    nothing: NDArray[np.uint64]  # zeros, one per map


@kernel(allocates=False)
def settle_threes(board, x, o, is_x_turn):
    """Play out what is forced until no three is open: (X_WINS…O_MOVES, X, O)."""
    while True:
        x_wins, o_wins = completions(board, x, o), completions(board, o, x)
        if (x_wins | o_wins) == ZERO:
            return (X_MOVES if is_x_turn else O_MOVES), x, o
        own_wins, other_wins = (x_wins, o_wins) if is_x_turn else (o_wins, x_wins)
        if own_wins != ZERO:
            return (X_WINS if is_x_turn else O_WINS), x, o
        if not is_single(other_wins):
            return (O_WINS if is_x_turn else X_WINS), x, o
        if is_x_turn:
            x = with_cell(board, x, number_of(other_wins))
        else:
            o = with_cell(board, o, number_of(other_wins))
        is_x_turn = not is_x_turn


@kernel(allocates=False)
def _call(prover, own, other):
    prover.memory.tally[CALLS] += 1
    return forced(prover.board, prover.memory, own, other)


@kernel(allocates=False)
def _survives_threes(prover, x, o, forcing):
    """Whether X still threatens after each three of O and its block; O on turn."""
    while forcing != ZERO:
        bit = lowest(forcing)
        forcing ^= bit
        outcome, x_after, o_after = settle_threes(
            prover.board, x, with_cell(prover.board, o, number_of(bit)), True
        )
        if outcome == O_WINS:
            return False
        if outcome == O_MOVES and count(x_after.cells) > prover.settings.free_marks:
            if _call(prover, x_after, o_after) == ZERO:
                return False
    return True


@kernel(allocates=False)
def _first_proof(prover, x, o):
    """The first proof number of a position with O on turn; INFINITE when it is given up."""
    settings = prover.settings
    zone = _call(prover, x, o)
    if zone == ZERO and count(x.cells) > settings.free_marks:
        return INFINITE
    forcing = threatening(prover.board, o, x)
    if not _survives_threes(prover, x, o, forcing):
        return INFINITE
    if zone == ZERO:
        return np.int64(settings.free_proof)
    return np.int64(1) + count(zone | forcing) // settings.zone_share


@kernel(allocates=False)
def _node_of(prover, graph, outcome, x, o, cell_x, cell_o, proof):
    """The node of a quiet position, made if need be; -1 when it is given up.

    The images in `prover` with those of the cells (or none) are the images of the position.
    """
    least_x, least_o = smallest_image(prover.x_images, prover.o_images, cell_x, cell_o)
    turn = X_TURN if outcome == X_MOVES else O_TURN
    node, slot = find(graph, least_x, least_o, turn)
    if node != 0:
        return node
    if turn == X_TURN:
        if _call(prover, x, o) != ZERO:
            return WON
    elif proof == 0:
        proof = _first_proof(prover, x, o)
    if proof >= INFINITE:
        return -1
    return add(graph, slot, least_x, least_o, turn, max(proof, 1), 1)


@kernel(allocates=False)
def _node_after(prover, graph, x, o, is_x_turn, proof):
    """As `_node_of`, after everything forced has been played; WON or -1 when that decides."""
    outcome, x, o = settle_threes(prover.board, x, o, is_x_turn)
    if outcome == X_WINS:
        return WON
    if outcome == O_WINS:
        return -1
    fill_images(prover.bits, x.cells, prover.x_images)
    fill_images(prover.bits, o.cells, prover.o_images)
    nothing = prover.nothing
    return _node_of(prover, graph, outcome, x, o, nothing, nothing, proof)


@kernel(allocates=False)
def _expand_x(prover, graph, node, x, o):
    """Link every move of X that is not given up."""
    board = prover.board
    threes = threatening(board, x, o)
    low, high = ~o.one_low, ~o.one_high
    quiet = cells_on(board, low, high) & prover.full & ~(x.cells | o.cells | threes)
    fill_images(prover.bits, x.cells, prover.x_images)
    fill_images(prover.bits, o.cells, prover.o_images)
    while quiet != ZERO:
        bit = lowest(quiet)
        quiet ^= bit
        cell = number_of(bit)
        x_after = with_cell(board, x, cell)
        child = _node_of(
            prover, graph, O_MOVES, x_after, o, prover.bits[cell], prover.nothing, np.int64(0)
        )
        if child >= 0:
            link(graph, node, child, cell)
    while threes != ZERO:
        bit = lowest(threes)
        threes ^= bit
        cell = number_of(bit)
        three = np.int64(prover.settings.three_proof)
        child = _node_after(prover, graph, with_cell(board, x, cell), o, False, three)
        if child >= 0:
            link(graph, node, child, cell)


@kernel(allocates=False)
def _expand_o(prover, graph, node, x, o):
    """Link every reply of O that is not answered by force; False if one of them refutes X."""
    board = prover.board
    forcing = threatening(board, o, x)
    left = _call(prover, x, o)
    if left == ZERO:
        left = prover.full & ~(x.cells | o.cells)
    left &= ~forcing
    while forcing != ZERO:
        bit = lowest(forcing)
        forcing ^= bit
        cell = number_of(bit)
        child = _node_after(prover, graph, x, with_cell(board, o, cell), True, np.int64(0))
        if child < 0:
            return False
        if child != WON:
            link(graph, node, child, cell)
    fill_images(prover.bits, x.cells, prover.x_images)
    fill_images(prover.bits, o.cells, prover.o_images)
    while left != ZERO:
        bit = lowest(left)
        left ^= bit
        cell = number_of(bit)
        o_after = with_cell(board, o, cell)
        zone = _call(prover, x, o_after)
        if zone != ZERO:
            left &= zone
            continue
        child = _node_of(
            prover, graph, X_MOVES, x, o_after, prover.nothing, prover.bits[cell], np.int64(1)
        )
        link(graph, node, child, cell)
    return True


@kernel(allocates=False)
def expand(prover, graph, node):
    """Give a node its children."""
    graph.facts[EXPANDED] += 1
    graph.first[node] = graph.facts[LINK_COUNT]
    graph.links[node] = 0
    x, o = side_of(prover.board, graph.x[node]), side_of(prover.board, graph.o[node])
    if graph.turn[node] == X_TURN:
        _expand_x(prover, graph, node, x, o)
    elif not _expand_o(prover, graph, node, x, o):
        graph.links[node] = REFUTED
        graph.facts[LINK_COUNT] = graph.first[node]
