"""What one finished game teaches the table of a seat, and the file in which a person's table lives.

    changes = table_lesson(game, values, "O", moves, step=0.25)    # nothing is altered or kept
    for change in changes:
        values[change.entry] = change.after

`values` [3^cells] is the table of one seat, `moves` the game as (move, landing) pairs.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from noughts.errors import NoughtsError, ParseError
from noughts.folders import data_folder, own_file
from noughts.games.game import Landing, Mark
from noughts.games.line_game import LineGame
from noughts.learn.checkpoint import load_checkpoint, save_checkpoint
from noughts.learn.table_games import path_of
from noughts.learn.table_player import TablePlayer, first_values, table_entries
from noughts.solve.boards import board_letters

STEP = 0.25  # a person changes, so the step does not shrink

Values = NDArray[Any]


@dataclass(frozen=True)
class Change:
    """One value that a game has changed."""

    entry: int  # where the table keeps it
    board: str  # one letter per cell, as it stood in the game
    before: float
    after: float


def table_lesson(
    game: LineGame,
    values: Values,
    seat: Mark,
    moves: Sequence[tuple[int, Landing]],
    step: float = STEP,
    draw: float = 0.5,
) -> list[Change]:
    """The values that a finished game changes: V(s) += step · (result - V(s)), in playing order.

    s is every board after an own move of `seat`; the result is 1 for its win, 0 for its loss and
    `draw` for a draw. Boards that are turned or mirrored share one entry.
    """
    boards, result = path_of(game, moves)
    side = "XO".index(seat)
    own = result if side == 0 else -result
    target = draw if own == 0.0 else 0.5 + 0.5 * own
    entries, new = table_entries(game, True), dict[int, float]()
    changes = []
    for number in boards[side]:
        entry = int(entries[number])
        before = new.get(entry, float(values[entry]))
        new[entry] = before + step * (target - before)
        if new[entry] != before:
            letters = board_letters(number, game.cells, seat)
            changes.append(Change(entry, letters, before, new[entry]))
    return changes


class OwnTable:
    """The table of one game that learns from the person at this computer."""

    def __init__(self, game: LineGame) -> None:
        """Read the file, or know nothing yet."""
        self.game, self.path = game, own_table_path(game)
        self._read()

    def _read(self) -> None:
        game = self.game
        self.games, self.values = 0, first_values(game)
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
        row = self.values["XO".index(seat)]
        changes = table_lesson(self.game, row, seat, moves, step)
        for change in changes:
            row[change.entry] = change.after
        self.games += 1
        save_checkpoint(
            self.path, str(self.game), "table", "human", 0, self.games, {"values": self.values}
        )
        return changes


def own_table_path(game: LineGame) -> Path:
    """Where a person's table of a game is kept."""
    digest = hashlib.sha256(str(game).encode()).hexdigest()[:16]
    name = game.board.name.replace(":", "-")
    return data_folder() / "learned" / f"table-{name}-{digest}.safetensors"


def forget_own_table(game: LineGame) -> None:
    """Remove a person's table of a game."""
    path = own_table_path(game)
    if not path.exists():
        raise NoughtsError(f"There is no table of {game} to forget; none has been played with.")
    path.unlink()
