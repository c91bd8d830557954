"""Games with one fault each, which `check_game` must find.

A fault is a pair of classes, one for the game and one for its positions, of which one is spoilt;
some need a risk to show. `FAULTS` lists them with the sentence that they deserve.
"""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, ClassVar, Self

import numpy as np

import noughts
from noughts.games import LineGame, LinePosition
from noughts.games.boards import grid_board
from noughts.games.game import Landing, other
from noughts.games.grammar import Spec
from noughts.games.risk import OPTIONS, read_risk


class Crooked(LineGame):
    """3×3 whose positions are of another class, so that each method can be spoilt."""

    kind: ClassVar[type[LinePosition]]

    def start(self) -> LinePosition:
        return self._bent(super().start())

    def _position(self, letters: str, status: Any) -> LinePosition:
        return self._bent(super()._position(letters, status))

    def _bent(self, position: LinePosition) -> LinePosition:
        return self.kind(**{f.name: getattr(position, f.name) for f in fields(position)})


class Fine(LinePosition):
    pass


class SpecOfAnother(Crooked):
    def __str__(self) -> str:
        return "3x3"


class NotCanonical(Crooked):
    """Reads back as an equal game, but with another text each time."""

    def __str__(self) -> str:
        return f"crooked:flip={self.risk.flip[0] / 2}"

    def __eq__(self, them: object) -> bool:
        return isinstance(them, NotCanonical)

    def __hash__(self) -> int:
        return 1


class OBegins(Crooked):
    def start(self) -> LinePosition:
        return replace(super().start(), turn="O")


class MarkedStart(Crooked):
    def start(self) -> LinePosition:
        return replace(super().start(), x_mask=1)


class WrongShape(Crooked):
    @property
    def shape(self) -> tuple[int, int, int]:
        return 3, 4, 1


class NoIdentity(Crooked):
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        return super().symmetries()[1:]


class SameTwice(Crooked):
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        return (*super().symmetries(), super().symmetries()[-1])


class NoGroup(Crooked):
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        return super().symmetries()[:-1]


class NotInverse(Crooked):
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        return tuple(range(9)), (1, 2, 0, 4, 5, 3, 7, 8, 6)


class NoPermutation(Crooked):
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        return tuple(range(9)), (0,) * 9


class BreaksLines(Crooked):
    """Swapping the first two cells is a group of two, but it is no symmetry."""

    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        return tuple(range(9)), (1, 0, 2, 3, 4, 5, 6, 7, 8)


class BlindToRisk(Crooked):
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        return noughts.game("3x3").symmetries()


class Descending(LinePosition):
    @property
    def moves(self) -> tuple[int, ...]:  # type: ignore[override]
        return super().moves[::-1]


class MovesTwice(LinePosition):
    @property
    def moves(self) -> tuple[int, ...]:  # type: ignore[override]
        return tuple(sorted(super().moves * 2))


class MovesOverFilled(LinePosition):
    @property
    def moves(self) -> tuple[int, ...]:  # type: ignore[override]
        return () if self.result else tuple(range(9))


class MovesAfterTheEnd(LinePosition):
    @property
    def moves(self) -> tuple[int, ...]:  # type: ignore[override]
        return self.open_cells


class NoMovesInTheMiddle(LinePosition):
    @property
    def moves(self) -> tuple[int, ...]:  # type: ignore[override]
        return super().moves if self.board.count(".") > 6 else ()


class NumpyMoves(LinePosition):
    @property
    def moves(self) -> tuple[int, ...]:  # type: ignore[override]
        return tuple(np.array(super().moves, dtype=np.int64))


class AcceptsAnything(LinePosition):
    def check_move(self, move: int) -> int:
        return int(move or 0) % 9


class ForgetsTheTurn(LinePosition):
    def _land(self, cell: int, mark: Any) -> Self:
        return replace(super()._land(cell, mark), turn="O")


class ForgetsTheLast(LinePosition):
    def _land(self, cell: int, mark: Any) -> Self:
        return replace(super()._land(cell, mark), last=None)


class WrongCell(LinePosition):
    def _land(self, cell: int, mark: Any) -> Self:
        return super()._land(max(self.open_cells), mark)


class PlaysInPlace(LinePosition):
    def play(self, move: int, landing: Landing | None = None) -> Self:
        after = super().play(move, landing)
        object.__setattr__(self, "x_mask", after.x_mask)
        object.__setattr__(self, "o_mask", after.o_mask)
        self.__dict__.pop("board", None)
        return after


class ClockStandsStill(LinePosition):
    def _land(self, cell: int, mark: Any) -> Self:
        return replace(super()._land(cell, mark), tick=0)


class TooLikely(LinePosition):
    def landings(self, move: int) -> list[tuple[float, Self]]:
        return [(0.9 * p, after) for p, after in super().landings(move)]


class NegativeChance(LinePosition):
    def landings(self, move: int) -> list[tuple[float, Self]]:
        [*most, (p, last)] = super().landings(move)
        return [*most, (p + 0.5, last), (-0.5, last)]


class LandsTwice(LinePosition):
    def landings(self, move: int) -> list[tuple[float, Self]]:
        [*most, (p, last)] = super().landings(move)
        return [*most, (p / 2, last), (p / 2, last)]


class LandingsOfAnother(LinePosition):
    def landings(self, move: int) -> list[tuple[float, Self]]:
        self.check_move(move)
        return super().landings(self.moves[-1])


class NeverAsMeant(LinePosition):
    """Outcomes know only the opponent's mark, and so do landings; the risk knows better."""

    def outcomes(self, move: int) -> list[tuple[float, Landing]]:
        self.check_move(move)
        return [(1.0, Landing(other(self.turn)))]


class SamplesTheImpossible(LinePosition):
    def sample(self, move: int, rng: np.random.Generator) -> tuple[Landing, Self]:
        return Landing(None), self.play(move, Landing(None))


class SamplesAnother(LinePosition):
    def sample(self, move: int, rng: np.random.Generator) -> tuple[Landing, Self]:
        return Landing(self.turn), self.play(move, Landing(other(self.turn)))


class UnstableHash(LinePosition):
    def __hash__(self) -> int:
        return id(self)


class EqualToAll(LinePosition):
    def __eq__(self, them: object) -> bool:
        return isinstance(them, LinePosition)

    def __hash__(self) -> int:
        return 1


class DrawsWithoutTurn(LinePosition):
    def __str__(self) -> str:
        return super().__str__().rsplit("\n", 1)[0] + "\nX to move"


class UnreadableText(LinePosition):
    def __str__(self) -> str:
        return "nobody can read this"


class UnreadableLine(LinePosition):
    def __repr__(self) -> str:
        return f"<{self.board}>"


class ReprOfAnother(LinePosition):
    def to_text(self) -> str:
        return "........."


class JsonForgetsTheLast(LinePosition):
    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "last": None}


class JsonMixesTurns(LinePosition):
    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "turn": "X"}


class UnreadableJson(LinePosition):
    def to_json(self) -> str:
        return "{"


class ImageOfAnother(LinePosition):
    def permuted(self, permutation: tuple[int, ...]) -> Self:
        inverse = tuple(int(i) for i in np.argsort(permutation))
        return super().permuted(inverse)


class ImageForgetsTheTurn(LinePosition):
    def permuted(self, permutation: tuple[int, ...]) -> Self:
        return replace(super().permuted(permutation), turn="X")


class CanonicalIsItself(LinePosition):
    def canonical(self) -> Self:
        return self


class CanonicalIsTheStart(LinePosition):
    def canonical(self) -> Self:
        return self.game.start()  # type: ignore[return-value]


class LopsidedResult(LinePosition):
    """The left column wins, the right one does not: the drawing's symmetries no longer hold."""

    def _land(self, cell: int, mark: Any) -> Self:
        after = super()._land(cell, mark)
        right = 0b100_100_100
        if after.x_mask & right == right and after.winning_line == (2, 5, 8):
            return replace(after, result=None)
        return after


class FadesAfterTheEnd(LinePosition):
    def outcomes(self, move: int) -> list[tuple[float, Landing]]:
        found = super().outcomes(move)
        if self.play(move).result is not None:
            return [(p, Landing(landing.mark, (0,))) for p, landing in found]
        return found


FAULTS: list[tuple[type[Crooked], type[LinePosition], str, str]] = [
    (SpecOfAnother, Fine, "", "The spec names another game"),
    (NotCanonical, Fine, "flip=0.5", "The spec is not canonical"),
    (OBegins, Fine, "", "X does not begin"),
    (MarkedStart, Fine, "", "not empty at the start"),
    (WrongShape, Fine, "", "shape does not hold all cells"),
    (NoIdentity, Fine, "", "identity is not the first"),
    (SameTwice, Fine, "", "listed twice"),
    (NoGroup, Fine, "", "is no symmetry"),
    (NotInverse, Fine, "", "inverse of .* is no symmetry"),
    (NoPermutation, Fine, "", "does not permute the cells"),
    (BreaksLines, Fine, "", "does not map move|changes turn, clock or result|differ in canonical"),
    (BlindToRisk, Fine, "flip=stochastic", "changes the risks"),
    (Crooked, Descending, "", "not ascending"),
    (Crooked, MovesTwice, "", "not ascending"),
    (Crooked, MovesOverFilled, "", "plays a filled cell"),
    (Crooked, MovesAfterTheEnd, "", "over, and yet there are moves"),
    (Crooked, NoMovesInTheMiddle, "", "goes on, and yet there is no move"),
    (Crooked, NumpyMoves, "", "is not an int"),
    (Crooked, AcceptsAnything, "", "not legal but was accepted"),
    (Crooked, ForgetsTheTurn, "", "did not pass the turn"),
    (Crooked, ForgetsTheLast, "", "not remembered as the last move"),
    (Crooked, WrongCell, "", "another board"),
    (Crooked, PlaysInPlace, "", "Playing changed"),
    (Crooked, ClockStandsStill, "hazard=1,limit=1,ticks=3", "left the clock at 0"),
    (Crooked, TooLikely, "", "probabilities sum to 0.9"),
    (Crooked, NegativeChance, "", "a landing is impossible"),
    (Crooked, LandsTwice, "flip=0.5", "a landing is listed twice"),
    (Crooked, LandingsOfAnother, "", "landings and outcomes disagree"),
    (Crooked, NeverAsMeant, "flip=0.5", "lands with another chance"),
    (Crooked, SamplesTheImpossible, "flip=0.5", "which is not listed"),
    (Crooked, SamplesAnother, "flip=0.5", "led to"),
    (Crooked, UnstableHash, "", "Two starts differ"),
    (Crooked, EqualToAll, "", "led to an equal position"),
    (Crooked, DrawsWithoutTurn, "flip=0.5", "str does not read back"),
    (Crooked, UnreadableText, "", "was refused"),
    (Crooked, UnreadableLine, "", "repr is no call of parse"),
    (Crooked, ReprOfAnother, "", "repr does not rebuild"),
    (Crooked, JsonForgetsTheLast, "", "JSON loses the last move"),
    (Crooked, JsonMixesTurns, "", "JSON does not read back"),
    (Crooked, UnreadableJson, "", "was refused with 'The position is not JSON"),
    (Crooked, ImageOfAnother, "", "The symmetry .* (led to another board|does not map move)"),
    (Crooked, ImageForgetsTheTurn, "", "changes turn|does not map move"),
    (Crooked, CanonicalIsItself, "", "Two images differ"),
    (Crooked, CanonicalIsTheStart, "", "canonical changes marks"),
    (Crooked, LopsidedResult, "", "does not read back|does not map move|does not rebuild"),
    (Crooked, FadesAfterTheEnd, "fade=0.3", "was refused with .* cannot fade"),
]


def crooked(game_class: type[Crooked], kind: type[LinePosition]) -> Callable[[Spec], LineGame]:
    made = type(game_class.__name__, (game_class,), {"kind": kind})

    def build(spec: Spec) -> LineGame:
        spec.allow(OPTIONS)
        board = replace(grid_board((3, 3), 3), name="crooked")
        return made(board, False, read_risk(spec, 9))  # type: ignore[no-any-return]

    return build
