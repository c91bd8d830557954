"""Classes that change a rule of ours, each in another place: kernels must not play them.

Whatever is changed, moves are counted by the plain rules, a search plays by them or refuses, and
nothing that was made for the parent answers.
"""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pytest

import noughts
from noughts.games import LineGame, LinePosition, UltimateGame
from noughts.games.compiled import compiled
from noughts.games.facts import keeps_rules
from noughts.games.ultimate import ANYWHERE, UltimatePosition


def made_anew(kind: type[Any], position: Any, **changes: Any) -> Any:
    given = {f.name: getattr(position, f.name) for f in fields(position) if f.init}
    return kind(**{**given, **changes})


def lowest(position: LinePosition, column: int) -> int:
    return max(cell for cell in range(column, 9, 3) if position.board[cell] == ".")


class FallsWhenPlayed(LinePosition):
    """A mark falls down its column; the row, which says so, is told by a method of its own."""

    def to_row(self) -> list[int]:
        return super().to_row()

    def _after(self, move: int, landing: Any) -> Any:
        return super()._after(lowest(self, move % 3), landing)


class NoCentre(LinePosition):
    @property
    def filled(self) -> int:
        return super().filled | 1 << 4


class CornerWins(LinePosition):
    def __post_init__(self) -> None:
        if self.last == 0 and self.result is None:
            object.__setattr__(self, "result", "O" if self.turn == "X" else "X")


class LastMarkFirst(LinePosition):
    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        if self.last == 8 and self.result is None:
            object.__setattr__(self, "result", "draw")


@dataclass(frozen=True, kw_only=True, repr=False)
class Twice(LinePosition):
    """X moves twice in a row, by a dataclass that adds a field."""

    moved: int = 0

    def _with_masks(self, masks: Any) -> Any:
        return replace(super()._with_masks(masks), moved=1)


class Asked(LinePosition):
    def __getattribute__(self, name: str) -> Any:
        if name == "open_cells":
            return tuple(cell for cell in super().__getattribute__(name) if cell != 4)
        return super().__getattribute__(name)


def game_of(kind: type[LinePosition]) -> LineGame:
    class Changed(LineGame):
        def start(self) -> Any:
            return made_anew(kind, super().start(), game=self)

    plain = noughts.game("3x3")
    assert isinstance(plain, LineGame)
    return Changed(plain.board, plain.is_misere, plain.risk)


def count(position: noughts.Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(count(position.play(move), depth - 1) for move in position.moves)


KINDS = [FallsWhenPlayed, NoCentre, CornerWins, LastMarkFirst, Twice, Asked]


@pytest.mark.parametrize("kind", KINDS)
def test_no_kernel_plays_a_changed_position(kind: type[LinePosition]) -> None:
    game = game_of(kind)
    start = game.start()
    assert noughts.perft(start, 3) == count(start, 3)
    assert game.hypergraph is None
    told = noughts.known(start)
    assert told is None or not told.is_exact
    refused = (
        lambda: compiled(start),
        lambda: noughts.solve(game),
        lambda: noughts.odds(game, o="random"),
        lambda: noughts.playouts(game, 1),
        lambda: noughts.agent("uct:simulations=9").choose(start, np.random.default_rng(1)),
        lambda: noughts.agent("flat:playouts=9").choose(start, np.random.default_rng(1)),
        lambda: noughts.agent("minimax").choose(start, np.random.default_rng(1)),
    )
    for ask in refused:
        with pytest.raises(
            noughts.NoughtsError, match=r"rules of its own|line game|boards of lines"
        ):
            ask()
    move = noughts.agent("alphabeta:depth=2").choose(start, np.random.default_rng(1))
    assert move in start.moves


@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_position_in_a_game_of_ours_is_refused(kind: type[LinePosition]) -> None:
    start = made_anew(kind, noughts.game("3x3").start())
    asked = (
        lambda: noughts.perft(start, 3),
        lambda: noughts.known(start),
        lambda: noughts.agent("alphabeta").choose(start, np.random.default_rng(1)),
        lambda: noughts.agent("uct:simulations=9").choose(start, np.random.default_rng(1)),
        lambda: noughts.agent("optimal").choose(start, np.random.default_rng(1)),
        lambda: noughts.agent("minimax").choose(start, np.random.default_rng(1)),
    )
    for ask in asked:
        with pytest.raises(noughts.NoughtsError, match="which are not those of 3x3"):
            ask()


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("_made", lambda game, *stated: LineGame._made(game, *stated)),
        ("position_from_row", lambda game, row: LineGame.position_from_row(game, row)),
        ("worth", lambda game, result: LineGame.worth(game, result)),
        ("takes_turns", False),
        ("is_misere", True),
    ],
)
def test_a_game_that_says_a_rule_itself_has_no_kernels(name: str, rule: object) -> None:
    game = type("Changed", (LineGame,), {name: rule})
    assert not keeps_rules(game, LinePosition)


def test_ultimate_with_another_way_of_sending() -> None:
    class Free(UltimatePosition):
        """Nobody is sent anywhere."""

        def _sent_to(self, cell: int) -> int:
            return ANYWHERE

    class FreeGame(UltimateGame):
        def _made(self, *stated: Any) -> Any:
            return made_anew(Free, super()._made(*stated))

    plain = noughts.game("ultimate")
    assert isinstance(plain, UltimateGame)
    start = FreeGame(plain.won, plain.tiebreak, plain.risk).start()
    assert noughts.perft(start, 2) == 81 * 80
    with pytest.raises(noughts.NoughtsError, match="rules of its own"):
        compiled(start)


def test_what_is_only_shown_may_change() -> None:
    @dataclass(frozen=True, kw_only=True, repr=False)
    class Told(LinePosition):
        remark: str = ""

        def to_text(self) -> str:
            return super().to_text()

        def said_twice(self) -> str:
            return self.remark * 2

    @dataclass(frozen=True, repr=False)
    class Named(LineGame):
        @property
        def title(self) -> str:
            return "another title"

        __hash__ = LineGame.__hash__

    assert keeps_rules(Named, Told)
