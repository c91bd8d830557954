"""Tables with names: each sits opposite a person on the page and learns from every finished game.

A table is a checkpoint of the `table` learner with the published settings (a draw counts as lost,
every visited board is moved toward the result), so `table:run=FILE` plays it everywhere else too.
Beside it lies what the page shows of its past: how strong it was after each game. Both seats learn
from one game: a person's moves are lessons as well.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from noughts.errors import NoughtsError, ParseError
from noughts.files import replacing
from noughts.folders import own_file
from noughts.games.game import Game, Landing, Mark
from noughts.games.registry import game as read_game
from noughts.learn.frame.checkpoint import load_checkpoint, save_checkpoint
from noughts.learn.frame.grading.grader import Grader
from noughts.learn.frame.registry import learner as read_learner
from noughts.learn.table.learner import Table
from noughts.learn.table.player import first_values
from noughts.learn.table.taught.files import listed_tables, table_path
from noughts.learn.table.taught.lesson import Change, learn_in, table_lesson
from noughts.report.log import log_line, read_log

MOST_CELLS = 12
MOST_TABLES = 100
MOST_POINTS = 500  # of the curve of strengths
STEPS = {"shrinking": "table:r3", "constant": "table:r3,step=0.4,shrink=0"}
Data = dict[str, Any]


class NamedTable:
    """A table on the disk, loaded to be looked at or taught."""

    def __init__(self, name: str, game: Game, step: str, table: Table, past: Data) -> None:
        self.name, self.game, self.step, self.table, self.past = name, game, step, table, past

    @staticmethod
    def begin(name: str, game: Game, step: str) -> "NamedTable":
        """A table that knows nothing."""
        path = table_path(name)
        if game.hypergraph is None or game.cells > MOST_CELLS or game.has_clock:
            raise NoughtsError(
                f"The page's table learns boards of lines of up to {MOST_CELLS} cells without a "
                f"clock; {game} is not one."
            )
        if not path.exists() and len(listed_tables()) >= MOST_TABLES:
            raise NoughtsError(f"There are {MOST_TABLES} tables already; delete one first.")
        table = _learner(step)
        table.begin(game, "self", 0)
        made = NamedTable(name, game, step, table, {"curve": []})  # nobody asked how strong it is
        with own_file(path):
            made.save()
        return made

    @staticmethod
    def load(name: str) -> "NamedTable":
        """The table of this name."""
        path = table_path(name)
        if not path.exists():
            raise NoughtsError(f"There is no table '{name}'; begin one first.")
        checkpoint = load_checkpoint(path)
        step = next((word for word, spec in STEPS.items() if spec == checkpoint.learner), None)
        game = read_game(checkpoint.game)
        if step is None or game.hypergraph is None:
            raise ParseError(f"The table '{name}' was not made by the page.")
        table = _learner(step)
        table.restore(game, checkpoint.opponent, checkpoint.arrays)
        return NamedTable(name, game, step, table, _read_past(path))

    def measure(self) -> bool:
        """Work out how strong it is, if nobody did; True when that was so."""
        is_new = not self.past["curve"]
        if is_new:
            self._remember()
        return is_new

    def save(self) -> None:
        """Write the table, then its past."""
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
        grades = Grader(self.game).grade(self.table.player())
        words = ("win", "draw", "loss")
        return {
            seat: {
                other: dict(zip(words, grades[f"{other}_{seat.lower()}"], strict=True))
                for other in ("optimal", "random")
            }
            for seat in self.game.marks
        }

    def teach(self, moves: Sequence[tuple[int, Landing]]) -> list[tuple[Mark, Change]]:
        """Learn from a finished game, in both seats; whose values changed, ply by ply."""
        draw, found = self.table.lessons.draw, []
        for seat, values in zip(self.game.marks, self.table.values, strict=True):
            changes = table_lesson(
                self.game, values, seat, moves, self.step_size, draw, self.table.is_shared
            )
            learn_in(values, changes)
            found += [(seat, change) for change in changes]
        self.table.games += 1
        self._remember()
        return sorted(found, key=lambda told: told[1].ply)

    def _remember(self) -> None:
        """Note the strength of now."""
        curve = self.past["curve"]
        curve.append({"games": self.table.games, "strength": self.strength()})
        if len(curve) > MOST_POINTS:  # keep the first, and the youngest
            del curve[1]

    def data(self) -> Data:
        """The table for the page."""
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


def _learner(step: str) -> Table:
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
