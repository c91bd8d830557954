"""`noughts play GAME`: a game in the terminal, against anybody."""

import argparse
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from noughts.commands.advice import (
    advising,
    estimator_of,
    hint_line,
    source_line,
    value_words,
)
from noughts.commands.arguments import Subparsers, whole_number
from noughts.commands.drawing import draw_board, number_words, risk_lines
from noughts.errors import NoughtsError, ParseError
from noughts.games import Game, Landing, Mark, Position, UltimateGame, game

if TYPE_CHECKING:
    import numpy as np

    from noughts.agents import Agent
    from noughts.effort import Work

HELP = """Type {}. Also:
  h  a hint           v  the value of every move
  u  take back        q  leave
  ?  this help"""

OPPONENT = "uct:simulations=1000"


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "play",
        help="play a game in the terminal",
        description="Play a game in the terminal: type the number of a cell, h for a hint, v for "
        "the value of every move, u to take back, q to leave. Two agents play by themselves.",
        epilog="Example: noughts play ultimate --x human --o uct:time=1",
    )
    parser.add_argument("game", help="a spec such as 3x3:flip=0.1 or ultimate")
    parser.add_argument("--x", default="human", help="who plays X (human)")
    parser.add_argument(
        "--o", help=f"who plays O ({OPPONENT}, or human where --x names somebody else)"
    )
    parser.add_argument(
        "--seed",
        type=whole_number(0),
        help="makes landings and agents repeatable; drawn anew unless given",
    )
    return parser


def estimate(options: argparse.Namespace) -> "list[Work]":
    """A whole game of both players, and advice now and then."""
    from noughts.agents import agent
    from noughts.effort import choosing

    played = game(options.game)
    players = [agent(spec) for spec in (options.x, _second(options))]
    people = [player for player in players if player.name == "human"]
    works = [choosing(player, played, played.cells / 2) for player in players]
    return works + (advising(played) if people else [])


def run(options: argparse.Namespace) -> int:
    import numpy as np

    from noughts.agents import agent, check_player
    from noughts.arena.endless import check_ends

    played = game(options.game)
    seats = {"X": agent(options.x), "O": agent(_second(options))}
    for player in seats.values():
        check_player(player, played)
    if all(player.name != "human" for player in seats.values()):
        check_ends(played)
    print("\n".join([f"{played}: X {seats['X']}, O {seats['O']}", *risk_lines(played)]) + "\n")
    table = Table(
        position=played.start(),
        seats=seats,
        rng=np.random.default_rng(options.seed),
        colour=sys.stdout.isatty(),
    )
    table.play()
    return 0


def _second(options: argparse.Namespace) -> str:
    """Who plays O."""
    return options.o or (OPPONENT if options.x == "human" else "human")


class Left(Exception):
    """The person has had enough."""


@dataclass
class Table:
    """A game under way: the position, who sits where, and the way back."""

    position: Position
    seats: dict[str, "Agent"]
    rng: "np.random.Generator"
    colour: bool
    history: list[tuple[Position, int, Landing]] = field(default_factory=list)
    adviser: "Agent | None" = None

    def play(self) -> None:
        """Play to the end, or until the person leaves."""
        if any(agent.name == "human" for agent in self.seats.values()):
            print(_help(self.position.game) + "\n")
        try:
            while self.position.result is None:
                self._turn()
        except (Left, EOFError):
            print("\nGood-bye.")
            return
        print(f"{self._board()}\n")
        result = self.position.result
        print("A draw." if result == "draw" else f"{result} wins.")
        self._teach()

    def _teach(self) -> None:
        """Let those who learn from this game do so, and show what they learned."""
        seats: tuple[Mark, Mark] = ("X", "O")
        for seat in seats:
            lines = self.seats[seat].game_over(seat, self.history)
            if lines:
                print("\n" + "\n".join(lines))

    def _turn(self) -> None:
        player = self.seats[self.position.turn]
        if player.name == "human":
            move = self._ask()
            if move is None:
                return
        else:
            move = self.position.check_move(player.choose(self.position, self.rng))
        landing, after = self.position.sample(move, self.rng)
        self.history.append((self.position, move, landing))
        print(self._tell(player, move, landing))
        self.position = after

    def _board(self) -> str:
        words = number_words(self.position) if self.position.result is None else {}
        return draw_board(self.position, words, self.colour)

    def _ask(self) -> int | None:
        """The move that a person types; None after taking back."""
        print(f"\n{self._board()}\n")
        while True:
            answer = input(f"{self._prompt()}: ").strip().lower()
            if answer == "q":
                raise Left
            if answer == "u":
                self._take_back()
                return None
            if answer in ("h", "v"):
                self._advise(answer)
            elif answer == "?":
                print(_help(self.position.game))
            else:
                try:
                    return self.position.check_move(self._read(answer))
                except NoughtsError as error:
                    print(error)

    def _prompt(self) -> str:
        risk = self.position.game.risk
        words = f"{self.position.turn} plays"
        if isinstance(self.position.game, UltimateGame):
            words += " (cell, or mini board and cell)"
        if risk.has_clock:
            words += f" at tick {self.position.tick} (cell, and ticks to wait if any)"
        return words

    def _read(self, answer: str) -> int:
        words = answer.split()
        if not words or len(words) > 2 or not all(w.isascii() and w.isdigit() for w in words):
            raise ParseError(f"'{answer}' is not a cell; type its number, or ? for help.")
        first, *rest = (int(word[:9]) for word in words)
        if isinstance(self.position.game, UltimateGame) and rest:
            if first > 8 or rest[0] > 8:
                raise ParseError(f"'{answer}' is not a mini board 0 to 8 and a cell 0 to 8.")
            return 9 * first + rest[0]
        if rest and not self.position.game.risk.has_clock:
            return self._cell_at(first, rest[0])
        return self.position.game.move_at(first, *rest)

    def _cell_at(self, row: int, column: int) -> int:
        rows, columns, layers = self.position.game.shape
        if layers > 1 or row >= rows or column >= columns:
            raise ParseError(
                f"Row {row}, column {column} is not on the board; type the number of a cell."
            )
        return row * columns + column

    def _take_back(self) -> None:
        """Return to the last position in which a person had to move."""
        if not any(self.seats[earlier.turn].name == "human" for earlier, _, _ in self.history):
            print("There is nothing to take back.")
            return
        self.position = self.history.pop()[0]
        while self.seats[self.position.turn].name != "human":
            self.position = self.history.pop()[0]

    def _advise(self, wish: str) -> None:
        from noughts.knowledge import judge

        judged = judge(self.position, self._adviser)
        if wish == "h":
            print(hint_line(judged))
            return
        print(f"\n{draw_board(self.position, value_words(judged), self.colour)}\n")
        print(f"Values for X: {source_line(judged)}")

    def _adviser(self) -> "Agent":
        """Who is asked about moves whose value is not known."""
        from noughts.agents import agent

        if self.adviser is None:
            self.adviser = agent(estimator_of(self.position.game))
        return self.adviser

    def _tell(self, player: "Agent", move: int, landing: Landing) -> str:
        """What was chosen, and how the dice fell."""
        position = self.position
        cell, wait = position.game.cell_of(move), position.game.wait_of(move)
        words = f"{position.turn} ({player}) plays {cell}"
        if wait:
            words += f" after {wait} ticks"
        if not position.game.risk.is_risky:
            return words + "."
        odds = position.game.risk.landing_odds(cell, position.tick + wait)
        if landing.mark is None:
            words += f", and it fizzles (chance {odds[2]:.2f})"
        elif landing.mark == position.turn:
            words += f", and it lands as meant (chance {odds[0]:.2f})"
        else:
            words += f", and it flips to {landing.mark} (chance {odds[1]:.2f})"
        if landing.faded:
            words += f"; faded: {', '.join(map(str, landing.faded))}"
        return words + "."


def _help(played: Game) -> str:
    """What can be typed."""
    if isinstance(played, UltimateGame):
        return HELP.format("the number of a cell, or its mini board and its cell there, from 0")
    if played.risk.has_clock:
        return HELP.format("the number of a cell, and the ticks to wait if any")
    if played.shape[2] > 1:
        return HELP.format("the number of a cell")
    return HELP.format("the number of a cell, or its row and column, both from 0")
