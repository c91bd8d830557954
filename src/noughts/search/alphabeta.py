"""The alpha-beta agent: plays the best move that a search finds within its depth and time."""

import dataclasses
import math
from dataclasses import dataclass, field

import numpy as np

from noughts.agents import Agent, check_running
from noughts.effort import DECISION, is_soon_decided
from noughts.games.game import Game, Mark, Position
from noughts.options import number, whole
from noughts.search.engines.deepening import Engine, deepen, deepen_values, limits, thinking


@dataclass(eq=False, repr=False)
class AlphaBetaAgent(Agent):
    """Iterative deepening to the end of the game or of the time, in every game.

    Games without chance are searched by alpha-beta, those with chance by expectiminimax with Star1
    and Star2, and a game that no kernel plays by plain expectimax over all landings, which is right
    but not deep.

    With more than two players it expects all others to stand together against it (the *paranoid*
    search), so that its value is what it can be sure of; at the depth limit a game counts as drawn.

    It wins in as few moves as possible and loses in as many. Without `depth` and `time` it thinks
    for one second at most, and with `depth` alone it is deterministic.
    """

    name = kernels = "alphabeta"
    is_deterministic = True
    depth: int | None = whole(
        None, 1, 400, "How many moves it looks ahead; chains of threats go on."
    )
    time: float | None = number(None, 0.001, 86400, "Seconds for a move; 1 when no limit is given.")
    memory: int = whole(64, 1, 16384, "Megabytes of the table of positions.")
    threats: int = whole(8, 0, 100, "How many threats in a row are tried past the depth.")
    _engine: tuple[Game, Mark, Engine] | None = field(default=None, init=False)

    def interpreted_seconds(self, game: Game) -> float:
        is_quick = is_soon_decided(game) and not game.is_risky and game.seats == 2
        return DECISION if is_quick else math.inf

    def engine(self, game: Game, turn: Mark | None = None) -> Engine:
        """The engine for a game, of more than two for a seat; it keeps its table until `reset`."""
        seat: Mark = "X" if game.seats == 2 or turn is None else turn
        if self._engine is None or self._engine[:2] != (game, seat):
            self._engine = (game, seat, self._make_engine(game, seat))
        return self._engine[2]

    def _make_engine(self, game: Game, seat: Mark) -> Engine:
        from noughts.search.engines.choice import make_engine  # numba is only loaded when it runs

        return make_engine(game, self.memory, self.threats, seat)

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        check_running(position)
        engine = self.engine(position.game, position.turn)
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
        if position.result is not None:
            return {}
        engine = self.engine(position.game, position.turn)
        found, self.values_are_exact = deepen_values(
            engine, position, *limits(self.depth, self.time)
        )
        return found

    def reset(self) -> None:
        super().reset()
        self._engine = None
