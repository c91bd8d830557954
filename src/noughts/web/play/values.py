"""What moves are worth on the page: what is known, and beside it what a search or network thinks.

`auto` shows what `noughts.knowledge` knows, and asks an agent about the rest only: a network where
one comes with the game, else a tree of random games. Any other wish is one agent's own opinion.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from noughts.agents import Agent, check_player
from noughts.agents import agent as read_agent
from noughts.aloud import SoFar
from noughts.errors import NoughtsError
from noughts.games.game import Game, Mark, Position
from noughts.knowledge import Judgement, claimed, judge
from noughts.knowledge.judgement import HearJudgement
from noughts.knowledge.limits import HASTY, ROUNDING
from noughts.knowledge.prospect import prospect_of
from noughts.knowledge.searches import forced_moves
from noughts.web.play.agents import page_listings

AUTO = "auto"
QUICK_SECONDS = 0.3  # of a first estimate; the answer soon comes after it
REFINING_SECONDS = 10.0  # of one that is refined while machine code is made
PLAIN = "alphabeta:time"  # where no kernel knows the rules; its seconds, alone and of a whole game
PLAIN_SECONDS, PLAIN_SHARED = 1.0, 0.1
SIMULATIONS = 20_000  # of one position
SHARED_SIMULATIONS = 200_000  # of a whole game
TIE = ROUNDING
COSTLIEST = 3
NETWORK = "zero"


@dataclass(frozen=True)
class Judged:
    """The values of one position, for X, as the page shows them."""

    found: Judgement
    best: Sequence[int]
    value: float
    line: list[int] | None = None
    is_quick: bool = False

    @property
    def values(self) -> Mapping[int, float]:
        return self.found.values

    @property
    def is_exact(self) -> bool:
        return self.found.is_exact

    @property
    def exact_moves(self) -> frozenset[int]:
        return self.found.exact_moves

    @property
    def agent(self) -> str:
        """Who estimated; where nobody had to, who would play by what is known."""
        return "optimal" if self.found.agent is None else str(self.found.agent)

    @property
    def source(self) -> str:
        return self.found.source

    @property
    def is_clear(self) -> bool:
        """Whether the best moves stand out from the others by more than chance."""
        return bool(self.best) and self.found.is_clear

    def spread_of(self, move: int) -> float | None:
        """The standard error of an estimate; None where there is none, or nobody knows it."""
        return None if move in self.exact_moves else self.found.spreads.get(move)

    @property
    def spread(self) -> float | None:
        """That of the position, worth what its best move is; of a quick look any move's."""
        if self.is_exact:
            return None
        if self.best:
            return self.spread_of(self.best[0])
        return max(self.found.spreads.values(), default=None)

    @property
    def expected(self) -> Sequence[int]:
        """How the game may go on, by who estimated it; what is known has no need of that."""
        agent = self.found.agent
        return () if self.is_exact or self.is_quick or agent is None else agent.expected

    @property
    def note(self) -> str:
        """What is said of moves that are not known."""
        if self.is_exact and len(self.exact_moves & set(self.values)) < len(self.values):
            return f"Moves with ≈ are estimated by {self.agent}."
        return ""


HearJudged = Callable[[SoFar, Callable[[], Judged]], None]


@dataclass
class Judge:
    """Values positions of one game. `share`: how many positions share the time."""

    find: Callable[[str], Agent]
    wish: str
    game: Game
    share: int = 1
    is_quick: bool = False  # in a moment, by what needs no search
    seconds: float = QUICK_SECONDS  # of a quick look

    @cached_property
    def agent_name(self) -> str:
        """Who is asked about what is not known."""
        if self.wish != AUTO:
            return self.wish
        if self.is_quick:
            thinks = "uct:time" if self.game.has_kernels else PLAIN
            return f"{thinks}={self.seconds:g}"
        return choose_judge(self.game, self.share)

    def judge(self, position: Position, hear: HearJudged | None = None) -> Judged:
        """What every move is worth; with a clock, each cell at its best time.

        `hear` is told while somebody thinks how to have what he thinks so far.
        """
        tell: HearJudgement | None = None
        if hear is not None:
            tell = lambda far, said: hear(far, lambda: self._shown(position, said()))  # noqa: E731
        if self.wish == AUTO:
            budget = HASTY if self.is_quick else None
            return self._shown(
                position, judge(position, lambda: self._agent(position), budget, tell)
            )
        return self._shown(position, claimed(position, self._agent(position), tell))

    def _shown(self, position: Position, found: Judgement) -> Judged:
        if not found.values:
            raise NoughtsError(
                f"{self.agent_name} has no values; take auto, optimal, uct or alphabeta."
            )
        found = replace(found, values=_best_waits(position, found.values))
        best, value = found.best, found.value
        if self.is_quick and not found.is_exact:  # the largest of few samples is mostly luck
            best, value = (), sum(found.values.values()) / len(found.values)
        return Judged(found, best, value, self._line(position, found), self.is_quick)

    def _agent(self, position: Position) -> Agent:
        agent = self.find(self.agent_name)
        check_player(agent, position)
        return agent

    def _line(self, position: Position, found: Judgement) -> list[int] | None:
        """The moves of a forced win, if it is one that a search found."""
        is_won = found.value == (1.0 if position.turn == "X" else -1.0)
        if self.is_quick or not is_won or found.whole.source != "threats":
            return None
        return forced_moves(position)

    def value_of(self, position: Position, move: int, judged: Judged) -> float:
        """The value of a move that was played, which need not be at its cell's best time."""
        if move in judged.values:
            return judged.values[move]
        told = judged.found.known.get(move)
        if told is not None and told.is_exact:
            return told.value
        found = self._agent(position).values(position)
        return float(found[move]) if move in found else judged.value


def choose_judge(game: Game, share: int = 1, is_guess: bool = False) -> str:
    """The agent who is asked what is not known: the table itself where it is to be had.

    `is_guess`: without loading a network to see whether it plays the game, which takes a second.
    """
    if prospect_of(game).ready:
        return "optimal"
    if not game.has_kernels:
        return f"{PLAIN}={PLAIN_SECONDS if share == 1 else PLAIN_SHARED:g}"
    if (bool(game.zones) and not game.is_risky) if is_guess else _has_network(game):
        return NETWORK if share == 1 else f"{NETWORK}:simulations=100"
    simulations = SIMULATIONS if share == 1 else max(SHARED_SIMULATIONS // share, 500)
    return f"uct:simulations={min(simulations, SIMULATIONS)}"


def _has_network(game: Game) -> bool:
    """Whether a network that judges better than a search comes with the package: Ultimate's."""
    if not game.zones or not any(row.name == NETWORK for row in page_listings()):
        return False
    try:
        read_agent(NETWORK).check_game(game)
    except NoughtsError:
        return False
    return True


def _best_waits(position: Position, values: Mapping[int, float]) -> dict[int, float]:
    """With a clock, one move per cell: the one at its best time, the earliest of equals."""
    if not position.game.has_clock:
        return dict(sorted(values.items()))
    sign = 1.0 if position.turn == "X" else -1.0
    best: dict[int, int] = {}
    for move in sorted(values):
        cell = position.game.cell_of(move)
        if cell not in best or sign * values[move] > sign * values[best[cell]] + TIE:
            best[cell] = move
    return {move: values[move] for _, move in sorted(best.items())}


def costliest(moves: Sequence[Mapping[str, Any]], marks: Sequence[Mark]) -> dict[str, list[int]]:
    """Up to three plies of each seat that lost most, the dearest first."""
    found: dict[str, list[int]] = {}
    for seat in marks:
        lost = [move for move in moves if move["turn"] == seat and move["regret"] > 0.0]
        lost.sort(key=lambda move: (-move["regret"], move["ply"]))
        found[seat] = [move["ply"] for move in lost[:COSTLIEST]]
    return found
