"""Kernels are Python: interpreted, every agent gives the answer of the machine code.

What agents say is collected by `answers`, here in this process and, by running this file as a
script, in one that interprets. There every warning is an error: numbers wrap around in 64 bits only
where that is meant.
"""

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import noughts
from noughts.kernels.mode import is_interpreted

# Agents with a fixed budget, on games that cover every family and every risk.
ASKED = {
    "3x3": (
        "random",
        "fixed:weights=1/2/1/2/4/2/1/2/1",
        "optimal",
        "optimal:ties=uniform",
        "fallible",
        "alphabeta:depth=9",
        "heuristic:depth=2",
        "flat:playouts=90",
        "uct:simulations=60",
        "zero:simulations=8",
    ),
    "3x3:misere": ("optimal", "alphabeta:depth=5", "flat:playouts=45", "uct:simulations=40"),
    "5x4:k=4": ("alphabeta:depth=2", "heuristic:depth=1", "uct:simulations=30"),
    "3x3x3": ("alphabeta:depth=2", "uct:simulations=20", "zero:simulations=4"),
    "qubic": ("optimal", "alphabeta:depth=1", "uct:simulations=10", "zero:simulations=4"),
    "6x6:k=4": ("alphabeta:depth=1", "uct:simulations=4"),
    "15x15:k=5": ("uct:simulations=4", "random"),
    "3x3:flip=0.2": ("optimal", "alphabeta:depth=4", "flat:playouts=45", "uct:simulations=40"),
    "3x3:flip=0.1,fizzle=0.2": ("optimal", "alphabeta:depth=2", "uct:simulations=40"),
    "2x3:k=3": ("minimax",),
    "2x3:k=3,fade=0.1": ("optimal", "alphabeta:depth=2", "uct:simulations=40"),
    "2x3:k=3,hazard=0.3,limit=2,ticks=3": ("optimal", "alphabeta:depth=2", "uct:simulations=40"),
    "2x3:k=3,hazard=0.3,turn_limit=2,ticks=3": ("alphabeta:depth=2", "uct:simulations=20"),
    "ultimate": ("alphabeta:depth=2", "uct:simulations=30"),
    "ultimate:won=open": ("alphabeta:depth=2", "uct:simulations=20"),
    "ultimate:tiebreak=boards": ("alphabeta:depth=2", "uct:simulations=20"),
    "ultimate:flip=0.2,fizzle=0.1,fade=0.01": ("uct:simulations=20",),
}
# Played games: seats swapped, openings, dice and all.
MATCHES = (
    ("3x3", "uct:simulations=30", "alphabeta:depth=3"),
    ("4x4:k=3,flip=0.1", "uct:simulations=15", "random"),
    ("ultimate", "uct:simulations=4", "random"),
)
LEARNED = {
    "3x3": ("table", "td-table", "q-table", "td-quadratic", "q-quadratic"),
    "2x3:k=3,flip=0.2": ("table", "td-table"),
}
NETWORKS = ("ultimate", "zero:simulations=2")  # its tables are too large to ask twice


def answers() -> dict[str, Any]:
    """Moves, values, counts and records, as plain data."""
    found: dict[str, Any] = {"interpreted": is_interpreted()}
    for game, agents in ASKED.items():
        for agent in agents:
            found[f"{game} {agent}"] = _asked(game, agent)
    found[" ".join(NETWORKS)] = _asked(*NETWORKS)
    for game, first, second in MATCHES:
        played = noughts.match(game, first, second, games=4, seed=3)
        records = [json.loads(record.to_json()) for record in played.records]
        found[f"match {game} {first} {second}"] = [
            [record["seats"], record["moves"], record["landings"], record["nodes"]]
            for record in records
        ]
    for game, learners in LEARNED.items():
        for learner in learners:
            found[f"learn {game} {learner}"] = _learned(game, learner)
    return found


def _asked(game: str, spec: str) -> list[Any]:
    """A move and every value, at the start and in the middle of a game."""
    rng, told = np.random.default_rng(5), []
    position, agent = noughts.game(game).start(), noughts.agent(spec)
    for _ in range(2):
        if position.result is not None:
            break
        move = int(agent.choose(position, rng))
        thought = agent.last
        values = agent.values(position)
        told.append(
            [
                move,
                None if thought is None else [thought.nodes, thought.depth, thought.value],
                sorted((int(move), float(value)) for move, value in values.items()),
            ]
        )
        for _ in range(2):
            if position.result is None:
                _, position = position.sample(int(rng.choice(position.moves)), rng)
    return told


def _learned(game: str, name: str) -> list[float]:
    """A few numbers of what a learner knows after some games against itself."""
    from noughts.learn.frame.registry import learner

    chosen, played = learner(name), noughts.game(game)
    chosen.check_game(played)
    chosen.game = played
    chosen.begin(played, "self", 1)
    chosen.learn(12)
    return [float(np.sum(array, dtype=np.float64)) for array in chosen.arrays().values()]


@pytest.fixture(scope="module")
def interpreted() -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-W", "error", __file__],
        env={**os.environ, "NOUGHTS_JIT": "never"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def compiled() -> dict[str, Any]:
    return answers()


def test_one_process_interprets_and_the_other_compiles(
    interpreted: dict[str, Any], compiled: dict[str, Any]
) -> None:
    assert (interpreted["interpreted"], compiled["interpreted"]) == (True, False)
    assert interpreted.keys() == compiled.keys()


WORK = [
    *(f"{game} {agent}" for game, agents in ASKED.items() for agent in agents),
    " ".join(NETWORKS),
    *(f"match {' '.join(words)}" for words in MATCHES),
    *(f"learn {game} {learner}" for game, learners in LEARNED.items() for learner in learners),
]


@pytest.mark.parametrize("work", WORK)
def test_interpreted_and_compiled_answers_are_equal(
    interpreted: dict[str, Any], compiled: dict[str, Any], work: str
) -> None:
    expected = json.loads(json.dumps(compiled[work]))
    if "zero" in work or "quadratic" in work:  # sums of floats, in whatever order a library likes
        assert _flat(interpreted[work]) == pytest.approx(_flat(expected), abs=1e-6)
    else:
        assert interpreted[work] == expected


def _flat(data: Any) -> list[float]:
    """All numbers of nested lists."""
    if isinstance(data, list):
        return [number for part in data for number in _flat(part)]
    return [] if data is None else [float(data)]


if __name__ == "__main__":
    sys.stdout.write(json.dumps(answers()))
