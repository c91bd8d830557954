"""Game and Position: what every game can do, whatever its rules are.

A `Game` is the frozen statement of the rules and is shared; a `Position` is one moment of it and is
never changed: `play` and `landings` give new ones. What is common to games in which marks land in
cells, with their risks, clock and fading, stands in `cells.py`.
"""

import json
import operator
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

from noughts.errors import IllegalMove, NoughtsError, ParseError
from noughts.games.facts import GameFacts, keeps_rules
from noughts.games.symmetry import Permutation

if TYPE_CHECKING:
    import numpy as np  # only named here, so that stating a game needs no numpy

Mark = Literal["X", "O", "T", "S"]
Result = Literal["X", "O", "T", "S", "draw"]

MARKS: tuple[Mark, ...] = ("X", "O", "T", "S")  #: of the seats, in the order of their turns


def other(mark: Mark) -> Mark:
    """The opponent's mark, where there are two players."""
    return "O" if mark == "X" else "X"


def check_two(game: "Game", what: str) -> None:
    """Refuse a game of more than two players to something that is made for two."""
    if game.seats > 2:
        raise NoughtsError(f"{what} is for two players; {game} has {game.seats}.")


MOST_TIMES = 3  # that a position may come, where moves alone bring it back: then it is a draw


class Landing(NamedTuple):
    """What a choice turned into: the mark that landed (None: fizzled) and the cells that faded.

    The mark of whoever is on turn says that all went as it was meant, whatever a move does.
    """

    mark: Mark | None
    faded: tuple[int, ...] = ()


class Game(GameFacts):
    """The rules of one game. Equal games have equal boards, options and risks.

    A game must say its `cells`, `shape`, `start`, `position_from_row` and canonical spec (`str`);
    all else has a default that suits games without risk, whose moves are cell + cells · n.
    """

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks of the seats, in the order of their turns."""
        return MARKS[: self.seats]

    def marks_from(self, mark: Mark) -> tuple[Mark, ...]:
        """All marks in the order of turns, this one first."""
        first = self.marks.index(mark)
        return self.marks[first:] + self.marks[:first]

    def after(self, mark: Mark, turns: int = 1) -> Mark:
        """The mark that is on turn so many turns after this one."""
        return self.marks[(self.marks.index(mark) + turns) % self.seats]

    def worth(self, result: Result) -> tuple[float, ...]:
        """What a result is worth to each seat: the winner 1, every loser -1/(seats - 1), a draw 0.

        All seats together get nothing; with two players it is the value for X and its opposite.
        """
        if result == "draw":
            return (0.0,) * self.seats
        if result not in self.marks:
            seats = ", ".join(self.marks)
            raise NoughtsError(f"{self} has no seat {result}; its seats are {seats}.")
        lost = -1.0 / (self.seats - 1)
        return tuple(1.0 if mark == result else lost for mark in self.marks)

    @abstractmethod
    def start(self) -> "Position":
        """Where the game begins."""

    def position_from_row(self, row: Sequence[int]) -> "Position":
        """The inverse of `Position.to_row`."""
        raise NoughtsError(f"{type(self).__name__} does not say `position_from_row`.")

    def position_from_board(self, letters: str, turn: Mark) -> "Position | None":
        """The position that its board and turn say; None where they do not say everything."""
        return None

    def parse(self, text: str) -> "Position":
        """The position that a text draws; the inverse of `str(position)`."""
        from noughts.games.text import read_text  # it knows positions, so it imports us

        return read_text(self, text)

    def position_from_dict(self, data: dict[str, Any]) -> "Position":
        """The inverse of `Position.to_dict`."""
        from noughts.games.text import read_data

        return read_data(self, data)

    def symmetries(self) -> tuple[Permutation, ...]:
        """The permutations of cells that keep the rules and the risks; the identity is first."""
        return (tuple(range(self.cells)),)

    @abstractmethod
    def __str__(self) -> str:
        """The canonical spec; `noughts.game(str(game)) == game`."""

    def __repr__(self) -> str:
        return f"noughts.game({str(self)!r})"

    @property
    def has_kernels(self) -> bool:
        """Whether the kernels of a family play it by its own rules."""
        return keeps_rules(type(self), type(self.start()))

    def check_kernels(self) -> None:
        """Refuse, in one sentence, a game whose rules no kernel knows."""
        if not self.has_kernels:
            raise NoughtsError(f"{self} has rules of its own, and no kernel plays them.")


@dataclass(frozen=True, kw_only=True)
class Position(ABC):
    """One moment of a game. Hashable; `last` and `result` follow from the rest or from history.

    A position must say its `board`, its `moves`, what comes `_after` one, and itself as a row.
    """

    game: Game
    turn: Mark | None  #: None where chance is due: the only move is 0, and its outcomes are listed
    tick: int = 0  #: the clock, for games with a hazard
    last: int | None = field(default=None, compare=False)  #: the cell that was played to get here
    result: Result | None = field(compare=False)

    @property
    @abstractmethod
    def board(self) -> str:
        """One letter per cell: a mark, or '.' for empty."""

    @property
    @abstractmethod
    def moves(self) -> tuple[int, ...]:
        """The legal moves, ascending; none when the game is over."""

    @abstractmethod
    def _after(self, move: int, landing: Landing) -> Self:
        """The position after a legal move that turned into this."""

    def to_row(self) -> list[int]:
        """The whole position as numbers, the way the family of its game writes it."""
        raise NoughtsError(f"{type(self).__name__} does not say `to_row`.")

    def check_kept(self) -> None:
        """Refuse, in one sentence, a position with rules of its own in a game that has others."""
        if not keeps_rules(type(self.game), type(self)) and self.game.has_kernels:
            raise NoughtsError(
                f"{type(self).__name__} has rules of its own, which are not those of {self.game}; "
                "a game of its own must start with it."
            )

    @property
    def mover(self) -> Mark:
        """Who is on turn, where somebody must be."""
        if self.turn is None:
            raise NoughtsError("It is nobody's turn: chance decides who moves.")
        return self.turn

    @property
    def masks(self) -> tuple[int, ...]:
        """The cells of each mark as bits, in the order of `MARKS`."""
        return tuple(
            sum(1 << cell for cell, letter in enumerate(self.board) if letter == mark)
            for mark in MARKS
        )

    @property
    def sites(self) -> str:
        """One letter per site of the game: a mark, or '.'."""
        return self.board

    @property
    def zone(self) -> int | None:
        """The zone in which the next move must be, if there is one."""
        return None

    @property
    def zone_owners(self) -> str:
        """One letter per zone of the game: a mark, or '.'."""
        return self.sites[self.game.sites - self.game.zones :] if self.game.zones else ""

    @property
    def open_cells(self) -> tuple[int, ...]:
        """The cells of the legal moves, ascending."""
        return tuple(sorted({self.game.cell_of(move) for move in self.moves}))

    @property
    def at_once(self) -> tuple[int, ...]:
        """The moves that do not wait, ascending."""
        return self.moves

    @property
    def most_left(self) -> int | None:
        """How many moves the game may still last if all land as they are meant; None: unknown."""
        return self.game.longest

    @property
    def longest_wait(self) -> int:
        """How many ticks the next move may wait."""
        return self.game.risk.waits(self.tick)

    @property
    def winning_line(self) -> tuple[int, ...] | None:
        """The line of `game.deciding_lines` that somebody has, if there is one."""
        return None

    def check_move(self, move: int) -> int:
        """The move as a plain int; raises IllegalMove with a sentence that says what is allowed."""
        number = self._checked_number(move)
        if number not in self.moves:
            allowed = ", ".join(self.game.name_move(one) for one in self.moves)
            is_move = 0 <= number < self.game.moves
            name = self.game.name_move(number) if is_move else number
            raise IllegalMove(f"Move {name} is not allowed; moves: {allowed}.")
        return number

    def _checked_number(self, move: int) -> int:
        """A whole number, in a game that goes on."""
        try:
            number = operator.index(move)
        except TypeError:
            raise IllegalMove(f"A move is a whole number, not {move!r}.") from None
        if isinstance(move, bool):
            raise IllegalMove(f"A move is a whole number, not {move!r}.")
        if self.result is not None:
            outcome = "is a draw" if self.result == "draw" else f"has been won by {self.result}"
            raise IllegalMove(f"The game {outcome}; no move is allowed.")
        return number

    def play(self, move: int, landing: Landing | None = None) -> Self:
        """The position after a move: the landing you meant, or the one you force."""
        move = self.check_move(move)
        if landing is None:
            return self._after(move, self.meant(move))
        self.check_landing(move, landing)
        return self._after(move, landing)

    def meant(self, move: int) -> Landing:
        """What a move turns into if nothing goes wrong."""
        return self.outcomes(move)[0][1]

    def outcomes(self, move: int) -> list[tuple[float, Landing]]:
        """Everything a move may turn into: (probability, landing), probabilities sum to 1."""
        self.check_move(move)
        return [(1.0, Landing(self.turn))]

    def check_landing(self, move: int, landing: Landing) -> None:
        """Raise IllegalMove unless a move may turn into this."""
        if not isinstance(landing, Landing):
            raise IllegalMove(f"A landing is noughts.Landing(mark, faded), not {landing!r}.")
        if all(landing != listed for _, listed in self.outcomes(move)):
            raise IllegalMove(
                f"Move {self.game.name_move(move)} cannot land as {landing.mark or 'nothing'} here."
            )

    def chance_of(self, move: int, mark: Mark | None) -> float:
        """The probability that a move lands as this mark, or as nothing."""
        return sum(chance for chance, landing in self.outcomes(move) if landing.mark == mark)

    def mark_chances(self, move: int) -> list[tuple[float, Mark | None]]:
        """(probability, mark) of one's own, of the others' in the order of turns, of nothing."""
        marks = (*self.game.marks_from(self.mover), None)
        return [(self.chance_of(move, mark), mark) for mark in marks]

    def landings(self, move: int) -> list[tuple[float, Self]]:
        """The positions a move may lead to: (probability, position), probabilities sum to 1."""
        merged: dict[Self, float] = {}
        for probability, landing in self.outcomes(move):
            after = self.play(move, landing)
            merged[after] = merged.get(after, 0.0) + probability
        return [(probability, after) for after, probability in merged.items()]

    def moves_toward(self, later: "Position") -> Sequence[int]:
        """The moves after which `later` may come next, or soon; all, unless the game can tell."""
        return self.moves

    def sample(self, move: int, rng: "np.random.Generator") -> tuple[Landing, Self]:
        """Draw a landing: what happened, and the position it led to."""
        outcomes = self.outcomes(move)
        chosen = pick([chance for chance, _ in outcomes], rng) if len(outcomes) > 1 else 0
        return outcomes[chosen][1], self._after(move, outcomes[chosen][1])

    def permuted(self, permutation: Permutation) -> Self:
        """The same position with cell i moved to permutation[i]."""
        if permutation != tuple(range(self.game.cells)):
            if permutation in self.game.symmetries():
                raise NoughtsError(f"{type(self).__name__} does not say `permuted`.")
            raise NoughtsError(f"{permutation} is not a symmetry of {self.game}.")
        return self

    def _order(self) -> tuple[int, ...]:
        """The key by which `canonical` picks one of several images."""
        return tuple(self.to_row())

    def canonical(self) -> Self:
        """The smallest of this position's images under the game's symmetries."""
        return min((self.permuted(p) for p in self.game.symmetries()), key=lambda p: p._order())

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data: dict[str, Any] = {"game": str(self.game), "board": self.board, "turn": self.turn}
        return {**data, "row": self.to_row(), "last": self.last, "result": self.result}

    def to_text(self) -> str:
        """The position on one line; `game.parse` reads it back."""
        from noughts.games.text import write_line

        return write_line(self)

    def __str__(self) -> str:
        from noughts.games.text import write_drawing

        return write_drawing(self)

    def to_json(self) -> str:
        """The position as JSON; `Position.from_json` reads it back, its game included."""
        return json.dumps(self.to_dict())

    @staticmethod
    def from_json(text: str) -> "Position":
        """The inverse of `to_json`."""
        from noughts.games.registry import game  # the registry knows all games, so it imports us

        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:  # bad JSON, or too deep, or too many digits
            raise ParseError(f"The position is not JSON: {error}.") from None
        if not isinstance(data, dict) or not isinstance(data.get("game"), str):
            raise ParseError('A position in JSON is an object with a "game", such as "3x3".')
        return game(data["game"]).position_from_dict(data)

    def __repr__(self) -> str:
        return f"{self.game!r}.parse({self.to_text()!r})"

    def _repr_svg_(self) -> str:
        """How a notebook shows the position."""
        from noughts.games.svg import draw  # drawing is only loaded when somebody looks

        return draw(self)


def pick(chances: Sequence[float], rng: "np.random.Generator") -> int:
    """Draw one of several outcomes."""
    draw, chosen = rng.random(), 0
    while chosen < len(chances) - 1 and draw >= chances[chosen]:
        draw -= chances[chosen]
        chosen += 1
    return chosen
