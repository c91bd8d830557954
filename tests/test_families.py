"""Families: verbs say what a plain position says, and searches play what they never saw.

`survey` lists all that the verbs tell of a position. It is held against `Position`
for every family and risk, and against a toy that is like none of ours. Run as a script with the JIT
off this file says what interpreted verbs answer.
"""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from toy_family import START, ToyRules, plain_after, plain_moves, plain_result, plain_worth

import noughts
from noughts.games import Position
from noughts.games.compiled import compiled
from noughts.kernels.mode import is_interpreted
from noughts.kernels.rng import seeded
from noughts.kernels.rules import protocol
from noughts.kernels.rules.codes import DRAW
from noughts.kernels.search import flat, random_games, uct
from noughts.kernels.search.survey import survey
from noughts.kernels.search.tree import ROOT, Tree
from noughts.search.trees import new_tree

GAMES = [
    "3x3", "4x4:k=3", "3x3x3", "qubic", "10x7:k=5", "3x3:misere",
    "3x3:flip=0.1", "4x4:flip=0.2,fizzle=0.1", "3x3:fade=0.1", "3x3:hazard=0.3,limit=4,ticks=6",
    "4x4:misere,flip=0.1,hazard=0.2,turn_limit=2,ticks=3",
    "ultimate", "ultimate:won=open", "ultimate:tiebreak=boards", "ultimate:flip=0.2,fizzle=0.1",
    "ultimate:won=open,tiebreak=boards,fade=0.05,hazard=0.3,turn_limit=2,ticks=3",
]  # fmt: skip
NAMES = {None: 0, "X": 1, "O": 2, "draw": DRAW}


CRUMB = 1e-12  # a sum of probabilities leaves some, and on a late clock hardly a mark survives


def told(rules: Any, row: Any) -> dict[str, Any]:
    """What the verbs tell of a row, move and outcome by themselves."""
    found = survey(rules, row)
    assert found.is_taken_back, "taking a move back leads elsewhere"
    assert len(found.moves) == found.n_open
    after = {
        (move, k): one
        for move, listed in found.after.items()
        for k, one in enumerate(listed)
        if one[0] > CRUMB
    }
    return {"turn": found.turn, "result": found.result, "after": after, "key": found.key}


def walk(spec: str, count: int, seed: int) -> Iterator[Position]:
    """Positions of random games, the last of each game included."""
    rng, draw = np.random.default_rng(seed), random.Random(seed)
    position = noughts.game(spec).start()
    for _ in range(count):
        yield position
        if position.result is not None or draw.random() < 0.02:
            position = noughts.game(spec).start()
        else:
            position = position.sample(draw.choice(position.moves), rng)[1]


def check_against_plain(spec: str, count: int) -> int:
    """Hold the verbs against `Position`; how many moves were compared."""
    compared, keys = 0, {}
    for position in walk(spec, count, seed=7):
        found = told(position.game.rules, position.to_row())
        assert (found["turn"], found["result"]) == (NAMES[position.turn], NAMES[position.result])
        assert keys.setdefault(position, found["key"]) == found["key"]
        meant: dict[tuple[int, int], Any] = {}
        for move in position.moves:
            for chance, mark, after in position._landed(move):
                k = 0 if mark == position.turn else 2 if mark is None else 1
                if chance > CRUMB:
                    meant[move, k] = (chance, after.to_row(), NAMES[after.result])
        assert found["after"].keys() == meant.keys(), position
        for place, (chance, row, ended) in meant.items():
            seen = found["after"][place]
            assert seen[0] == pytest.approx(chance, abs=1e-12)
            assert seen[1:] == (row, ended), position
            compared += 1
    assert len(set(keys.values())) == len(keys)
    return compared


@pytest.mark.parametrize("spec", GAMES)
def test_the_verbs_say_what_the_position_says(spec: str) -> None:
    assert check_against_plain(spec, 2000 // len(GAMES)) > 500


@pytest.mark.slow
@pytest.mark.parametrize("spec", GAMES)
def test_the_verbs_say_what_the_position_says_on_many(spec: str) -> None:
    assert check_against_plain(spec, 100_000 // len(GAMES)) > 20_000


# ---- The toy ---------------------------------------------------------------------------------


def toy_tree(rules: ToyRules, simulations: int, row: list[int]) -> Tree:
    """A tree of UCT on the toy."""
    facts = protocol.facts(rules)
    tree = new_tree(facts, 4000)
    budget = uct.Budget(simulations, 0.7, 100, False, False)
    room = uct.new_room(rules, facts)
    uct.search(rules, facts, tree, np.array(row, np.int32), room, budget, seeded(3))
    return tree


def signature() -> dict[str, Any]:
    """What the kernels answer on the toy and on small games, as plain data."""
    found: dict[str, Any] = {"compiled": not is_interpreted()}
    for seats in (2, 3):
        for can_lift in (False, True):
            rules = ToyRules(seats, can_lift)
            facts = protocol.facts(rules)
            row, tally = np.zeros(facts.row_size, np.int32), np.zeros(seats + 2, np.int64)
            room = flat.new_room(rules, facts, 3)
            random_games.playouts(
                rules, row, room.start, room.state, 50, 40, room.scratch, seeded(1), tally
            )
            moves = np.zeros((4, facts.most_open + 2), np.int64)
            undo = np.zeros((4, facts.undo_size), np.int64)
            count = random_games.perft(rules, row, room.state, room.scratch, moves, undo)
            row[-1] = 1
            totals, verdicts = np.zeros((5, seats)), np.zeros(5, np.int64)
            flat.play(rules, row, room, np.arange(5), 20, 40, seeded(2), totals)
            if seats == 2:
                flat.look(rules, row, room, 3, np.array([10_000]), np.arange(5), verdicts)
            tree = toy_tree(rules, 300, [0] * 6)
            found[f"{seats} {can_lift}"] = [
                tally.tolist(), int(count), totals.tolist(), verdicts.tolist(),
                tree.value[:50].tolist(), tree.visits[:50].tolist(),
            ]  # fmt: skip
    for spec in ("3x3:hazard=0.3,limit=4,ticks=6", "ultimate:flip=0.2,fizzle=0.1"):
        rows = [position.to_row() for position in walk(spec, 3, seed=1)]
        seen = [told(noughts.game(spec).rules, row) for row in rows]
        found[spec] = [{**one, "after": sorted(map(list, one["after"].items()))} for one in seen]
    return found


def test_the_toy_is_played_by_its_own_rules() -> None:
    for seats in (2, 3):
        rules, draw = ToyRules(seats, True), random.Random(seats)
        position, compared = START, 0
        for _ in range(300):
            found = told(rules, [*position[0], position[1]])
            ended = plain_result(position)
            assert (found["turn"], found["result"]) == (position[1], ended)
            meant = {
                (move, k): (p, [*after[0], after[1]], plain_result(after))
                for move in (plain_moves(rules, position) if ended == 0 else [])
                for k, (p, after) in enumerate(plain_after(rules, position, move))
            }
            assert found["after"] == meant
            compared += len(meant)
            if ended != 0:
                position = START
            else:
                move = draw.choice(plain_moves(rules, position))
                position = draw.choice(plain_after(rules, position, move))[1]
        assert compared > 500


@pytest.mark.parametrize("seats", [2, 3])
def test_uct_solves_the_toy(seats: int) -> None:
    """Every seat maximises its own worth, and who moves twice keeps his sign."""
    rules = ToyRules(seats, False)
    tree = toy_tree(rules, 100_000, [0] * 6)
    worth = plain_worth(rules, START)
    assert tree.is_exact[ROOT]
    of_the_root = tree.value[: len(tree.carried)].tolist()
    assert of_the_root == pytest.approx(worth[: len(tree.carried)], abs=1e-9)


def test_flat_sees_forced_wins_of_the_toy() -> None:
    """With two of three in a row and an extra turn at the middle nothing can be stopped."""
    rules = ToyRules(2, False)
    facts = protocol.facts(rules)
    room = flat.new_room(rules, facts, 4)
    row = np.array([1, 0, 0, 2, 0, 1], np.int32)  # X.. O. with X on turn: the middle, then cell 1
    moves = np.array([1, 2, 4])
    verdicts = np.zeros(3, np.int64)
    flat.look(rules, row, room, 4, np.array([10_000]), moves, verdicts)
    board = tuple(int(mark) for mark in row[:5])
    for move, verdict in zip(moves, verdicts, strict=True):
        after = plain_after(rules, (board, 1), int(move))[0][1]
        assert np.sign(verdict) == round(plain_worth(rules, after)[0]), int(move)
    assert verdicts[1] > 0


def test_families_say_the_same_without_the_jit() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", __file__],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    interpreted, here = json.loads(done.stdout), json.loads(json.dumps(signature()))
    assert here.pop("compiled") is not interpreted.pop("compiled")
    assert interpreted == here


def test_a_game_that_changes_a_rule_gets_no_kernel() -> None:
    """Marks that fall down columns: 27 sequences of three moves, not 504."""

    class Falling(noughts.games.LinePosition):
        @property
        def open_cells(self) -> tuple[int, ...]:
            lowest = [
                max((c for c in range(i, 9, 3) if self.board[c] == "."), default=-1)
                for i in range(3)
            ]
            return tuple(sorted(cell for cell in lowest if cell >= 0))

    class FallingGame(noughts.games.LineGame):
        def start(self) -> Any:
            return Falling(game=self, turn="X", x_mask=0, o_mask=0, result=None)

    plain = noughts.game("3x3")
    game = FallingGame(plain.board, plain.is_misere, plain.risk)
    assert len(game.start().moves) == 3
    with pytest.raises(noughts.NoughtsError, match="rules of its own"):
        compiled(game.start())
    assert compiled(plain.start()).facts.moves == 9


if __name__ == "__main__":
    sys.stdout.write(json.dumps(signature()))
