"""Asking a program for moves in our own protocol.

Every message but `quit` gets exactly one answer: what it asks for, or `error` and a sentence.

    noughts 1                                    noughts 1 my bot
    game 3x3                                     ok
    position X../.O./... X to move               ok
    go seed=7 time=30 cells=1/2/3/5/6/7/8        move 8 value 0.5 nodes 120
    quit
"""

import math
import re
from typing import ClassVar

from noughts.errors import NoughtsError
from noughts.games.game import Game, Position
from noughts.search.external.program import SHOWN, Program
from noughts.search.external.talk import Patience, Reply, ask, misunderstood

VERSION = 1

_MOVE = "'move N', and then 'value V' from -1 to 1 and 'nodes N' if it likes"


class NoughtsTalk:
    """Our own protocol, for every game; the program need not remember anything."""

    noise: ClassVar[re.Pattern[str]] = re.compile("#")
    farewell: ClassVar[str] = "quit\n"

    def __init__(self, program: Program, patience: Patience) -> None:
        self._program = program
        self._patience = patience
        wanted = f"noughts {VERSION}"
        answer = self._ask(wanted, patience.startup)
        if not re.fullmatch(rf"{wanted}( .*)?", answer):
            raise misunderstood(program, wanted, answer, f"'{wanted} NAME'")

    def begin(self, game: Game) -> bool:
        self._expect_ok(f"game {game}", self._patience.startup)
        return True

    def choose(self, position: Position, seed: int) -> Reply:
        self._expect_ok(f"position {position.to_text()}", self._patience.move)
        cells = "/".join(map(str, position.open_cells))
        question = f"go seed={seed} time={self._patience.move:g} cells={cells}"
        if position.last is not None:
            question += f" last={position.last}"
        answer = self._ask(question, self._patience.move)
        reply = _read_reply(answer)
        if reply is None:
            raise misunderstood(self._program, "go", answer, _MOVE)
        return reply

    def _expect_ok(self, question: str, seconds: float) -> None:
        answer = self._ask(question, seconds)
        if answer != "ok":
            raise misunderstood(self._program, question, answer, "'ok'")

    def _ask(self, question: str, seconds: float) -> str:
        answer = ask(self._program, f"{question}\n", seconds)
        word, _, reason = answer.partition(" ")
        if word == "error":
            asked = question.partition(" ")[0]
            raise NoughtsError(f"{self._program} refused '{asked}': {reason[: 2 * SHOWN]}")
        return answer


def _read_reply(answer: str) -> Reply | None:
    """`move N` and pairs of a key and a number; None when it is anything else."""
    words = answer.split()
    pairs = dict(zip(words[::2], words[1::2], strict=False))
    if len(words) != 2 * len(pairs) or not {"move"} <= set(pairs) <= {"move", "value", "nodes"}:
        return None
    if not all(re.fullmatch("[0-9]{1,12}", pairs.get(key, "0")) for key in ("move", "nodes")):
        return None
    try:
        value = float(pairs["value"]) if "value" in pairs else None
    except ValueError:
        return None
    if value is not None and not (math.isfinite(value) and -1.0 <= value <= 1.0):
        return None
    return Reply(int(pairs["move"]), value, int(pairs.get("nodes", "0")))
