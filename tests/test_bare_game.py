"""A game that says only what `Game` and `Position` ask of it: every room plays it or refuses it.

Sticks: four in a row; on your turn you take one or two, always from the left; whoever takes the
last one wins. No kernel knows it, its moves are not cells, and it has no lines, zones or risk.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pytest

import noughts
from noughts.adapters.render import picture
from noughts.agents import check_player
from noughts.arena.openings import opening_book
from noughts.commands.playing.advice import estimator_of
from noughts.commands.playing.drawing import draw_board, number_words, risk_lines
from noughts.effort import choosing, counting, solving
from noughts.games.game import Game, Landing, Position, other
from noughts.knowledge import judge
from noughts.learn.frame.registry import learner
from noughts.search.external.drive_gomocup import check_gomoku
from noughts.search.threats import forced_win
from noughts.solve.numbering import board_number
from noughts.solve.written.prism import prism_model
from noughts.web.play.described import refusal
from noughts.web.play.places import position_data


@dataclass(frozen=True, repr=False)
class Sticks(Game):
    cells = 4
    shape = (1, 4, 1)
    moves = 2

    def __str__(self) -> str:
        return "sticks"

    def start(self) -> "Row":
        return self.position_from_row([0] * 4 + [1])

    def position_from_row(self, row: Sequence[int]) -> "Row":
        *seats, turn = row
        taken = "".join(self.marks[seat - 1] for seat in seats if seat)
        result = other(self.marks[turn - 1]) if len(taken) == 4 else None
        return Row(game=self, turn=self.marks[turn - 1], result=result, taken=taken)


@dataclass(frozen=True, kw_only=True, repr=False)
class Row(Position):
    taken: str

    @property
    def board(self) -> str:
        return self.taken.ljust(4, ".")

    @property
    def moves(self) -> tuple[int, ...]:
        return () if self.result else tuple(range(min(2, 4 - len(self.taken))))

    def _after(self, move: int, landing: Landing) -> Self:
        taken = self.taken + self.mover * (move + 1)
        result = self.turn if len(taken) == 4 else None
        return replace(self, taken=taken, turn=other(self.mover), result=result)

    def to_row(self) -> list[int]:
        return [".XO".index(letter) for letter in self.board + self.mover]


GAME = Sticks()
START = GAME.start()


def _choice(spec: str) -> int:
    agent = noughts.agent(spec)
    check_player(agent, START)
    return agent.choose(START, np.random.default_rng(0))


REFUSED: dict[str, Callable[[], Any]] = {
    "tables exist for boards of lines": lambda: noughts.solve(GAME),
    "tables exist for": lambda: noughts.odds(GAME, x="random", o="random"),
    "tables": lambda: _choice("optimal"),
    "boards are not numbered": lambda: board_number(START),
    "boards of lines can be exported": lambda: prism_model(GAME),
    "minimax plays boards of lines without risk": lambda: _choice("minimax"),
    "heuristic evaluates rows of marks": lambda: _choice("heuristic"),
    "force a win by threats": lambda: forced_win(START),
    "The Gomocup protocol": lambda: check_gomoku(GAME),
    "no kernel plays them": lambda: _choice("uct:simulations=9"),
    "no kernel plays": lambda: _choice("flat:playouts=9"),
    "sticks has rules of its own, and no kernel": lambda: _choice("maxn:depth=4"),
    "no kernel": lambda: noughts.playouts(GAME, 9),
    "it learns boards of lines": lambda: learner("table").check_game(GAME),
    "learns games of lines and Ultimate": lambda: learner("td-quadratic").check_game(GAME),
    "sticks has rules of its own": lambda: learner("q-net").check_game(GAME),
    "no network reads them": lambda: learner("zero").check_game(GAME),
    "no network reads": lambda: _choice("zero"),
    "is for Ultimate, not sticks": lambda: _choice("zero:network=r5"),
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_who_cannot_play_it_says_so_in_one_sentence(sentence: str) -> None:
    with pytest.raises(noughts.NoughtsError, match=sentence) as caught:
        REFUSED[sentence]()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("spec", ["random", "alphabeta:depth=4"])
def test_who_can_plays_it(spec: str) -> None:
    assert _choice(spec) in START.moves


def test_it_is_searched_by_its_own_rules() -> None:
    """Whoever leaves three wins."""
    agent = noughts.agent("alphabeta:depth=4")
    assert agent.values(START) == {0: 1.0, 1: -1.0}
    assert agent.choose(START, np.random.default_rng(0)) == 0


def test_the_rooms_around_play_know_enough_of_it() -> None:
    position = START.play(0)
    assert (position.masks[0], position.winning_line, position.zone_owners) == (1, None, "")
    assert (GAME.hypergraph, GAME.zones, GAME.deciding_lines, GAME.risks) == (None, 0, (), {})
    assert not any((GAME.is_risky, GAME.fades, GAME.has_clock, GAME.is_misere))
    assert GAME.can_end()
    assert (GAME.title, GAME.name_move(1)) == ("sticks", "1")
    assert draw_board(position, number_words(position), colour=False).startswith("X")
    assert risk_lines(GAME) == []
    assert picture(position).shape[2] == 3
    assert "<svg" in position._repr_svg_()
    assert sorted(opening_book(GAME, 2, seed=1, plies=1)) == [(0,), (1,)]
    told = noughts.known(START)  # how much is asked depends on whether kernels are interpreted
    assert told is None or (told.low, told.high) == (1.0, 1.0)
    assert all(
        one.low <= {0: 1.0, 1: -1.0}[m] <= one.high for m, one in noughts.known_moves(START).items()
    )
    assert judge(START, lambda: noughts.agent("alphabeta:depth=4")).values == {0: 1.0, 1: -1.0}
    works = [choosing(noughts.agent("uct"), GAME), solving(GAME), counting(GAME, 2)]
    assert all("Sticks" in work.kernels for work in works)
    check_player(noughts.agent(estimator_of(GAME)), START)  # who is asked can answer
    assert position_data(position, 1)["board"] == "X..."
    assert refusal("minimax", GAME) is not None
