"""Environment steps on a family like none of ours: an extra turn, a toss, three seats.

Run as a script with the JIT off this file says what interpreted steps answer.
"""

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from toy_family import CELLS, START, Plain, ToyRules, plain_after, plain_moves, plain_result

from noughts.kernels.mode import is_interpreted
from noughts.kernels.rules import protocol
from noughts.kernels.rules.codes import DRAW, NOBODY, RUNNING
from noughts.kernels.search import stepping

SIZE = 30


class Toys:
    """Games of the toy, as the environments of ours are driven."""

    def __init__(self, seats: int, can_lift: bool = True) -> None:
        self.rules = ToyRules(seats, can_lift)
        self.facts = protocol.facts(self.rules)
        first = np.array([*START[0], START[1]], np.int32)
        self.games = stepping.new_games(self.rules, first, SIZE)
        self.games.rngs[:, 0] = np.arange(1, SIZE + 1)
        self.seen = stepping.new_seen(self.facts, SIZE)

    def step(self, moves: Any, restarts: Any, sides: Any, answers: bool) -> Any:
        sides = np.array(sides, np.int8)
        stepping.step(self.rules, self.games, restarts, moves, sides, answers, self.seen)
        return self.seen

    def choose(self) -> Any:
        moves = np.zeros(SIZE, np.int64)
        stepping.choose(self.rules, self.games, moves)
        return moves

    def positions(self) -> list[Plain]:
        found, row = [], protocol.new_row(self.facts)
        for i in range(SIZE):
            stepping.write_row(self.rules, self.games, i, row)
            found.append((tuple(row[:CELLS].tolist()), int(row[CELLS])))
        return found


def signature() -> dict[str, Any]:
    """What steps with random answers tell, as plain data."""
    found: dict[str, Any] = {"compiled": not is_interpreted()}
    for seats in (2, 3):
        toys = Toys(seats)
        restarts, told = np.ones(SIZE, np.bool_), []
        for _ in range(12):
            seen = toys.step(toys.choose(), restarts, [seats] * SIZE, True)
            restarts = toys.games.results != RUNNING
            told += [toys.positions(), seen.planes.sum(axis=0).tolist(), seen.masks.tolist()]
            told += [toys.games.results.tolist(), toys.games.rngs[:, 0].tolist()]
        found[str(seats)] = told
    return json.loads(json.dumps(found))


@pytest.mark.parametrize("seats", [2, 3])
def test_the_toss_is_done_and_moves_lead_where_the_rules_say(seats: int) -> None:
    toys, everything = Toys(seats), np.ones(SIZE, np.bool_)
    whoever = [NOBODY] * SIZE
    assert toys.step(toys.choose(), everything, whoever, False).is_legal.all()
    assert set(toys.games.turns.tolist()) == set(range(1, seats + 1))
    ended = set()
    for _ in range(30):
        before, moves = toys.positions(), toys.choose()
        running = toys.games.results == RUNNING
        seen = toys.step(moves, ~everything, whoever, False)
        assert np.array_equal(seen.is_legal, running)
        for i, after in enumerate(toys.positions()):
            if running[i]:
                assert [after] == [a for _, a in plain_after(toys.rules, before[i], int(moves[i]))]
            result = plain_result(after)
            assert (toys.games.turns[i], toys.games.results[i]) == (after[1], result)
            legal = plain_moves(toys.rules, after) if result == RUNNING else []
            assert np.flatnonzero(seen.masks[i]).tolist() == legal
            row = [*after[0], after[1]]
            assert np.array_equal(seen.planes[i], np.eye(toys.facts.planes)[row])
            ended.add(result)
    assert ended == {RUNNING, *range(1, seats + 1)} | (ended & {DRAW})


@pytest.mark.parametrize("seats", [2, 3])
def test_others_answer_until_it_is_the_players_turn(seats: int) -> None:
    """Whoever takes the middle cell moves again, so an answer may be several moves or none."""
    toys, restarts = Toys(seats), np.ones(SIZE, np.bool_)
    sides = [1 + i % seats for i in range(SIZE)]
    lengths = set()
    for _ in range(40):
        before = toys.positions()
        moves = toys.choose()
        toys.step(moves, restarts, sides, True)
        for i, after in enumerate(toys.positions()):
            if toys.games.results[i] == RUNNING:
                assert toys.games.turns[i] == sides[i]
            if not restarts[i] and moves[i] < CELLS:
                lengths.add(CELLS - after[0].count(0) - (CELLS - before[i][0].count(0)))
        restarts = toys.games.results != RUNNING
    assert {1, seats, seats + 1} <= lengths


def test_an_illegal_move_and_a_game_that_was_ended_change_nothing() -> None:
    toys, nothing = Toys(2), np.zeros(SIZE, np.bool_)
    toys.step(toys.choose(), ~nothing, [1] * SIZE, True)
    before, streams = toys.positions(), toys.games.rngs.copy()
    assert not toys.step(np.full(SIZE, 99), nothing, [1] * SIZE, True).is_legal.any()
    toys.games.results[:] = 2
    seen = toys.step(toys.choose(), nothing, [1] * SIZE, True)
    assert not seen.is_legal.any()
    assert not seen.masks.any()
    assert toys.positions() == before
    assert np.array_equal(toys.games.rngs, streams)


def test_interpreted_and_compiled_steps_are_equal() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", __file__],
        env={**os.environ, "NOUGHTS_JIT": "never"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    interpreted, compiled = json.loads(done.stdout), signature()
    assert (interpreted.pop("compiled"), compiled.pop("compiled")) == (False, True)
    assert interpreted == compiled


if __name__ == "__main__":
    sys.stdout.write(json.dumps(signature()))
