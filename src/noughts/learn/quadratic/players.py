"""What quadratic learners hand out: agents that play greedily and learn no more."""

from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from noughts.agents import Agent, Thought, check_running
from noughts.errors import NoughtsError
from noughts.games.game import Game, Mark, Position
from noughts.learn.quadratic.plain import Dice, Quadratic, best_of

if TYPE_CHECKING:
    from noughts.kernels.learn.features import Inputs
    from noughts.kernels.learn.quadratic import Form
    from noughts.kernels.learn.quadratic_td import Desk


class _QuadraticPlayer(Agent):
    """Knows a quadratic function of one game."""

    def __init__(self, function: Quadratic) -> None:
        self.function = function

    def check_game(self, game: Game) -> None:
        learned = self.function.encoder.game
        if game != learned:
            raise NoughtsError(f"{self} has learned {learned}, and cannot play {game}.")

    def _think(self, position: Position, values: dict[int, float], began: float) -> int:
        move = best_of(values, position.mover)
        seconds = perf_counter() - began
        memory = self.function.weights.nbytes
        self.last = Thought(len(values), 1, seconds, memory, max(-1.0, min(values[move], 1.0)))
        return move


class TdPlayer(_QuadraticPlayer):
    """Plays the move whose landings are worth most, or seem so from one that is drawn."""

    name = "td-quadratic"

    def __init__(self, function: Quadratic, samples: bool) -> None:
        super().__init__(function)
        self.samples = samples and function.encoder.game.is_risky

    @property
    def is_deterministic(self) -> bool:
        return not self.samples

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        check_running(position)
        began = perf_counter()
        dice = None
        if self.samples:
            dice = Dice(rng.integers(2**64, size=1, dtype=np.uint64))
        return self._think(position, self._values(position, dice), began)

    def values(self, position: Position) -> dict[int, float]:
        """E[r + v(s')] for X of every move, kept within [-1, 1]."""
        check_running(position)
        found = self._values(position, None)
        return {move: max(-1.0, min(value, 1.0)) for move, value in found.items()}

    def _values(self, position: Position, dice: Dice | None) -> dict[int, float]:
        from noughts.games.compiled import row_of
        from noughts.kernels.learn.quadratic_td import move_values

        self.check_game(position.game)
        state = np.zeros(1, np.uint64) if dice is None else dice.state
        rules, inputs, form, desk = _tools(self.function, row_of(position))
        n = move_values(rules, inputs, form, desk, dice is not None, state)
        return dict(zip(position.moves, desk.values[:n].tolist(), strict=True))

    def choices(self, boards: NDArray[np.int64], turn: Mark) -> NDArray[np.int64]:
        """The moves on many boards, numbered from the player on turn; see `learner.py`."""
        from noughts.kernels.learn.quadratic_td import td_choices

        rows = _numbered_rows(self.function, boards, turn)
        found, rng = np.empty(len(boards), np.int64), np.zeros(1, np.uint64)
        td_choices(*_tools(self.function, rows[0]), rows, rng, found)
        return found


class QPlayer(_QuadraticPlayer):
    """Plays the move with the best value."""

    name = "q-quadratic"

    @property
    def is_deterministic(self) -> bool:
        return True

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        check_running(position)
        self.check_game(position.game)
        began = perf_counter()
        values = self.function.values(position, position.moves)
        return self._think(position, values, began)

    def values(self, position: Position) -> dict[int, float]:
        """Q for X of every move, kept within [-1, 1]."""
        check_running(position)
        self.check_game(position.game)
        found = self.function.values(position, position.moves)
        return {move: max(-1.0, min(value, 1.0)) for move, value in found.items()}

    def choices(self, boards: NDArray[np.int64], turn: Mark) -> NDArray[np.int64]:
        """The moves on many boards, numbered from the player on turn; see `learner.py`."""
        from noughts.kernels.learn.quadratic_q import q_choices

        rows = _numbered_rows(self.function, boards, turn)
        found = np.empty(len(boards), np.int64)
        q_choices(*_tools(self.function, rows[0]), rows, found)
        return found


def _numbered_rows(function: Quadratic, boards: NDArray[np.int64], turn: Mark) -> NDArray[np.int32]:
    from noughts.solve.numbering import check_numbered, numbered_rows

    return numbered_rows(check_numbered(function.encoder.game), boards, turn)


def _tools(function: Quadratic, row: NDArray[np.int32]) -> "tuple[Any, Inputs, Form, Desk]":
    """What the kernels of a player take first: rules, inputs, function, room."""
    from noughts.kernels.learn.quadratic_td import new_desk

    rules, inputs = function.encoder.game.rules, function.encoder.inputs
    return rules, inputs, function.form, new_desk(rules, inputs, row)
