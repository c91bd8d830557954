"""The certificate of Qubic: X wins, from every position that X's play by it can lead to.

The book lists X's quiet moves; threats anybody can see. So X wins with X on turn where he has a
forced win, where the book has a move for an image of the position, or where his only block of a
three leads to a won position. With O on turn X wins if every reply of O leads to such a position.
And whoever is on turn wins where he has a chain of threes that leaves one reply each.
"""

import threading
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from noughts.games.game import Game, Position
from noughts.knowledge.known import Known, exactly
from noughts.knowledge.limits import Budget
from noughts.knowledge.plain import PlainBoard, line_masks, plain_board
from noughts.knowledge.sources import Source
from noughts.prove.book import Book, shipped_book

if TYPE_CHECKING:
    from noughts.prove.line import ThreatReader


class Certificates(Source):
    """Who wins by the stored proof, or by a chain of threes."""

    name = "certificate"

    def known(self, position: Position, budget: Budget) -> Known | None:
        if position.result is not None or not is_certified(position.game):
            return None
        board = plain_board(position)
        assert board is not None, "a certified game is plain"
        reader = _proof(position.game)
        with _LOCK:
            length = reader.chain(board) if budget.positions else 0
            if length:
                return exactly(1.0 if position.turn == "X" else -1.0, "threats", length)
            if position.turn == "X":
                wins = reader.quiet_move(board, budget.purse()) is not None
            else:
                wins = reader.is_answered(board, budget.purse())
        return exactly(1.0, self.name) if wins else None

    def moves(self, position: Position, budget: Budget) -> Mapping[int, Known]:
        """The move of the certificate, or the first one of a chain of threes."""
        if position.result is not None or not is_certified(position.game):
            return {}
        board = plain_board(position)
        assert board is not None, "a certified game is plain"
        reader = _proof(position.game)
        with _LOCK:
            line = reader.line(board) if budget.positions else []
            if line:
                value = 1.0 if position.turn == "X" else -1.0
                return {line[0]: exactly(value, "threats", len(line))}
            if position.turn != "X":
                return {}
            move = reader.quiet_move(board, budget.purse())
        return {} if move is None else {move: exactly(1.0, self.name)}


@lru_cache(maxsize=64)
def is_certified(game: Game) -> bool:
    """Whether a certificate of the game, a plain one, comes with the package."""
    return (
        line_masks(game) is not None and files("noughts.prove").joinpath(f"{game}.proof").is_file()
    )


_LOCK = threading.Lock()  # the readers remember what they saw


@cache
def _proof(game: Game) -> "_Proof":
    return _Proof(game)


class _Proof:
    """The certificate, asked about masks. `left` holds how many positions may still be asked."""

    def __init__(self, game: Game) -> None:
        from noughts.prove.line import reader_of  # loads numba

        self.book: Book = shipped_book()
        self.reader: ThreatReader = reader_of(game)
        self.everything = (1 << game.cells) - 1
        self.killers: list[int] = []  # replies that refuted something lately, the last one first
        self.in_book = lru_cache(maxsize=1 << 15)(self._in_book)

    def chain(self, board: PlainBoard) -> int:
        """How many moves a chain of threes takes; 0 if there is none."""
        return self.reader.length(board.own, board.other)

    def line(self, board: PlainBoard) -> list[int]:
        return self.reader.line(board.own, board.other)

    def _in_book(self, x: int, o: int) -> int | None:
        return self.book.move_at(x, o)

    def quiet_move(self, board: PlainBoard, left: list[int]) -> int | None:
        """X's move by the certificate, X on turn: the book's, or the only block."""
        x, o = board
        blocks = self.reader.completing(o, x)
        if not blocks:
            return self.in_book(x, o)
        if len(blocks) > 1:
            return None
        after = PlainBoard(own=o, other=x | 1 << blocks[0])
        return blocks[0] if self.is_answered(after, left) else None

    def is_answered(self, board: PlainBoard, left: list[int]) -> bool:
        """Whether X wins whatever O, who is on turn, replies; False when the budget ends."""
        o, x = board
        if self.reader.completing(o, x):
            return False
        threats = self.reader.completing(x, o)
        if len(threats) > 1:
            return True
        for reply in threats or self._replies(x | o):
            if left[0] <= 0:
                return False
            left[0] -= 1
            after = PlainBoard(own=x, other=o | 1 << reply)
            if not self.chain(after) and self.quiet_move(after, left) is None:
                self._remember(reply)
                return False
        return True

    def _replies(self, filled: int) -> list[int]:
        """The empty cells, those first that refuted something else."""
        empty = self.everything & ~filled
        first = [cell for cell in self.killers if empty >> cell & 1]
        rest = [c for c in range(empty.bit_length()) if empty >> c & 1 and c not in first]
        return first + rest

    def _remember(self, reply: int) -> None:
        if reply in self.killers:
            self.killers.remove(reply)
        self.killers.insert(0, reply)
        del self.killers[8:]
