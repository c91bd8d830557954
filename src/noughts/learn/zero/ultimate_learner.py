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
from noughts.kernels.zero.boards import DRAW, STATE, WIN
from noughts.kernels.zero.duel import duels
from noughts.kernels.zero.folded import FoldedNet
from noughts.kernels.zero.selfplay import PlaySettings, Samples, fill_batch
from noughts.learn.learner import Arrays
from noughts.learn.zero.configurations import augmentation, board_tables
from noughts.learn.zero.folded_network import Sizes, fold, grow, new_weights, shapes, sizes_of
from noughts.learn.zero.folded_player import FoldedPlayer
from noughts.learn.zero.memory import Memory
from noughts.learn.zero.puct_tree import SELF_PLAY_NODES, new_scratch, new_tree, self_play
from noughts.learn.zero.step import Step, each_once, flatten, make_step, optimiser, unflatten

BLOCK = 20  # games that a thread plays before it takes the next ones
LOWEST_RATE = 0.02  # of the first learning rate, where the cosine ends
WARM_STEPS = 200
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
        self.weights: Any = new_weights(seed, self.sizes)
        self.mean: Any = new_weights(seed, self.sizes)
        self.optimiser: Any = None  # made at the first step, so that playing needs no JAX
        self.memory = Memory(settings.memory)
        self.snapshots: list[NDArray[np.float32]] = []
        self.snapshot_games: list[int] = []
        self.best = -1  # the snapshot that no later one has beaten
        self._step: Step | None = None
        self._leaves: list[Any] = []  # of the optimiser, as they were restored
        self._net: FoldedNet | None = None

    @property
    def net(self) -> FoldedNet:
        """The network that plays now."""
        if self._net is None:
            self._net = fold(self.playing_weights)
        return self._net

    @property
    def playing_weights(self) -> dict[str, NDArray[np.float32]]:
        return {name: np.asarray(array) for name, array in self.mean.items()}

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
            "positions": float(self.memory.size),
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
        step = self._ready_step()
        rng = np.random.default_rng([self.seed, 1, self.steps])
        batch, symmetries, losses = self.settings.batch, augmentation(), []
        for _ in range(due):
            rows = rng.integers(self.memory.size, size=batch)
            turns = rng.integers(8, size=batch)
            # New arrays each time: JAX reads them in place while it is still at work.
            arrays = (
                np.empty((batch, 9), np.int32),
                np.empty(batch, np.int32),
                np.empty((batch, 81), np.bool_),
                np.empty((batch, 81), np.float32),
                np.empty((batch, 3), np.float32),
            )
            fill_batch(self.memory.samples, symmetries, rows, turns, *arrays)
            seen, arrays[0][:] = each_once(arrays[0])
            self.weights, self.mean, self.optimiser, parts = step(
                self.weights, self.mean, self.optimiser, np.float32(self.rate), (seen, *arrays)
            )
            losses.append(parts)
            self.steps += 1
        means = np.mean([np.asarray(part) for part in losses], axis=0)
        return float(means[0]), float(means[1])

    def _ready_step(self) -> Step:
        if self._step is None:
            self._step = make_step()
            fresh = optimiser().init(self.weights)
            self.optimiser = unflatten(self.weights, self._leaves) if self._leaves else fresh
        return self._step

    def _gate(self) -> Mapping[str, float]:
        """Keep a snapshot now and then, and let it play the best one before."""
        every = max(1, self.settings.horizon // self.settings.gates)
        if self.games // every <= len(self.snapshots):
            return {}
        weights = self.playing_weights
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

    @property
    def optimiser_leaves(self) -> list[Any]:
        return self._leaves if self.optimiser is None else flatten(self.optimiser)

    def player(self) -> FoldedPlayer:
        """Plays with the network as it is now."""
        return FoldedPlayer(net=self.net)

    def arrays(self) -> Arrays:
        found = {f"weights/{name}": np.asarray(array) for name, array in self.weights.items()}
        found |= {f"mean/{name}": np.asarray(array) for name, array in self.mean.items()}
        found |= {f"optimiser/{i:03}": leaf for i, leaf in enumerate(self.optimiser_leaves)}
        found |= {f"memory/{key}": a for key, a in self.memory.samples._asdict().items()}
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
        self.memory.seen, self.memory.samples = earlier.memory.seen, earlier.memory.samples
        self.weights = grow(earlier.weights, self.seed, self.sizes)
        self.mean = grow(earlier.mean, self.seed, self.sizes)
        if self.sizes == earlier.sizes:
            self._leaves = [np.array(leaf) for leaf in earlier.optimiser_leaves]
        # As many steps as were due there, so that only new positions ask for new steps.
        self.steps = int(self.memory.seen * self.settings.samples / self.settings.batch)

    def restore(self, arrays: Arrays) -> None:
        """Take up what `arrays` wrote."""
        counters = [int(n) for n in arrays["counters"]]
        self.seed, self.games, self.steps, self.memory.seen, self.best = counters
        self.weights = _under("weights/", arrays)
        self.mean = _under("mean/", arrays)
        self.sizes = sizes_of(self.weights)
        self._leaves = [arrays[key] for key in sorted(arrays) if key.startswith("optimiser/")]
        self.optimiser, self._step = None, None
        self.memory.samples = Samples._make(arrays[f"memory/{key}"] for key in Samples._fields)
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
    state, start = np.zeros(STATE, np.int32), np.zeros(STATE, np.int32)
    duels(
        new_tree(SELF_PLAY_NODES), net, rival, board_tables(), visits, EXPLORATION, URGENCY,
        GATE_PLIES, state, start, new_scratch(net), streams, tally,
    )  # fmt: skip
    return int(tally[1]), int(tally[2]), int(tally[3])
