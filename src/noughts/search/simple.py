"""Agents that do not look ahead: uniform, by fixed weights, and a person at the terminal."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from noughts.agents import Agent, Thought, check_running
from noughts.errors import NoughtsError, ParseError
from noughts.games.game import Game, Position
from noughts.options import vector


@dataclass(eq=False, repr=False)
class RandomAgent(Agent):
    """Every legal move is equally likely."""

    name = "random"

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        check_running(position)
        self.last = Thought()
        return position.moves[int(rng.integers(len(position.moves)))]


@dataclass(eq=False, repr=False)
class FixedAgent(Agent):
    """Plays cell i with probability proportional to weights[i] among the cells that are open.

    When all open cells weigh nothing each is equally likely. Where a move may wait, it does not.
    """

    name = "fixed"
    weights: tuple[float, ...] = vector(
        (1.0,), 0.0, 1e9, "One weight per cell, or one for all; a cell is drawn in proportion."
    )

    def check_game(self, game: Game) -> None:
        if len(self.weights) not in (1, game.cells):
            raise ParseError(
                f"weights has {len(self.weights)} values, but {game} has {game.cells} cells."
            )

    def probabilities(self, position: Position) -> dict[int, float]:
        """How likely each move is."""
        self.check_game(position.game)
        weights = self.weights
        cells = {move: position.game.cell_of(move) for move in position.at_once}
        alike = Counter(cells.values())  # moves of one cell share its weight
        drawn = {m: weights[c if len(weights) > 1 else 0] / alike[c] for m, c in cells.items()}
        total = sum(drawn.values())
        if total == 0.0:
            return dict.fromkeys(drawn, 1.0 / len(drawn))
        return {move: weight / total for move, weight in drawn.items()}

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        check_running(position)
        odds = self.probabilities(position)
        self.last = Thought()
        return int(rng.choice(list(odds), p=list(odds.values())))


@dataclass(eq=False, repr=False)
class HumanAgent(Agent):
    """A person who types cells. `ask` shows a position and a complaint, and returns an answer."""

    name = "human"
    ask: Callable[[Position, str], str] | None = None

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        check_running(position)
        ask = self.ask or _ask_terminal
        complaint = ""
        while True:
            try:
                answer = ask(position, complaint)
            except EOFError:
                raise NoughtsError("The input ended before a move was chosen.") from None
            try:
                return position.check_move(_read_move(answer))
            except NoughtsError as error:
                complaint = str(error)


def _ask_terminal(position: Position, complaint: str) -> str:
    return input(f"{complaint or position}\n{position.turn} plays cell: ")


def _read_move(answer: str) -> int:
    word = answer.strip()
    if not word.isascii() or not word.isdigit() or len(word) > 12:
        raise ParseError(f"'{word}' is not a cell; type its number.")
    return int(word)
