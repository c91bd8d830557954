"""`noughts play GAME`: a game in the terminal, against anybody."""

import argparse
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from noughts.agents import Agent, agent, check_player
from noughts.commands.playing.advice import (
    advising,
    best_line,
    estimator_of,
    hint_line,
    source_line,
    value_words,
    worth_words,
    worths_of,
)
from noughts.commands.playing.drawing import draw_board, number_words, risk_lines
from noughts.commands.terminal.arguments import Subparsers, whole_number
from noughts.errors import NoughtsError, ParseError
from noughts.games import Game, Landing, Mark, Position, game
from noughts.games.game import MARKS, MOST_TIMES

if TYPE_CHECKING:
    import numpy as np

    from noughts.effort import Work

HELP = """Type {}. Also:
  h  a hint           v  the value of every move
  u  take back        q  leave
  ?  this help"""

OPPONENT = "uct:simulations=1000"
PLAIN = "alphabeta"  # who can play what no kernel knows


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "play",
        help="play a game in the terminal",
        description="Play a game in the terminal: type the number of a cell, h for a hint, v for "
        "the value of every move, u to take back, q to leave. Agents alone play by themselves.",
        epilog="Example: noughts play ultimate --x human --o uct:time=1",
    )
    parser.add_argument("game", help="a spec such as 3x3:flip=0.1 or ultimate")
    parser.add_argument("--x", default="human", help="who plays X (human)")
    parser.add_argument(
        "--o", help=f"who plays O ({OPPONENT}, or human where --x names somebody else)"
    )
    for mark in MARKS[2:]:
        parser.add_argument(
            f"--{mark.lower()}", help=f"who plays {mark}, where so many play ({OPPONENT})"
        )
    parser.add_argument(
        "--seed",
        type=whole_number(0),
        help="makes landings and agents repeatable; drawn anew unless given",
    )
    return parser


def estimate(options: argparse.Namespace) -> "list[Work]":
    """A whole game of all players, and advice now and then."""
    from noughts.effort import choosing

    played = game(options.game)
    players = [agent(spec) for spec in _players(options, played)]
    people = [player for player in players if player.name == "human"]
    works = [choosing(player, played, played.cells / played.seats) for player in players]
    return works + (advising(played) if people else [])


def run(options: argparse.Namespace) -> int:
    import numpy as np

    played = game(options.game)
    players = [agent(spec) for spec in _players(options, played)]
    seats = dict(zip(played.marks, players, strict=True))
    for player in seats.values():
        check_player(player, played)
    if all(player.name != "human" for player in seats.values()):
        played.check_ends()
    told = ", ".join(f"{seat} {player}" for seat, player in seats.items())
    print("\n".join([f"{played}: {told}", *risk_lines(played)]) + "\n")
    table = Table(
        position=played.start(),
        seats=seats,
        rng=np.random.default_rng(options.seed),
        colour=sys.stdout.isatty(),
    )
    table.play()
    return 0


def _players(options: argparse.Namespace, played: Game) -> list[str]:
    """Who sits where: a person at X, or where X is named at the first seat that is not."""
    named = [getattr(options, mark.lower()) for mark in MARKS]
    for mark, spec in zip(MARKS[played.seats :], named[played.seats :], strict=True):
        if spec is not None:
            raise ParseError(f"--{mark.lower()} {spec} has no seat: {played} has {played.seats}.")
    found: list[str] = []
    opponent = OPPONENT if played.has_kernels else PLAIN
    for spec in named[: played.seats]:
        is_alone = "human" not in [*found, *named[: played.seats]]
        found.append(spec or ("human" if is_alone else opponent))
    return found


class Left(Exception):
    """The person has had enough."""


@dataclass
class Table:
    """A game under way: the position, who sits where, and the way back."""

    position: Position
    seats: dict[Mark, Agent]
    rng: "np.random.Generator"
    colour: bool
    history: list[tuple[Position, int, Landing]] = field(default_factory=list)
    adviser: Agent | None = None

    def play(self) -> None:
        """Play to the end, or until the person leaves."""
        if any(agent.name == "human" for agent in self.seats.values()):
            print(HELP.format(self.position.game.move_words) + "\n")
        try:
            while self.position.result is None and not self._is_repeated():
                self._turn()
        except (Left, EOFError):
            print("\nGood-bye.")
            return
        print(f"{self._board()}\n")
        result = self.position.result
        if result is None:
            print(f"A draw: the position came {MOST_TIMES} times.")
            return
        print("A draw." if result == "draw" else f"{result} wins.")
        self._teach()

    def _is_repeated(self) -> bool:
        """Whether the position has come so often that the game is drawn."""
        earlier = sum(position == self.position for position, _, _ in self.history)
        return self.position.game.repeats_by_moves and earlier + 1 >= MOST_TIMES

    def _teach(self) -> None:
        """Let those who learn from this game do so, and show what they learned."""
        for seat, player in self.seats.items():
            lines = player.game_over(seat, self.history)
            if lines:
                print("\n" + "\n".join(lines))

    def _turn(self) -> None:
        if self.position.turn is None:
            self._toss()
            return
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

    def _toss(self) -> None:
        """Let chance decide who moves."""
        landing, after = self.position.sample(self.position.moves[0], self.rng)
        self.history.append((self.position, self.position.moves[0], landing))
        print(f"It is tossed who moves: {after.turn}.")
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
                print(HELP.format(self.position.game.move_words))
            else:
                try:
                    return self.position.check_move(self.position.game.parse_move(answer))
                except NoughtsError as error:
                    print(error)

    def _prompt(self) -> str:
        game = self.position.game
        words = f"{self.position.turn} plays"
        if game.has_clock:
            words += f" at tick {self.position.tick}"
        return f"{words} ({game.move_hint})" if game.move_hint else words

    def _take_back(self) -> None:
        """Return to the last position in which a person had to move."""
        if not any(self._is_human(earlier) for earlier, _, _ in self.history):
            print("There is nothing to take back.")
            return
        self.position = self.history.pop()[0]
        while not self._is_human(self.position):
            self.position = self.history.pop()[0]

    def _is_human(self, position: Position) -> bool:
        """Whether a person is on turn."""
        return position.turn is not None and self.seats[position.turn].name == "human"

    def _advise(self, wish: str) -> None:
        from noughts.knowledge import judge

        if self.position.game.seats > 2:
            self._advise_many(wish)
            return
        judged = judge(self.position, self._adviser)
        if wish == "h":
            print(hint_line(judged))
            return
        print(f"\n{draw_board(self.position, value_words(judged), self.colour)}\n")
        print(f"Values for X: {source_line(judged)}")

    def _advise_many(self, wish: str) -> None:
        """The same where more than two play: what moves are worth to who is on turn."""
        worths, source = worths_of(self.position, self._adviser)
        if wish == "h":
            print(best_line(self.position, worths, source))
            return
        print(f"\n{draw_board(self.position, worth_words(self.position, worths), self.colour)}\n")
        print(f"Worths to {self.position.turn}: {source}.")

    def _adviser(self) -> Agent:
        """Who is asked about moves whose value is not known."""
        if self.adviser is None:
            self.adviser = agent(estimator_of(self.position.game))
        return self.adviser

    def _tell(self, player: Agent, move: int, landing: Landing) -> str:
        """What was chosen, and how the dice fell."""
        position = self.position
        words = f"{position.turn} ({player}) plays {position.game.name_move(move)}"
        if not position.game.risks and landing == position.meant(move):
            return words + "."
        chance = f"(chance {position.chance_of(move, landing.mark):.2f})"
        if landing.mark is None:
            words += f", and it fizzles {chance}"
        elif landing.mark == position.turn:
            words += f", and it lands as meant {chance}"
        else:
            words += f", and it flips to {landing.mark} {chance}"
        if landing.faded:
            words += f"; faded: {', '.join(map(str, landing.faded))}"
        return words + "."
