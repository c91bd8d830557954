"""Alpha-beta agents: plays the best move that a search finds within its depth and time."""

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from noughts.agents import Agent, check_running
from noughts.errors import NoughtsError
from noughts.games.game import Game, Position
from noughts.games.line_game import LineGame
from noughts.options import number, whole

if TYPE_CHECKING:
    import numpy as np

    from noughts.search.deepening import Engine


@dataclass(eq=False, repr=False)
class AlphaBetaAgent(Agent):
    """Iterative deepening to the end of the game or of the time.

    It wins in as few moves as possible and loses in as many. Without `depth` and `time` it thinks
    for one second at most, and with `depth` alone it is deterministic.
    """

    name = "alphabeta"
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
        from noughts.search.line_engine import LineEngine  # numba is only loaded when it runs
        from noughts.search.tables import search_tables

        if isinstance(game, LineGame) and not game.risk.is_risky:
            tables = search_tables(game)._replace(threat_depth=self.threats)
            return LineEngine(game, self.memory, tables)
        raise NoughtsError(f"alphabeta cannot play {game}.")

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
        """One search for each move, with an equal share of the time."""
        from noughts.search.deepening import deepen, limits

        if position.result is not None:
            return {}
        engine = self.engine(position.game)
        depth, seconds = limits(self.depth, self.time)
        if seconds is not None:
            seconds /= len(position.moves)
        found: dict[int, float] = {}
        self.values_are_exact = True
        for move in position.moves:
            after = position.play(move)
            if after.result is not None:
                found[move] = {"X": 1.0, "O": -1.0, "draw": 0.0}[after.result]
                continue
            ahead = None if depth is None else max(depth - 1, 1)
            answer, _ = deepen(engine, after, ahead, seconds)
            found[move] = answer.value
            self.values_are_exact &= answer.is_proven
        return found

    def reset(self) -> None:
        super().reset()
        self._engine = None
