"""Learned players as agents: `table:run=runs/table-1`, or `learner:run=…` for any of them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from noughts.agents import Agent, check_running
from noughts.errors import NoughtsError
from noughts.games.game import Game, Position
from noughts.learn.frame.runs import digest_of, load_learner
from noughts.options import text


@dataclass(eq=False, repr=False)
class LearnedAgent(Agent):
    """Plays greedily what a run of `noughts train` has learned."""

    name = kernels = "learner"
    run: str | None = text(None, "The folder of a run of 'noughts train', or one checkpoint.")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._found: tuple[Agent, Game] | None = None

    def _load(self) -> tuple[Agent, Game]:
        """The player and the game it learned; read once."""
        if self._found is None:
            self._found = self._read()
        return self._found

    def _read(self) -> tuple[Agent, Game]:
        if self.run is None:
            word = "LEARNER" if self.name == "learner" else self.name
            raise NoughtsError(
                f"{self.name} plays what it has learned: train one with "
                f"'noughts train GAME {word} --games N', then name it {self.name}:run=FOLDER."
            )
        learner = load_learner(self.run, None if self.name == "learner" else self.name)
        return learner.player(), learner.game

    def learned(self) -> str | None:
        return None if self.run is None else digest_of(self.run)

    @property
    def is_deterministic(self) -> bool:
        return self._load()[0].is_deterministic

    def check_game(self, game: Game) -> None:
        learned = self._load()[1]
        if learned != game:
            raise NoughtsError(f"{self} has learned {learned}, and cannot play {game}.")

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        check_running(position)
        self.check_game(position.game)
        player = self._load()[0]
        move = player.choose(position, rng)
        self.last = player.last
        return move

    def values(self, position: Position) -> dict[int, float]:
        self.check_game(position.game)
        return self._load()[0].values(position)

    def reset(self) -> None:
        super().reset()
        if self._found is not None:
            self._found[0].reset()

    @property
    def choices(self) -> Any:
        """The player's own answers about many boards at once, where it has them; else None."""
        return getattr(self._load()[0], "choices", None)


class TdTableAgent(LearnedAgent):
    name = "td-table"


class QTableAgent(LearnedAgent):
    name = "q-table"
    most_seats = 2


class TdQuadraticAgent(LearnedAgent):
    name = "td-quadratic"
    most_seats = 2


class QQuadraticAgent(LearnedAgent):
    name = "q-quadratic"
    most_seats = 2


class QNetAgent(LearnedAgent):
    name = "q-net"
    most_seats = 2
