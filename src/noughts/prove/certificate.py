"""Certificates: a strategy that anybody can replay, and the checker that replays it.

A certificate claims the result of a game and holds one strategy for a win, or one for each player
for a draw. A strategy says what its player plays in every position that can come up, whatever the
opponent does. Positions that a symmetry of the board maps to each other share one entry.

The checker shares nothing with the search but the rules. It walks from the empty board, follows the
strategy on its player's turns and tries every reply on the others, and looks that

    a strategy to *win* always ends with a win;
    a strategy to *hold* never ends with a loss. It may stop early where the opponent can no longer
    win by the theorem of Erdős and Selfridge (1973): with the weight 2^-(empty cells) for every
    line without a mark of the player, the weights sum to less than 1 on the player's turn, or to
    less than 1/2 on the opponent's. Then playing the cell of the greatest weight stops them all.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from noughts.errors import NoughtsError, ParseError
from noughts.files import reading, replacing
from noughts.games.game import Game, Mark, Result
from noughts.games.line_game import LineGame

FORMAT, VERSION = "noughts certificate", 1

Goal = Literal["win", "hold"]


@dataclass(frozen=True)
class Strategy:
    """What one player plays, and what he gets by it."""

    player: Mark
    goal: Goal
    moves: dict[str, int]  # a board of letters, the smallest of its images -> the cell to play


@dataclass(frozen=True)
class Certificate:
    """The claimed result of a game and the strategies that prove it."""

    game: str
    result: Result
    strategies: tuple[Strategy, ...]

    def save(self, path: Path | str) -> None:
        """Write the file in one step, with a checksum."""
        data = {
            "game": self.game,
            "result": self.result,
            "strategies": [
                {"player": s.player, "goal": s.goal, "moves": s.moves} for s in self.strategies
            ],
        }
        head = {"format": FORMAT, "version": VERSION, "sha256": _digest(data)}
        with replacing(Path(path)) as file:
            json.dump({**head, **data}, file)

    @staticmethod
    def load(path: Path | str) -> "Certificate":
        """Read a file back; a damaged or foreign one raises ParseError."""
        with reading(path):
            return Certificate._load(path)

    @staticmethod
    def _load(path: Path | str) -> "Certificate":
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8"))
        except (ValueError, RecursionError):
            raise ParseError(f"{path} is not a certificate; it is not JSON.") from None
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ParseError(f"{path} is not a certificate of Noughts.")
        if data.get("version") != VERSION:
            raise ParseError(f"{path} has version {data.get('version')}; this reads {VERSION}.")
        claimed = data.pop("sha256", None)
        body = {key: data[key] for key in data if key not in ("format", "version")}
        if claimed != _digest(body):
            raise ParseError(f"{path} is damaged: its checksum does not match.")
        strategies = tuple(
            Strategy(str(s["player"]), str(s["goal"]), _moves(s["moves"]))  # type: ignore[arg-type]
            for s in body["strategies"]
        )
        return Certificate(body["game"], body["result"], strategies)


def _moves(found: Any) -> dict[str, int]:
    moves = dict(found)
    if not all(type(cell) is int for cell in moves.values()):
        raise ParseError("The moves of a certificate are whole numbers.")
    return moves


def _digest(data: dict[str, Any]) -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def check_certificate(certificate: Certificate, game: Game) -> int:
    """How many positions were looked at; raises NoughtsError at the first hole."""
    if str(game) != certificate.game:
        raise NoughtsError(f"The certificate is about {certificate.game}, not {game}.")
    if not isinstance(game, LineGame) or game.risk.is_risky:
        raise NoughtsError(f"{game} is not a board without risk, so this is no proof of it.")
    goals = {(strategy.player, strategy.goal) for strategy in certificate.strategies}
    needed: set[tuple[str, str]] = {("X", "hold"), ("O", "hold")}
    if certificate.result != "draw":
        needed = {(certificate.result, "win")}
    if not needed <= goals:
        raise NoughtsError(f"The certificate lacks what proves the result {certificate.result}.")
    return sum(_Checker(game, strategy).run() for strategy in certificate.strategies)


class _Checker:
    """Walks through everything the opponent of one strategy can do."""

    def __init__(self, game: LineGame, strategy: Strategy) -> None:
        self.strategy = strategy
        self.cells = game.cells
        self.is_misere = game.is_misere
        self.lines = [tuple(line) for line in game.lines]
        self.through = [[ln for ln in self.lines if cell in ln] for cell in range(self.cells)]
        self.maps = list(self._true_symmetries(game))
        self.seen: set[str] = set()

    def _true_symmetries(self, game: LineGame) -> Iterator[tuple[int, ...]]:
        lines = set(map(frozenset, self.lines))
        for permutation in game.symmetries():
            moved = {frozenset(permutation[cell] for cell in line) for line in self.lines}
            if moved == lines and sorted(permutation) == list(range(self.cells)):
                yield permutation

    def run(self) -> int:
        stack = [("." * self.cells, "X")]
        while stack:
            board, turn = stack.pop()
            smallest, map_used = self._smallest(board)
            if smallest in self.seen:
                continue
            self.seen.add(smallest)
            if self._is_safe(board, turn):
                continue
            replies = [cell for cell in range(self.cells) if board[cell] == "."]
            if turn == self.strategy.player:
                replies = [self._answer(board, smallest, map_used)]
            for cell in replies:
                after = board[:cell] + turn + board[cell + 1 :]
                if not self._is_over(after, cell, turn):
                    stack.append((after, "O" if turn == "X" else "X"))
        return len(self.seen)

    def _smallest(self, board: str) -> tuple[str, tuple[int, ...]]:
        """The smallest image of a board, and the map that gives it."""
        found: tuple[str, tuple[int, ...]] | None = None
        for permutation in self.maps:
            image = [""] * self.cells
            for cell, letter in enumerate(board):
                image[permutation[cell]] = letter
            text = "".join(image)
            if found is None or text < found[0]:
                found = text, permutation
        assert found is not None, "the identity is always a symmetry"
        return found

    def _answer(self, board: str, smallest: str, map_used: tuple[int, ...]) -> int:
        if smallest not in self.strategy.moves:
            raise NoughtsError(f"The certificate has no move for {board}.")
        played = self.strategy.moves[smallest]
        if played not in range(self.cells) or smallest[played] != ".":
            raise NoughtsError(f"The certificate plays cell {played} in {smallest}: not empty.")
        return map_used.index(played)

    def _is_over(self, board: str, cell: int, turn: str) -> bool:
        """True at the end of a game; raises when it is not the end that was claimed."""
        result = None
        if any(all(board[c] == turn for c in line) for line in self.through[cell]):
            result = turn if not self.is_misere else ("O" if turn == "X" else "X")
        elif "." not in board:
            result = "draw"
        if result is None:
            return False
        player = self.strategy.player
        if result == player or (result == "draw" and self.strategy.goal == "hold"):
            return True
        raise NoughtsError(f"The certificate lets {player} end with {result}: {board}.")

    def _is_safe(self, board: str, turn: str) -> bool:
        """True when the player can stop every line that his opponent could still fill."""
        if self.strategy.goal == "win" or self.is_misere:
            return False
        player = self.strategy.player
        danger = Fraction(0)
        for line in self.lines:
            letters = [board[cell] for cell in line]
            if player not in letters:
                danger += Fraction(1, 2 ** letters.count("."))
        return danger < (1 if turn == player else Fraction(1, 2))
