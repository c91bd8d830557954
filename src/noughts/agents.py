"""Agents choose moves. This is what they promise, and how a spec such as `uct:time=1` finds one.

An agent is a dataclass that declares its options as fields (see `options.py`):

    @dataclass(eq=False, repr=False)
    class Flat(Agent):
        name = "flat"
        playouts: int = whole(900, 1, 10**9, "How many random games are played for a move.")

        def choose(self, position, rng): ...

The registry holds names and the places where they are defined, as texts: nothing is imported
before it is asked for. Other packages add agents under the entry point group `noughts.agents`; such
an entry point is an Agent class, or a plain function `f(position, rng) -> move`. Modules that
define agents load numpy and numba only when they choose, so that listing agents is instant.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from noughts.errors import NoughtsError, ParseError
from noughts.games.game import MARKS, Game, Landing, Mark, Position, check_two
from noughts.games.grammar import Spec, parse_spec
from noughts.options import (
    Listed,
    Option,
    check_options,
    find,
    options_of,
    read_options,
    registered,
    write_options,
)
from noughts.plugins import LEARNERS, is_point, whole_classes

if TYPE_CHECKING:
    import numpy as np  # only named here, so that naming an agent needs no numpy

ENTRY_POINTS = "noughts.agents"

ChooseFunction = Callable[[Position, "np.random.Generator"], int]


@dataclass(frozen=True)
class Thought:
    """What the last choice took, and what it was thought to be worth."""

    nodes: int = 0  #: positions or simulations looked at
    depth: int = 0  #: moves looked ahead
    seconds: float = 0.0
    memory: int = 0  #: bytes held while thinking
    value: float | None = None  #: of the move that was chosen, as in `Agent.values`
    is_exact: bool = False  #: the value is proven, not estimated
    note: str = ""


class Agent(ABC):
    """Chooses moves in any position of the games it can play."""

    name: ClassVar[str] = ""
    most_seats: ClassVar[int] = len(MARKS)  #: players of the games that it can play
    kernels: ClassVar[str] = ""  #: what it needs compiled, as a word of `effort`; nothing: nothing
    values_are_exact: bool = False  #: whether the last `values` were proven
    spreads: Mapping[int, float] = MappingProxyType({})  #: standard errors of the last `values`
    expected: Sequence[int] = ()  #: how the game may go on, by the last `values`
    last: Thought | None = None  #: about the last choice; None before the first

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def is_deterministic(self) -> bool:
        """Whether it draws nothing from `rng`: equal positions get equal moves, clocks aside."""
        return False

    def check_game(self, game: Game) -> None:  # noqa: B027 - most agents play every game
        """Raise NoughtsError, in one sentence, if this agent cannot play the game at all."""

    def check_position(self, position: Position) -> None:
        """Raise NoughtsError, in one sentence, if this agent cannot move here."""
        self.check_game(position.game)

    def learned(self) -> str | None:
        """A digest of what it reads that it has learned; games of another are not its own."""
        return None

    def interpreted_seconds(self, game: Game) -> float:
        """About how long a move takes without machine code; infinity: it is worth compiling for."""
        return math.inf if self.kernels else 0.0

    @abstractmethod
    def choose(self, position: Position, rng: "np.random.Generator") -> int:
        """A legal move. All randomness comes from `rng`."""

    def values(self, position: Position) -> dict[int, float]:
        """The expected result for X, in [-1, 1], of each move that the agent has a value for.

        With more than two players it is what the move is worth to the player on turn.
        """
        return {}

    def reset(self) -> None:
        """Forget what was kept from earlier moves; called before each new game."""
        self.last = None

    def game_over(
        self, seat: Mark, steps: Sequence[tuple[Position, int, Landing]]
    ) -> Sequence[str]:
        """A game that `noughts play` showed is over: learn from it, and say in lines what."""
        return ()

    @classmethod
    def options(cls) -> tuple[Option, ...]:
        """What can be set, with defaults, ranges and help."""
        return options_of(cls)

    def __str__(self) -> str:
        """The canonical spec: the name and the options that differ from their default."""
        return str(Spec(self.name, write_options(self)))

    def __repr__(self) -> str:
        return f"noughts.agent({str(self)!r})"


class FunctionAgent(Agent):
    """A plain function `f(position, rng) -> move` as an agent, named after the function."""

    def __init__(self, function: ChooseFunction, name: str | None = None) -> None:
        self.function = function
        self.label = str(getattr(function, "__name__", "function")) if name is None else name

    def __str__(self) -> str:
        return self.label

    def choose(self, position: Position, rng: "np.random.Generator") -> int:
        check_running(position)
        return position.check_move(self.function(position, rng))


@dataclass(frozen=True)
class AgentListing(Listed["type[Agent] | ChooseFunction"]):
    """One row of `noughts agents`."""

    noun = "agent"

    def accept(self, found: object) -> "type[Agent] | ChooseFunction":
        if isinstance(found, type):
            if issubclass(found, Agent) and found.name == self.name:
                return found
        elif callable(found):
            return found
        raise TypeError(f"neither an Agent class with name = '{self.name}' nor a function")


BUILT_IN = (
    AgentListing("random", "noughts.search.simple:RandomAgent", "every move is equally likely"),
    AgentListing("fixed", "noughts.search.simple:FixedAgent", "each cell has a weight"),
    AgentListing(
        "optimal", "noughts.knowledge.optimal:OptimalAgent", "a best move, from the table"
    ),
    AgentListing("fallible", "noughts.knowledge.fallible:FallibleAgent", "optimal, but it may err"),
    AgentListing("human", "noughts.search.simple:HumanAgent", "a person who types cells"),
    AgentListing(
        "minimax", "noughts.search.minimax:MinimaxAgent", "every line of play, nothing cut off"
    ),
    AgentListing(
        "heuristic", "noughts.search.heuristic:HeuristicAgent", "a few moves and a count of marks"
    ),
    AgentListing(
        "alphabeta", "noughts.search.alphabeta:AlphaBetaAgent", "the best move a search can find"
    ),
    AgentListing("maxn", "noughts.search.maxn:MaxnAgent", "every player for himself, looked ahead"),
    AgentListing("flat", "noughts.search.flat:FlatAgent", "as many random games after each move"),
    AgentListing("uct", "noughts.search.uct:UctAgent", "a tree that grows where moves do well"),
    AgentListing("zero", "noughts.learn.zero.agent:ZeroAgent", "a search that a network guides"),
    AgentListing(
        "learner", "noughts.learn.frame.agent:LearnedAgent", "what a run of training learned"
    ),
    AgentListing("table", "noughts.learn.table.agent:TableAgent", "a value for every board"),
    AgentListing("td-table", "noughts.learn.frame.agent:TdTableAgent", "a table learned by TD(λ)"),
    AgentListing("q-table", "noughts.learn.frame.agent:QTableAgent", "a table of boards and moves"),
    AgentListing(
        "td-quadratic",
        "noughts.learn.frame.agent:TdQuadraticAgent",
        "a quadratic value learned by TD(0)",
    ),
    AgentListing(
        "q-quadratic", "noughts.learn.frame.agent:QQuadraticAgent", "a quadratic value of each move"
    ),
    AgentListing(
        "q-net", "noughts.learn.frame.agent:QNetAgent", "a small network's value of each move"
    ),
    AgentListing("external", "noughts.search.external:ExternalAgent", "a program that you name"),
)


def agent(spec: str | Agent | ChooseFunction) -> Agent:
    """The agent that a spec names; an Agent is returned as it is, a function is wrapped.

    A spec makes a new agent every time, because agents may keep things between moves.
    """
    if isinstance(spec, Agent):
        return spec
    if callable(spec) and not isinstance(spec, type):
        return FunctionAgent(spec)
    if not isinstance(spec, str):
        raise ParseError(f"An agent is named by a text such as 'uct:time=1', not {spec!r}.")
    return _build(parse_spec(spec))


def listed_agents() -> list[AgentListing]:
    """Every agent that can be named: the built-in ones, then those of other packages."""
    return list(_registry().values())


def check_player(player: Agent, where: Game | Position) -> None:
    """Refuse, in one sentence, a player that cannot play a game from its start, or from a position.

    Everybody who is about to let an agent play asks here: commands, the arena, the page, adapters.
    """
    position = where.start() if isinstance(where, Game) else where
    if player.most_seats == 2:
        check_two(position.game, str(player))
    player.check_position(position)


def view_of(position: Position) -> tuple[float, int]:
    """(sign, column): how the player on turn reads a value for X, or one value for each seat."""
    if position.game.seats > 2:
        return 1.0, position.game.marks.index(position.mover)
    return (1.0 if position.turn == "X" else -1.0), 0


def check_running(position: Position) -> None:
    """Refuse a position in which there is nothing to choose, or that is none of its game."""
    position.check_kept()
    if position.result is not None:
        raise NoughtsError("The game is over; there is no move to choose.")


def _build(spec: Spec) -> Agent:
    registry = _registry()
    if spec.name not in registry and is_point(LEARNERS, spec.name):
        raise ParseError(f"'{spec.name}' is a learner; play it as learner:run=FOLDER.")
    listing = find(registry, spec.name, "an agent", "agents")
    found = listing.resolve()
    if isinstance(found, type):
        options = read_options(found, spec)
        with whole_classes("agent", spec.name, listing.is_ours):
            made: Agent = found(**options)
        return made
    spec.allow(())
    return FunctionAgent(found, spec.name)


@cache
def _registry() -> dict[str, AgentListing]:
    return registered(BUILT_IN, ENTRY_POINTS)
