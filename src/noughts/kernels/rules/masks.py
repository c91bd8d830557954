"""Lines without risk on at most 64 cells, for two seats: the marks of a side are 64 bits.

A second representation of `lines`, for playouts, perft, minimax, flat Monte Carlo and UCT. The
same stream gives the same games and the same trees, several times faster. A mark at cell c
completes a line when own & line == line for a line through c. All cells test equally many words
(`line_masks` is padded), so the processor never guesses how many.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts.kernels.rng import below
from noughts.kernels.rules.codes import DRAW, NO_MOVE, RUNNING
from noughts.kernels.rules.protocol import WIN, Facts, Whole, family, hot_verb, verb
from noughts.kernels.wrapping import minus

_ONE = np.uint64(1)
_NONE = np.uint64(0)
_BYTE = np.uint64(255)

# Of every set of eight bits: which they are, ascending, and how many.
_BITS = np.array([sorted(range(8), key=lambda i: (not byte >> i & 1, i)) for byte in range(256)])
_COUNT = np.array([byte.bit_count() for byte in range(256)], np.uint64)

SPARE = 7  # what `list_free` may write behind the last cell


class MaskRules(NamedTuple):
    """Lines as words of bits."""

    line_masks: NDArray[np.uint64]  # [cells, most lines through a cell], see `tables.line_masks`
    lines: NDArray[np.uint64]  # [lines]
    is_misere: bool


class MaskState(NamedTuple):
    """One moment, seen by the side on turn."""

    empties: NDArray[np.int64]  # [cells + SPARE] room for random games
    own: np.uint64  # the cells of the side on turn
    other: np.uint64
    turn: Whole
    left: Whole  # empty cells
    result: Whole


def new(rules: MaskRules) -> MaskState:
    """Room for a state."""
    cells = len(rules.line_masks)
    return MaskState(np.zeros(cells + SPARE, np.int64), _NONE, _NONE, 1, cells, RUNNING)


def facts(rules: MaskRules) -> Facts:
    """The sizes of a game of lines without risk."""
    cells = len(rules.line_masks)
    return Facts(
        seats=2,
        moves=cells,
        most_open=cells + SPARE,
        most_outcomes=1,
        row_size=cells + 2,
        undo_size=0,
        settles=False,
        repeats=False,
        longest=cells,
        key_is_exact=False,
        images=1,
    )


@verb
def load(rules, row, state):
    """The rows of `lines`: the marks, whose turn it is, a clock that stands still."""
    cells = rules.line_masks.shape[0]
    x, o = np.uint64(0), np.uint64(0)
    left = np.int64(0)
    for cell in range(cells):
        if row[cell] == 1:
            x |= _ONE << np.uint64(cell)
        elif row[cell] == 2:
            o |= _ONE << np.uint64(cell)
        else:
            left += 1
    turn = np.int64(row[cells])
    ended = np.int64(RUNNING if left > 0 else DRAW)
    for i in range(rules.lines.size):
        line = rules.lines[i]
        if x & line == line:
            ended = np.int64(2 if rules.is_misere else 1)
        elif o & line == line:
            ended = np.int64(1 if rules.is_misere else 2)
    own, other = (x, o) if turn == 1 else (o, x)
    return MaskState(state.empties, own, other, turn, left, ended)


@verb
def save(rules, state, row):
    cells = rules.line_masks.shape[0]
    for cell in range(cells):
        bit = np.uint64(cell)
        row[cell] = 0
        if (state.own >> bit) & _ONE:
            row[cell] = state.turn
        elif (state.other >> bit) & _ONE:
            row[cell] = 3 - state.turn
    row[cells] = state.turn
    row[cells + 1] = 0


@hot_verb
def copy(rules, source, state, row):
    return MaskState(
        state.empties, source.own, source.other, source.turn, source.left, source.result
    )


@verb
def most_left(rules, state):
    return state.left


@hot_verb
def list_free(rules, filled, out):
    """Write the cells that are not in a set; how many there are. Eight at a time, by a table."""
    cells = rules.line_masks.shape[0]
    free = ~filled & (~_NONE >> np.uint64(64 - cells))
    n = _NONE  # whole numbers without a sign: an index that may be negative is looked at twice
    for first in range(0, cells, 8):
        byte = (free >> np.uint64(first)) & _BYTE
        for i in range(8):
            out[n + np.uint64(i)] = first + _BITS[byte, np.uint64(i)]
        n += _COUNT[byte]
    return np.int64(n)


@hot_verb
def open_moves(rules, state, moves):
    return list_free(rules, state.own | state.other, moves)


@hot_verb
def n_open(rules, state, scratch):
    return state.left


@hot_verb
def completes(rules, marks, cell):
    """Do these marks hold a line through the cell?"""
    completed = False
    for j in range(rules.line_masks.shape[1]):
        line = rules.line_masks[cell, j]
        completed |= (marks & line) == line
    return completed


@hot_verb
def land(rules, state, move, outcome):
    marks = state.own | (_ONE << np.uint64(move))
    ended = np.int64(RUNNING if state.left > 1 else DRAW)
    if completes(rules, marks, move):
        ended = np.int64(3 - state.turn if rules.is_misere else state.turn)
    return MaskState(
        state.empties, state.other, marks, np.int64(3 - state.turn), state.left - 1, ended
    )


@hot_verb
def go_on(rules, state, move, outcome):
    """No line is looked at: `children` tells all moves that end the game."""
    marks = state.own | (_ONE << np.uint64(move))
    return MaskState(
        state.empties,
        state.other,
        marks,
        np.int64(3 - state.turn),
        state.left - 1,
        np.int64(RUNNING),
    )


@hot_verb
def note(rules, state, move, undo):
    """The move alone tells what to take back."""


@hot_verb
def take_back(rules, state, move, undo):
    marks = state.other & ~(_ONE << np.uint64(move))
    return MaskState(
        state.empties,
        marks,
        state.own,
        np.int64(3 - state.turn),
        state.left + 1,
        np.int64(RUNNING),
    )


@hot_verb
def winning(rules, own, other):
    """The empty cells on which `own` would complete a line, as bits."""
    cells = np.uint64(0)
    for i in range(rules.lines.size):
        missing = rules.lines[i] & ~own
        if (missing & (missing - _ONE)) | (missing & other) == _NONE:
            cells |= missing
    return cells


@hot_verb
def judge(rules, state):
    """A threat of one's own wins; two of the opponent's lose. No reply is named: see `children`."""
    if rules.is_misere:
        return -WIN, WIN, NO_MOVE
    if winning(rules, state.own, state.other):
        return WIN - 1, WIN - 1, NO_MOVE
    threats = winning(rules, state.other, state.own)
    if threats & minus(threats, _ONE):
        return -(WIN - 2), -(WIN - 2), NO_MOVE
    return -(WIN - 2), WIN - 3, NO_MOVE


@hot_verb
def children(rules, state, is_pruned, scratch):
    """All empty cells, or the one that stops a threat: the others lose at once."""
    moves, how = scratch.moves, scratch.ends
    n_empty = open_moves(rules, state, moves)
    n = n_empty
    wins = winning(rules, state.own, state.other)
    if is_pruned and not rules.is_misere:
        threats = winning(rules, state.other, state.own)
        if threats != _NONE:
            n = np.int64(0)
            for i in range(n_empty):
                if (threats >> np.uint64(moves[i])) & _ONE:
                    moves[n] = moves[i]
                    n += 1
    ended = np.int64(3 - state.turn if rules.is_misere else state.turn)
    for i in range(n):
        how[i] = RUNNING
        if (wins >> np.uint64(moves[i])) & _ONE:
            how[i] = ended
        elif n_empty == 1:
            how[i] = DRAW
    return n


@verb
def playout(rules, state, most, scratch, rng):
    empties = state.empties
    own, other = state.own, state.other
    left = list_free(rules, own | other, empties)
    turns = np.int64(0)
    while left > 0:
        turns += 1
        r = np.uint64(below(rng, left))
        cell = np.uint64(empties[r])
        left -= 1
        empties[r] = empties[np.uint64(left)]
        own |= _ONE << cell
        if completes(rules, own, cell):
            is_own = (turns % 2 == 1) != rules.is_misere
            return (state.turn if is_own else np.int64(3 - state.turn)), turns
        own, other = other, own
    return np.int64(DRAW), turns


family(
    MaskRules, facts=facts, new=new, load=load, save=save, copy=copy, most_left=most_left,
    open_moves=open_moves, n_open=n_open, land=land, go_on=go_on, note=note, take_back=take_back,
    judge=judge, children=children, playout=playout,
)  # fmt: skip
