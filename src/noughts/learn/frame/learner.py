"""A learner gets better by playing. This is what it promises to the training loop.

    learner = QuadraticTd(features="lines")     # a dataclass; its options are those of `options.py`
    learner.begin(game, opponent="self", seed=1)
    learner.learn(1000)                         # plays and learns from 1,000 more games
    learner.player().choose(position, rng)      # plays greedily with what is known by now

Everything that decides how learning goes on is in `arrays()`: weights, the optimiser's memory,
counters and random states. A process that restores them goes on bit by bit as the old one would.

A player of a line game may answer about many boards at once, which is how it is graded exactly:

    player.choices(boards, turn)   # boards: int64 [n], numbered as in `kernels/sweep.py`, all
                                   # running; turn: "X" or "O"; the moves (cells), int64 [n]

It must choose as `choose` does, and its `is_deterministic` must be True. Several threads may ask at
once.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from noughts.agents import Agent
from noughts.games.game import Game
from noughts.games.grammar import Spec
from noughts.jobs.train import SELF as SELF  # the opponent that is the learner itself
from noughts.options import check_options, write_options

Arrays = Mapping[str, "np.ndarray"]


class Learner(ABC):
    """Plays games, learns from them, and hands out a player of what it has learned so far."""

    name: ClassVar[str] = ""
    chunk_games: int = 0  # games between two checkpoints; 0 leaves it to the frame
    most_seats: ClassVar[int] = 2  # players of the games that it can learn
    hands_out: ClassVar[bool] = False  # whether other processes can play its games
    jobs: int = 1  # that play, where it hands out games; what is learned does not depend on it
    cluster: str | None = None  # that plays in place of processes; see `parallel`
    grading_games: int = 200  # games of a grading by play; fewer for players that think
    game: Game

    def __post_init__(self) -> None:
        check_options(self)

    def check_game(self, game: Game) -> None:  # noqa: B027 - most learners learn every game
        """Raise NoughtsError, in one sentence, if this learner cannot learn the game."""

    @abstractmethod
    def begin(self, game: Game, opponent: str, seed: int) -> None:
        """Know nothing yet. `opponent` is an agent's spec, or "self"."""

    @abstractmethod
    def learn(self, games: int) -> Mapping[str, float]:
        """Play and learn from this many more games; what is worth a curve, by name."""

    @abstractmethod
    def player(self) -> Agent:
        """An agent that plays greedily what has been learned by now, and learns no more."""

    @abstractmethod
    def arrays(self) -> Arrays:
        """All there is to know in order to go on, as arrays."""

    @abstractmethod
    def restore(self, game: Game, opponent: str, arrays: Arrays) -> None:
        """Go on where `arrays()` were taken."""

    def __str__(self) -> str:
        """The spec: the name and the options that differ from their default."""
        return str(Spec(self.name, write_options(self)))
