"""Learners that keep a number for every board: `table`, `td-table` and `q-table`.

`table` is the self-taught table: it plays the move whose resulting board it values highest, now and
then a probing one, and after each game moves every board it left behind toward the result,

    V(s) += step · (result - V(s)),     result 1 for a win, 0 for a loss, `draw` for a draw.

`td-table` learns each board from the next one instead, and hands a share `trace` of every lesson
back to the boards before (TD(λ) with eligibility traces). `q-table` is plain Q-learning.

Each seat has a table of its own, seen from its own side; in self-play all learn from one game. With
n players a draw is worth 1/n unless it is said, as points have it, and an opponent takes all other
seats; `q-table` is for two.
Where marks may flip or fizzle, a move is worth the mean of its landings, and what landed is
what is learned from.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent
from noughts.agents import agent as read_agent
from noughts.errors import NoughtsError, ParseError
from noughts.games.compiled import row_of
from noughts.games.game import MARKS, Game, Mark
from noughts.kernels.learn import table as kernels
from noughts.kernels.learn.table import Contest, Lessons, Start, new_path, new_start
from noughts.kernels.learn.table_q import QLessons, learn_q
from noughts.kernels.rng import seeded
from noughts.kernels.rules.codes import DRAW
from noughts.learn.frame.learner import SELF, Arrays, Learner
from noughts.learn.table.games import play_for_q, play_for_table
from noughts.learn.table.player import QTablePlayer, TablePlayer, first_values, table_entries
from noughts.options import choice, flag, number
from noughts.solve.seats.limits import board_count

MAX_CELLS = 12
MOST_VALUES = 1 << 23  # of a table for more than two: 64 MB
_SEATS = {"both": kernels.IN_TURNS, "x": 1, "o": 2, "t": 3, "s": 4}

Values = NDArray[Any]


def check_table_game(game: Game) -> Game:
    """The game as a line game whose boards fit a table, or a sentence that says why not."""
    if game.hypergraph is None or game.cells > MAX_CELLS or game.has_clock:
        raise NoughtsError(
            f"A table has a value for every board, so it learns boards of lines with up to "
            f"{MAX_CELLS} cells and without a clock; {game} is not one."
        )
    if game.seats > 2 and board_count(game) * game.seats > MOST_VALUES:
        raise NoughtsError(
            f"A table of {game} would have {board_count(game) * game.seats:,} values; "
            f"{MOST_VALUES:,} are allowed."
        )
    return game


def _curves(marks: Sequence[Mark], tally: NDArray[np.float64], games: int) -> dict[str, float]:
    """The shares of results, and by how much a value changed when it was taught."""
    *wins, draws, change, taught = tally.tolist()
    first, *others = (f"{mark} wins" for mark in marks)
    shares = {first: wins[0] / games, "draws": draws / games}
    shares |= {name: won / games for name, won in zip(others, wins[1:], strict=True)}
    return shares | {"change of a value": change / max(taught, 1.0)}


class _TableLearner(Learner):
    """What all tables share: their arrays, and games against others in plain Python."""

    line_game: Game
    values: Values

    def check_game(self, game: Game) -> None:
        check_table_game(game)

    def begin(self, game: Game, opponent: str, seed: int) -> None:
        start = {"rng": seeded(seed), "games": np.array(0), "seed": np.array(seed)}
        self.line_game = check_table_game(game)
        self.restore(game, opponent, {"values": self._first_values(), **start})

    def restore(self, game: Game, opponent: str, arrays: Arrays) -> None:
        self.game = self.line_game = check_table_game(game)
        self.opponent = opponent
        self.values = np.array(arrays["values"])
        first = self._first_values()
        if (self.values.shape, self.values.dtype) != (first.shape, first.dtype):
            raise ParseError(f"These values were not learned by {self.name} on {game}.")
        self._rng = np.array(arrays["rng"], np.uint64)
        self.games, self.seed = int(arrays["games"]), int(arrays["seed"])
        self._others: list[Agent] = []
        if opponent not in (SELF, "random"):
            self._others = [read_agent(opponent) for _ in range(game.seats - 1)]

    def arrays(self) -> Arrays:
        return {
            "values": self.values,
            "rng": self._rng,
            "games": np.array(self.games),
            "seed": np.array(self.seed),
        }

    def learn(self, games: int) -> Mapping[str, float]:
        tally = np.zeros(self.game.seats + 3)
        if not self._others:
            self._learn_compiled(games, tally)
        else:
            for index in range(self.games, self.games + games):
                rng = np.random.default_rng([self.seed, index])
                tally += self._learn_one(self._others, index, rng)
        self.games += games
        return _curves(self.game.marks, tally, games)

    def _start(self) -> Start:
        return new_start(self.line_game.rules, row_of(self.line_game.start()))

    @property
    def _opponent(self) -> int:
        return kernels.SELF if self.opponent == SELF else kernels.RANDOM

    @abstractmethod
    def _first_values(self) -> Values:
        """The table before any game."""

    @abstractmethod
    def _learn_compiled(self, games: int, tally: NDArray[np.float64]) -> None:
        """Games against itself or random, in a kernel; adds to the tally."""

    @abstractmethod
    def _learn_one(
        self, others: Sequence[Agent], index: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """One game against other agents, and its tally."""


class _BoardTable(_TableLearner):
    """A table of boards: `table` and `td-table` differ in their lessons only."""

    most_seats = len(MARKS)
    seat: str

    def check_game(self, game: Game) -> None:
        super().check_game(game)
        if _SEATS[self.seat] > game.seats:
            raise ParseError(f"seat={self.seat} is none of the {game.seats} seats of {game}.")

    def _draw(self) -> float:
        """What a draw is worth unless it is said: an equal share."""
        return 1.0 / self.line_game.seats if hasattr(self, "line_game") else 0.5

    @property
    @abstractmethod
    def is_shared(self) -> bool:
        """Do boards that are turned or mirrored share a value?"""

    @property
    @abstractmethod
    def lessons(self) -> Lessons:
        """How a game teaches."""

    def _first_values(self) -> Values:
        return first_values(self.line_game, self.lessons.draw)

    def _learn_compiled(self, games: int, tally: NDArray[np.float64]) -> None:
        table = kernels.Table(self.values, table_entries(self.line_game, self.is_shared))
        contest = Contest(self._opponent, _SEATS[self.seat], self.games, games)
        kernels.learn_table(
            self.line_game.rules, self._start(), table, self.lessons, contest, self._rng,
            new_path(self.game.seats), tally,
        )  # fmt: skip

    def _learn_one(
        self, others: Sequence[Agent], index: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        seats = self.game.seats
        path = new_path(seats)
        seat = _SEATS[self.seat] or 1 + index % seats
        player = TablePlayer(self.line_game, self.values, self.name, self.is_shared)
        ended = play_for_table(player, others, seat - 1, self.lessons.probe, rng, path)
        change = kernels.teach(self.lessons, index, ended, path, self.values)
        tally = np.zeros(seats + 3)
        tally[seats if ended == DRAW else ended - 1] = 1
        tally[seats + 1 :] = change, path.length.sum()
        return tally

    def player(self) -> Agent:
        return TablePlayer(self.line_game, self.values.copy(), self.name, self.is_shared)


@dataclass(eq=False, repr=False)
class Table(_BoardTable):
    """The self-taught table; `r3` sets everything as the published one has it."""

    name = "table"
    r3: bool = flag("As published: step 1 minus 0.01 per game, 5% probing, a draw counts as 0.")
    step: float | None = number(None, 0.0, 1.0, "How far a value moves toward the result.")
    shrink: float | None = number(None, 0.0, 1.0, "What the step loses after every game.")
    probe: float | None = number(None, 0.0, 1.0, "The share of probing moves.")
    draw: float | None = number(None, 0.0, 1.0, "What a draw is worth, from 0 (lost) to 1 (won).")
    credit: str = choice(
        "default", ("default", "all", "after-probe"),
        "Which boards a game teaches: all of them, or those from the last probing move on.",
    )  # fmt: skip
    images: str = choice(
        "default", ("default", "shared", "apart"),
        "Whether boards that are turned or mirrored share a value; apart in r3.",
    )  # fmt: skip
    seat: str = choice("both", tuple(_SEATS), "Where it sits against an opponent; both: in turns.")

    @property
    def is_shared(self) -> bool:
        return self.images == "shared" or (self.images == "default" and not self.r3)

    @property
    def lessons(self) -> Lessons:
        """The options that were given, else those of the preset."""
        step, shrink, probe, draw, credit = (
            (1.0, 0.01, 0.05, 0.0, "all")
            if self.r3
            else (0.1, 0.0, 0.3, self._draw(), "after-probe")
        )
        return Lessons(
            step=step if self.step is None else self.step,
            shrink=shrink if self.shrink is None else self.shrink,
            probe=probe if self.probe is None else self.probe,
            draw=draw if self.draw is None else self.draw,
            only_after_probe=(credit if self.credit == "default" else self.credit) != "all",
            is_td=False,
            trace=0.0,
        )

    def _first_values(self) -> Values:
        return first_values(self.line_game, self._draw() if self.r3 else self.lessons.draw)


@dataclass(eq=False, repr=False)
class TdTable(_BoardTable):
    """TD(λ) on the table."""

    name = "td-table"
    step: float = number(0.1, 0.0, 1.0, "How far a value moves toward the next one.")
    trace: float = number(0.8, 0.0, 1.0, "λ: the share of a lesson that the board before gets.")
    shrink: float = number(0.0, 0.0, 1.0, "What the step loses after every game.")
    probe: float = number(0.3, 0.0, 1.0, "The share of probing moves.")
    draw: float | None = number(None, 0.0, 1.0, "What a draw is worth, from 0 (lost) to 1 (won).")
    images: str = choice(
        "shared", ("shared", "apart"), "Whether boards that are turned or mirrored share a value."
    )
    seat: str = choice("both", tuple(_SEATS), "Where it sits against an opponent; both: in turns.")

    @property
    def is_shared(self) -> bool:
        return self.images == "shared"

    @property
    def lessons(self) -> Lessons:
        draw = self._draw() if self.draw is None else self.draw
        return Lessons(self.step, self.shrink, self.probe, draw, True, True, self.trace)


@dataclass(eq=False, repr=False)
class QTable(_TableLearner):
    """Plain tabular Q-learning; it learns from the moves of both players."""

    name = "q-table"
    step: float = number(0.5, 0.0, 1.0, "How far a value moves toward its target.")
    probe: float = number(0.5, 0.0, 1.0, "The share of probing moves.")

    def _first_values(self) -> Values:
        return np.zeros((3**self.line_game.cells, self.line_game.cells), np.float32)

    def _learn_compiled(self, games: int, tally: NDArray[np.float64]) -> None:
        lessons, span = QLessons(self.step, self.probe, self._opponent), (self.games, games)
        rules = self.line_game.rules
        learn_q(rules, self._start(), lessons, span, self._rng, self.values, tally)

    def _learn_one(
        self, others: Sequence[Agent], index: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        player = QTablePlayer(self.line_game, self.values, self.name)
        return play_for_q(player, others[0], index % 2, self.step, self.probe, rng)

    def player(self) -> Agent:
        return QTablePlayer(self.line_game, self.values.copy(), self.name)
