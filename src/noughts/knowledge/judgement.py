"""What every move is worth: as it is known, or as somebody estimates it, within what is known.

    judge(position, estimate)    what is known; `estimate` names an agent for the rest
    claimed(position, agent)     what one agent says, and what it says it has proven

An estimate never contradicts what is known: it is cut to the bounds of its move, and no move is
worth more to its player than the position. So a proven win stays +1 on every image of the move, and
nothing beside it looks better.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from noughts.agents import Agent
from noughts.games.game import Position, check_two
from noughts.knowledge.asking import known_with_moves
from noughts.knowledge.known import NOTHING, Known, between, exactly
from noughts.knowledge.limits import ROUNDING, Budget, usual_budget
from noughts.knowledge.sources import RESULTS

SEARCH = "search"  # the source of what an agent proved while it thought

WORDS = {
    "ended": "the end of the game",
    "table": "the exact table",
    "theorem": "a theorem",
    "certificate": "the certificate of a proof",
    "threats": "a forced line",
    "endgame": "a search to the end",
    SEARCH: "a proof by search",
}


@dataclass(frozen=True)
class Judgement:
    """The values of the moves of one position, for X."""

    position: Position
    known: Mapping[int, Known]
    values: Mapping[int, float]  # of every move that anybody has a value for, ascending
    agent: Agent | None = None  # who estimated what is not known; None if nobody had to
    told: Known | None = field(default=None)  # about the position itself

    @cached_property
    def whole(self) -> Known:
        """What is certain about the position: from itself, and from its moves."""
        found = NOTHING if self.told is None else self.told
        if self.position.result is not None or not self.position.moves:
            return found
        pick = max if self.position.turn == "X" else min
        rows = [self.known.get(move, NOTHING) for move in self.position.moves]
        deciding = pick(rows, key=lambda one: one.low + one.high)
        low, high = pick(one.low for one in rows), pick(one.high for one in rows)
        more = Known(low, high, deciding.plies, deciding.source)
        return found.narrowed(more) if more.is_telling else found

    @property
    def is_exact(self) -> bool:
        """Whether the value of the position is known."""
        return self.whole.is_exact

    @property
    def exact_moves(self) -> frozenset[int]:
        """The moves whose value is known."""
        return frozenset(move for move, one in self.known.items() if one.is_exact)

    @property
    def value(self) -> float:
        """The value of the position: as known, or that of the best estimate."""
        if self.position.result is not None:
            return RESULTS[self.position.result]
        return self.whole.clamp(self.values[self.best[0]]) if self.values else self.whole.value

    @cached_property
    def best(self) -> tuple[int, ...]:
        """The best moves: those known to be best, if there are such; quick wins first."""
        if not self.values:
            return ()
        sign = 1.0 if self.position.turn == "X" else -1.0
        known_best = self._known_best(sign)
        if known_best:
            return known_best
        most = max(sign * value for value in self.values.values())
        return tuple(m for m, value in self.values.items() if sign * value >= most - ROUNDING)

    def _known_best(self, sign: float) -> tuple[int, ...]:
        if not self.is_exact:
            return ()
        worth = sign * self.whole.value - ROUNDING
        shown = [move for move in self.exact_moves if move in self.values]
        found = [move for move in shown if sign * self.known[move].value >= worth]
        return tuple(sorted(found, key=lambda move: (self._plies(move, sign), move)))

    def _plies(self, move: int, sign: float) -> float:
        """How long a win takes, none counted last; all else is equally long."""
        one = self.known[move]
        if sign * one.value < 1.0:
            return 0.0
        return float("inf") if one.plies is None else one.plies

    @property
    def source(self) -> str:
        """Who says so, in words."""
        if self.is_exact:
            words = WORDS.get(self.whole.source, self.whole.source)
            return f"{words} of {self.position.game}" if self.whole.source == "table" else words
        if self.agent is None:
            return "what is known"
        said = "the network of" if self.agent.name == "zero" else "a search by"
        return f"{said} {self.agent}"


def judge(
    position: Position, estimate: Callable[[], Agent], budget: Budget | None = None
) -> Judgement:
    """What is known of every move; what is not is estimated by an agent, who may not be needed."""
    check_two(position.game, "A value for X")
    whole, told = known_with_moves(position, usual_budget() if budget is None else budget)
    if all(move in told and told[move].is_exact for move in position.moves):
        return Judgement(position, told, {m: one.value for m, one in told.items()}, None, whole)
    agent = estimate()
    said = claimed(position, agent)
    merged = {move: _merged(told.get(move), said.known.get(move)) for move in position.moves}
    both = {move: one for move, one in merged.items() if one is not None}
    bounds = Judgement(position, both, {}, agent, whole)
    return Judgement(position, both, _within(bounds, said.values), agent, whole)


def claimed(position: Position, agent: Agent) -> Judgement:
    """What an agent says of the moves; where it has looked to the end, that is known, too."""
    said = {int(move): float(value) for move, value in sorted(agent.values(position).items())}
    proven: dict[int, Known] = {}
    if agent.values_are_exact:
        source = "table" if agent.name == "optimal" else SEARCH
        proven = {move: exactly(value, source) for move, value in said.items()}
    return Judgement(position, proven, said, agent)


def _merged(told: Known | None, said: Known | None) -> Known | None:
    """A proof of the moment counts unless it contradicts what is known: that is believed first."""
    if told is None or said is None:
        return told or said
    return told if told.clamp(said.value) != said.value else told.narrowed(said)


def _within(bounds: Judgement, said: Mapping[int, float]) -> dict[int, float]:
    """The estimates, cut to what is known of their moves and of the position."""
    is_x = bounds.position.turn == "X"
    whole = bounds.whole
    limit = between(-1.0 if is_x else whole.low, whole.high if is_x else 1.0, whole.source)
    found: dict[int, float] = {}
    for move in bounds.position.moves:
        one = bounds.known.get(move, NOTHING)
        if move in said:
            found[move] = one.narrowed(limit).clamp(said[move])
        elif one.is_exact:
            found[move] = one.value
    return found
