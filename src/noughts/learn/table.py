"""Learners that keep a number for every board: `table`, `td-table` and `q-table`.

`table` is the self-taught table: it plays the move whose resulting board it values highest, now and
then a probing one, and after each game moves every board it left behind toward the result,

    V(s) += step · (result - V(s)),     result 1 for a win, 0 for a loss, `draw` for a draw.

`td-table` learns each board from the next one instead, and hands a share `trace` of every lesson
back to the boards before (TD(λ) with eligibility traces). `q-table` is plain Q-learning.

Each seat has a table of its own, seen from its own side; in self-play both learn from one game.
Where marks may flip or fizzle, a move is worth the mean of its landings, and what landed is
what is learned from.
"""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent
from noughts.agents import agent as read_agent
from noughts.errors import NoughtsError, ParseError
from noughts.games.compiled import has_kernels, row_of
from noughts.games.game import Game
from noughts.games.line_game import LineGame
from noughts.kernels.learn import table as kernels
from noughts.kernels.learn.table import Contest, Lessons, Start, new_path, new_start
from noughts.kernels.learn.table_q import QLessons, learn_q
from noughts.kernels.rng import seeded
from noughts.kernels.rules.codes import DRAW
from noughts.learn.learner import SELF, Arrays, Learner
from noughts.learn.table_games import play_for_q, play_for_table
from noughts.learn.table_player import QTablePlayer, TablePlayer, first_values, table_entries
from noughts.options import choice, flag, number
from noughts.solve.boards import has_numbers

MAX_CELLS = 12
_SEATS = {"both": kernels.IN_TURNS, "x": 1, "o": 2}

Values = NDArray[Any]


def check_table_game(game: Game) -> LineGame:
    """The game as a line game whose boards fit a table, or a sentence that says why not."""
    is_small = has_numbers(game) and has_kernels(game) and game.cells <= MAX_CELLS
    if not has_numbers(game) or not is_small or game.risk.has_clock:
        raise NoughtsError(
            f"A table has a value for every board, so it learns boards of lines with up to "
            f"{MAX_CELLS} cells and without a clock; {game} is not one."
        )
    return game


def _curves(tally: NDArray[np.float64], games: int) -> dict[str, float]:
    """The shares of results, and by how much a value changed when it was taught."""
    x, o, draws, change, taught = tally.tolist()
    shares = {"X wins": x / games, "draws": draws / games, "O wins": o / games}
    return shares | {"change of a value": change / max(taught, 1.0)}


class _TableLearner(Learner):
    """What all tables share: their arrays, and games against others in plain Python."""

    line_game: LineGame
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
        self._other: Agent | None = None
        if opponent not in (SELF, "random"):
            self._other = read_agent(opponent)

    def arrays(self) -> Arrays:
        return {
            "values": self.values,
            "rng": self._rng,
            "games": np.array(self.games),
            "seed": np.array(self.seed),
        }

    def learn(self, games: int) -> Mapping[str, float]:
        tally = np.zeros(5)
        if self._other is None:
            self._learn_compiled(games, tally)
        else:
            for index in range(self.games, self.games + games):
                rng = np.random.default_rng([self.seed, index])
                tally += self._learn_one(self._other, index, rng)
        self.games += games
        return _curves(tally, games)

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
    def _learn_one(self, other: Agent, index: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """One game against another agent, and its tally."""


class _BoardTable(_TableLearner):
    """A table of boards: `table` and `td-table` differ in their lessons only."""

    seat: str

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
            new_path(), tally,
        )  # fmt: skip

    def _learn_one(self, other: Agent, index: int, rng: np.random.Generator) -> NDArray[np.float64]:
        path = new_path()
        seat = _SEATS[self.seat] or 1 + index % 2
        player = TablePlayer(self.line_game, self.values, self.name, self.is_shared)
        ended = play_for_table(player, other, seat - 1, self.lessons.probe, rng, path)
        change = kernels.teach(self.lessons, index, ended, path, self.values)
        tally = np.zeros(5)
        tally[2 if ended == DRAW else ended - 1] = 1
        tally[3:] = change, path.length.sum()
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
    seat: str = choice("both", ("both", "x", "o"), "Where it sits against an opponent.")

    @property
    def is_shared(self) -> bool:
        return self.images == "shared" or (self.images == "default" and not self.r3)

    @property
    def lessons(self) -> Lessons:
        """The options that were given, else those of the preset."""
        step, shrink, probe, draw, credit = (
            (1.0, 0.01, 0.05, 0.0, "all") if self.r3 else (0.1, 0.0, 0.3, 0.5, "after-probe")
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
        return first_values(self.line_game, 0.5 if self.r3 else self.lessons.draw)


@dataclass(eq=False, repr=False)
class TdTable(_BoardTable):
    """TD(λ) on the table."""

    name = "td-table"
    step: float = number(0.1, 0.0, 1.0, "How far a value moves toward the next one.")
    trace: float = number(0.8, 0.0, 1.0, "λ: the share of a lesson that the board before gets.")
    shrink: float = number(0.0, 0.0, 1.0, "What the step loses after every game.")
    probe: float = number(0.3, 0.0, 1.0, "The share of probing moves.")
    draw: float = number(0.5, 0.0, 1.0, "What a draw is worth, from 0 (lost) to 1 (won).")
    images: str = choice(
        "shared", ("shared", "apart"), "Whether boards that are turned or mirrored share a value."
    )
    seat: str = choice("both", ("both", "x", "o"), "Where it sits against an opponent.")

    @property
    def is_shared(self) -> bool:
        return self.images == "shared"

    @property
    def lessons(self) -> Lessons:
        return Lessons(self.step, self.shrink, self.probe, self.draw, True, True, self.trace)


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

    def _learn_one(self, other: Agent, index: int, rng: np.random.Generator) -> NDArray[np.float64]:
        player = QTablePlayer(self.line_game, self.values, self.name)
        return play_for_q(player, other, index % 2, self.step, self.probe, rng)

    def player(self) -> Agent:
        return QTablePlayer(self.line_game, self.values.copy(), self.name)
