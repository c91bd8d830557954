"""Vanishing tic-tac-toe, a game in one file: only your last three marks stay.

A mark lands in an empty cell; if it is your fourth, your oldest vanishes. Three in a line of what
is left win. No board is ever full, and positions can come again. Its entry point, as
docs/extend/game.md says, is `vanishing = "vanishing:vanishing"`.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from noughts.games.boards import grid_board
from noughts.games.game import Game, Position, other
from noughts.kernels.rules.codes import RUNNING
from noughts.kernels.rules.protocol import Facts, family, verb

GRID = grid_board((3, 3), 3)
KEEP = 3
SLOTS = 2 * KEEP  # the marks of X, oldest first, as cell + 1 or 0; then those of O


def vanishing(spec):
    """only your last three marks stay"""
    spec.allow(())
    return Vanishing()


@dataclass(frozen=True, repr=False)
class Vanishing(Game):
    cells, shape, can_repeat = 9, (3, 3, 1), True

    def __str__(self):
        return "vanishing"

    def start(self):
        return self.position_from_row([0] * SLOTS + [1])

    def position_from_row(self, row):
        *slots, seat = row
        turn, marks = self.marks[seat - 1], (tuple(slots[:KEEP]), tuple(slots[KEEP:]))
        filled = [slot for slot in slots if slot]
        if len(slots) != SLOTS or len(set(filled)) < len(filled) or max(slots) > self.cells:
            raise ValueError("the same cell twice, or none of the board")
        lines = [{cell + 1 for cell in line} for line in GRID.lines]
        is_won = any(set(own) in lines for own in marks)
        return Kept(game=self, turn=turn, slots=marks, result=other(turn) if is_won else None)

    @cached_property
    def rules(self):
        return VanishingRules(np.array(GRID.lines) + 1)


@dataclass(frozen=True, kw_only=True, repr=False)
class Kept(Position):
    slots: tuple[tuple[int, ...], tuple[int, ...]]

    @cached_property
    def board(self):
        letters = {slot: mark for mark, own in zip("XO", self.slots, strict=True) for slot in own}
        return "".join(letters.get(cell + 1, ".") for cell in range(9))

    @property
    def moves(self):
        if self.result is not None:
            return ()
        return tuple(cell for cell, letter in enumerate(self.board) if letter == ".")

    def _after(self, move, landing):
        side, slots = "XO".index(self.turn), list(self.slots)
        slots[side] = (*slots[side][1:], move + 1)
        return replace(self.game.position_from_row([*slots[0], *slots[1], 2 - side]), last=move)

    def to_row(self):
        return [*self.slots[0], *self.slots[1], 1 + "XO".index(self.turn)]


# ---- Kernels: the same once more, for who must search fast -----------------------------------


class VanishingRules(NamedTuple):
    lines: Any  # [8, 3] cell + 1


class VanishingState(NamedTuple):
    slots: Any  # [SLOTS]
    turn: Any
    result: Any


def facts(rules):
    return Facts(
        seats=2, moves=9, most_open=9, most_outcomes=1, row_size=SLOTS + 1, undo_size=SLOTS + 1,
        settles=False, repeats=True, longest=0, key_is_exact=False, images=1,
    )  # fmt: skip


def new(rules):
    return VanishingState(np.zeros(SLOTS, np.int64), np.int64(1), np.int64(RUNNING))


@verb
def _holds(slots, first, last, wanted):
    for i in range(first, last):  # noqa: SIM110 - kernels have no generators
        if slots[i] == wanted:
            return True
    return False


@verb
def _winner(rules, slots):
    for seat in range(2):
        for line in rules.lines:
            kept = 0
            for wanted in line:
                kept += _holds(slots, seat * KEEP, seat * KEEP + KEEP, wanted)
            if kept == KEEP:
                return np.int64(seat + 1)
    return np.int64(RUNNING)


@verb
def load(rules, row, state):
    slots = state.slots
    for i in range(SLOTS):  # not as slices: numba makes a copy between two arrays
        slots[i] = row[i]
    return VanishingState(slots, np.int64(row[SLOTS]), _winner(rules, slots))


@verb
def save(rules, state, row):
    slots = state.slots
    for i in range(SLOTS):
        row[i] = slots[i]
    row[SLOTS] = state.turn


@verb
def turn(rules, state):
    return state.turn


@verb
def result(rules, state):
    return state.result


@verb
def open_moves(rules, state, moves):
    n = np.int64(0)
    for cell in range(9):
        if not _holds(state.slots, 0, SLOTS, cell + 1):
            moves[n] = cell
            n += 1
    return n


@verb
def land(rules, state, move, outcome):
    slots, last = state.slots, state.turn * KEEP - 1
    for i in range(last - KEEP + 1, last):
        slots[i] = slots[i + 1]
    slots[last] = move + 1
    return VanishingState(slots, np.int64(3 - state.turn), _winner(rules, slots))


family(
    VanishingRules, facts=facts, new=new, load=load, save=save, turn=turn, result=result,
    open_moves=open_moves, land=land,
)  # fmt: skip
