"""The alpha-beta agent: plays the best move that a search finds within its depth and time."""

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from noughts.agents import Agent, check_running
from noughts.games.game import Game, Position
from noughts.options import number, whole

if TYPE_CHECKING:
    import numpy as np

    from noughts.search.deepening import Engine


@dataclass(eq=False, repr=False)
class AlphaBetaAgent(Agent):
    """Iterative deepening to the end of the game or of the time, in every game.

    Games without chance are searched by alpha-beta, those with chance by expectiminimax with Star1
    and Star2, and a game that no kernel plays by plain expectimax over all landings, which is right
    but not deep.

    It wins in as few moves as possible and loses in as many. Without `depth` and `time` it thinks
    for one second at most, and with `depth` alone it is deterministic.
    """

    name = "alphabeta"
    most_seats = 2
    is_deterministic = True
    depth: int | None = whole(
        None, 1, 400, "How many moves it looks ahead; chains of threats go on."
    )
    time: float | None = number(None, 0.001, 86400, "Seconds for a move; 1 when no limit is given.")
    memory: int = whole(64, 1, 16384, "Megabytes of the table of positions.")
    threats: int = whole(8, 0, 100, "How many threats in a row are tried past the depth.")
    _engine: "tuple[Game, Engine] | None" = field(default=None, init=False)

    def engine(self, game: Game) -> "Engine":
        """The engine for a game; it keeps its table until another game comes or `reset`."""
        if self._engine is None or self._engine[0] != game:
            self._engine = (game, self._make_engine(game))
        return self._engine[1]

    def _make_engine(self, game: Game) -> "Engine":
        from noughts.search.engines import make_engine  # numba is only loaded when it runs

        return make_engine(game, self.memory, self.threats)

    def choose(self, position: Position, rng: "np.random.Generator") -> int:
        from noughts.search.deepening import deepen, limits, thinking

        check_running(position)
        engine = self.engine(position.game)
        with thinking(engine) as report:
            answer, reached = deepen(engine, position, *limits(self.depth, self.time))
        note = f"depth {reached}"
        if answer.distance is not None:
            note += f", decided in {answer.distance}"
        self.last = dataclasses.replace(
            report[0], value=answer.value, is_exact=answer.is_proven, note=note
        )
        return position.moves[0] if answer.move is None else answer.move

    def values(self, position: Position) -> dict[int, float]:
        """Every move is searched as deep as the limits allow."""
        from noughts.search.deepening import deepen_values, limits

        if position.result is not None:
            return {}
        engine = self.engine(position.game)
        found, self.values_are_exact = deepen_values(
            engine, position, *limits(self.depth, self.time)
        )
        return found

    def reset(self) -> None:
        super().reset()
        self._engine = None
