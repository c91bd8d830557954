"""Asking a Gomocup engine for moves, in the text protocol of Piskvork.

It is made for free gomoku: five in a row, or more, on a board of squares. Coordinates are `x,y`:
column, then row, from 0. As long as the game goes on the engine hears only of the opponent's move
(`TURN`); any other position is laid out mark by mark (`BOARD` … `DONE`).
"""

import re
from itertools import chain, zip_longest
from typing import ClassVar

from noughts.errors import IllegalMove, NoughtsError
from noughts.games.boards import MAX_SIDE
from noughts.games.game import Game, Position, other
from noughts.games.registry import game as read_game
from noughts.search.external.program import SHOWN, Program
from noughts.search.external.talk import Patience, Reply, ask, misunderstood

FIVE = 5
END = "\r\n"  # what the protocol asks of a manager
NO_LIMIT = 2**31 - 1  # milliseconds; the most that an engine in C can read


def check_gomoku(game: Game) -> Game:
    """The game, if it is one that the protocol can speak of."""
    rows, columns, _ = game.shape
    if max(rows, columns) >= FIVE and game == read_game(f"{rows}x{columns}:k={FIVE}"):
        return game
    raise NoughtsError(
        f"The Gomocup protocol knows boards of up to {MAX_SIDE}×{MAX_SIDE} with k=5 such as "
        f"15x15:k=5, not {game}."
    )


class GomocupTalk:
    """The Gomocup protocol, which remembers the board between moves."""

    noise: ClassVar[re.Pattern[str]] = re.compile("MESSAGE|DEBUG", re.IGNORECASE)
    farewell: ClassVar[str] = f"END{END}"

    def __init__(self, program: Program, patience: Patience) -> None:
        self._program = program
        self._patience = patience
        self._game: Game | None = None
        self._board = ""  # as the engine knows it

    def begin(self, game: Game) -> bool:
        if self._game is not None:
            return self._game == game and self._clears_board()
        self._game = check_gomoku(game)
        rows, columns, _ = game.shape
        start = f"START {rows}" if rows == columns else f"RECTSTART {columns},{rows}"
        answer = self._ask(start)
        self._check_refusal(start, answer)
        if not answer.upper().startswith("OK"):
            raise misunderstood(self._program, start, answer, "'OK'")
        milliseconds = max(1, round(self._patience.move * 1000))
        self._program.say(
            f"INFO rule 0{END}INFO game_type 1{END}INFO timeout_turn {milliseconds}{END}"
            f"INFO timeout_match 0{END}INFO time_left {NO_LIMIT}{END}"
        )
        self._board = "." * game.cells
        return True

    def choose(self, position: Position, seed: int) -> Reply:
        game = check_gomoku(position.game)
        rows, columns, _ = game.shape
        if self._question(position) is None and not self._clears_board():
            raise NoughtsError(f"{self._program} does not know RESTART, so it cannot jump there.")
        question = self._question(position) or _lay_out(position)
        x, y = self._hear_move(question)
        if x >= columns or y >= rows:
            raise IllegalMove(f"{self._program} chose {x},{y}, which is not on the board.")
        move = y * columns + x
        self._board = position.board[:move] + position.mover + position.board[move + 1 :]
        return Reply(move)

    def _clears_board(self) -> bool:
        """Start over on the same board; False from an engine that does not know how to."""
        self._board = "." * len(self._board)
        return self._ask("RESTART").upper().startswith("OK")

    def _question(self, position: Position) -> str | None:
        """What leads from the board that the engine knows to this one; None if nothing does."""
        known, board, columns = self._board, position.board, position.game.shape[1]
        changed = [i for i, (a, b) in enumerate(zip(known, board, strict=True)) if a != b]
        was_empty = set(known) == {"."}
        if was_empty and not changed:
            return f"BEGIN{END}"
        if [(known[cell], board[cell]) for cell in changed] == [(".", other(position.mover))]:
            return f"TURN {changed[0] % columns},{changed[0] // columns}{END}"
        return _lay_out(position) if was_empty else None

    def _hear_move(self, question: str) -> tuple[int, int]:
        name = question.split()[0]
        deadline = self._program.clock.now() + self._patience.move
        self._program.say(question)
        while True:
            answer = self._program.hear(deadline, self._patience.move)
            self._check_refusal(name, answer)
            found = re.fullmatch(r"(SUGGEST\s+)?([0-9]{1,4})\s*,\s*([0-9]{1,4})", answer)
            if found is None:
                raise misunderstood(self._program, name, answer, "'x,y'")
            x, y = int(found[2]), int(found[3])
            if found[1] is None:
                return x, y
            self._program.say(f"PLAY {x},{y}{END}")  # an engine may ask first; it may

    def _ask(self, question: str) -> str:
        return ask(self._program, question + END, self._patience.startup)

    def _check_refusal(self, question: str, answer: str) -> None:
        if answer.upper().startswith(("ERROR", "UNKNOWN")):
            raise NoughtsError(f"{self._program} refused '{question}': {answer[: 2 * SHOWN]}")


def _lay_out(position: Position) -> str:
    """`BOARD` … `DONE`: the marks in turns as they may have been played, 1 for the engine's."""
    columns = position.game.shape[1]
    placed = {
        mark: [cell for cell, letter in enumerate(position.board) if letter == mark]
        for mark in position.game.marks
    }
    lines = ["BOARD"]
    for cell in chain.from_iterable(zip_longest(*placed.values())):
        if cell is not None:
            field = 1 if position.board[cell] == position.turn else 2
            lines.append(f"{cell % columns},{cell // columns},{field}")
    return END.join([*lines, "DONE", ""])
