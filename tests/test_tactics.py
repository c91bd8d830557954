"""The tactical suite: its answers are what the definitions say, and agents find them."""

import json

import numpy as np
import pytest
from tactics import BEST, PATH, WANTED

import noughts

SUITE = json.loads(PATH.read_text())
SMALL = [entry for entry in SUITE if entry["game"] in ("3x3", "3x3x3")]


def names(entries):
    return [f"{entry['game']} {entry['kind']} {entry['position'][:30]}" for entry in entries]


def choice(spec, entry):
    position = noughts.game(entry["game"]).parse(entry["position"])
    return noughts.agent(spec).choose(position, np.random.default_rng(1))


def test_the_suite_is_large_and_every_kind_is_in_it():
    assert len(SUITE) >= 150
    assert {(entry["game"], entry["kind"]) for entry in SUITE} == {
        (game, kind) for game, kinds in WANTED.items() for kind in kinds
    }
    assert len({(entry["game"], entry["position"]) for entry in SUITE}) == len(SUITE)


@pytest.mark.parametrize("entry", SUITE, ids=names(SUITE))
def test_the_best_moves_are_what_the_definition_says(entry):
    position = noughts.game(entry["game"]).parse(entry["position"])
    assert BEST[entry["kind"]](position) == entry["best"]
    assert 0 < len(entry["best"]) < len(position.moves)


@pytest.mark.parametrize("spec", ["flat:playouts=900", "uct:simulations=1000"])
@pytest.mark.parametrize("entry", SMALL, ids=names(SMALL))
def test_monte_carlo_solves_every_small_position(spec, entry):
    assert choice(spec, entry) in entry["best"]


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["uct:simulations=20000", "alphabeta:time=1"])
@pytest.mark.parametrize("entry", SUITE, ids=names(SUITE))
def test_the_strong_ones_solve_every_position(spec, entry):
    assert choice(spec, entry) in entry["best"]
