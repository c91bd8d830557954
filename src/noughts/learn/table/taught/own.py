"""The table of a game that learns from the person at the terminal, and the file it lives in."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from noughts.errors import NoughtsError, ParseError
from noughts.folders import data_folder, own_file
from noughts.games.game import Game, Landing, Mark
from noughts.learn.frame.checkpoint import load_checkpoint, save_checkpoint
from noughts.learn.table.player import TablePlayer, first_values
from noughts.learn.table.taught.lesson import Change, learn_in, table_lesson


class OwnTable:
    """The table of one game that learns from the person at this computer."""

    def __init__(self, game: Game) -> None:
        """Read the file, or know nothing yet."""
        self.game, self.path = game, own_table_path(game)
        self._read()

    def _read(self) -> None:
        game = self.game
        self.games, self.values = 0, first_values(game, 1.0 / game.seats)
        if self.path.exists():
            kept = load_checkpoint(self.path)
            self.games = kept.games
            values = kept.arrays.get("values")
            if kept.game != str(game) or values is None or values.shape != self.values.shape:
                raise ParseError(f"{self.path} does not hold a table of {game}.")
            self.values = values

    def player(self) -> TablePlayer:
        return TablePlayer(self.game, self.values, "table", True)

    def learn(self, seat: Mark, moves: Sequence[tuple[int, Landing]], step: float) -> list[Change]:
        """Learn from one game and write the file, on top of what others have taught meanwhile."""
        with own_file(self.path):
            self._read()
            return self._learn(seat, moves, step)

    def _learn(self, seat: Mark, moves: Sequence[tuple[int, Landing]], step: float) -> list[Change]:
        row = self.values[self.game.marks.index(seat)]
        changes = table_lesson(self.game, row, seat, moves, step)
        learn_in(row, changes)
        self.games += 1
        save_checkpoint(
            self.path, str(self.game), "table", "human", 0, self.games, {"values": self.values}
        )
        return changes


def own_table_path(game: Game) -> Path:
    """Where a person's table of a game is kept."""
    digest = hashlib.sha256(str(game).encode()).hexdigest()[:16]
    name = game.lines_for("no table learns it").name.replace(":", "-")
    return data_folder() / "learned" / f"table-{name}-{digest}.safetensors"


def forget_own_table(game: Game) -> None:
    """Remove a person's table of a game."""
    path = own_table_path(game)
    if not path.exists():
        raise NoughtsError(f"There is no table of {game} to forget; none has been played with.")
    path.unlink()
