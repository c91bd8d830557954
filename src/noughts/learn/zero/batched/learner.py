"""Self-play in lockstep, a replay memory, and a network that learns from both: for any game.

    learner = BatchedLearner()
    learner.begin(noughts.game("3x3"), opponent="self", seed=1)
    learner.learn(512)

Again and again: `round` games are played at once by the network as it is; their positions go into
the memory; as many batches are drawn from it, each sample seen by a random symmetry, as make
`samples` visits of every new position. With `gate` above 0 the games are played by the best network
so far: every `gate` games the new one plays `gate_games` against it, half as X, and takes its place
if it wins more than it loses (R5).

Everything is drawn from (seed, number of the game or of the step), so learning goes on exactly from
`arrays()`, and is the same however many processes play, but for the last bits of the network's
values: BLAS adds up in another order with another number of threads.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent
from noughts.errors import NoughtsError
from noughts.games.game import Game
from noughts.learn.frame.learner import SELF, Arrays, Learner
from noughts.learn.frame.memory import Memory
from noughts.learn.frame.trainer import Descent, Trainer
from noughts.learn.zero import ranges
from noughts.learn.zero.batched.lessons import FIELDS, Drawer, PolicyAndValue, read_fields
from noughts.learn.zero.batched.lockstep_settings import PRESETS, SearchSettings
from noughts.learn.zero.batched.networks import Network, Weights, network_for
from noughts.learn.zero.batched.player import BatchedPlayer
from noughts.learn.zero.batched.self_play import PlaySettings, play_games, play_match
from noughts.options import choice, number, whole
from noughts.parallel import in_order

UNIT = 128  # games that are searched in lockstep by one process
VALUE_WEIGHT = 1.0  # of the value's loss beside the policy's
LOG = ("games", "gate_seconds", "gate_score", "gate_draws", "is_best")
COUNTERS = ("seed", "games", "steps", "gated", "seconds")


@dataclass(eq=False, repr=False)
class BatchedLearner(Learner):
    """AlphaZero's way of learning, with batches."""

    name = "zero"
    hands_out = True  # in units of UNIT games, so a round of several units
    search: str = choice("gumbel", ("gumbel", "puct", "r5"), "How self-play searches.")
    simulations: int | None = whole(
        None, *ranges.SIMULATIONS, "Simulations for a move of self-play."
    )
    hidden: int | None = whole(
        None, *ranges.HIDDEN, "Units of a layer; the network's own unless given."
    )
    round: int = whole(128, *ranges.ROUND, "Games between two trainings.")
    samples: float = number(
        12, *ranges.SAMPLES, "How often a position is learned from, on average."
    )
    batch: int = whole(256, *ranges.BATCH, "Positions in a step of training.")
    memory: int = whole(100_000, *ranges.MEMORY, "Positions that are remembered.")
    rate: float = number(0.002, *ranges.RATE, "The learning rate of Adam.")
    decay: float = number(0, *ranges.DECAY, "Weight decay; above 0 Adam becomes AdamW.")
    opening: int = whole(4, *ranges.OPENING, "Random moves that a game begins with, at most.")
    results: float = number(
        0.5, *ranges.RESULTS, "Share of the result in the value that is learned."
    )
    gate: int = whole(
        0, *ranges.GATE, "Games between two matches with the best network; 0 for none."
    )
    gate_games: int = whole(10, *ranges.GATE_GAMES, "Games of such a match.")

    def __post_init__(self) -> None:
        super().__post_init__()
        # A checkpoint holds the whole memory; games with few simulations are over quickly.
        self.chunk_games = self.round * (1 if self.search == "r5" else 4)

    def check_game(self, game: Game) -> None:
        network_for(game)

    def begin(self, game: Game, opponent: str, seed: int) -> None:
        if opponent != SELF:
            raise NoughtsError(f"zero learns by playing itself, not against {opponent}.")
        self.game = game
        self.network: Network = network_for(game, self.hidden)
        self.counters: dict[str, float] = dict.fromkeys(COUNTERS, 0.0) | {"seed": float(seed)}
        self.best: Weights = self.network.initial(seed)
        loss = PolicyAndValue(self.network, VALUE_WEIGHT)
        self.trainer = Trainer(loss, Descent(self.rate, self.decay), self.best)
        self.replay, self.drawer = Memory(self.memory), Drawer(game, self.network)
        self.log: list[dict[str, float]] = []  # of gating matches: R5's table

    @property
    def search_settings(self) -> SearchSettings:
        """The preset, with the number of simulations that was asked for."""
        preset = PRESETS[self.search]
        return replace(preset, simulations=self.simulations or preset.simulations)

    def learn(self, games: int) -> Mapping[str, float]:
        self.trainer.load()
        curves: dict[str, float] = {}
        left = games
        while left > 0:
            count = min(self.round, left)
            began = perf_counter()
            curves |= self._play(count)
            curves |= self._train(curves.pop("positions"))
            self.counters["seconds"] += perf_counter() - began
            if self.gate and self.counters["games"] // self.gate > self.counters["gated"]:
                curves |= self._try_gate()
            left -= count
        return curves

    def _play(self, count: int) -> dict[str, float]:
        first, seed = int(self.counters["games"]), int(self.counters["seed"])
        weights = self.weights()
        play = PlaySettings(opening=self.opening, result_share=self.results)
        calls = [
            {
                "weights": weights,
                "game": str(self.game),
                "seed": seed,
                "first": start,
                "count": min(UNIT, first + count - start),
                "search": asdict(self.search_settings),
                "play": asdict(play),
                "hidden": self.hidden,
            }
            for start in range(first, first + count, UNIT)
        ]
        positions = 0
        total = {"x": 0.0, "draws": 0.0, "o": 0.0, "moves": 0.0, "evaluations": 0.0}
        for samples, facts in in_order(play_games, calls, self.jobs, self.cluster):
            self.replay.add({name: samples[name] for name in FIELDS})
            positions += len(samples["values"])
            total = {name: before + facts[name] for name, before in total.items()}
        self.counters["games"] += count
        return {
            "positions": positions,
            "x_wins": total["x"] / count,
            "draws": total["draws"] / count,
            "moves_per_game": total["moves"] / count,
            "evaluations": total["evaluations"],
        }

    def _train(self, positions: float) -> dict[str, float]:
        steps = max(1, round(positions * self.samples / self.batch))
        losses: list[tuple[Any, Any]] = []
        for _ in range(steps):
            step = int(self.counters["steps"])
            rng = np.random.default_rng([int(self.counters["seed"]), 1, step])
            losses.append(self.trainer.train(self.drawer.draw(self.replay, self.batch, rng)))
            self.counters["steps"] += 1
        means = np.mean(np.array(losses, np.float64), axis=0)
        return {"policy_loss": float(means[0]), "value_loss": float(means[1]), "steps": steps}

    def _try_gate(self) -> dict[str, float]:
        """R5's test: the new network against the best so far."""
        self.counters["gated"] = self.counters["games"] // self.gate
        new = self.trainer.weights
        # No noise, so that the random openings and symmetries are all that differs.
        search = replace(self.search_settings, root="puct", epsilon=0.0, dirichlet=0.0, leaves=1)
        search = replace(search, warm_moves=0, reuse=False)
        won, drawn, lost = play_match(
            (new, self.best),
            str(self.game),
            int(self.counters["seed"]) + int(self.counters["games"]),
            max(1, self.gate_games // 2),
            asdict(search),
            self.opening,
            self.hidden,
        )
        is_best = won > lost
        if is_best:
            self.best = new
        row = {
            "gate_seconds": self.counters["seconds"],
            "gate_score": float(won - lost),
            "gate_draws": float(drawn),
            "is_best": float(is_best),
        }
        self.log.append({"games": self.counters["games"], **row})
        return row

    def weights(self) -> dict[str, NDArray[Any]]:
        """The network that plays: the best one where there is a gate, else the youngest."""
        if self.gate:
            return dict(self.best)
        return self.trainer.weights

    def player(self) -> Agent:
        return BatchedPlayer(game=self.game, network=self.network, weights=self.weights())

    def arrays(self) -> Arrays:
        found: dict[str, NDArray[Any]] = {
            **{f"weights.{name}": array for name, array in self.trainer.weights.items()},
            **{f"adam.{i:03}": leaf for i, leaf in enumerate(self.trainer.leaves)},
        }
        # Seconds are for the gate's log; without one, equal learning gives equal bytes.
        kept = self.counters | ({} if self.gate else {"seconds": 0.0})
        found["counters"] = np.array([kept[name] for name in COUNTERS], np.float64)
        found |= {f"memory.{name}": array for name, array in self.replay.in_order().items()}
        if self.gate:
            found |= {f"best.{name}": array for name, array in self.best.items()}
        if self.log:
            found["log"] = np.array([list(row.values()) for row in self.log])
        return found

    def restore(self, game: Game, opponent: str, arrays: Arrays) -> None:
        values = arrays["counters"]
        self.begin(game, opponent, int(values[0]))
        self.counters = dict(zip(COUNTERS, map(float, values), strict=True))
        kept = {name: np.array(array) for name, array in arrays.items()}
        leaves = [kept[name] for name in sorted(kept) if name.startswith("adam.")]
        self.trainer.restore(_under("weights.", kept), leaves)
        if "memory.values" in arrays:
            self.replay.restore(read_fields(_under("memory.", kept)))
        if self.gate:
            self.best = _under("best.", kept)
        self.log = [dict(zip(LOG, map(float, row), strict=True)) for row in kept.get("log", ())]


def _under(prefix: str, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The arrays whose names begin so, by the rest of their names."""
    return {n.removeprefix(prefix): array for n, array in arrays.items() if n.startswith(prefix)}
