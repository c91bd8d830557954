"""Learn with me: a table that sits opposite a person and learns from every finished game.

A table is a checkpoint of the `table` learner with the published settings (a draw counts as lost,
every visited board is moved toward the result), so `table:run=FILE` plays it everywhere else too.
Beside it lies what the page shows of its past: how strong it was after each game. Both seats learn
from one game: a person's moves are lessons as well.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noughts.errors import NoughtsError, ParseError
from noughts.files import replacing
from noughts.folders import data_folder, own_file
from noughts.games.game import Position
from noughts.games.line_game import LineGame
from noughts.owning import Ownership
from noughts.report.log import log_line, read_log
from noughts.web.play.places import Data, landings_of, page_game

if TYPE_CHECKING:
    from noughts.learn.table import Table

MOST_CELLS = 12
MOST_TABLES = 100
MOST_POINTS = 500  # of the curve of strengths
STEPS = {"shrinking": "table:r3", "constant": "table:r3,step=0.4,shrink=0"}
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


def table_path(name: str) -> Path:
    """Where a table is kept."""
    if not _NAME.fullmatch(name):
        raise ParseError(f"'{name}' is not a name; it takes 1 to 40 of a–z, 0–9 and -.")
    return data_folder() / "tables" / f"{name}.safetensors"


def own_table(name: str) -> Ownership:
    """Wait for the turn to change a table that is there."""
    path = table_path(name)
    if not path.exists():
        raise NoughtsError(f"There is no table '{name}'; begin one first.")
    return own_file(path)


def listed_tables() -> list[str]:
    """The names of all tables there are."""
    return sorted(path.stem for path in (data_folder() / "tables").glob("*.safetensors"))


def forget_table(name: str) -> bool:
    """Delete a table; False when there is none."""
    path = table_path(name)
    if not path.exists():
        return False
    with own_file(path):
        path.with_suffix(".json").unlink(missing_ok=True)
        path.unlink(missing_ok=True)
    return True


class LessonTable:
    """A table on the disk, loaded to be looked at or taught."""

    def __init__(self, name: str, game: LineGame, step: str, table: "Table", past: Data) -> None:
        self.name, self.game, self.step, self.table, self.past = name, game, step, table, past

    @staticmethod
    def begin(name: str, spec: str, step: str) -> "LessonTable":
        """A table that knows nothing."""
        path, game = table_path(name), page_game(spec)
        if not isinstance(game, LineGame) or game.cells > MOST_CELLS or game.risk.has_clock:
            raise NoughtsError(
                f"The page's table learns boards of lines of up to {MOST_CELLS} cells without a "
                f"clock; {game} is not one."
            )
        if not path.exists() and len(listed_tables()) >= MOST_TABLES:
            raise NoughtsError(f"There are {MOST_TABLES} tables already; delete one first.")
        table = _learner(step)
        table.begin(game, "self", 0)
        made = LessonTable(name, game, step, table, {"curve": []})  # nobody asked how strong it is
        with own_file(path):
            made.save()
        return made

    @staticmethod
    def load(name: str) -> "LessonTable":
        """The table of this name."""
        from noughts.learn.checkpoint import load_checkpoint

        path = table_path(name)
        if not path.exists():
            raise NoughtsError(f"There is no table '{name}'; begin one first.")
        checkpoint = load_checkpoint(path)
        step = next((word for word, spec in STEPS.items() if spec == checkpoint.learner), None)
        game = page_game(checkpoint.game)
        if step is None or not isinstance(game, LineGame):
            raise ParseError(f"The table '{name}' was not made by the page.")
        table = _learner(step)
        table.restore(game, checkpoint.opponent, checkpoint.arrays)
        return LessonTable(name, game, step, table, _read_past(path))

    def measure(self) -> bool:
        """Work out how strong it is, if nobody did; True when that was so."""
        is_new = not self.past["curve"]
        if is_new:
            self._remember()
        return is_new

    def save(self) -> None:
        """Write the table, then its past."""
        from noughts.learn.checkpoint import save_checkpoint

        path = table_path(self.name)
        spec, games = STEPS[self.step], self.table.games
        save_checkpoint(path, str(self.game), spec, "self", 0, games, self.table.arrays())
        with replacing(path.with_suffix(".json")) as file:
            file.write(log_line(self.name, 0.0, self.past) + "\n")

    def change_step(self, step: str) -> None:
        """Learn on with another step; what was learned stays."""
        changed = _learner(step)
        changed.restore(self.game, "self", self.table.arrays())
        self.table, self.step = changed, step

    @property
    def step_size(self) -> float:
        """How far the next game moves a value."""
        lessons = self.table.lessons
        return max(lessons.step - lessons.shrink * self.table.games, 0.0)

    def strength(self) -> Data:
        """Exact odds in each seat against the optimal and the random player."""
        from noughts.learn.grading import Grader

        grades = Grader(self.game).grade(self.table.player())
        words = ("win", "draw", "loss")
        return {
            seat: {
                other: dict(zip(words, grades[f"{other}_{seat.lower()}"], strict=True))
                for other in ("optimal", "random")
            }
            for seat in ("X", "O")
        }

    def teach(self, positions: Sequence[Position], place: Data) -> list[Data]:
        """Learn from a finished game; what changed, ply by ply."""
        import numpy as np

        from noughts.kernels.learn.table import MOST_STEPS, teach
        from noughts.kernels.learn.table import Path as Boards
        from noughts.learn.table_games import path_of

        moves = list(zip(place["moves"], landings_of(place, positions), strict=True))
        boards, result = path_of(self.game, moves)
        shape = (2, MOST_STEPS)
        path = Boards(np.zeros(shape, np.int64), np.zeros(shape, np.bool_), np.zeros(2, np.int64))
        for side in (0, 1):
            count = min(len(boards[side]), MOST_STEPS)
            path.boards[side, :count], path.length[side] = boards[side][:count], count
        values = self.table.values
        before = values.copy()
        teach(self.table.lessons, self.table.games, result, path, values)
        self.table.games += 1
        self._remember()
        return _changes(positions, boards, before, values)

    def _remember(self) -> None:
        """Note the strength of now."""
        curve = self.past["curve"]
        curve.append({"games": self.table.games, "strength": self.strength()})
        if len(curve) > MOST_POINTS:  # keep the first, and the youngest
            del curve[1]

    def data(self) -> Data:
        """The table for the page."""
        from noughts.learn.table_player import first_values

        curve = self.past["curve"]
        learned = int((self.table.values != first_values(self.game, 0.5)).sum())
        return {
            "name": self.name,
            "game": str(self.game),
            "games": self.table.games,
            "step": self.step,
            "step_size": self.step_size,
            "learned": learned,
            "strength": curve[-1]["strength"] if curve else None,
            "first": curve[0]["strength"] if curve else None,
            "curve": curve,
        }


def _learner(step: str) -> "Table":
    from noughts.learn.registry import learner as read_learner
    from noughts.learn.table import Table

    made = read_learner(STEPS[step])
    assert isinstance(made, Table)
    return made


def _read_past(path: Path) -> Data:
    """The curve of strengths; a lost or damaged one begins anew."""
    try:
        lines = read_log(path.with_suffix(".json"))
    except (OSError, ParseError):
        lines = []
    past: Data = lines[-1]["result"] if lines and "check" in lines[-1] else {"curve": []}
    return past


def _changes(
    positions: Sequence[Position], boards: list[list[int]], before: Any, after: Any
) -> list[Data]:
    """The boards whose value moved, in the order of the game."""
    found, count = [], [0, 0]
    for ply, position in enumerate(positions[:-1]):
        side = "XO".index(position.turn)
        if count[side] >= len(boards[side]):
            break
        number = boards[side][count[side]]
        count[side] += 1
        old, new = float(before[side, number]), float(after[side, number])
        if old != new:
            board = positions[ply + 1].board
            told: Data = {"ply": ply, "seat": position.turn, "board": board}
            found.append(told | {"before": old, "after": new})
    return found
