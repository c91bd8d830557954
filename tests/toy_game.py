"""The toy of `toy_family.py` as a game of another package: `toy`, `toy:lift`, `toy:players=3`.

Nothing here is known to the house but through the entry point `noughts.games`.
"""

from dataclasses import dataclass, replace
from typing import Any

from toy_family import CELLS, Plain, ToyRules, plain_after, plain_moves, plain_result

from noughts.games.game import MARKS, Game, Landing, Position
from noughts.games.grammar import Spec

LETTERS = (".", *MARKS)
RESULTS = {0: None, -1: "draw", **{1 + i: mark for i, mark in enumerate(MARKS)}}


def toy(spec: Spec) -> "ToyGame":
    """a strip of five cells, for tests"""
    spec.allow(("players", "lift"))
    return ToyGame(spec.whole("players", 2, 3, 2), spec.flag("lift"))


@dataclass(frozen=True, repr=False)
class ToyGame(Game):
    """Three neighbours alike win; who begins is tossed; the middle cell gives another turn."""

    players: int
    can_lift: bool

    cells, shape, moves = CELLS, (1, CELLS, 1), 2 * CELLS  # type: ignore[assignment]
    is_risky = True  # type: ignore[assignment]  # for the toss
    takes_turns = False

    def __str__(self) -> str:
        options = [f"players={self.players}"] if self.players > 2 else []
        options += ["lift"] if self.can_lift else []
        return f"toy:{','.join(options)}" if options else "toy"

    @property
    def seats(self) -> int:
        return self.players

    @property
    def can_repeat(self) -> bool:
        return self.can_lift

    @property
    def longest(self) -> int | None:
        return super().longest and CELLS + 1  # with the toss

    @property
    def rules(self) -> ToyRules:
        return ToyRules(self.players, self.can_lift)

    def name_move(self, move: int) -> str:
        return f"lift {move - CELLS}" if move >= CELLS else str(move)

    def parse_move(self, text: str) -> int:
        lifted = text.removeprefix("lift ")
        return super().parse_move(lifted) + (CELLS if lifted != text else 0)

    def start(self) -> "ToyPosition":
        return self.position_from_row([0] * (CELLS + 1))

    def position_from_row(self, row: Any) -> "ToyPosition":
        *board, seat = (int(number) for number in row)
        return self.made((tuple(board), seat))

    def made(self, plain: Plain, last: int | None = None) -> "ToyPosition":
        result: Any = RESULTS[plain_result(plain)]
        turn = MARKS[plain[1] - 1] if plain[1] else None
        return ToyPosition(game=self, turn=turn, plain=plain, last=last, result=result)


@dataclass(frozen=True, kw_only=True, repr=False)
class ToyPosition(Position):
    """A board and a seat, or nobody before the toss."""

    game: ToyGame
    plain: Plain

    @property
    def board(self) -> str:
        return "".join(LETTERS[mark] for mark in self.plain[0])

    @property
    def moves(self) -> tuple[int, ...]:
        return () if self.result else tuple(plain_moves(self.game.rules, self.plain))

    def outcomes(self, move: int) -> list[tuple[float, Landing]]:
        self.check_move(move)
        if self.turn is not None:
            return [(1.0, Landing(self.turn))]
        return [(1 / self.game.seats, Landing(mark)) for mark in self.game.marks]

    def _after(self, move: int, landing: Landing) -> "ToyPosition":
        after = plain_after(self.game.rules, self.plain, move)
        if self.turn is None:
            return self.game.made(after[self.game.marks.index(landing.mark)][1])  # type: ignore
        return replace(self.game.made(after[0][1]), last=self.game.cell_of(move))

    def to_row(self) -> list[int]:
        return [*self.plain[0], self.plain[1]]
