"""Lockstep searches on a family like none of ours: an extra turn, a toss, three seats.

Run as a script with the JIT off this file says what interpreted searches answer.
"""

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from toy_family import CELLS, START, ToyRules, plain_moves, plain_worth

from noughts.kernels.mode import is_interpreted
from noughts.kernels.rng import seeded
from noughts.kernels.rules import protocol
from noughts.kernels.search import lockstep
from noughts.kernels.search.forest import ROOT, UNSEEN, Forest, Rule
from noughts.kernels.search.forest_roots import find_after, keep_subtree, plant, read_roots
from noughts.learn.zero.batched.lessons import read_fields
from noughts.learn.zero.batched.lockstep import new_forest

GAMES, NODES = 3, 4000


class Search:
    """Some games of the toy, searched with a network that knows little."""

    def __init__(self, seats: int, can_lift: bool) -> None:
        self.rules = ToyRules(seats, can_lift)
        self.facts = protocol.facts(self.rules)
        self.room = lockstep.new_room(self.rules, self.facts)
        places = np.arange(self.facts.row_size)[None, :]
        self.images = lockstep.Images(places, np.arange(self.facts.moves)[None, :])
        self.forest = new_forest(self.facts, GAMES, NODES, 5 * NODES)
        inputs = int(np.prod(protocol.seen_shape(self.facts)))
        self.leaves = lockstep.Leaves(
            *np.zeros((3, 2 * GAMES), np.int64), np.zeros((2 * GAMES, inputs), np.float32)
        )
        self.rng = np.array([seeded(4, game)[0] for game in range(GAMES)])
        self.rows = np.zeros((GAMES, self.facts.row_size), np.int32)
        for game in range(GAMES):
            plant(self.forest, game, self.rows[game])

    def run(self, simulations: int, n_considered: int = 0) -> Forest:
        rule = Rule(
            1.5, 0.0, 0.2, 2, 50.0, 0.1, np.tile(np.arange(simulations, dtype=np.int32), (6, 1)),
            np.full(GAMES, n_considered), np.zeros((GAMES, self.facts.moves)),
        )  # fmt: skip
        done = np.zeros(GAMES, np.int64)
        work = lockstep.Work(np.arange(GAMES), done, np.full(GAMES, simulations), self.rng)
        width = self.forest.value.size
        while True:
            count = lockstep.gather(
                self.rules, self.room, self.images, rule, self.forest, work, self.leaves
            )
            if count == 0:
                return self.forest
            seen = self.leaves.features[:count].sum(axis=1)
            assert (seen == self.facts.row_size).all()
            logits = np.zeros((count, self.facts.moves), np.float32)
            values = np.tile(np.float32([0.1, -0.1, 0.0][:width]), (count, 1))
            lockstep.add_answers(
                self.forest, self.images, self.leaves, count, logits, values, False
            )


def signature() -> dict[str, Any]:
    """What searches tell, as plain data."""
    found: dict[str, Any] = {"compiled": not is_interpreted()}
    for seats in (2, 3):
        search = Search(seats, True)
        search.run(1)
        forest = search.run(60, n_considered=1)
        told: list[Any] = [forest.size.tolist(), forest.visits[:, :60].tolist()]
        told += [forest.total[:, :60].tolist(), forest.turn[:, :60].tolist()]
        results, games = np.zeros(GAMES, np.int64), np.arange(GAMES)
        for move in (0, 2, 0):  # the toss, the middle cell, which gives another turn, and on
            moves = np.full(GAMES, move)
            lockstep.play(search.rules, search.room, search.rows, games, moves, search.rng, results)
            told += [search.rows.tolist(), results.tolist()]
        found[str(seats)] = told
    return json.loads(json.dumps(found))


@pytest.mark.parametrize("seats", [2, 3])
def test_values_that_are_proven_are_true(seats: int) -> None:
    """Where positions do not come again: against plain backward induction, in every exact node."""
    search = Search(seats, False)
    search.run(1)
    forest = search.run(1500)
    assert forest.is_exact[0, ROOT] or seats == 3  # ties of three may leave it open
    compared = 0
    for node in range(forest.size[0, 0]):
        row = forest.row[0, node].tolist()
        position = (tuple(row[:CELLS]), row[CELLS])
        assert forest.turn[0, node] == row[CELLS]
        if forest.is_exact[0, node]:
            meant = plain_worth(search.rules, position)
            width = forest.value.size
            assert forest.total[0, node].tolist() == pytest.approx(meant[:width], abs=1e-9)
            compared += 1
    assert compared > 30
    toss = forest.outcome[0, 0]
    assert (toss > 0).all()
    assert len(toss) == seats
    assert (forest.visits[0, toss] > 0).all()


def test_a_subtree_is_kept_and_roots_are_read_for_whoever_is_on_turn() -> None:
    search = Search(2, False)
    search.run(1)
    forest = search.run(300)
    child = int(forest.outcome[0, 0, 1])  # the second seat begins
    row, visits = forest.row[0, child].copy(), int(forest.visits[0, child])
    value = forest.edge_value[0, forest.first_edge[0, child], 0]
    assert find_after(forest, 0, ROOT, 0, row) == child
    keep_subtree(forest, 0, child)
    assert forest.row[0, ROOT].tolist() == row.tolist()
    assert forest.visits[0, ROOT] == visits
    shape = (1, CELLS)
    moves, visited = np.full(shape, -1), np.zeros(shape, np.int64)
    values, priors = np.zeros((2, *shape))
    exact, root = np.zeros(shape, np.bool_), np.zeros((1, 3))
    read_roots(forest, np.array([0]), moves, visited, values, exact, priors, root)
    assert moves[0].tolist() == plain_moves(search.rules, (START[0], 2))
    assert values[0, 0] == -value  # kept for the first seat
    plant(forest, 0, row)
    assert forest.total[0, ROOT, 0] == UNSEEN


def test_memories_of_an_earlier_version_are_read() -> None:
    """There the turn stood apart; in a row it stands before the clock."""
    old = {
        "states": np.array([[0, 1, 2, 5]], np.int32), "turns": np.array([2], np.int8),
        "policies": np.zeros((1, 3)), "legal": np.zeros((1, 1)), "values": np.zeros(1),
    }  # fmt: skip
    assert read_fields(old)["rows"].tolist() == [[0, 1, 2, 2, 5]]


def test_interpreted_and_compiled_searches_are_equal() -> None:
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
