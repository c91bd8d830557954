"""Learning kernels on a family like none of ours: an extra turn, a toss, three seats.

Run as a script with the JIT off this file says what interpreted kernels answer.
"""

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from toy_family import CELLS, START, Plain, ToyRules, plain_after, plain_moves, plain_result
from toy_family import plain_worth as worth_of

from noughts.kernels.learn import (
    features,
    features_batch,
    quadratic,
    quadratic_q,
    quadratic_td,
    table_q,
)
from noughts.kernels.learn import table as tables
from noughts.kernels.mode import is_interpreted
from noughts.kernels.rng import seeded
from noughts.kernels.rules import protocol
from noughts.kernels.rules.codes import DRAW, NOBODY, RUNNING

SITES = CELLS + 1  # the toy does not say what its sites are: they are the numbers of its row
LINES = ((0, 1, 2), (1, 2, 3), (2, 3, 4))
COURSE = quadratic_td.Course(0.05, True, 0.0, 0.5, 1.0, 0.1, False, True, 0, 0, 40)


def row_of(position: Plain) -> Any:
    return np.array([*position[0], position[1]], np.int32)


def number_of(position: Plain, seats: int) -> int:
    board, seat = position
    digits = [0 if mark == 0 else 1 + (mark - seat) % seats for mark in board]
    return sum(digit * (seats + 1) ** (CELLS - 1 - i) for i, digit in enumerate(digits))


def positions(rules: ToyRules) -> list[Plain]:
    """Every running position that can come about."""
    found, waiting = {START}, [START]
    while waiting:
        position = waiting.pop()
        for move in plain_moves(rules, position):
            for _, after in plain_after(rules, position, move):
                if plain_result(after) == RUNNING and after not in found:
                    found.add(after)
                    waiting.append(after)
    return sorted(found)


def inputs_of(seats: int, kind: int) -> features.Inputs:
    through = [[i for i, line in enumerate(LINES) if site in line] for site in range(SITES)]
    first, counts = seats * SITES, 2
    if kind == features.RAW:
        first = SITES + 1
    size = first + (seats * len(LINES) * counts if kind == features.LINES else 0)
    return features.Inputs(
        kind, size, seats, first, counts, -1, -1, 0.0,
        np.cumsum([0, *map(len, through)], dtype=np.uint32),
        np.array([line for lines in through for line in lines], np.uint32),
        np.full(len(LINES), 3, np.uint8),
    )  # fmt: skip


def form_of(inputs: features.Inputs, rows: int, scale: float) -> quadratic.Form:
    n = inputs.size
    linear = rows + np.arange(rows * n, dtype=np.int32).reshape(rows, n)
    product = rows + rows * n + np.arange(rows * n * n, dtype=np.int32).reshape(rows, n, n)
    product = np.minimum(product, product.transpose(0, 2, 1))
    weights = scale * np.random.default_rng(1).normal(size=int(product.max()) + 1)
    return quadratic.Form(np.arange(rows, dtype=np.int32), linear, product, weights)


class Batch:
    """Games in step, as `learn/q_net_games` drives them."""

    def __init__(self, rules: ToyRules, kind: int = features.LINES) -> None:
        self.rules, self.facts = rules, protocol.facts(rules)
        self.room = features_batch.new_room(rules, self.facts)
        self.inputs = inputs_of(rules.seats, kind)

    def encode(self, rows: Any) -> Any:
        x = np.empty((len(rows), self.inputs.size), np.float32)
        seen = features.new_seen(self.inputs)
        features_batch.encode_rows(self.rules, self.room, self.inputs, rows, seen, x)
        return x

    def masks(self, rows: Any) -> Any:
        mask = np.empty((len(rows), self.facts.moves), np.bool_)
        features_batch.mask_rows(self.rules, self.room, rows, mask)
        return mask

    def land(self, rows: Any, moves: Any, outcomes: int, rng: Any) -> features_batch.Landed:
        shape = len(rows), outcomes
        out = features_batch.Landed(
            np.empty((*shape, self.facts.row_size), np.int32),
            np.empty(shape, np.float32),
            np.empty(shape, np.float32),
            np.empty(shape, np.bool_),
            np.empty(len(rows), np.int64),
        )
        seats = self.facts.seats
        features_batch.land_rows(self.rules, self.room, seats, rows, moves, rng, out)
        return out


def played_in_step(seats: int) -> list[Any]:
    batch, rng, told = Batch(ToyRules(seats, True)), seeded(1), []
    rows, moves = np.tile(row_of(START), (12, 1)), np.zeros(12, np.int64)
    for _ in range(12):
        mask, turns = batch.masks(rows), np.zeros(12, np.int64)
        features_batch.turn_rows(batch.rules, batch.room, rows, turns)
        features_batch.explore(mask, 1.0, rng, np.empty_like(moves), moves)
        landed = batch.land(rows, moves, 1, rng)
        told += [turns.tolist(), moves.tolist(), batch.encode(rows).sum(axis=0).tolist()]
        told += [landed.reward.tolist(), landed.is_over.tolist(), int(rng[0])]
        rows = np.where(landed.is_over, row_of(START), landed.rows[:, 0])
    return told


def taught_tables(seats: int) -> list[Any]:
    rules, told = ToyRules(seats, True), []
    boards = (seats + 1) ** CELLS
    start = tables.new_start(rules, row_of(START))
    rows = np.stack([row_of(position) for position in positions(rules)[1:]])
    for opponent, is_td in ((tables.SELF, False), (tables.RANDOM, True)):
        table = tables.Table(np.full((seats, boards), 0.5), np.arange(boards))
        lessons = tables.Lessons(0.1, 0.0, 0.3, 0.5, True, is_td, 0.5)
        contest, rng, tally = tables.Contest(opponent, 0, 0, 300), seeded(2), np.zeros(seats + 3)
        path, moves = tables.new_path(seats), np.zeros(len(rows), np.int64)
        tables.learn_table(rules, start, table, lessons, contest, rng, path, tally)
        tables.greedy_moves(rules, start, table, rows, moves)
        told += [tally.tolist(), table.values.sum(axis=1).tolist(), moves.tolist(), int(rng[0])]
    return told


def taught_pairs() -> list[Any]:
    """What rests on two seats."""
    rules, told = ToyRules(2, True), []
    rows = np.stack([row_of(position) for position in positions(rules)])
    for kind in (features.RAW, features.CELLS, features.LINES):
        inputs = inputs_of(2, kind)
        for learn, moves in ((quadratic_td.td_games, 1), (quadratic_q.q_games, 2 * CELLS)):
            form, rng, tally = form_of(inputs, moves, 0.01), seeded(3), np.zeros(6)
            desk = quadratic_td.new_desk(rules, inputs, row_of(START), form.weights.size)
            learn(rules, inputs, form, COURSE, desk, (0, 20), rng, tally)
            chosen = np.zeros(len(rows), np.int64)
            if moves == 1:
                quadratic_td.td_choices(rules, inputs, form, desk, rows, rng, chosen)
            else:
                quadratic_q.q_choices(rules, inputs, form, desk, rows, chosen)
            told += [np.round(tally, 9).tolist(), int(rng[0]), chosen.tolist()]
            told.append(float(np.round(form.weights.sum(), 9)))
    values, rng, tally = np.zeros((3**CELLS, 2 * CELLS)), seeded(4), np.zeros(5)
    start = tables.new_start(rules, row_of(START))
    lessons = table_q.QLessons(0.5, 0.5, tables.RANDOM)
    table_q.learn_q(rules, start, lessons, (0, 200), rng, values, tally)
    chosen = np.zeros(len(rows), np.int64)
    table_q.greedy_q_moves(rules, start, values, rows, chosen)
    return [*told, tally.tolist(), chosen.tolist(), float(values.sum()), int(rng[0])]


def signature() -> dict[str, Any]:
    """What all of them answer, as plain data."""
    found: dict[str, Any] = {"compiled": not is_interpreted(), "pairs": taught_pairs()}
    for seats in (2, 3):
        found[f"step {seats}"], found[f"tables {seats}"] = (
            played_in_step(seats),
            taught_tables(seats),
        )
    return json.loads(json.dumps(found))


@pytest.mark.parametrize("seats", [2, 3])
def test_games_in_step_go_as_the_rules_say(seats: int) -> None:
    rules = ToyRules(seats, True)
    batch, places, chosen = Batch(rules), positions(rules), np.random.default_rng(1)
    rows, masks = (
        np.stack([row_of(p) for p in places]),
        batch.masks(np.stack(list(map(row_of, places)))),
    )
    assert [np.flatnonzero(mask).tolist() for mask in masks] == [
        plain_moves(rules, p) for p in places
    ]
    moves = np.array([chosen.choice(plain_moves(rules, p)) for p in places])
    landed = batch.land(rows, moves, seats, seeded(1))
    for i, position in enumerate(places):
        after = plain_after(rules, position, int(moves[i]))
        assert landed.chance[i].tolist() == pytest.approx(
            [p for p, _ in after] + [0] * (seats - len(after))
        )
        for k, (_, reached) in enumerate(after):
            ended = plain_result(reached)
            assert landed.rows[i, k].tolist() == row_of(reached).tolist()
            assert landed.is_over[i, k] == (ended != RUNNING)
            lost = 0 if ended in (RUNNING, DRAW) else -1 / (seats - 1)
            assert landed.reward[i, k] == pytest.approx(
                1 if ended and ended == position[1] else lost
            )


def test_a_table_of_moves_comes_to_the_truth_where_one_seat_may_move_twice() -> None:
    """With step 1 and random moves Q is the exact value, once every move was tried often enough."""
    rules = ToyRules(2, False)
    values, tally = np.zeros((3**CELLS, 2 * CELLS)), np.zeros(5)
    lessons = table_q.QLessons(1.0, 1.0, tables.SELF)
    start = tables.new_start(rules, row_of(START))
    table_q.learn_q(rules, start, lessons, (0, 6000), seeded(1), values, tally)
    assert tally[:3].sum() == 6000
    for position in positions(rules):
        if position[1] != NOBODY:
            for move in plain_moves(rules, position):
                ((_, after),) = plain_after(rules, position, move)
                told = values[number_of(position, 2), move]
                assert told == worth_of(rules, after)[position[1] - 1], (position, move)


@pytest.mark.parametrize("seats", [2, 3])
def test_every_seat_learns_what_it_wins_by(seats: int) -> None:
    rules, boards = ToyRules(seats, True), (seats + 1) ** CELLS
    table = tables.Table(np.full((seats, boards), 0.5), np.arange(boards))
    lessons = tables.Lessons(0.2, 0.0, 0.5, 0.5, True, False, 0.0)
    contest, tally = tables.Contest(tables.SELF, 0, 0, 3000), np.zeros(seats + 3)
    start = tables.new_start(rules, row_of(START))
    path = tables.new_path(seats)
    tables.learn_table(rules, start, table, lessons, contest, seeded(1), path, tally)
    for seat in range(1, seats + 1):  # only the winner ends with a line of his own
        line = (seat, seat, seat)
        ends = [((*line, 0, 0), seat), ((0, *line, 0), seat), ((0, 0, *line), seat)]
        told = [table.values[seat - 1, number_of(position, seats)] for position in ends]
        assert min(told) >= 0.5
        assert max(told) > 0.8


@pytest.mark.parametrize("kind", [features.RAW, features.CELLS, features.LINES])
def test_looking_ahead_weighs_what_comes_about(kind: int) -> None:
    """E[r + v(s')] by differences against v of every position that may come about."""
    rules, inputs = ToyRules(2, True), inputs_of(2, kind)
    form, batch = form_of(inputs, 1, 1.0), Batch(rules, kind)

    def value(position: Plain) -> float:
        ended = plain_result(position)
        if ended != RUNNING:
            return {1: 1.0, 2: -1.0, DRAW: 0.0}[ended]
        (x,) = batch.encode(row_of(position)[None]).astype(float)
        seen = form.weights[0] + form.weights[form.linear[0]] @ x
        seen += x @ form.weights[form.product[0]] @ x
        return float(-seen if kind != features.RAW and position[1] == 2 else seen)

    for position in positions(rules):
        desk = quadratic_td.new_desk(rules, inputs, row_of(position))
        n = quadratic_td.move_values(rules, inputs, form, desk, False, seeded(1))
        by_hand = [
            sum(p * value(after) for p, after in plain_after(rules, position, move))
            for move in plain_moves(rules, position)
        ]
        assert desk.values[:n].tolist() == pytest.approx(by_hand)


def test_interpreted_and_compiled_learners_are_equal() -> None:
    done = subprocess.run(
        [sys.executable, __file__],
        env={**os.environ, "NOUGHTS_JIT": "never"},
        capture_output=True,
        text=True,
        check=True,
    )
    interpreted, compiled = json.loads(done.stdout), signature()
    assert (interpreted.pop("compiled"), compiled.pop("compiled")) == (False, True)
    assert interpreted == compiled


if __name__ == "__main__":
    sys.stdout.write(json.dumps(signature()))
