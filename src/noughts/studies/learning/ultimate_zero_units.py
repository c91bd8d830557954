"""What `ultimate-zero` measures anew: first moves, rule variants, and a training from nothing."""

import math
from time import perf_counter
from typing import Any

import numpy as np

from noughts.arena.match import match
from noughts.arena.result import MatchResult
from noughts.errors import NoughtsError
from noughts.games.registry import game as read_game
from noughts.games.ultimate import UltimatePosition
from noughts.learn.frame.learner import SELF
from noughts.learn.frame.registry import learner as read_learner
from noughts.learn.zero.folded.files import shipped_net
from noughts.learn.zero.folded.player import FoldedPlayer
from noughts.learn.zero.folded.search_tree import ZeroTree
from noughts.studies.openings.opening_atlas import classes_of

VARIANTS = ("ultimate", "ultimate:won=open", "ultimate:tiebreak=boards")
EXPLORATION = 0.7  # the constant that suits UCT on Ultimate best
OPENING = 4  # random plies before each pair of games
STAGES = 3  # of the small training
ROUNDS = 2  # of a stage
BATCH = 256  # the weights that play are a mean over 500 steps: few games need small ones
VIEWS = 8


def uct_of(simulations: int) -> str:
    """The rival of all matches."""
    return f"uct:simulations={simulations},exploration={EXPLORATION}"


def first_moves(simulations: int, seed: int) -> list[dict[str, Any]]:
    """Every class of first moves: what the network says of it, and what a search does.

    Values are for X. The network alone is asked in all eight views of the board.
    """
    game = read_game("ultimate")
    start = game.start()
    assert isinstance(start, UltimatePosition)
    priors = start_priors(start)
    found = []
    for cells in classes_of(game):
        after = start.play(cells[0])
        player = FoldedPlayer(simulations=simulations, contempt=0.0, net=shipped_net())
        reply = player.choose(after, np.random.default_rng([seed, cells[0]]))
        assert player.last is not None
        found.append(
            {
                "cells": cells,
                "prior": sum(priors[cell] for cell in cells),
                "network": network_value(after),
                "search": player.last.value,
                "reply": reply,
            }
        )
    return found


def network_value(position: UltimatePosition) -> float:
    """For X: the mean of the network's answers in all views."""
    tree = ZeroTree(shipped_net(), 1000)
    values = []
    for view in range(VIEWS):
        tree.begin(position, view)
        tree.run(1, 1.0)
        values.append(tree.value)
    mean = sum(values) / VIEWS
    return mean if position.turn == "X" else -mean


def start_priors(position: UltimatePosition) -> dict[int, float]:
    """The network's chances of each move, the mean of all views."""
    tree = ZeroTree(shipped_net(), 1000)
    priors = dict.fromkeys(position.open_cells, 0.0)
    for view in range(VIEWS):
        tree.begin(position, view)
        tree.run(1, 1.0)
        for record in tree.records():
            priors[record.move] += record.prior / VIEWS
    return priors


def play_variant(game: str, simulations: int, games: int, seed: int) -> dict[str, Any]:
    """The shipped network against UCT with as many simulations, in paired games."""
    zero = f"zero:simulations={simulations}"
    found = match(game, zero, uct_of(simulations), games=games, seed=seed, openings=OPENING)
    return {"tally": _tally(found), "interval": list(found.score_interval)}


def _tally(found: MatchResult) -> list[int]:
    return [found.wins, found.draws, found.losses]


def train_small(games: int, simulations: int, match_games: int, seed: int) -> dict[str, Any]:
    """A training from nothing, rated on its way; why not, if it cannot be done here."""
    count = math.ceil(games / (ROUNDS * STAGES))
    learner = read_learner(f"zero:horizon={games},round={count},batch={BATCH}")
    learner.begin(read_game("ultimate"), SELF, seed)
    stages = [{"games": 0, "seconds": 0.0, "tally": _rate(learner, simulations, match_games, seed)}]
    done, seconds = 0, 0.0
    try:
        for stage in range(1, STAGES + 1):
            goal = games * stage // STAGES
            began = perf_counter()
            curves = learner.learn(goal - done)
            seconds += perf_counter() - began
            done = goal
            kept = {
                "policy_loss": curves["policy loss"],
                "value_loss": curves["value loss"],
                "score": curves.get("score against the best before") if stage > 1 else None,
                "is_best": curves.get("is best"),
            }
            finite = {
                k: None if v is None or not math.isfinite(v) else float(v) for k, v in kept.items()
            }
            tally = _rate(learner, simulations, match_games, seed)
            stages.append({"games": done, "seconds": seconds, "tally": tally, **finite})
    except NoughtsError as error:
        return {"cannot": str(error)}
    return {"stages": stages}


def _rate(learner: Any, simulations: int, games: int, seed: int) -> list[int]:
    """The learner's player against UCT with as many simulations."""
    player = FoldedPlayer(simulations=simulations, net=learner.folded_net)
    return _tally(
        match("ultimate", player, uct_of(simulations), games=games, seed=seed, openings=OPENING)
    )
