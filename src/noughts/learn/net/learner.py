"""Q-learning with a small network: R1's 64 ReLU units by default, `hidden=64/64` for others.

    Q(s, a) → Σ over landings of chance · (r ± max over a' of Q'(s', a'))

Many games are played in step, so that one evaluation of the network serves them all. What happened
goes into a memory, and every move of all games is followed by training on a batch drawn from it.
Q' is the network as it was some steps ago. Training takes JAX and optax; playing takes NumPy.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent
from noughts.agents import agent as read_agent
from noughts.errors import NoughtsError
from noughts.games.game import Game
from noughts.learn.frame.features import KINDS, Encoder, check_family
from noughts.learn.frame.learner import SELF, Arrays, Learner
from noughts.learn.frame.memory import Memory
from noughts.learn.frame.trainer import Descent, Trainer
from noughts.learn.net.games import Batch
from noughts.learn.net.lessons import draw_lesson, loss, transitions
from noughts.learn.net.network import Parameters, forward, initial
from noughts.learn.net.player import QNetPlayer, best_moves
from noughts.options import choice, number, vector, whole

if TYPE_CHECKING:
    from noughts.kernels.learn.features_batch import Landed

LONGEST = 1000  # turns; a game in which marks keep fading or fizzling is then left as a draw
FIELDS = ("before", "move", "after", "chance", "reward", "over")  # of what is remembered
LARGEST = 1 << 24  # outputs and weights of a network


@dataclass(eq=False)
class QNet(Learner):
    """A small network's value of each move, by Q-learning."""

    name = "q-net"
    hidden: tuple[float, ...] = vector((64.0,), 1.0, 4096.0, "Units of each hidden layer.")
    features: str = choice("cells", KINDS, "The inputs: as R1 wrote them, marks, lines.")
    symmetric: str = choice("no", ("no", "yes"), "Is every lesson shown in a random orientation.")
    lookahead: str = choice(
        "expect", ("sample", "expect"), "Targets take one landing, or weigh all (self-play only)."
    )
    rate: float = number(0.001, 1e-9, 1.0, "Adam's learning rate.")
    batch: int = whole(256, 1, 65536, "Moves in a lesson.")
    parallel: int = whole(64, 1, 4096, "Games that are played in step.")
    memory: int = whole(50_000, 1, 10_000_000, "Moves that are remembered.")
    refresh: int = whole(200, 1, 10**9, "Lessons after which the target network is renewed.")
    epsilon: float = number(1.0, 0.0, 1.0, "Share of random moves in the first game.")
    epsilon_decay: float = number(0.9998, 0.0, 1.0, "Its factor from game to game.")
    epsilon_floor: float = number(0.1, 0.0, 1.0, "What it never falls below.")
    seat: str = choice("both", ("both", "x", "o"), "The learner's seat against an opponent.")

    @property
    def sizes(self) -> tuple[int, ...]:
        """The units of each hidden layer."""
        return tuple(int(size) for size in self.hidden)

    def check_game(self, game: Game) -> None:
        check_family(game, self.name)
        if any(size != int(size) for size in self.hidden):
            raise NoughtsError("hidden takes whole numbers of units, such as hidden=64/64.")
        batch = Batch(Encoder(game, self.features))
        if max(batch.moves, batch.encoder.size) * max(self.sizes) > LARGEST:
            raise NoughtsError(f"{game} has {batch.moves:,} moves: too many for {self}.")

    def begin(self, game: Game, opponent: str, seed: int) -> None:
        from noughts.kernels.rng import seeded

        self._prepare(game, opponent)
        if self.opponent is not None:  # to restore and play on, nobody needs to be there
            self.opponent.check_game(game)
        inputs, outputs = self.games.encoder.size, self.games.moves
        drawn = np.random.default_rng([seed, 0])
        self.parameters: Parameters = initial(inputs, self.sizes, outputs, drawn)
        self.target: Parameters = self.parameters
        self.trainer = Trainer(loss, Descent(self.rate), self.parameters)
        self.rng, self.seed = seeded(seed), seed
        self.played = self.finished = self.lessons = 0
        self.rows = np.tile(self.games.start, (self.parallel, 1))
        self.ages = np.zeros(self.parallel, np.int64)
        self._let_opponent_begin(np.arange(self.parallel))

    def _prepare(self, game: Game, opponent: str) -> None:
        self.check_game(game)
        self.game = game
        self.opponent = None if opponent == SELF else read_agent(opponent)
        self.games = Batch(Encoder(game, self.features))
        weighs_all = self.lookahead == "expect" and game.is_risky and self.opponent is None
        self.landings = self.games.outcomes if weighs_all else 1
        self.remembered = Memory(self.memory)

    @property
    def seats(self) -> NDArray[np.int64]:
        """The learner's seat in each of the games that go on in step."""
        if self.seat == "both":
            return 1 + np.arange(self.parallel) % 2
        return np.full(self.parallel, 1 if self.seat == "x" else 2)

    def learn(self, games: int) -> Mapping[str, float]:
        if self.rows.shape[1] != self.games.width:
            raise NoughtsError(
                f"This run of {self} remembers games in an older form: it can be played and "
                "graded, not gone on with."
            )
        self.trainer.load()
        self.played += games
        results, losses = np.zeros(3), []
        while self.finished < self.played:
            results += self._play_one_move()
            if len(self.remembered) >= min(self.batch, self.memory):
                losses.append(self._train())
        x, o, draws = (results / max(results.sum(), 1.0)).tolist()
        return {"x": x, "o": o, "draw": draws, "error": float(np.mean(losses)) if losses else 0.0}

    def _train(self) -> float:
        drawn = np.random.default_rng([self.seed, 1, self.lessons])
        is_turned = self.symmetric == "yes"
        lesson = draw_lesson(self.remembered, self.games, self.batch, is_turned, drawn)
        found = self.trainer.train((dict(self.target), lesson))
        self.parameters = self.trainer.weights
        self.lessons += 1
        if self.lessons % self.refresh == 0:
            self.target = self.parameters
        if not np.isfinite(found):
            raise NoughtsError(f"The network of {self} has grown beyond all bounds; lower rate.")
        return float(found)

    def _play_one_move(self) -> NDArray[np.float64]:
        """One move of every game, and the opponent's reply; the games that X, O, nobody won."""
        from noughts.kernels.learn.features_batch import explore

        before, allowed = self.rows, self.games.allowed(self.rows)
        q = forward(np, self.parameters, self.games.encode(before))
        moves = best_moves(q, allowed)
        epsilon = max(self.epsilon_floor, self.epsilon * self.epsilon_decay**self.finished)
        explore(allowed, epsilon, self.rng, np.empty_like(moves), moves)
        landed = self.games.land(before, moves, self.landings, self.rng)
        if self.opponent is not None:
            landed = self._with_reply(landed)
        self.remembered.add(transitions(before, moves, landed))
        every = np.arange(self.parallel)
        self.rows = landed.rows[every, landed.drawn]
        self.ages += 1
        is_over = landed.is_over[every, landed.drawn]
        return self._count(is_over, landed.reward[every, landed.drawn], self.games.turns(before))

    def _count(self, is_over: Any, reward: NDArray[np.float32], turns: Any) -> NDArray[np.float64]:
        """Begin anew where a game has ended; how many X, O and nobody won."""
        ended = np.flatnonzero(is_over | (self.ages >= LONGEST))
        for_x = np.where(turns == 1, reward, -reward)[ended] * is_over[ended]
        self.finished += len(ended)
        self.rows[ended], self.ages[ended] = self.games.start, 0
        self._let_opponent_begin(ended)
        return np.array([(for_x > 0).sum(), (for_x < 0).sum(), (for_x == 0).sum()], float)

    def _let_opponent_begin(self, started: NDArray[np.int64]) -> None:
        if self.opponent is None:
            return
        theirs = started[self.seats[started] == 2]
        if len(theirs):
            # A board on which the first move ends the game is nobody's to learn.
            self.rows[theirs] = self._reply(self.rows[theirs], theirs).rows[:, 0]

    def _with_reply(self, landed: "Landed") -> "Landed":
        """The same landings after the opponent's answer, where the game goes on."""
        running = np.flatnonzero(~landed.is_over[:, 0])
        if len(running):
            reply = self._reply(landed.rows[running, 0], running)
            landed.rows[running], landed.is_over[running] = reply.rows, reply.is_over
            landed.reward[running] = -reply.reward
        return landed

    def _reply(self, rows: NDArray[np.int32], which: NDArray[np.int64]) -> "Landed":
        """The opponent's moves in these games."""
        from noughts.kernels.learn.features_batch import random_moves

        assert self.opponent is not None
        moves = np.zeros(len(rows), np.int64)
        now = [self.seed, 2, self.finished, self.lessons]
        if self.opponent.name == "random":
            random_moves(self.games.allowed(rows), self.rng, moves)
        else:
            for i, (row, game) in enumerate(zip(rows, which.tolist(), strict=True)):
                position = self.games.position_of(row)
                drawn = np.random.default_rng([*now, self.ages[game], game])
                self.opponent.reset()
                moves[i] = position.check_move(self.opponent.choose(position, drawn))
        return self.games.land(rows, moves, 1, self.rng)

    def player(self) -> Agent:
        return QNetPlayer(self.games, dict(self.parameters))

    def arrays(self) -> Arrays:
        memory = self.remembered
        end = (memory.first + len(memory)) % self.memory
        return {
            **{f"now_{name}": np.array(array) for name, array in self.parameters.items()},
            **{f"target_{name}": np.array(array) for name, array in self.target.items()},
            **{f"optimiser{i}": leaf for i, leaf in enumerate(self.trainer.leaves)},
            **{f"memory_{key}": a[: len(memory)].copy() for key, a in memory.ring.items()},
            "memory_next": np.array([end], np.int64),
            "rows": self.rows.copy(),
            "ages": self.ages.copy(),
            "rng": self.rng.copy(),
            "counters": np.array([self.seed, self.played, self.finished, self.lessons], np.int64),
        }

    def restore(self, game: Game, opponent: str, arrays: Arrays) -> None:
        self._prepare(game, opponent)
        named = {key: {} for key in ("now", "target")}  # type: dict[str, dict[str, Any]]
        for name, array in arrays.items():
            kind, _, rest = name.partition("_")
            if kind in named:
                named[kind][rest] = array.copy()
        self.parameters, self.target = named["now"], named["target"]
        sizes = tuple(len(self.parameters[f"b{k}"]) for k in range(len(self.sizes)))
        if sizes != self.sizes or len(self.parameters["w0"]) != self.games.encoder.size:
            raise NoughtsError(f"These weights were not learned by {self} on {game}.")
        self.trainer = Trainer(loss, Descent(self.rate), self.parameters)
        n_leaves = sum(name.startswith("optimiser") for name in arrays)
        leaves = [arrays[f"optimiser{i}"] for i in range(n_leaves)]
        self.trainer.restore(self.parameters, leaves)
        if arrays["rows"].shape[1] == self.games.width and "memory_before" in arrays:
            kept = {key: arrays[f"memory_{key}"] for key in FIELDS}
            self.remembered.restore(kept, int(arrays["memory_next"][0]))
        self.rows, self.ages = arrays["rows"].copy(), arrays["ages"].copy()
        self.rng = arrays["rng"].copy()
        self.seed, self.played, self.finished, self.lessons = map(int, arrays["counters"])
