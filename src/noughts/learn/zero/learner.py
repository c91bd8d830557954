"""`noughts train GAME zero`: a network that guides a search and learns from the search's games.

On Ultimate it is the network `noughts`, which is folded into tables and read inside the search
(`ultimate_learner.py`). On other games, and with `network=r5`, networks are read in batches
(`batched.py`). An option that is not given takes the default of the learner that does the work.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from noughts.agents import Agent
from noughts.errors import NoughtsError
from noughts.games.game import Game
from noughts.learn.frame.learner import SELF, Arrays, Learner
from noughts.learn.zero import ranges
from noughts.options import choice, number, options_of, text, whole

FOLDED = "noughts"
FOLDED_CHUNK = 4000  # games between two checkpoints, which hold the whole memory


@dataclass(eq=False, repr=False)
class ZeroLearner(Learner):
    """A network that guides a search and learns from what the search finds."""

    name = "zero"
    hands_out = True
    grading_games = 40

    network: str | None = choice(
        None, (FOLDED, "r5"), "Of Ultimate: noughts (inside the search), or r5 (in batches)."
    )
    simulations: int | None = whole(
        None, *ranges.SIMULATIONS, "Simulations for a move of self-play."
    )
    rate: float | None = number(None, *ranges.RATE, "The learning rate at the beginning.")
    batch: int | None = whole(None, *ranges.BATCH, "Positions in a step of training.")
    samples: float | None = number(None, *ranges.SAMPLES, "How often a position is learned from.")
    memory: int | None = whole(None, *ranges.MEMORY, "Positions that are remembered.")
    round: int | None = whole(None, *ranges.ROUND, "Games between two networks that play.")
    hidden: int | None = whole(None, *ranges.HIDDEN, "Units of a layer.")
    code: int | None = whole(None, 1, 1024, "noughts: units that describe a mini board.")
    horizon: int | None = whole(None, 1, 10**9, "noughts: games over which the rate falls.")
    start: str | None = text(None, "noughts: an earlier run that it goes on from.")
    search: str | None = choice(None, ("gumbel", "puct", "r5"), "Batches: how self-play searches.")
    decay: float | None = number(None, *ranges.DECAY, "Batches: weight decay.")
    opening: int | None = whole(None, *ranges.OPENING, "Batches: random first moves, at most.")
    results: float | None = number(
        None, *ranges.RESULTS, "Batches: the share of the result in a value."
    )
    gate: int | None = whole(None, *ranges.GATE, "Batches: games between matches with the best.")
    gate_games: int | None = whole(None, *ranges.GATE_GAMES, "Batches: games of such a match.")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._inner: Any = None

    def check_game(self, game: Game) -> None:
        from noughts.learn.zero.batched.networks import has_mini_boards
        from noughts.learn.zero.folded.player import learns

        if self._is_folded(game):
            if not learns(game):
                raise NoughtsError(f"The network 'noughts' learns ultimate, not {game}.")
            self.chunk_games = FOLDED_CHUNK
            self._settings()
            self._check_is_alone()
            return
        if self.start is not None:
            raise NoughtsError("'start' is no option of this kind of network.")
        if self.network is not None and not has_mini_boards(game):
            raise NoughtsError(f"The network '{self.network}' is for Ultimate, not {game}.")
        batched = self._batched()
        batched.check_game(game)
        self.chunk_games = batched.chunk_games

    def _is_folded(self, game: Game) -> bool:
        from noughts.learn.zero.folded.player import learns

        if self.network is None:
            return learns(game)
        return self.network == FOLDED

    def _check_is_alone(self) -> None:
        if self.jobs > 1 or self.cluster is not None:
            raise NoughtsError(
                "The network 'noughts' plays in two threads of this process; leave out jobs and "
                "cluster, or train network=r5."
            )

    @property
    def _given(self) -> dict[str, Any]:
        """The options that were set, but for the network and where it starts."""
        keys = {option.key for option in options_of(self)} - {"network", "start"}
        options = {key: getattr(self, key) for key in sorted(keys)}
        return {key: value for key, value in options.items() if value is not None}

    def _allow(self, known: set[str]) -> None:
        for key in self._given:
            if key not in known:
                raise NoughtsError(f"'{key}' is no option of this kind of network.")

    def _settings(self) -> Any:
        from noughts.learn.zero.folded.learner import Settings

        self._allow({field.name for field in dataclasses.fields(Settings)})
        return Settings(**self._given)

    def _batched(self) -> Learner:
        """A new learner of networks that are read in batches."""
        from noughts.learn.zero.batched.learner import BatchedLearner

        self._allow({option.key for option in options_of(BatchedLearner)})
        made = BatchedLearner(**self._given)
        made.jobs, made.cluster = self.jobs, self.cluster
        return made

    def begin(self, game: Game, opponent: str, seed: int) -> None:
        if opponent != SELF:
            raise NoughtsError(f"zero learns from its own games, not from games with {opponent}.")
        self._make(game, opponent, seed)
        if self.start is not None:
            self._inner.start_from(self._earlier(self.start))

    def _make(self, game: Game, opponent: str, seed: int) -> None:
        """A learner that knows nothing yet."""
        self.game = game
        if self._is_folded(game):
            self._check_is_alone()
            from noughts.learn.zero.folded.learner import UltimateLearner

            self._inner = UltimateLearner(self._settings(), seed)
        else:
            self._inner = self._batched()
            self._inner.begin(game, opponent, seed)

    def _earlier(self, run: str) -> Any:
        """The learner of a run that this one goes on from."""
        from noughts.learn.zero.agent import learner_of

        found = learner_of(Path(run)).folded_learner
        if found is None:
            raise NoughtsError(f"{run} holds no network 'noughts' to start from.")
        return found

    def learn(self, games: int) -> Mapping[str, float]:
        return cast("Mapping[str, float]", self._inner.learn(games))

    def player(self) -> Agent:
        return cast("Agent", self._inner.player())

    @property
    def folded_learner(self) -> Any:
        """The learner of the network `noughts`; None for networks that are read in batches."""
        return self._inner if self._is_folded(self.game) else None

    @property
    def folded_net(self) -> Any:
        """The tables of the network `noughts`; None for networks that are read in batches."""
        return None if self.folded_learner is None else self.folded_learner.net

    def arrays(self) -> Arrays:
        return cast("Arrays", self._inner.arrays())

    def restore(self, game: Game, opponent: str, arrays: Arrays) -> None:
        self._make(game, opponent, 0)
        if self._is_folded(game):
            self._inner.restore(arrays)
        else:
            self._inner.restore(game, opponent, arrays)
