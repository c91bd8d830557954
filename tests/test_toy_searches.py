"""Negamax and expectimax on a family that is unlike ours, with the JIT and without it.

`signature` is what both say; run as a script, this file prints it in a process that compiles
nothing. A second family hashes all positions to one key, so that only rows tell them apart.
"""

import itertools
import json
import os
import subprocess
import sys
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
import toy_family
from toy_family import CELLS, START, Plain, ToyRules, plain_after, plain_moves, plain_result

from noughts.kernels.rules import protocol
from noughts.kernels.rules.codes import DRAW, NO_MOVE, NOBODY, RUNNING
from noughts.kernels.rules.protocol import WIN, Facts, family, verb
from noughts.kernels.search import expectimax, negamax
from noughts.kernels.transposition import DECIDED, SURE, UNSURE

ENTRIES = 1 << 12
RUNS, LIFTS = ToyRules(2, False), ToyRules(2, True)


class OneKey(NamedTuple):
    """The same game; every position has the same key."""

    seats: int
    can_lift: bool


@verb
def _key(rules, state, row):  # type: ignore[no-untyped-def]
    protocol.save(rules, state, row)
    return np.uint64(7)


family(
    OneKey, facts=toy_family.facts, new=toy_family.new, load=toy_family.load, save=toy_family.save,
    turn=toy_family.turn, result=toy_family.result, most_left=toy_family.most_left,
    open_moves=toy_family.open_moves, outcomes=toy_family.outcomes, land=toy_family.land, key=_key,
)  # fmt: skip


class ShuttleRules(NamedTuple):
    """One piece goes to and fro between two places, and nobody ever wins."""

    places: int


class ShuttleState(NamedTuple):
    place: Any
    turn: Any


@verb
def _shuttle_load(rules, row, state):  # type: ignore[no-untyped-def]
    return ShuttleState(np.int64(row[0]), np.int64(row[1]))


@verb
def _shuttle_save(rules, state, row):  # type: ignore[no-untyped-def]
    row[0], row[1] = state.place, state.turn


@verb
def _shuttle_turn(rules, state):  # type: ignore[no-untyped-def]
    return state.turn


@verb
def _shuttle_result(rules, state):  # type: ignore[no-untyped-def]
    return np.int64(RUNNING)


@verb
def _shuttle_moves(rules, state, moves):  # type: ignore[no-untyped-def]
    moves[0] = 0
    return np.int64(1)


@verb
def _shuttle_land(rules, state, move, outcome):  # type: ignore[no-untyped-def]
    return ShuttleState(np.int64(1 - state.place), np.int64(3 - state.turn))


family(
    ShuttleRules, facts=lambda _: Facts(2, 1, 1, 1, 2, 2, False, True, 0, False, 1),
    new=lambda _: ShuttleState(0, 1), load=_shuttle_load, save=_shuttle_save, turn=_shuttle_turn,
    result=_shuttle_result, open_moves=_shuttle_moves, land=_shuttle_land,
)  # fmt: skip


def _row(position: Plain) -> Any:
    return np.array([*position[0], position[1]], np.int32)


class _Negamax:
    """Searches of one family that share a table."""

    def __init__(self, rules: Any) -> None:
        self.rules, self.facts = rules, protocol.facts(rules)
        rows = np.zeros((ENTRIES, self.facts.row_size), np.int32)
        table = np.zeros(ENTRIES, np.uint64), np.zeros(ENTRIES, np.int64), rows
        self.memory = negamax.Memory(*table, np.zeros((2, self.facts.moves), np.int64))
        self.room, self.state = negamax.new_room(self.facts, 30), protocol.new(rules)

    def search(self, position: Plain, depth: int) -> list[int]:
        """Score, best move, sureness."""
        task = negamax.Task(depth, -WIN, WIN, 0, 99, True, self.facts.repeats)
        stop, counted = np.zeros(1, np.int64), np.zeros(2, np.int64)
        found = negamax.search(
            self.rules, task, self.memory, self.room, self.state, _row(position), stop, counted
        )
        assert found[3]
        return [int(number) for number in found[:3]]


def _expected(rules: Any, position: Plain, depth: int) -> tuple[float, bool]:
    """(value for the first seat, is it exact) by the kernel."""
    facts = protocol.facts(rules)
    task = expectimax.Task(depth, NO_MOVE, False, False, 1.0, False, True)
    memory = expectimax.Memory(
        np.zeros(ENTRIES, np.uint64),
        np.zeros(ENTRIES),
        np.zeros(ENTRIES),
        np.zeros(ENTRIES, np.int64),
        np.zeros(ENTRIES, np.int64),
        np.zeros((ENTRIES, facts.row_size), np.int32),
    )
    value, _, is_finished, is_guessed = expectimax.search(
        rules,
        task,
        memory,
        expectimax.new_room(facts, 2 * depth + 2),
        protocol.new(rules),
        _row(position),
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
        np.zeros(facts.moves),
    )
    assert is_finished
    return float(value) * (-1 if position[1] == 2 else 1), not is_guessed


@cache
def _plain_value(rules: ToyRules, position: Plain, depth: int) -> float:
    """For the first seat; a toss costs no depth, and at the limit a game counts as drawn."""
    ended = plain_result(position)
    if ended != RUNNING:
        return {1: 1.0, 2: -1.0, DRAW: 0.0}[ended]
    seat = position[1]
    if depth == 0 and seat != NOBODY:
        return 0.0
    left = depth - (seat != NOBODY)
    found = [
        sum(p * _plain_value(rules, after, left) for p, after in plain_after(rules, position, move))
        for move in plain_moves(rules, position)
    ]
    return min(found) if seat == 2 else max(found)


def _all_running() -> list[Plain]:
    boards = itertools.product(range(3), repeat=CELLS)
    return [(b, s) for b in boards for s in (1, 2) if plain_result((b, s)) == RUNNING]


@cache
def _true_scores(rules: ToyRules) -> dict[Plain, int]:
    """WIN - n for who wins in n moves, by growing n until nothing changes; 0: nobody can."""
    scores = dict.fromkeys(_all_running(), 0)
    while True:
        fresh = {position: _one_step(rules, scores, position) for position in scores}
        if fresh == scores:
            return scores
        scores = fresh


def _one_step(rules: ToyRules, scores: dict[Plain, int], position: Plain) -> int:
    best, seat = -WIN, position[1]
    for move in plain_moves(rules, position):
        ((_, after),) = plain_after(rules, position, move)
        ended = plain_result(after)
        if ended != RUNNING:
            score = 0 if ended == DRAW else WIN if ended == seat else -WIN
        else:
            score = scores[after] * (1 if after[1] == seat else -1)
        best = max(best, score - (score > DECIDED) + (score < -DECIDED))
    return best


@pytest.mark.parametrize("rules", [RUNS, OneKey(2, False)])
def test_negamax_is_exact_where_one_seat_may_move_twice(rules: Any) -> None:
    searcher, truth = _Negamax(rules), _true_scores(RUNS)
    assert len({score > 0 for score in truth.values()}) == 2
    for position, score in truth.items():
        assert searcher.search(position, 20)[::2] == [score, SURE], position


@pytest.mark.parametrize("rules", [LIFTS, OneKey(2, True)])
def test_negamax_proves_nothing_by_a_position_that_repeats(rules: Any) -> None:
    """What is called sure is true, and every win is found."""
    truth = _true_scores(LIFTS)
    for position, score in truth.items():
        searcher = _Negamax(rules)
        for depth in range(1, 15):
            found, _, sureness = searcher.search(position, depth)
            if sureness == SURE or abs(found) > DECIDED:
                assert (found > DECIDED) == (score > DECIDED), (position, depth)
                assert (found < -DECIDED) == (score < -DECIDED), (position, depth)
        if abs(score) > DECIDED:
            assert np.sign(found) == np.sign(score), position


def test_a_draw_by_repetition_is_not_called_sure() -> None:
    """Long before its depth every path comes back to a position that stands on it."""
    assert _Negamax(ShuttleRules(2)).search(((0,), 1), 20) == [0, 0, UNSURE]


@pytest.mark.parametrize("rules", [RUNS, OneKey(2, False)])
def test_expectimax_tosses_and_is_exact(rules: Any) -> None:
    assert _expected(rules, START, 6) == (pytest.approx(_plain_value(RUNS, START, 6)), True)
    for position in _all_running()[::7]:
        wanted = _plain_value(RUNS, position, 6)
        assert _expected(rules, position, 6) == (pytest.approx(wanted), True), position


@pytest.mark.parametrize("rules", [LIFTS, OneKey(2, True)])
def test_expectimax_is_right_to_its_depth_where_positions_repeat(rules: Any) -> None:
    for position in [START, *_all_running()[::11]]:
        for depth in (1, 4):
            value, is_exact = _expected(rules, position, depth)
            assert value == pytest.approx(_plain_value(LIFTS, position, depth)), position
            if is_exact:
                assert value == _plain_value(LIFTS, position, 9), position


def signature() -> list[Any]:
    """What both searches say of some positions."""
    told: list[Any] = []
    for rules in (RUNS, LIFTS):
        searcher = _Negamax(rules)
        for position in _all_running()[::13]:
            told.append([searcher.search(position, 5), _expected(rules, position, 3)])
        told.append(_expected(rules, START, 4))
    return json.loads(json.dumps(told))  # type: ignore[no-any-return]


def test_they_say_the_same_without_the_jit() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", __file__],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == signature()


if __name__ == "__main__":
    sys.stdout.write(json.dumps(signature()))
