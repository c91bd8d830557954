"""TD and Q-learning with a quadratic function of the board.

    v(s) = c + Σ b_i·x_i + Σ M_ij·x_i·x_j         1 + n + n² terms of the inputs x

`td-quadratic` learns the value of a board, and plays the move whose landings are worth most.
`q-quadratic` has such a function for every move and needs no look ahead. Values are for X.

`preset=r1` is the report's: raw inputs, rate 1e-5, random moves from 100% down to 10% by 0.9998 per
game, a landing drawn when looking ahead. `preset=tuned` is what paid: lines as inputs, weights
shared by symmetry, the best expected move as target, steps scaled by the gradient, a falling rate.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
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
from noughts.learn.quadratic.plain import Dice, PlainLoop, Quadratic
from noughts.learn.quadratic.players import QPlayer, TdPlayer
from noughts.learn.quadratic.terms import count_products, make_terms
from noughts.options import choice, number

if TYPE_CHECKING:
    from noughts.kernels.learn.quadratic_td import Course

LONGEST = 10_000  # turns of a game in which marks keep fading or fizzling

PRESETS: dict[str, dict[str, Any]] = {
    "r1": {
        "features": "raw",
        "symmetric": "no",
        "lookahead": "sample",
        "target": "outcome",
        "step": "plain",
        "rate": 1e-5,
        "halving": 0.0,
        "epsilon": 1.0,
        "epsilon_decay": 0.9998,
        "epsilon_floor": 0.1,
    },
    "tuned": {
        "features": "lines",
        "symmetric": "yes",
        "lookahead": "expect",
        "target": "best",
        "step": "scaled",
        "rate": 0.1,
        "halving": 20_000.0,
        "epsilon": 1.0,
        "epsilon_decay": 0.9998,
        "epsilon_floor": 0.1,
    },
}


@dataclass(eq=False)
class QuadraticLearner(Learner):
    """What both learners share: options, weights, the choice of the loop."""

    preset: str = choice("r1", tuple(PRESETS), "What the options that are not set stand for.")
    features: str | None = choice(None, KINDS, "The inputs: as R1 wrote them, marks, lines.")
    symmetric: str | None = choice(None, ("no", "yes"), "Do symmetric terms share a weight.")
    step: str | None = choice(None, ("plain", "scaled"), "Is a step divided by |gradient|².")
    rate: float | None = number(None, 1e-12, 1.0, "The learning rate of the first game.")
    halving: float | None = number(None, 0.0, 1e12, "Games after which the rate halves; 0: never.")
    epsilon: float | None = number(None, 0.0, 1.0, "Share of random moves in the first game.")
    epsilon_decay: float | None = number(None, 0.0, 1.0, "Its factor from game to game.")
    epsilon_floor: float | None = number(None, 0.0, 1.0, "What it never falls below.")
    seat: str = choice("both", ("both", "x", "o"), "The learner's seat against an opponent.")

    def setting(self, key: str) -> Any:
        """An option, or what the preset says where it is not set."""
        value = getattr(self, key, None)
        return PRESETS[self.preset][key] if value is None else value

    @abstractmethod
    def rows(self, game: Game) -> int:
        """How many quadratic functions there are."""

    @property
    @abstractmethod
    def _kernel(self) -> Callable[..., None]: ...

    @abstractmethod
    def _play_plainly(self, loop: PlainLoop, game: int, tally: NDArray[np.float64]) -> None: ...

    def check_game(self, game: Game) -> None:
        check_family(game, self.name)
        count_products(Encoder(game, self.setting("features")), self.rows(game))

    def begin(self, game: Game, opponent: str, seed: int) -> None:
        from noughts.kernels.rng import seeded

        self._prepare(game, opponent)
        if self.opponent is not None:  # to restore and play on, nobody needs to be there
            self.opponent.check_game(game)
        self.rng, self.seed, self.played = seeded(seed), seed, 0

    def _prepare(self, game: Game, opponent: str) -> None:
        self.check_game(game)
        self.game = game
        self.opponent = None if opponent == SELF else read_agent(opponent)
        encoder = Encoder(game, self.setting("features"))
        is_symmetric = self.setting("symmetric") == "yes"
        terms, weights = make_terms(encoder, self.rows(game), is_symmetric)
        self.function = Quadratic(encoder, terms, np.zeros(weights))
        self.course = self._course()

    def _course(self) -> "Course":
        from noughts.kernels.learn.quadratic_td import RANDOM, SELF, Course

        return Course(
            rate=self.setting("rate"),
            scales=self.setting("step") == "scaled",
            halving=self.setting("halving"),
            epsilon=self.setting("epsilon"),
            epsilon_decay=self.setting("epsilon_decay"),
            epsilon_floor=self.setting("epsilon_floor"),
            samples=self.setting("lookahead") == "sample",
            backs_up_best=self.setting("target") == "best",
            opponent=SELF if self.opponent is None else RANDOM,
            seat=("both", "x", "o").index(self.seat),
            longest=LONGEST,
        )

    @property
    def has_kernel(self) -> bool:
        """Whether a kernel plays against this opponent."""
        return self.opponent is None or self.opponent.name == "random"

    def learn(self, games: int) -> Mapping[str, float]:
        tally = np.zeros(6)
        if self.has_kernel:
            self._run_kernel(games, tally)
        else:
            self.learn_plainly(games, tally)
        self.played += games
        if not np.isfinite(self.function.weights).all():
            raise NoughtsError(f"The weights of {self} have grown beyond all bounds; lower rate.")
        x, o, draws, turns, error, updates = tally.tolist()
        return {
            "x": x / games,
            "o": o / games,
            "draw": draws / games,
            "turns": turns / games,
            "error": error / max(updates, 1.0),
        }

    def _run_kernel(self, games: int, tally: NDArray[np.float64]) -> None:
        from noughts.games.compiled import row_of
        from noughts.kernels.learn.quadratic_td import new_desk

        rules, form, inputs = self.game.rules, self.function.form, self.function.encoder.inputs
        desk = new_desk(rules, inputs, row_of(self.game.start()), form.weights.size)
        span = self.played, games
        self._kernel(rules, inputs, form, self.course, desk, span, self.rng, tally)

    def learn_plainly(self, games: int, tally: NDArray[np.float64]) -> None:
        """Learn from so many games by positions; counts them in the tally of the kernels."""
        loop = PlainLoop(self.function, self.course, Dice(self.rng), self.opponent, self.seed)
        for game in range(self.played, self.played + games):
            self._play_plainly(loop, game, tally)

    def arrays(self) -> Arrays:
        return {
            "weights": self.function.weights.copy(),
            "rng": self.rng.copy(),
            "counters": np.array([self.seed, self.played], np.int64),
        }

    def restore(self, game: Game, opponent: str, arrays: Arrays) -> None:
        self._prepare(game, opponent)
        if arrays["weights"].shape != self.function.weights.shape:
            raise NoughtsError(f"These weights were not learned by {self} on {game}.")
        self.function.weights[:] = arrays["weights"]
        self.rng = arrays["rng"].copy()
        self.seed, self.played = (int(n) for n in arrays["counters"])


@dataclass(eq=False)
class TdQuadratic(QuadraticLearner):
    """A quadratic value of the board, by TD(0)."""

    name = "td-quadratic"
    lookahead: str | None = choice(
        None, ("sample", "expect"), "Looking ahead draws one landing, or weighs all of them."
    )
    target: str | None = choice(
        None, ("outcome", "best"), "A value moves to the next one, or to that of the best move."
    )

    def rows(self, game: Game) -> int:
        return 1

    @property
    def _kernel(self) -> Callable[..., None]:
        from noughts.kernels.learn.quadratic_td import td_games

        return td_games

    def _play_plainly(self, loop: PlainLoop, game: int, tally: NDArray[np.float64]) -> None:
        loop.td_game(game, tally)

    def player(self) -> Agent:
        return TdPlayer(self.function.copy(), self.course.samples)


@dataclass(eq=False)
class QQuadratic(QuadraticLearner):
    """A quadratic value for every move, by Q-learning."""

    name = "q-quadratic"

    def rows(self, game: Game) -> int:
        return game.cells * (game.longest_wait + 1)

    @property
    def _kernel(self) -> Callable[..., None]:
        from noughts.kernels.learn.quadratic_q import q_games

        return q_games

    def _play_plainly(self, loop: PlainLoop, game: int, tally: NDArray[np.float64]) -> None:
        loop.q_game(game, tally)

    def player(self) -> Agent:
        return QPlayer(self.function.copy())
