"""`external:cmd=./bot`: an agent that is a program of somebody else, in any language.

The program is started when it is first asked, kept from game to game, and started anew after it
crashed, hung or talked nonsense; each of these is a NoughtsError that names it. It ends with the
agent, or with the interpreter.
"""

import shlex
import shutil
import weakref
from contextlib import ExitStack
from dataclasses import dataclass
from time import perf_counter
from urllib.parse import unquote

import numpy as np

from noughts.agents import Agent, Thought, check_running
from noughts.errors import IllegalMove, NoughtsError, ParseError
from noughts.games.game import Game, Position
from noughts.options import choice, number, text
from noughts.search.external.drive_gomocup import GomocupTalk, check_gomoku
from noughts.search.external.drive_noughts import NoughtsTalk
from noughts.search.external.program import Program
from noughts.search.external.talk import Patience, Talk

SEEDS = 2**53  # whole numbers below this are exact in every language
TALKS: dict[str, type[Talk]] = {"noughts": NoughtsTalk, "gomocup": GomocupTalk}


@dataclass(eq=False, repr=False)
class ExternalAgent(Agent):
    """Starts a program and asks it for moves over its standard input and output.

    `cmd` is split into words as a shell would, but no shell runs. A comma, which would end the
    option, is written %2C, and a percent sign before two hexadecimal digits %25.
    """

    name = "external"
    cmd: str | None = text(None, "The program and its arguments; a comma is written %2C.")
    protocol: str = choice("noughts", tuple(TALKS), "The language it speaks; docs/protocols.md.")
    timeout: float = number(30, 0.001, 86_400, "Seconds for a move; more is a fault.")
    startup: float = number(60, 0.001, 86_400, "Seconds to start, and to prepare for a game.")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._words = _split(self.cmd or "")
        self._talk: Talk | None = None
        self._hang_up: weakref.finalize[..., ExternalAgent] | None = None
        self._game: Game | None = None  # the one that the program was told of

    def check_game(self, game: Game) -> None:
        """Also that there is such a program, so that no match begins without its player."""
        super().check_game(game)
        if self.protocol == "gomocup":
            check_gomoku(game)
        self._check_words()
        if shutil.which(self._words[0]) is None:
            raise NoughtsError(
                f"'{shlex.join(self._words)}' cannot be started: there is no program "
                f"'{self._words[0]}' here."
            )

    def choose(self, position: Position, rng: np.random.Generator) -> int:
        check_running(position)
        if self.protocol == "gomocup":
            check_gomoku(position.game)
        seed = int(rng.integers(SEEDS))
        with ExitStack() as on_failure:
            # A conversation that broke off, for whatever reason, cannot be taken up again.
            on_failure.callback(self.close)
            talk = self._talk_of(position.game)
            began = perf_counter()
            reply = talk.choose(position, seed)
            seconds = perf_counter() - began
            on_failure.pop_all()
        self.last = Thought(nodes=reply.nodes, seconds=seconds, value=reply.value)
        try:
            return position.check_move(reply.move)
        except IllegalMove as error:
            raise IllegalMove(f"'{shlex.join(self._words)}' played {reply.move}: {error}") from None

    def reset(self) -> None:
        """The next position begins a new game, and the program is told so."""
        super().reset()
        self._game = None

    def close(self) -> None:
        """End the program; the next choice starts it anew."""
        if self._hang_up is not None:
            self._hang_up()
        self._talk = self._hang_up = self._game = None

    def _talk_of(self, game: Game) -> Talk:
        """The conversation, once the program runs and knows the game."""
        if self._talk is not None and self._game == game:
            return self._talk
        talk = self._talk or self._start()
        if not talk.begin(game):
            self.close()
            talk = self._start()
            talk.begin(game)
        self._talk, self._game = talk, game
        return talk

    def _check_words(self) -> None:
        if not self._words:
            raise NoughtsError("external needs a program, such as external:cmd=./bot.")

    def _start(self) -> Talk:
        self._check_words()
        kind = TALKS[self.protocol]
        program = Program(self._words, kind.noise)
        self._hang_up = weakref.finalize(self, program.close, kind.farewell)
        return kind(program, Patience(self.startup, self.timeout))


def _split(command: str) -> list[str]:
    try:
        return [unquote(word) for word in shlex.split(command)]
    except ValueError as error:
        raise ParseError(f"cmd={command} cannot be split into words: {error}.") from None
