"""Teach the network `noughts` to play Ultimate, from nothing but its own games.

    generation g:   one core plays games with the network of generation g;
                    the other trains on all games up to generation g - 1;
                    whoever is done first helps to play.

Every game draws from its own stream and every batch from the number of its step, so the outcome
does not depend on which core was faster: a seed and a number of games give the same network again.
The learning rate falls by a cosine over `horizon` games.
"""

import math
import threading
from collections import deque
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError
from noughts.kernels.rng import seeded
from noughts.kernels.zero.duel import Openings, duels
from noughts.kernels.zero.folded import FoldedNet
from noughts.kernels.zero.mini_boards import DRAW, STATE, WIN
from noughts.kernels.zero.puct import Budget
from noughts.kernels.zero.selfplay import PlaySettings, Samples
from noughts.learn.frame.learner import Arrays
from noughts.learn.frame.trainer import Descent, Trainer
from noughts.learn.zero.folded.configurations import board_tables
from noughts.learn.zero.folded.lessons import Positions, loss
from noughts.learn.zero.folded.network import Sizes, fold, grow, new_weights, shapes, sizes_of
from noughts.learn.zero.folded.player import FoldedPlayer
from noughts.learn.zero.folded.puct_tree import (
    SELF_PLAY_NODES,
    new_samples,
    new_scratch,
    new_tree,
    self_play,
)

BLOCK = 20  # games that a thread plays before it takes the next ones
LOWEST_RATE = 0.02  # of the first learning rate, where the cosine ends
WARM_STEPS = 200
DECAY, LONGEST_SLOPE = 1e-4, 1.0
MEAN = 0.998  # the weights that play are a mean over some 500 steps
EXPLORATION, URGENCY = 1.2, 0.3
GATE_PAIRS, GATE_VISITS, GATE_PLIES = 50, 100, 4


@dataclass(frozen=True)
class Settings:
    """What can be set; the defaults made the network that is shipped."""

    simulations: int = 200
    rate: float = 2e-3
    batch: int = 1024
    samples: float = 12.0  # how often a position is trained on
    memory: int = 1_500_000
    round: int = 2000  # games of a generation
    horizon: int = 220_000  # games over which the learning rate falls
    gates: int = 22  # snapshots over the horizon, each against the best before
    hidden: int = Sizes().hidden
    code: int = Sizes().code  # units that describe a mini board

    @property
    def play(self) -> PlaySettings:
        return PlaySettings(
            visits=self.simulations,
            fresh=self.simulations // 2,
            exploration=EXPLORATION,
            urgency=URGENCY,
            noise=0.25,
            noise_alpha=0.8,
            warm_plies=12,
            opening_plies=4,
            result_weight=0.5,
        )


class UltimateLearner:
    """The network, its optimiser, its memory, and how far it is."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self.settings, self.seed = settings, seed
        self.games = self.steps = 0
        self.sizes = Sizes(settings.hidden, settings.code)
        descent = Descent(settings.rate, DECAY, LONGEST_SLOPE, MEAN)
        self.trainer = Trainer(loss, descent, new_weights(seed, self.sizes))
        self.memory = Positions(settings.memory)
        self.snapshots: list[NDArray[np.float32]] = []
        self.snapshot_games: list[int] = []
        self.best = -1  # the snapshot that no later one has beaten
        self._net: FoldedNet | None = None

    @property
    def net(self) -> FoldedNet:
        """The network that plays now."""
        if self._net is None:
            self._net = fold(self.trainer.mean)
        return self._net

    def learn(self, games: int) -> Mapping[str, float]:
        """Some more generations; the curves of all of them."""
        curves: list[Mapping[str, float]] = []
        while games:
            count = min(games, self.settings.round)
            curves.append(self._generation(count))
            games -= count
        found = {name: float(np.mean([c[name] for c in curves])) for name in curves[0]}
        return {**found, **self._gate()}

    def _generation(self, games: int) -> Mapping[str, float]:
        began = perf_counter()
        net, tables, settings = self.net, board_tables(), self.settings.play
        jobs = deque(range(self.games, self.games + games, BLOCK))
        played: dict[int, tuple[Samples, NDArray[np.int64], int]] = {}
        last = self.games + games

        def work(stop: threading.Event) -> None:
            while jobs and not stop.is_set():
                try:
                    first = jobs.popleft()
                except IndexError:  # the other thread took it
                    return
                count = min(BLOCK, last - first)
                played[first] = self_play(net, tables, settings, self.seed, first, count)

        stop = threading.Event()
        with ThreadPoolExecutor(1) as pool:
            player = pool.submit(work, stop)
            try:
                losses = self.train()
                trained = perf_counter()
                work(stop)
            finally:
                stop.set()
            player.result()
        self.games = last
        parts = [played[first] for first in sorted(played)]
        self.memory.add([samples for samples, _, _ in parts])
        self._net = None
        results = np.concatenate([tally for _, tally, _ in parts])
        seconds = perf_counter() - began
        return {
            "policy loss": losses[0],
            "value loss": losses[1],
            "steps": float(self.steps),
            "rate": self.rate,
            "positions": float(len(self.memory)),
            "positions per game": float(results[:, 0].mean()),
            "drawn": float((results[:, 1] == DRAW).mean()),
            "won by X": float((results[:, 1] == WIN).mean()),
            "evaluations per second": sum(n for _, _, n in parts) / seconds,
            "share of time spent training": (trained - began) / seconds,
        }

    @property
    def rate(self) -> float:
        """The learning rate after so many games."""
        done = min(1.0, self.games / self.settings.horizon)
        cosine = 0.5 * (1.0 + math.cos(math.pi * done))
        warm = min(1.0, (self.steps + 1) / WARM_STEPS)
        return self.settings.rate * warm * (LOWEST_RATE + (1.0 - LOWEST_RATE) * cosine)

    def train(self) -> tuple[float, float]:
        """As many steps as the positions seen so far are due; the mean losses."""
        due = int(self.memory.seen * self.settings.samples / self.settings.batch) - self.steps
        if due <= 0:
            return math.nan, math.nan
        rng = np.random.default_rng([self.seed, 1, self.steps])
        losses = []
        for _ in range(due):
            batch = self.memory.draw(self.settings.batch, rng)
            losses.append(self.trainer.train(batch, self.rate))
            self.steps += 1
        means = np.mean([np.asarray(part) for part in losses], axis=0)
        return float(means[0]), float(means[1])

    def _gate(self) -> Mapping[str, float]:
        """Keep a snapshot now and then, and let it play the best one before."""
        every = max(1, self.settings.horizon // self.settings.gates)
        if self.games // every <= len(self.snapshots):
            return {}
        weights = self.trainer.mean
        score = 1.0
        if self.best >= 0:
            rival = fold(self.snapshot(self.best))
            wins, draws, losses = match(self.net, rival, self.seed + self.games, GATE_PAIRS)
            score = (wins + 0.5 * draws) / (wins + draws + losses)
        self.snapshots.append(np.concatenate([weights[name].ravel() for name in self._names]))
        self.snapshot_games.append(self.games)
        is_best = score > 0.5
        if is_best:
            self.best = len(self.snapshots) - 1
        return {"score against the best before": score, "is best": float(is_best)}

    @property
    def _names(self) -> list[str]:
        return sorted(shapes(self.sizes))

    def snapshot(self, index: int) -> dict[str, NDArray[np.float32]]:
        """The weights that played at a gate."""
        return split_weights(self.snapshots[index], self.sizes)

    def player(self) -> FoldedPlayer:
        """Plays with the network as it is now."""
        return FoldedPlayer(net=self.net)

    def arrays(self) -> Arrays:
        trainer, memory = self.trainer, self.memory.memory
        found: dict[str, Any] = {f"weights/{name}": a for name, a in trainer.weights.items()}
        found |= {f"mean/{name}": array for name, array in trainer.mean.items()}
        found |= {f"optimiser/{i:03}": leaf for i, leaf in enumerate(trainer.leaves)}
        kept = memory.in_order() or new_samples(0)._asdict()
        found |= {f"memory/{key}": array for key, array in kept.items()}
        width = sum(math.prod(shape) for shape in shapes(self.sizes).values())
        found["snapshots"] = np.array(self.snapshots, np.float32).reshape(-1, width)
        found["snapshot_games"] = np.array(self.snapshot_games, np.int64)
        counters = [self.seed, self.games, self.steps, self.memory.seen, self.best]
        found["counters"] = np.array(counters, np.int64)
        return found

    def start_from(self, earlier: "UltimateLearner") -> None:
        """Take over what an earlier run knows and remembers; new units begin beside its own."""
        if any(new < old for new, old in zip(self.sizes, earlier.sizes, strict=True)):
            raise NoughtsError(
                f"A network with {_widths(self.sizes)} cannot start from one with "
                f"{_widths(earlier.sizes)}: it may have more, not fewer."
            )
        self.memory.seen = earlier.memory.seen
        self.memory.memory.restore(earlier.memory.memory.in_order())
        before = earlier.trainer
        weights, mean = (grow(a, self.seed, self.sizes) for a in (before.weights, before.mean))
        self.trainer.restore(weights, before.leaves if self.sizes == earlier.sizes else (), mean)
        # As many steps as were due there, so that only new positions ask for new steps.
        self.steps = int(self.memory.seen * self.settings.samples / self.settings.batch)

    def restore(self, arrays: Arrays) -> None:
        """Take up what `arrays` wrote."""
        counters = [int(n) for n in arrays["counters"]]
        self.seed, self.games, self.steps, self.memory.seen, self.best = counters
        weights, mean = _under("weights/", arrays), _under("mean/", arrays)
        leaves = [arrays[key] for key in sorted(arrays) if key.startswith("optimiser/")]
        self.trainer.restore(weights, leaves, mean)
        self.sizes = sizes_of(weights)
        self.memory.memory.restore({key: arrays[f"memory/{key}"] for key in Samples._fields})
        self.snapshots = list(arrays["snapshots"])
        self.snapshot_games = [int(n) for n in arrays["snapshot_games"]]
        self._net = None


def _under(prefix: str, arrays: Arrays) -> dict[str, NDArray[Any]]:
    return {key.removeprefix(prefix): a for key, a in arrays.items() if key.startswith(prefix)}


def _widths(sizes: Sizes) -> str:
    return f"hidden={sizes.hidden} and code={sizes.code}"


def split_weights(vector: NDArray[np.float32], sizes: Sizes) -> dict[str, NDArray[np.float32]]:
    """A snapshot as arrays by name."""
    found, first = {}, 0
    for name, shape in sorted(shapes(sizes).items()):
        last = first + math.prod(shape)
        found[name] = vector[first:last].reshape(shape)
        first = last
    return found


def match(
    net: FoldedNet, rival: FoldedNet, seed: int, pairs: int, visits: int = GATE_VISITS
) -> tuple[int, int, int]:
    """Wins, draws and losses of one network against another over paired random openings."""
    tally = np.zeros(4, np.int64)
    streams = np.stack([seeded(seed, i) for i in range(pairs)])
    budget = Budget(EXPLORATION, URGENCY, visits, visits)
    openings = Openings(GATE_PLIES, np.zeros(STATE, np.int32), streams)
    tree, scratch = new_tree(SELF_PLAY_NODES), new_scratch(net)
    duels(tree, net, rival, board_tables(), budget, openings, scratch, tally)
    return int(tally[1]), int(tally[2]), int(tally[3])
