"""Answering as a Gomocup engine: `drive_gomocup` seen from the other end.

The engine remembers the board. It plays X when it has as many marks as the opponent, else O, so the
same code serves a game from its start, `BOARD`, and `TAKEBACK`.
"""

import re
from collections.abc import Callable
from math import inf

import numpy as np

from noughts.agents import Agent
from noughts.errors import NoughtsError
from noughts.games.boards import MAX_SIDE
from noughts.games.game import Game, Position
from noughts.games.registry import game as read_game
from noughts.search.external.drive_gomocup import FIVE, check_gomoku
from noughts.search.external.serving import get_time, safe_time, set_time, warm_up

OWN, OPPONENT = 1, 2
SMALLEST = f"{FIVE}x{FIVE}:k={FIVE}"
MOVES_LEFT = 20  # the time left for the match is shared out over so many, again at every move


class GomocupServer:
    """An agent that answers a manager such as Piskvork."""

    def __init__(self, agent: Agent, rng: np.random.Generator, version: str) -> None:
        self.is_over = False
        self._agent = agent
        self._rng = rng
        self._version = version
        self._usual_time = get_time(agent)
        self._game: Game | None = None
        self._marks: dict[int, int] = {}  # cell: OWN or OPPONENT
        self._layout: list[str] | None = None  # the lines since BOARD
        self._limits: dict[str, float] = {}  # seconds, by the name that INFO gave them
        self._rule = "0"
        self._commands: dict[str, Callable[[str], list[str]]] = {
            "START": self._start,
            "RECTSTART": self._start_rectangle,
            "RESTART": self._restart,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "BOARD": self._open_layout,
            "TAKEBACK": self._take_back,
            "INFO": self._inform,
            "ABOUT": self._about,
            "END": self._end,
        }

    def answer(self, line: str) -> list[str]:
        """What the engine says to a line: nothing, or one line."""
        line = line.strip()
        try:
            if self._layout is not None:
                return self._add_to_layout(line)
            word, _, rest = line.partition(" ")
            if not word:
                return []
            if word.upper() not in self._commands:
                return [f"UNKNOWN {word}"]
            return self._commands[word.upper()](rest.strip())
        except NoughtsError as error:
            return [f"ERROR {error}"]

    def _start(self, size: str) -> list[str]:
        return self._start_rectangle(f"{size},{size}")

    def _start_rectangle(self, sides: str) -> list[str]:
        self._game = None
        columns, rows = _numbers(sides, 2)
        if not (FIVE <= columns <= MAX_SIDE and FIVE <= rows <= MAX_SIDE):
            raise NoughtsError(f"Size {columns},{rows} is out of range; {FIVE} to {MAX_SIDE}.")
        game = check_gomoku(read_game(f"{rows}x{columns}:k={FIVE}"))
        warm_up(self._agent, game)
        self._game, self._marks = game, {}
        return ["OK"]

    def _restart(self, _: str) -> list[str]:
        self._started()
        self._marks = {}
        self._agent.reset()
        return ["OK"]

    def _begin(self, _: str) -> list[str]:
        self._started()
        if self._marks:
            raise NoughtsError("BEGIN is for an empty board; send RESTART first.")
        return self._think()

    def _turn(self, place: str) -> list[str]:
        cell = self._cell(*_numbers(place, 2))
        if cell in self._marks:
            raise NoughtsError(f"{place} is taken.")
        self._marks[cell] = OPPONENT
        return self._think()

    def _take_back(self, place: str) -> list[str]:
        cell = self._cell(*_numbers(place, 2))
        if cell not in self._marks:
            raise NoughtsError(f"{place} is empty.")
        del self._marks[cell]
        return ["OK"]

    def _open_layout(self, _: str) -> list[str]:
        self._layout = []
        return []

    def _add_to_layout(self, line: str) -> list[str]:
        if self._layout is None or line.upper() != "DONE":
            self._layout = [*(self._layout or []), line]
            return []
        lines, self._layout = self._layout, None
        self._started()
        marks: dict[int, int] = {}
        for words in filter(None, lines):
            x, y, field = _numbers(words, 3)
            cell = self._cell(x, y)
            if cell in marks or field not in (OWN, OPPONENT):
                raise NoughtsError(f"'{words}' is taken already, or its field is neither 1 nor 2.")
            marks[cell] = field
        self._marks = marks
        return self._think()

    def _inform(self, words: str) -> list[str]:
        """Nothing may be answered here, so what cannot be done is said when a move is asked for."""
        key, _, value = words.partition(" ")
        if key in ("timeout_turn", "time_left") and re.fullmatch("[0-9]{1,12}", value):
            self._limits[key] = int(value) / 1000
        elif key == "rule":
            self._rule = value
        return []

    def _about(self, _: str) -> list[str]:
        name = f"noughts {self._agent}".replace('"', "'")
        return [f'name="{name}", version="{self._version}"']

    def _end(self, _: str) -> list[str]:
        self.is_over = True
        return []

    def _think(self) -> list[str]:
        if self._rule != "0":
            raise NoughtsError(f"Rule {self._rule} is not known; only freestyle, rule 0, is.")
        position = self._position()
        if self._limits:
            set_time(self._agent, self._budget())
        move = self._agent.choose(position, self._rng)
        self._marks[move] = OWN
        columns = position.game.shape[1]
        return [f"{move % columns},{move // columns}"]

    def _budget(self) -> float:
        """Seconds to think: its own limit, or less where the manager gave less."""
        turn = safe_time(self._limits["timeout_turn"]) if "timeout_turn" in self._limits else inf
        match = self._limits.get("time_left", inf) / MOVES_LEFT
        return min(turn, match, self._usual_time or inf)

    def _position(self) -> Position:
        game = self._started()
        fields = list(self._marks.values())
        is_first = fields.count(OWN) >= fields.count(OPPONENT)
        own, theirs = game.marks if is_first else game.marks[::-1]
        letters = {OWN: own, OPPONENT: theirs, 0: "."}
        board = "".join(letters[self._marks.get(cell, 0)] for cell in range(game.cells))
        return game.parse(f"{board} {letters[OWN]} to move")

    def _started(self) -> Game:
        if self._game is None:
            raise NoughtsError("There is no board yet; send START first.")
        return self._game

    def _cell(self, x: int, y: int) -> int:
        rows, columns, _ = self._started().shape
        if x >= columns or y >= rows:
            raise NoughtsError(f"{x},{y} is not on the board.")
        return y * columns + x


def _numbers(text: str, count: int) -> list[int]:
    """Whole numbers with commas between them."""
    words = [word.strip() for word in text.split(",")]
    if len(words) != count or not all(re.fullmatch("[0-9]{1,4}", word) for word in words):
        raise NoughtsError(f"'{text}' is not {count} numbers with commas between them.")
    return [int(word) for word in words]
