"""`table` as an agent: what a run has learned, or the table that learns from you.

table:run=runs/table-1     plays the table of a run
table                      plays your own table of the game, which knows nothing at first
table:learn                the same, and learns from every game of `noughts play`
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from noughts.agents import check_running
from noughts.errors import ParseError
from noughts.games.game import Game, Landing, Mark, Position
from noughts.learn.frame.agent import LearnedAgent
from noughts.options import flag, number

if TYPE_CHECKING:
    from noughts.learn.table.taught.own import OwnTable


@dataclass(eq=False, repr=False)
class TableAgent(LearnedAgent):
    """Plays the move whose resulting board it values highest."""

    name = "table"
    learn: bool = flag("Learn from every game of 'noughts play', and keep it for the next.")
    step: float = number(0.25, 0.0, 1.0, "How far a value moves toward the result, with learn.")
    probe: float = number(0.05, 0.0, 1.0, "The share of probing moves, with learn.")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._own: OwnTable | None = None
        if self.learn and self.run is not None:
            raise ParseError("table takes run=FOLDER, or learn for a table of your own, not both.")

    def _own_table(self, game: Game) -> "OwnTable":
        from noughts.learn.table.learner import check_table_game
        from noughts.learn.table.taught.own import OwnTable

        if self._own is None or self._own.game != game:
            self._own = OwnTable(check_table_game(game))
        return self._own

    @property
    def is_deterministic(self) -> bool:
        return super().is_deterministic if self.run is not None else not self.learn

    def check_game(self, game: Game) -> None:
        if self.run is not None:
            super().check_game(game)
        else:
            self._own_table(game)

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        if self.run is not None:
            return super().choose(position, rng)
        check_running(position)
        if self.learn and rng.random() < self.probe:
            self.last = None
            return position.moves[int(rng.integers(len(position.moves)))]
        player = self._own_table(position.game).player()
        move = player.choose(position, rng)
        self.last = player.last
        return move

    def values(self, position: Position) -> dict[int, float]:
        if self.run is not None:
            return super().values(position)
        return self._own_table(position.game).player().values(position)

    @property
    def choices(self) -> Any:
        return super().choices if self.run is not None else None

    def game_over(
        self, seat: Mark, steps: Sequence[tuple[Position, int, Landing]]
    ) -> Sequence[str]:
        """Learn from a game; one line for every value that changed."""
        if not self.learn or not steps:
            return ()
        self._own = None  # the other seat may have written the file since it was read
        table = self._own_table(steps[0][0].game)
        changes = table.learn(seat, [(move, landing) for _, move, landing in steps], self.step)
        columns = table.game.shape[1]
        games = f"{table.games} game{'' if table.games == 1 else 's'}"
        values = f"{len(changes)} value{'' if len(changes) == 1 else 's'}"
        lines = [f"{self} has learned from {games}; the last one changed {values}:"]
        for change in changes:
            rows = [change.board[i : i + columns] for i in range(0, table.game.cells, columns)]
            lines.append(f"  {'/'.join(rows)}  {change.before:.3f} → {change.after:.3f}")
        return lines
