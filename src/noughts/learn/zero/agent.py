"""`zero`: a search that a network guides, and that taught the network.

On Ultimate the network `noughts` is read inside the search (`folded_player.py`). Rule variants of
Ultimate are played with the same network, which has only seen closed mini boards and drawn games.
Other games, and `network=r5`, have networks that are read in batches (`batched_player.py`).
Without `run` the network that comes with the package plays.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from noughts.agents import Agent
from noughts.errors import NoughtsError
from noughts.games.game import Game, Position
from noughts.learn.frame.checkpoint import checkpoints_in
from noughts.learn.frame.runs import digest_of, load_learner
from noughts.learn.zero.batched.networks import (
    has_mini_boards,
    load_shipped,
    network_for,
    shipped_place,
)
from noughts.learn.zero.learner import ZeroLearner
from noughts.options import choice, number, text, whole

FOLDED = "noughts"


def comes_folded(game: Game) -> bool:
    """Whether a network that is read inside the search comes with the package for this game."""
    return shipped_place(game, f"-{FOLDED}").is_file()


def learner_of(run: Path) -> ZeroLearner:
    """The learner of a run, or of one checkpoint; read again only when the file has changed."""
    found = checkpoints_in(run) if run.is_dir() else []
    file = found[-1][1] if found else run
    return _read_learner(file, file.stat().st_mtime if file.is_file() else 0.0)


@lru_cache(maxsize=2)  # a match asks for a player in every game
def _read_learner(file: Path, changed: float) -> ZeroLearner:
    learner = load_learner(file, ZeroAgent.name)
    assert isinstance(learner, ZeroLearner)
    return learner


@dataclass(eq=False, repr=False)
class ZeroAgent(Agent):
    """Searches where its network points, and plays the move it looked at most."""

    name = kernels = "zero"
    most_seats = 2
    simulations: int | None = whole(
        None, 1, 10**7, "Simulations for a move; 600 unless time is given; 1: the policy alone."
    )
    time: float | None = number(None, 0.001, 86_400, "Seconds for a move.")
    run: str | None = text(None, "A run of 'noughts train'; the network in the package, if unset.")
    network: str | None = choice(
        None, (FOLDED, "r5"), "Of Ultimate: noughts (inside the search), or r5 (in batches)."
    )
    exploration: float = number(0.8, 0, 100, "noughts: the weight of priors against values.")
    contempt: float = number(
        0.2, 0, 1, "noughts: how much worse than an even game a draw counts in its search."
    )
    threads: int = whole(1, 1, 8, "noughts: trees grown at once, whose roots are added up.")
    endgame: int = whole(
        0,
        0,
        40,
        "noughts: solve exactly when at most so many cells are free, whatever the clock says.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._player: Agent | None = None
        self._game: Game | None = None  # that the player is for

    def learned(self) -> str | None:
        return None if self.run is None else digest_of(self.run)

    def check_game(self, game: Game) -> None:
        self._player_of(game)

    def reset(self) -> None:
        super().reset()
        if self._player is not None:
            self._player.reset()

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        player = self._player_of(position.game)
        move = player.choose(position, rng)
        self.last = player.last
        return move

    def values(self, position: Position) -> dict[int, float]:
        """What each move is worth for X, by searches of their own."""
        player = self._player_of(position.game)
        found = player.values(position)
        self.values_are_exact, self.spreads = player.values_are_exact, player.spreads
        return found

    def _player_of(self, game: Game) -> Agent:
        if self._player is None or self._game != game:
            self._player = self._find(game)
            self._game = game
        return self._player

    def _find(self, game: Game) -> Agent:
        """The player of a run, or of the network in the package."""
        if self.run is not None:
            return self._of_run(self.run, game)
        if has_mini_boards(game) and self.network != "r5":
            from noughts.learn.zero.folded.files import shipped_net
            from noughts.learn.zero.folded.player import check_plays

            check_plays(game)
            return self._folded(shipped_net())
        if self.network is not None and not has_mini_boards(game):
            raise NoughtsError(f"The network '{self.network}' is for Ultimate, not {game}.")
        return self._shipped_batched(game)

    def _shipped_batched(self, game: Game) -> Agent:
        from noughts.learn.zero.batched.player import BatchedPlayer

        found = load_shipped(game)
        if found is None:
            network_for(game)  # or says why there cannot be one
            kind = ":network=r5" if self.network else ""
            raise NoughtsError(
                f"No network for {game} comes with Noughts; train one with 'noughts train {game} "
                f"zero{kind} --minutes 10', then name it zero:run=FOLDER."
            )
        network, weights = found
        return self._with_budget(BatchedPlayer(game=game, network=network, weights=weights))

    def _of_run(self, run: str, game: Game) -> Agent:
        learner = learner_of(Path(run))
        net = learner.folded_net
        if net is not None:
            from noughts.learn.zero.folded.player import check_plays

            check_plays(game)
            return self._folded(net)
        if learner.game != game:
            raise NoughtsError(f"{self} has learned {learner.game}, and cannot play {game}.")
        return self._with_budget(learner.player())

    def _folded(self, net: Any) -> Agent:
        from noughts.learn.zero.folded.player import FoldedPlayer

        return FoldedPlayer(
            simulations=self.simulations,
            time=self.time,
            exploration=self.exploration,
            contempt=self.contempt,
            threads=self.threads,
            endgame=self.endgame,
            net=net,
        )

    def _with_budget(self, player: Any) -> Agent:
        """The same player, who thinks as long as this agent is to think."""
        from noughts.learn.zero.batched.player import BatchedPlayer

        assert isinstance(player, BatchedPlayer)
        player.simulations, player.time = self.simulations, self.time
        return player
