"""UCT without risk on line games of at most 64 cells: the marks of a side are 64 bits.

The same stream gives the same tree as `uct_lines`, at twice the speed.
"""

import numpy as np

from noughts.kernels.jit import kernel
from noughts.kernels.lines import list_empties
from noughts.kernels.masks import playout
from noughts.kernels.uct import (
    FULL,
    ROOT,
    UNEXPANDED,
    add_ended,
    back_up,
    is_finished,
    make_children,
    mean,
    new_path,
    select,
    try_proof,
    value_of,
)

_ONE = np.uint64(1)


@kernel(allocates=False)
def _list_free(filled, cells, out_empties):
    """Write the cells that are not in a set of bits; how many there are."""
    n_empty = 0
    for cell in range(cells):
        out_empties[n_empty] = cell  # written in any case, which costs less than a guess
        n_empty += 1 - np.int64((filled >> np.uint64(cell)) & _ONE)
    return n_empty


@kernel(allocates=False)
def _expand(line_masks, tree, node, own, empties, n_empty, value_of_line):
    """Make a child for each empty cell; those that end the game are exact at once."""
    first = make_children(tree, node, n_empty)
    if first == FULL:
        return False
    for i in range(n_empty):
        cell = empties[i]
        tree.move[first + i] = cell
        marks = own | (_ONE << np.uint64(cell))
        completed = False
        for j in range(line_masks.shape[1]):
            line = line_masks[cell, j]
            completed |= (marks & line) == line
        if completed:
            add_ended(tree, node, i, value_of_line)
        elif n_empty == 1:
            add_ended(tree, node, i, 0.0)
    return True


@kernel(allocates=False)
def _simulate(
    line_masks, is_misere, tree, cells, own, other, empties, mover, exploration, every_move, rng,
    path, kinds,
):  # fmt: skip
    """One walk from the root, its score, and the backup; `own` are the marks of `mover`."""
    node = ROOT
    length = 0
    value = 0.0
    is_proof = False
    while True:
        path[length] = node
        kinds[length] = mover
        length += 1
        if tree.is_exact[node] and node != ROOT:
            value = mean(tree, node)
            break
        if tree.first_child[node] == UNEXPANDED:
            n_empty = _list_free(own | other, cells, empties)
            line_winner = 3 - mover if is_misere else mover
            if (tree.visits[node] == 0 and node != ROOT) or not _expand(
                line_masks, tree, node, own, empties, n_empty, value_of(line_winner)
            ):
                completed, turns = playout(line_masks, own, other, empties, n_empty, rng)
                if completed:
                    value = value_of(line_winner) * (1 if turns % 2 == 1 else -1)
                break
            if try_proof(tree, node, mover):
                value = mean(tree, node)
                is_proof = True
                break
        node = select(tree, node, mover, exploration, every_move and node == ROOT, rng)
        own, other = other, own | (_ONE << np.uint64(tree.move[node]))
        mover = 3 - mover
    back_up(tree, path, kinds, length, value, is_proof)
    tree.size[1] = max(tree.size[1], length - 1)


@kernel()
def search(rules, tree, start, turn, simulations, exploration, every_move, can_grow, rng):
    """Run simulations from a running position; how many were run. See `uct_lines.search`."""
    line_masks = rules.line_masks
    marks = np.zeros(3, np.uint64)  # the cells that are EMPTY, X and O
    for cell in range(start.size):
        marks[start[cell]] |= _ONE << np.uint64(cell)
    empties = np.empty(start.size + 1, np.int64)
    n_empty = list_empties(start, empties)
    path, kinds = new_path()
    for done in range(simulations):
        is_full = can_grow and tree.size[0] + n_empty > tree.visits.size
        if is_full or is_finished(tree, every_move):
            return done
        _simulate(
            line_masks, rules.is_misere, tree, start.size, marks[turn], marks[3 - turn], empties,
            turn, exploration, every_move, rng, path, kinds,
        )  # fmt: skip
    return simulations
