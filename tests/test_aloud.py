"""Searches think aloud: who listens changes nothing, learns how far they are, and can end them."""

import numpy as np
import pytest

import noughts
from noughts.agents import Agent
from noughts.aloud import SoFar, Stopped, is_heard, listening, tell
from noughts.games.game import Position
from noughts.knowledge.tables import _KEPT

# Each has a budget that is counted, so that two runs must agree; those by the clock come below.
COUNTED = (
    ("3x3", "uct:simulations=120", "simulations"),
    ("3x3:flip=0.1", "uct:simulations=120", "simulations"),
    ("ultimate", "uct:simulations=120,threads=2", "simulations"),
    ("3x3", "flat:playouts=40", "random games"),
    ("3x3:flip=0.1", "flat:playouts=40", "random games"),
    ("3x3", "alphabeta:depth=3", "moves deep"),
    ("3x3:flip=0.1", "alphabeta:depth=2", "moves deep"),
    ("ultimate", "zero:simulations=100", "simulations"),
)


@pytest.mark.parametrize(("game", "spec", "unit"), COUNTED)
def test_who_listens_changes_nothing(game: str, spec: str, unit: str) -> None:
    position = noughts.game(game).start()
    alone = _thinks(noughts.agent(spec), position)
    heard: list[SoFar] = []
    with listening(heard.append):
        overheard = _thinks(noughts.agent(spec), position)
    assert overheard == alone
    counted = [one for one in heard if one.unit == unit]
    assert counted
    assert all(one.done > 0 for one in counted)
    assert not is_heard()


def _thinks(agent: Agent, position: Position) -> object:
    move = agent.choose(position, np.random.default_rng(7))
    agent.reset()
    return move, agent.values(position)


@pytest.mark.parametrize("spec", ["uct:simulations=400", "alphabeta:depth=3"])
def test_values_so_far_end_as_the_values(spec: str) -> None:
    position = noughts.game("3x3").start()
    told: list[dict[int, float]] = []

    def hear(so_far: SoFar) -> None:
        if so_far.estimates is not None:
            told.append(dict(so_far.estimates()[0]))

    with listening(hear):
        found = noughts.agent(spec).values(position)
    assert len(told) > 1
    assert told[-1] == found


# Left alone, each would think for hours: that it ends at all shows that it was heard.
ENDLESS = (
    ("3x3:fade=0.1", "uct:simulations=1000000000"),
    ("ultimate", "uct:time=86400,threads=2"),
    ("7x7:k=5", "alphabeta:time=86400"),
    ("4x4:flip=0.1", "alphabeta:time=86400"),
    ("7x7:k=5", "flat:playouts=1000000000,lookahead=0"),
    ("ultimate", "zero:time=86400"),
)


@pytest.mark.parametrize("asks", ["choose", "values"])
@pytest.mark.parametrize(("game", "spec"), ENDLESS)
def test_whoever_thinks_for_hours_is_ended_by_a_word(game: str, spec: str, asks: str) -> None:
    agent, position = noughts.agent(spec), noughts.game(game).start()
    words = 0

    def hear(_: SoFar) -> None:
        nonlocal words
        words += 1
        if words >= 3:
            raise Stopped

    ask = {"choose": lambda: agent.choose(position, np.random.default_rng(1)),
           "values": lambda: agent.values(position)}  # fmt: skip
    with listening(hear), pytest.raises(Stopped):
        ask[asks]()
    assert not is_heard()


def test_a_solve_that_nobody_wants_any_more_ends_and_leaves_nothing() -> None:
    game = noughts.game("3x3:flip=0.3141")  # of which nobody else has a table

    def refuse(_: SoFar) -> None:
        raise Stopped

    with listening(refuse), pytest.raises(Stopped):
        noughts.agent("optimal").values(game.start())
    assert _KEPT.find(game) is None
    assert len(noughts.agent("optimal").values(game.start())) == 9


def test_nobody_hears_what_is_told_to_nobody() -> None:
    tell(1, 2, "words")
    heard: list[SoFar] = []
    with listening(heard.append):
        tell(1, 2, "words")
        with listening(lambda _: None):
            tell(3)
    assert heard == [SoFar(1, 2, "words")]


def test_a_tree_says_how_it_expects_the_game_to_go_on() -> None:
    agent, position = noughts.agent("uct:simulations=300"), noughts.game("3x3").start()
    found = agent.values(position)
    assert agent.expected[0] == max(found, key=lambda move: found[move])
    assert len(agent.expected) > 1
    for move in agent.expected:
        position = position.play(move)
    risky = noughts.agent("uct:simulations=300")
    risky.values(noughts.game("3x3:flip=0.1").start())
    assert len(risky.expected) == 1  # what follows hangs on how it lands
