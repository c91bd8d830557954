"""Answering in our own protocol: `drive_noughts` seen from the other end.

The answer to `go` depends only on the agent, the messages since `game`, and the seed.
"""

import dataclasses
import re

import numpy as np

from noughts.agents import Agent
from noughts.errors import NoughtsError, ParseError
from noughts.games.game import Game, Position
from noughts.games.registry import game as read_game
from noughts.search.external.drive_noughts import VERSION
from noughts.search.external.serving import get_time, safe_time, set_time, warm_up


class NoughtsServer:
    """An agent that answers lines."""

    def __init__(self, agent: Agent) -> None:
        self.is_over = False
        self._agent = agent
        self._usual_time = get_time(agent)
        self._game: Game | None = None
        self._position: Position | None = None

    def answer(self, line: str) -> list[str]:
        """The answer to a message; none to an empty line and to `quit`."""
        word, _, rest = line.strip().partition(" ")
        known = {"noughts": self._greet, "game": self._begin, "position": self._set, "go": self._go}
        if word == "quit":
            self.is_over = True
        if not word or self.is_over:
            return []
        try:
            if word not in known:
                allowed = ", ".join([*known, "quit"])
                raise ParseError(f"'{word}' is not a message; messages: {allowed}.")
            return [known[word](rest.strip())]
        except NoughtsError as error:
            return [f"error {error}"]

    def _greet(self, version: str) -> str:
        if version != str(VERSION):
            raise ParseError(f"This engine speaks version {VERSION}, not '{version}'.")
        return f"noughts {VERSION} {self._agent}"

    def _begin(self, spec: str) -> str:
        self._game = self._position = None
        game = read_game(spec)
        warm_up(self._agent, game)
        self._game = game
        return "ok"

    def _set(self, text: str) -> str:
        self._position = None
        if self._game is None:
            raise NoughtsError("There is no game yet; send 'game SPEC' first.")
        self._position = self._game.parse(text)
        return "ok"

    def _go(self, words: str) -> str:
        if self._position is None:
            raise NoughtsError("There is no position yet; send 'position TEXT' first.")
        settings = dict(re.findall(r"(\S+?)=(\S+)", words))
        seed = _whole(settings.get("seed", "0"), "seed", 2**63)
        position = self._position
        if "last" in settings:
            last = _whole(settings["last"], "last", position.game.cells)
            position = dataclasses.replace(position, last=last)
        if self._usual_time is not None and "time" in settings:
            limit = _seconds(settings["time"])
            set_time(self._agent, min(self._usual_time, safe_time(limit)))
        move = self._agent.choose(position, np.random.default_rng(seed))
        return f"move {move}{self._thought()}"

    def _thought(self) -> str:
        last = self._agent.last
        words = ""
        if last is not None and last.value is not None:
            words += f" value {last.value!r}"
        if last is not None and last.nodes:
            words += f" nodes {last.nodes}"
        return words


def _whole(text: str, key: str, end: int) -> int:
    if not re.fullmatch("[0-9]{1,19}", text) or int(text) >= end:
        raise ParseError(f"{key}={text} is not a whole number below {end}.")
    return int(text)


def _seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
        raise ParseError(f"time={text} is not a number of seconds.")
    return float(text)
